"""The visitor's language, and its sentences by their keys."""

import gettext
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from flask import g, has_request_context, request

from engine.rules import game, games
from web.messages import MESSAGES

LANGUAGES: Mapping[str, str] = {"en": "English", "sw": "Kiswahili", "lg": "Luganda", "ja": "日本語"}
"""Code and own name of every language of the page."""

LOCALE, DOMAIN = Path(__file__).parent / "locale", "inkeek"
"""The folder of gettext's catalogues; `.venv/bin/python -m tests.web.catalogs` makes them."""

COOKIE = "inkeek-language"
ONE = "one-lap."
"""How the keys begin that word the moves of games without relays."""
SIZE = re.compile(r"\b([24])x(\d{1,2})\b")


def language() -> str:
    """Return the visitor's language: chosen on the page, else the first that the browser asks for and the page has."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        kept = request.cookies.get(COOKIE, "")
        g.language = kept if kept in LANGUAGES else request.accept_languages.best_match(list(LANGUAGES), "en")
    return str(g.language)


def speak_of(game: str) -> None:
    """Answer this request in the words of this game."""
    g.game = game


def spoken_of() -> str:
    """Return the game in whose words this request is answered; "" for none."""
    return str(g.get("game", "")) if has_request_context() else ""


@cache
def worded(code: str, game: str) -> Mapping[str, str]:
    """Return every sentence of a language by its key, with this game's own wording, which stands under `GAME.KEY`."""
    table = catalog(code)
    return {key: table.get(f"{game}.{key}", text) for key, text in table.items()} if game else table


def sentences() -> Mapping[str, str]:
    """Return every sentence by its key, in the visitor's language and the words of the request's game."""
    return worded(language(), spoken_of())


@lru_cache(maxsize=len(LANGUAGES))
def catalog(code: str) -> Mapping[str, str]:
    """Return every sentence of a language by its key; English where the translation is missing."""
    if code == "en":
        return _spread(MESSAGES)
    found = gettext.translation(DOMAIN, LOCALE, [code], fallback=True)
    translated = {key: found.gettext(key) for key in MESSAGES}
    return _spread({key: english if translated[key] in ("", key) else translated[key]
                    for key, english in MESSAGES.items()})


def _spread(table: Mapping[str, str]) -> Mapping[str, str]:
    """Return the table with each `one-lap.KEY` as `GAME.KEY` for every game without relays that has none of its own."""
    single = [name for name in games() if not game(name).relays]
    one_lap = {key.removeprefix(ONE): text for key, text in table.items() if key.startswith(ONE)}
    return {f"{name}.{key}": text for name in single for key, text in one_lap.items()} | {
        key: text for key, text in table.items() if not key.startswith(ONE)}


def say(key: str, **values: object) -> str:
    """Return the sentence of `key` in the visitor's language, filled in; the `.one` form if its `n` is 1."""
    table = sentences()
    text = table.get(f"{key}.one", table[key]) if values.get("n") == 1 else table[key]
    shown = {name: sized(value) if isinstance(value, str) else value for name, value in values.items()}
    return text.format(**shown) if values else text


def sized(text: str) -> str:
    """Return the text with boards' sizes as people write them: "2 × 8" for "2x8"."""
    return SIZE.sub(r"\1 × \2", text)
