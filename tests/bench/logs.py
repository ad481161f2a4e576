"""Logs of many recordings of all makings, and the table's verdicts when it referees them again.

    python -m tests.bench.logs make MAKING --first K --clips N      make clips, watch them, keep log and truth
    python -m tests.bench.logs judge [--fit] [--only MAKING] [--out FILE]   referee the logs, print the figures
    python -m tests.bench.logs compare OLD.json NEW.json            list the moves with different verdicts

Making and watching a clip takes a minute; refereeing its log takes a second. So changes to the referee are tried on all
logs. They are kept in a cache, FOLDER/MAKING_NUMBER.log with .truth.json beside it; a clip that has a log is not made
again. `FIT` says which numbers may be tuned on (`--fit`); figures are reported for the others.
"""

import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from device.cameras.base import CameraError
from device.cameras.choose import camera_of_file
from device.cli.watch.recorded_game import judge_log
from device.cli.watch.watcher import Match, Watcher
from device.evidence.reading_log import MAGIC
from engine.board import Board
from engine.rules import ruleset
from tests.bench import flatmaking, othermaking, results
from tests.bench.settled import reliability_rows, tally_in_the_end, unbounded
from tests.bench.simulated_clips import chosen, write
from tests.bench.table import Row, print_rows, share
from tests.bench.watching import KINDS, SEED, Watched, paired, tally, tally_pits

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "inkeek" / "logs"
"""The default folder of the logs."""
FIT = 5_000
"""Clips from this number on are for tuning; those below it are for figures."""
PACES = ("normal", "fast")


def simulated(number: int, stem: Path, moves: int) -> dict[str, Any]:
    """Write a clip of the simulated table; even numbers are normal, odd ones fast. Return its truth."""
    write(chosen(SEED, number, PACES[number % 2], moves=moves), stem)
    truth: dict[str, Any] = json.loads(stem.with_suffix(".truth.json").read_text("utf-8"))
    return truth


MAKINGS: dict[str, Callable[[int, Path, int], dict[str, Any]]] = {
    "sim": simulated, "other": othermaking.make, "flat": flatmaking.make}
"""What makes a clip, by making: takes its number, its file's name without an ending, and moves; returns the truth."""


def keep(making: str, number: int, moves: int, folder: Path) -> Path:
    """Make a clip, watch it, keep its log and truth, and return the log's path."""
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
            Watcher(camera_of_file(clip.with_suffix(".mp4")), match, lambda _form: None, log=part.open("wb")).run()
        truth["spent_s"] = round(time.process_time() - began, 2)
        folder.mkdir(parents=True, exist_ok=True)
        stem.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1), "utf-8")
        kept.with_suffix(".part").write_bytes(part.read_bytes())
        kept.with_suffix(".part").replace(kept)
    return kept


def readable(log: Path) -> bool:
    """Return whether a log has today's form; one of another form must be made again."""
    with log.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def for_tuning(log: Path) -> bool:
    """Return whether a log's clip may be tuned on, by the number in its name. Raises click.ClickException for a name
    without one."""
    number = log.stem.rpartition("_")[2]
    if not number.isdecimal():
        raise click.ClickException(f"{str(log)!r} is not named MAKING_NUMBER.log")
    return int(number) >= FIT


