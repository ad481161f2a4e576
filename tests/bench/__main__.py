"""`make bench`: takes every measure that this machine can take; with `--keep`, also writes it to
`tests/bench/results.json` and RESULTS.md. Timings are ratios taken in one run."""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import click

from tests.bench import (
    core_cost,
    engine_bench,
    eye_errors,
    faults_any,
    frames,
    photos,
    real_hands,
    rendered,
    results,
    slow_table,
    soak,
    spectators,
    watching,
)
from tests.bench.table import Row, print_rows


class Part(NamedTuple):
    """A part of the bench. what: it measures, in a few words. rows: takes the measure."""

    what: str
    rows: Callable[[], list[Row]]


PARTS: dict[str, Part] = {
    "photos": Part("boards and pits in photographs", photos.rows),
    "traced": Part("boards and pits in path-traced pictures", photos.traced_rows),
    "cycles": Part("boards and pits in pictures of Blender's Cycles", photos.cycles_rows),
    "rendered": Part("boards and pits in rendered pictures", rendered.rows),
    "hands": Part("the hand watch on recordings of real hands", real_hands.rows),
    "watch": Part("verdicts on clips of the simulated table", watching.rows),
    "slow": Part("verdicts on the clock of a slower machine", slow_table.rows),
    "soak": Part("memory, open files and delays over many moves", soak.rows),
    "spectators": Part("what twenty spectators cost", spectators.rows),
    "eye": Part("how well the eye reads known pits", eye_errors.rows),
    "faults": Part("the referee on faults that are not of its own list", faults_any.rows),
    "frames": Part("what a frame costs", frames.rows),
    "core": Part("what a second of video costs", core_cost.rows),
    "engine": Part("moves a second", engine_bench.rows),
    "perft": Part("positions reached after 1 to 4 moves", engine_bench.wide),
}
LISTED = "\n".join(["\b", "Parts:", *(f"  {name:<12}{part.what}" for name, part in PARTS.items())])
"""The parts as the help lists them; click leaves the lines after \\b as they are."""


@click.command(epilog=LISTED)
@click.argument("names", nargs=-1, metavar="[PART]...", type=click.Choice(list(PARTS)))
@click.option("--keep", is_flag=True, help="Keep the figures in results.json and RESULTS.md, each part as soon as it "
              "is done; figures of other versions go.")
def main(names: Sequence[str], keep: bool) -> None:
    """Measure and print the named PARTs, or all parts."""
    for name in names or list(PARTS):
        rows = results.measured(name, PARTS[name].rows)
        print_rows(rows)
        if keep and (gone := results.keep(name, rows, list(PARTS))):
            print(f"{gone} rows of other versions than {results.version()} are gone", file=sys.stderr)
        print(f"{name}: {rows[0].seconds if rows else 0:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(prog_name="python -m tests.bench")
