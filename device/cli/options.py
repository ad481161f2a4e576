"""Options that several commands share, and the error for arguments that cannot be used."""

from collections.abc import Mapping
from pathlib import Path

import click

from device.south import SOUTHS
from device.system.folder import DataFolder
from engine.board import Board
from engine.rules import Rules, ruleset


class Unusable(click.ClickException):
    """The arguments cannot be used: one sentence, exit status 2."""

    exit_code = 2


def sets(_context: object, _parameter: object, words: tuple[str, ...]) -> dict[str, str]:
    """Parse FIELD=VALUE words into a mapping. Raises `Unusable`."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Unusable(f"{word[:40]!r} is not FIELD=VALUE")
        found[name.strip()] = value.strip()
    return found


def usable_rules(game: str, rules: str | None, board: str, fields: Mapping[str, str]) -> tuple[Rules, Board | None]:
    """The rules and the board of the arguments; the board is None for "" and "auto". Raises `Unusable`."""
    try:
        chosen = ruleset(game, rules or None, fields)
        size = Board.parse(board) if board and board != "auto" else None
        if size is not None and size not in chosen.boards:
            chosen.setup(board=size)
    except ValueError as error:
        raise Unusable(str(error)) from None
    return chosen, size


def _folder(_context: object, _parameter: object, path: Path | None) -> DataFolder:
    """The named data folder, else the one at hand."""
    return DataFolder(path) if path is not None else DataFolder.at_hand()


DATA = click.option("--data", "folder", type=click.Path(path_type=Path, file_okay=False), callback=_folder,
                    help="The data folder, if not the default.")
SETS = click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", callback=sets,
                    help="Change a field of the ruleset.")
SOUTH = click.Choice(SOUTHS)
LINES = ("A position line has the rows as South sees them, so North's comes first and runs from his right to his left: "
         "4,4,4,4,4,0/4,4,4,4,4,4 N 0-4 ply=3.")
"""The help text on position lines; engine/games/README.md says more."""
