"""The games and their rulesets by name: the entrance to `engine.games`."""

from collections.abc import Mapping

from engine.games.ayoayo import Ayoayo
from engine.games.base import Move, MoveError, Moves, Over, Rules
from engine.games.endodoi import EnDodoi
from engine.games.enkeshui import Enkeshui
from engine.games.fields import Field, RulesError
from engine.games.layligoobalay import LayliGoobalay
from engine.games.omweso import Omweso
from engine.games.oware import Oware
from engine.messages import MESSAGES, any_of, message

__all__ = ["Field", "Move", "MoveError", "Moves", "Over", "Rules", "RulesError", "game", "games", "messages",
           "page_messages", "register", "ruleset", "rulesets"]

GAMES = (Enkeshui, EnDodoi, Omweso, Ayoayo, LayliGoobalay, Oware)
"""All games, in the order in which people are offered them."""

_GAMES: dict[str, type[Rules]] = {}


def register(game: type[Rules]) -> None:
    """Make a game known by its name. Raises ValueError if it gives a message key another text than the games before."""
    for known, own in ((messages(), {**MESSAGES, **game.messages}), (page_messages(), game.page_messages())):
        clash = next((key for key, text in own.items() if known.get(key, text) != text), None)
        if clash is not None:
            raise ValueError(f"{game.title} has another text for the message {clash!r}: give it a key of its own")
    _GAMES[game.game] = game


def games() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(_GAMES)


def game(name: str) -> type[Rules]:
    """Find a game by name, written in any usual way: `En Dodoi` is `endodoi`. Raises RulesError."""
    found = _GAMES.get(_folded(name))
    if found is None:
        raise RulesError(message("rules.no-game", name=repr(name[:40]), known=any_of(_GAMES)))
    return found


def _folded(name: str) -> str:
    """A name in small letters, without spaces and hyphens."""
    return "".join(name.casefold().replace("-", " ").split())


def rulesets(name: str) -> tuple[str, ...]:
    """The names of a game's rulesets, the default first. Raises RulesError."""
    return tuple(game(name).rulesets)


def ruleset(name: str, rules: str | None = None, sets: Mapping[str, str] | None = None) -> Rules:
    """Return the rules of a game. rules: the ruleset's name in any case, None for the default; sets: fields to change,
    as words.

    Raises RulesError for a game, ruleset, field or value that does not exist.
    """
    chosen = game(name)
    return chosen(next((own for own in chosen.rulesets if rules is not None and own == rules.casefold()), rules), sets)


def messages() -> dict[str, str]:
    """All messages of the rules to people, by key: the shared ones, and each game's own."""
    return {**MESSAGES, **{key: text for one in _GAMES.values() for key, text in one.messages.items()}}


def page_messages() -> dict[str, str]:
    """All texts of the page about the games, by key (`Rules.page_messages`)."""
    return {key: text for one in _GAMES.values() for key, text in one.page_messages().items()}


for _game in GAMES:
    register(_game)
