"""How much code runs for one legal move: how many functions, in how many files, from a reading to the verdict.

    python -m tests.bench.trace_functions [LOG]…

Plays logs of readings (`device.evidence.reading_log`), or a staged game if none is named. For every legal move it
prints which of the product's own functions ran in the call of `Table.reading` that gave the verdict. Cached results do
not run again, so the first move is the one that counts.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import click

from device.cli.watch.recorded_game import judge_log
from device.evidence.reading_log import LogError
from device.table.table import Table
from tests.bench.othermaking import PACES
from tests.bench.staged import Staged

ROOT = Path(__file__).parents[2]
ROOMS = tuple(str(ROOT / room) + "/" for room in ("engine", "device", "vision"))
GAME, GAP_S = 4, 0.5
"""Number of the staged game, and seconds between its hands."""


@dataclass
class Ran:
    """The functions that ran since the last reading came in. moves: for each legal move, those up to its verdict."""

    since: set[CodeType] = field(default_factory=set)
    moves: list[frozenset[CodeType]] = field(default_factory=list)

    def called(self, frame: FrameType, what: str, _: Any) -> None:
        """Record a call; a callback for `sys.setprofile`."""
        code = frame.f_code
        if what != "call" or not code.co_filename.startswith(ROOMS):
            return
        if code is Table.reading.__code__:
            self.since.clear()
        self.since.add(code)

    def said(self, event: dict[str, Any]) -> None:
        """Take an event of the table."""
        if event["event"] == "verdict" and event["kind"] == "legal":
            self.moves.append(frozenset(self.since))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record the calls within the block."""
        sys.setprofile(self.called)
        try:
            yield
        finally:
            sys.setprofile(None)


def of_log(path: Path) -> Ran:
    """Return what ran for the moves of a log. Raises LogError if it is no log."""
    ran = Ran()
    with ran.watching():
        judge_log(path, ran.said)
    return ran


def of_staged(number: int = GAME, moves: int = 2) -> Ran:
    """Return what ran for the moves of a staged game."""
    ran, game = Ran(), Staged.draw(number, PACES["fast"], GAP_S, moves)
    with ran.watching():
        game.watched(ran.said)
    return ran


def told(ran: Ran) -> Iterator[str]:
    """Yield a line for every legal move, and for the first one how many functions ran in each file."""
    for k, codes in enumerate(ran.moves, 1):
        files = [Path(code.co_filename).relative_to(ROOT).as_posix() for code in codes]
        yield f"legal move {k}: {len(codes)} functions in {len(set(files))} files"
        if k == 1:
            yield from (f"  {files.count(name):3} {name}" for name in sorted(set(files)))


@click.command()
@click.argument("logs", nargs=-1, metavar="[LOG]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(logs: tuple[Path, ...]) -> None:
    """Print how many functions run for a legal move of each log, or of a staged game."""
    try:
        for ran in map(of_log, logs) if logs else [of_staged()]:
            click.echo("\n".join(told(ran)) or "no legal move")
    except LogError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
