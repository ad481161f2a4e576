"""`inkeek rules`: list the games and their rulesets, with the meaning and source of every field."""

import json
import textwrap
from typing import Any

import click
from rich.text import Text

from device.cli.boards import console, drawn, for_people
from device.cli.options import Unusable
from engine.games.fields import Field, word
from engine.rules import Rules, RulesError, games, ruleset
from engine.rules import game as game_of

WIDTH = 110


def form(game: type[Rules]) -> dict[str, Any]:
    """The JSON form of a game. The first ruleset is the default."""
    return {
        "game": game.game,
        "title": game.title,
        "boards": {str(board): list(ruleset(game.game).setups(board)) for board in game.boards},
        "rulesets": [
            {"name": name, "source": game.sources[name],
             "values": ruleset(game.game, name).values} for name in game.rulesets
        ],
        "fields": [
            {"name": f.name, "values": _json_values(f), "default": f.default, "meaning": f.text, "source": f.source}
            for f in game.fields
        ],
    }


def _json_values(f: Field) -> list[bool] | list[str] | dict[str, int]:
    """A field's possible values, or the least and the most of a whole number."""
    if isinstance(f.values, range):
        return {"least": f.values[0], "most": f.values[-1]}
    return [*f.values]


def plain(game: type[Rules], width: int = WIDTH) -> str:
    """The game as text for people, wrapped at `width` columns."""
    out = [f"{game.title} (--game {game.game})"]
    for board in game.boards:
        setups = ", ".join(ruleset(game.game).setups(board)) or "any agreed position"
        out.append(f"  --board {board}" + ("" if setups == str(board) else f": {setups}"))
    for name, changed in game.rulesets.items():
        own = "".join(f" --set {field}={word(value)}" for field, value in changed.items())
        out.append(f"  --rules {name}{f', that is{own}' if own else ''}. Source: {game.sources[name]}")
    out = [line for long in out for line in _wrapped(long, 4, width)]
    for f in game.fields:
        out += ["", f"  --set {f.name}={_words(f)}  (default {word(f.default)})"]
        out += _wrapped(f"    {f.text}", 4, width) + _wrapped(f"    Source: {f.source}", 4, width)
    return "\n".join(out)


def show_to_people(game: type[Rules]) -> None:
    """Draw a game's set-up in the terminal, and print how it is played."""
    out, setup = console(), ruleset(game.game).setup()
    out.print(Text(f"{game.title}. {game.about}", "bold"), Text("\n"))
    out.print(drawn(setup), Text("\n"))
    for part, said in game.how_played.items():
        out.print(Text(f"{HEADINGS[part]}: ", "bold").append(said, "not bold"))
    out.print()


HEADINGS = {"move": "A move", "capture": "A capture", "bull": "Bulls", "end": "The end"}
"""Headings for the parts of how a game is played."""


def _words(f: Field) -> str:
    if isinstance(f.values, range):
        return f"{f.values[0]}…{f.values[-1]}"
    return "|".join(word(value) for value in f.values)


def _wrapped(line: str, indent: int, width: int) -> list[str]:
    return textwrap.wrap(line, width, subsequent_indent=" " * indent, break_on_hyphens=False)


@click.command()
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def rules(game: str | None, as_json: bool) -> None:
    """Explain the games and their rulesets.

    Lists the rulesets and every field, with meaning and source, of one GAME, such as `inkeek rules omweso`, or of all.
    A terminal also shows the set-up and how the game is played.
    """
    try:
        chosen = [game_of(name) for name in ([game] if game is not None else games())]
    except RulesError as e:
        raise Unusable(str(e)) from None
    if as_json:
        for one in chosen:
            click.echo(json.dumps(form(one), ensure_ascii=False))
        return
    for number, one in enumerate(chosen):
        if number:
            click.echo()
        if for_people(as_json=as_json):
            show_to_people(one)
            click.echo(plain(one, min(WIDTH, console().width)))
        else:
            click.echo(plain(one))
