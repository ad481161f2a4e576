"""Logs of many recordings of all makings, and what the table says of them when it referees them again.

    python -m tests.bench.logs make MAKING --first K --clips N      draw clips, watch them, keep log and truth
    python -m tests.bench.logs judge [--only MAKING] [--out FILE]   referee every log, print the figures

A clip takes a minute to draw and to watch; its log is refereed in a second. So what decides is tried on all of them.
The logs are kept in a cache, FOLDER/MAKING_NUMBER.log with .truth.json beside it. A clip whose log is there is not
drawn again. `FIT` says which numbers may be tuned on; figures are reported of the others.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from device.cameras.base import CameraError
from device.cameras.choose import camera_of_file
from device.cli.refereed import judge_log
from device.cli.watching import Match, Watcher
from device.evidence.reading_log import MAGIC, new_log
from device.sim.clips import chosen, write
from engine.board import Board
from engine.rules import ruleset
from tests.bench import flatmaking, othermaking
from tests.bench.table import print_rows
from tests.bench.watching import SEED, Watched, tally, tally_pits

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "inkeek" / "logs"
"""Where logs are kept."""
FIT = 5_000
"""Clips from this number on are for tuning; those below it are for figures."""
PACES = ("normal", "fast")


def simulated(number: int, stem: Path, moves: int) -> dict[str, Any]:
    """A clip of the simulated table; even numbers are normal, odd ones fast."""
    write(chosen(SEED, number, PACES[number % 2], moves=moves), stem)
    truth: dict[str, Any] = json.loads(stem.with_suffix(".truth.json").read_text("utf-8"))
    return truth


MAKINGS: dict[str, Callable[[int, Path, int], dict[str, Any]]] = {
    "sim": simulated, "other": othermaking.make, "flat": flatmaking.make}
"""What draws a clip, by its making: its number, its file's name without an ending, moves; returns the truth."""


def keep(making: str, number: int, moves: int, folder: Path) -> Path:
    """Draw a clip, watch it, keep its log and its truth, and return the log's path."""
    stem = folder / f"{making}_{number:05d}"
    kept = stem.with_suffix(".log")
    if kept.exists() and readable(kept):
        return kept
    with tempfile.TemporaryDirectory() as drawn:
        clip, part = Path(drawn) / "clip", Path(drawn) / "log"
        truth = MAKINGS[making](number, clip, moves)
        match = Match(ruleset(truth["game"], truth["rules"]), Board.parse(truth["board"]), truth["start"],
                      truth["south"])
        began = time.process_time()
        with suppress(CameraError):
            Watcher(camera_of_file(clip.with_suffix(".mp4")), match, lambda _form: None, log=new_log(part)).run()
        truth["spent_s"] = round(time.process_time() - began, 2)
        folder.mkdir(parents=True, exist_ok=True)
        stem.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1), "utf-8")
        kept.with_suffix(".part").write_bytes(part.read_bytes())
        kept.with_suffix(".part").replace(kept)
    return kept


def readable(log: Path) -> bool:
    """Whether a log has the form of today; another has to be made anew."""
    with log.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def refereed(log: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The truth of a clip, and the events that the table says of its log."""
    truth = json.loads(log.with_suffix(".truth.json").read_text("utf-8"))
    events: list[dict[str, Any]] = []
    with suppress(CameraError):
        judge_log(log, events.append)
    return truth, events


def figures(logs: Iterable[Path], every: Callable[[Path, list[dict[str, Any]], Watched], None] | None = None
            ) -> dict[tuple[str, str], Watched]:
    """What came of logs, by making and pace, with the pits as the table has them after moves. every: hears of each."""
    found: dict[tuple[str, str], Watched] = {}
    for log in logs:
        began = time.process_time()
        truth, events = refereed(log)
        one = Watched(spent=time.process_time() - began, length=truth["moves"][-1]["t_out"] + 1.5)
        tally(truth["moves"], [e for e in events if e["event"] == "verdict"], one.n, one.delays)
        tally_pits(truth, events, one.n)
        pace = "fast" if truth["pace"] == "fast" else "normal"
        found.setdefault((log.stem.split("_")[0], pace), Watched()).add(one)
        if every is not None:
            every(log, events, one)
    return found


@click.group()
def main() -> None:
    """Logs of many recordings."""


@main.command("make")
@click.argument("making", type=click.Choice(list(MAKINGS)))
@click.option("--first", default=0, show_default=True, help="Number of the first clip.")
@click.option("--clips", default=10, show_default=True)
@click.option("--moves", default=5, show_default=True, help="Of each clip.")
@click.option("--folder", default=CACHE, show_default=True, type=click.Path(file_okay=False, path_type=Path))
def make(making: str, first: int, clips: int, moves: int, folder: Path) -> None:
    """Draw clips of a MAKING, watch them, and keep their logs."""
    for number in range(first, first + clips):
        click.echo(keep(making, number, moves, folder).name)


@main.command("judge")
@click.option("--only", multiple=True, type=click.Choice(list(MAKINGS)), help="These makings; all, unless given.")
@click.option("--folder", default=CACHE, show_default=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Keep every log's events here, as JSON.")
def judge(only: tuple[str, ...], folder: Path, out: Path | None) -> None:
    """Referee every log, and print what came of them."""
    said: dict[str, Any] = {}

    def every(log: Path, events: list[dict[str, Any]], one: Watched) -> None:
        said[log.stem] = {"events": events, "n": one.n, "delays": one.delays}
        click.echo(f"{log.stem}: {dict(one.n)}", err=True)

    logs = [log for log in sorted(folder.glob("*.log")) if not only or log.stem.split("_")[0] in only]
    if old := [log.stem for log in logs if not readable(log)]:
        click.echo(f"left out, since another version wrote them (`make` makes them anew): {', '.join(old)}", err=True)
        logs = [log for log in logs if log.stem not in old]
    for (making, pace), watched in sorted(figures(logs, every).items()):
        print_rows(watched.rows(f"logs, {making}, {pace}"))
    if out is not None:
        out.write_text(json.dumps(said, indent=1), "utf-8")


if __name__ == "__main__":
    main()