def refereed(log: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the truth of a clip, and the table's events for its log, with the referee's own probabilities."""
    truth = json.loads(log.with_suffix(".truth.json").read_text("utf-8"))
    events: list[dict[str, Any]] = []
    with suppress(CameraError), unbounded():
        judge_log(log, events.append)
    return truth, events


def figures(logs: Iterable[Path], every: Callable[[Path, list[dict[str, Any]], Watched], None] | None = None
            ) -> dict[tuple[str, str], Watched]:
    """Return the results of logs, by making and pace, with the pits as the table has them after moves. every: called
    with each log, its events and its result."""
    found: dict[tuple[str, str], Watched] = {}
    for log in logs:
        began = time.process_time()
        truth, events = refereed(log)
        one = Watched(spent=time.process_time() - began, length=truth["moves"][-1]["t_out"] + 1.5)
        said = [e for e in events if e["event"] == "verdict"]
        tally(truth["moves"], [e for e in said if "shown_by" not in e], one.n, one.delays)
        tally_in_the_end(truth["moves"], said, one.n)
        tally_pits(truth, events, one.n)
        pace = "fast" if truth["pace"] == "fast" else "normal"
        found.setdefault((log.stem.split("_")[0], pace), Watched()).add(one)
        if every is not None:
            every(log, events, one)
    return found


def unseen(found: Mapping[tuple[str, str], Watched]) -> list[Row]:
    """Return the rows for the table: right by making and pace; over all, accused, missed, named, what stands in the end
    and how reliable the shown probabilities are."""
    n, clips = Counter[str](), "clips that nobody had looked at"
    for one in found.values():
        n.update(one.n)
    right = [share("verdict right", one.n["right"], sum(one.n[kind] for kind in KINDS), f"{making}, {pace}, {clips}")
             for (making, pace), one in sorted(found.items())]
    return [*right, share("legal moves accused", n["false"], n["legal"], f"all {clips}"),
            share("faults called legal", n["missed"], n["illegal"], f"all {clips}"),
            share("faults named by code and pit, of the caught", n["diagnosed"], n["caught"], f"all {clips}"),
            *reliability_rows(n, f"all {clips}")]


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
    """Make clips of a MAKING, watch them, and keep their logs."""
    for number in range(first, first + clips):
        click.echo(keep(making, number, moves, folder).name)


@main.command("judge")
@click.option("--only", multiple=True, type=click.Choice(list(MAKINGS)), help="These makings; all, unless given.")
@click.option("--folder", default=CACHE, show_default=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--fit/--figures", help=f"Clips for tuning (numbers from {FIT} on), or those for figures (below).  "
              "[default: figures]")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Keep every log's events here, as JSON.")
@click.option("--keep", is_flag=True, help="Keep the figures in results.json and RESULTS.md; not those for tuning.")
def judge(only: tuple[str, ...], folder: Path, fit: bool, out: Path | None, keep: bool) -> None:
    """Referee every log for figures, or every one for tuning, and print the results."""
    said: dict[str, Any] = {}

    def every(log: Path, events: list[dict[str, Any]], one: Watched) -> None:
        said[log.stem] = {"events": events, "n": one.n, "delays": one.delays}
        click.echo(f"{log.stem}: {dict(one.n)}", err=True)

    logs = [log for log in sorted(folder.glob("*.log")) if not only or log.stem.split("_")[0] in only]
    logs = [log for log in logs if for_tuning(log) == fit]
    if old := [log.stem for log in logs if not readable(log)]:
        click.echo(f"left out, since another version wrote them (`make` makes them anew): {', '.join(old)}", err=True)
        logs = [log for log in logs if log.stem not in old]
    what = f"clips for tuning (from {FIT} on)" if fit else f"clips for figures (below {FIT})"
    click.echo(f"{len(logs)} logs of {what}")
    found, total = figures(logs, every), Counter[str]()
    for (making, pace), watched in sorted(found.items()):
        print_rows(watched.rows(f"logs{' for tuning' * fit}, {making}, {pace}"))
        total += watched.n
    print_rows(reliability_rows(total, f"logs{' for tuning' * fit}, all"))
    if keep and not fit:
        results.keep("unseen", results.measured("unseen", lambda: unseen(found)))
    if out is not None:
        out.write_text(json.dumps(said, indent=1), "utf-8")


Said = dict[str, dict[str, Any]]
"""What `judge --out` keeps: each log's events and results, by the log's name."""


def kept(file: Path) -> Said:
    """Return what `judge` wrote into a file. Raises click.ClickException if `judge` did not write it."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise click.ClickException(f"{str(file)!r} is no JSON: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(one, dict) and "events" in one for one in found.values()):
        raise click.ClickException(f"{str(file)!r} was not written by `judge --out`")
    return found


def told(verdict: dict[str, Any] | None) -> str:
    """Return a move's verdict in words, without its certainty."""
    if verdict is None:
        return "no verdict"
    faults = ", ".join(f"{f['code']} {f.get('pit') or ''}".strip() for f in verdict.get("faults", ()))
    whose = f"{verdict.get('player') or ''} {verdict.get('move') or ''}".strip()
    return ", ".join(words for words in (f"{verdict['kind']} {whose}".strip(), faults) if words)


def otherwise(truth: dict[str, Any], old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[str]:
    """Return a line for each move of a clip with different verdicts in two runs: what was played, and both verdicts.
    Other events are not compared."""
    moves, lines = truth["moves"], []
    before, after = (paired(moves, [e for e in events if e["event"] == "verdict"]) for events in (old, new))
    for number, (move, was, now) in enumerate(zip(moves, before, after, strict=True), 1):
        if told(was) != told(now):
            fault = f", {move['fault']} {move['at'] or ''}".rstrip() if move["fault"] else ""
            played = f"{move['kind']} {move['player']} {move['move'] or ''}".rstrip()
            lines.append(f"{truth['pace']}, move {number}: {played}{fault} | {told(was)} | {told(now)}")
    return lines


@main.command("compare")
@click.argument("old", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("new", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--folder", default=CACHE, show_default=True, help="Where the logs are, with their truth.",
              type=click.Path(exists=True, file_okay=False, path_type=Path))
def compare(old: Path, new: Path, folder: Path) -> None:
    """List the moves with different verdicts in OLD and NEW, which `judge --out` wrote: what was played, OLD's verdict
    and NEW's."""
    before, after = kept(old), kept(new)
    if alone := sorted(before.keys() ^ after.keys()):
        click.echo(f"left out, since only one of the two has them: {', '.join(alone)}", err=True)
    changed = moves = 0
    for stem in sorted(before.keys() & after.keys()):
        path = folder / f"{stem}.truth.json"
        if not path.exists():
            raise click.ClickException(f"the truth of {stem} is not there: {str(path)!r}")
        truth = json.loads(path.read_text("utf-8"))
        lines = otherwise(truth, before[stem]["events"], after[stem]["events"])
        for line in lines:
            click.echo(f"{stem}, {line}")
        changed, moves = changed + len(lines), moves + len(truth["moves"])
    click.echo(f"{changed} of {moves} moves are told differently")


if __name__ == "__main__":
    main()
