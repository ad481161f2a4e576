"""Functions that run from the first reading after a verdict to the event of the next one, counted by a profile hook.

    python -m tests.bench.functions_run LOG…

One line a verdict: how many functions of how many files ran, in all, and of these in the referee and the table. Of two
verdicts at the same time the second counts only what it takes more. LOG: of
`inkeek watch --log` or of `tests.bench.logs make`. Comprehensions and lambdas are part of the function around them.
"""

import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import click

from device.cameras.base import CameraError
from device.cli.watch.recorded_game import judge_log

ROOT = Path(__file__).parents[2]
ROOMS = tuple(str(ROOT / room) for room in ("engine", "vision", "device"))
DECIDING = tuple(str(ROOT / room) for room in ("engine/referee", "device/table"))


def summary(ran: set[CodeType]) -> str:
    """Return how many functions of how many files ran, in all and in the referee and the table."""
    product = [code for code in ran if code.co_filename.startswith(ROOMS) and not code.co_name.startswith("<")]
    deciding = [code for code in product if code.co_filename.startswith(DECIDING)]
    every, few = (f"{len(some)} functions of {len({code.co_filename for code in some})} files"
                  for some in (product, deciding))
    return f"{every}; in the referee and the table {few}"


def verdicts(log: Path) -> list[tuple[str, str]]:
    """Return each verdict of a log, in words, with the summary of what ran before it."""
    ran: set[CodeType] = set()
    found: list[tuple[str, str]] = []

    def note(frame: FrameType, happened: str, _of: object) -> None:
        if happened == "call":
            ran.add(frame.f_code)

    def emit(event: dict[str, Any]) -> None:
        if event["event"] == "verdict":
            faults = ", ".join(fault["code"] for fault in event.get("faults", ()))
            verdict = f"{event['t']:.1f} s {event['kind']} {event.get('move', '')} {faults}".strip()
            found.append((verdict, summary(set(ran))))
            ran.clear()

    sys.setprofile(note)
    try:
        with suppress(CameraError):
            judge_log(log, emit)
    finally:
        sys.setprofile(None)
    return found


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(logs: tuple[Path, ...]) -> None:
    """Count the functions that run before each verdict of logs."""
    for log in logs:
        for verdict, counted in verdicts(log):
            print(f"{log.name}: {verdict}: {counted}")


if __name__ == "__main__":
    main()
