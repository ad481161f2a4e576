"""`inkeek watch` on clips of the simulated table: verdicts, accusations, diagnosis, delay, speed.

    python -m tests.bench.watching [--clips N] [--moves N] [--first N] [--folder FOLDER]
    python -m tests.bench.watching --made FOLDER      clips with their truth, for example by `tests.bench.othermaking`
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import click
import numpy as np

from device.cameras.base import CameraError
from device.cameras.choose import camera_of_file
from device.cli.watch.watcher import Match, Watcher
from engine.board import Board
from engine.position import Position
from engine.rules import ruleset
from tests.bench.simulated_clips import chosen, write
from tests.bench.table import Row, print_rows, share

SEED = 7_000
"""Not a seed of the networks' training, so the hands differ, too."""
FIRST = 400
"""The first of the many clips: neither clips of `make bench`, nor those from 100 on, whose doubts were looked at one by
one."""


KINDS = ("legal", "illegal", "tampered")
"""Kinds of events in a clip."""
ACCUSE = ("illegal", "tampered")
"""Verdicts that accuse somebody."""
EARLY = 0.6
"""A verdict belongs to a move from this many seconds before the move's hand leaves the wood."""
BEGINS = 0.3
"""Seconds by which the program may notice a move's hand before it is over the wood."""


def referee(clip: Path, truth: dict[str, Any]) -> tuple[list[dict[str, Any]], float]:
    """Return the program's verdicts on a clip, none if it finds no board, and the seconds it took."""
    events: list[dict[str, Any]] = []
    match = Match(ruleset(truth["game"], truth["rules"]), Board.parse(truth["board"]), truth["start"], truth["south"])
    began = time.perf_counter()
    with suppress(CameraError):
        Watcher(camera_of_file(clip), match, events.append).run()
    return [e for e in events if e["event"] == "verdict"], time.perf_counter() - began


def taken_back(verdict: dict[str, Any], said: list[dict[str, Any]]) -> bool:
    """Return whether the table judged the same hand's move again, as it does when the hand continues the move."""
    began, player = verdict.get("hands_in"), verdict.get("player")
    return began is not None and any(
        v.get("hands_in") == began and v.get("player") == player and v["t"] > verdict["t"] for v in said)


def paired(moves: list[dict[str, Any]], said: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
    """Return the verdict of each move, among those that stand and were not too early: in order if there are as many as
    moves, else the one after the move's hand last left."""
    said = [v for v in said if not taken_back(v, said) and not any(_too_early(move, v) for move in moves)]
    if len(moves) == len(said):
        return list(said)
    out: list[dict[str, Any] | None] = []
    for k, move in enumerate(moves):
        end = moves[k + 1]["t_out"] if k + 1 < len(moves) else np.inf
        out.append(next((v for v in said if move["t_out"] - EARLY <= v["t"] < end - EARLY), None))
    return out


def _same(move: dict[str, Any], verdict: dict[str, Any]) -> bool:
    """Return whether the verdict names what was played."""
    named = (verdict.get("player"), (verdict.get("move") or "?")[0])
    return move["move"] is None or named == (move["player"], move["move"])


def _diagnosed(move: dict[str, Any], verdict: dict[str, Any]) -> bool:
    return any((f["code"], f.get("pit")) == (move["fault"], move["at"]) for f in verdict.get("faults", ()))


def _so(move: dict[str, Any], verdict: dict[str, Any]) -> bool:
    """Return whether an accusation is right."""
    return (move["kind"] == verdict["kind"] and _same(move, verdict)
            and (verdict["kind"] != "illegal" or _diagnosed(move, verdict)))


def _too_early(move: dict[str, Any], verdict: dict[str, Any]) -> bool:
    """Return whether the move's hand is wrongly accused before it is gone."""
    return (verdict["kind"] in ACCUSE and verdict.get("hands_in", -np.inf) >= move["t_in"] - BEGINS
            and verdict["t"] < move["t_out"] - EARLY and not _so(move, verdict))


def meanwhile(moves: list[dict[str, Any]], said: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return for each move the wrong accusations that are no move's verdict, such as those of a resting hand: given
    between its hand's coming and the next one's."""
    pairs = paired(moves, said)
    out: list[list[dict[str, Any]]] = [[] for _ in moves]
    for verdict in said:
        if verdict["kind"] not in ACCUSE or any(verdict is v for v in pairs):
            continue
        k = max((k for k, move in enumerate(moves) if move["t_in"] <= verdict["t"]), default=0)
        if _too_early(moves[k], verdict) or not any(_so(move, verdict) for move in moves[max(0, k - 1): k + 1]):
            out[k].append(verdict)
    return out


def tally(moves: list[dict[str, Any]], said: list[dict[str, Any]], n: Counter[str], delays: list[float]) -> None:
    """Count one clip's verdicts, and the accusations before them."""
    for move, verdict, early in zip(moves, paired(moves, said), meanwhile(moves, said), strict=True):
        kind = verdict["kind"] if verdict else "none"
        n[move["kind"]] += 1
        n["not sure"] += kind == "not-sure"
        n["silent"] += verdict is None
        if move["kind"] == "legal":
            stands = kind in ACCUSE or not all(taken_back(v, said) for v in early)
            n["false"] += stands or bool(early)
            n["taken back"] += bool(early) and not stands
        else:
            n["otherwise"] += bool(early)
        n["missed"] += move["kind"] == "illegal" and kind == "legal"
        if verdict is None:
            continue
        delays.append(verdict["t"] - move["t_out"])
        n["right"] += kind == move["kind"] and _same(move, verdict)
        if kind == move["kind"] == "illegal":
            n["caught"] += 1
            n["diagnosed"] += _diagnosed(move, verdict)


def tally_pits(truth: dict[str, Any], events: list[dict[str, Any]], n: Counter[str]) -> None:
    """Count the pits whose count in the table's position after a move is true, over the moves with a verdict.

    A recording that the table began with wrong counts is left out, because its errors were there before the first move.
    So is a move without a verdict of its own.
    """
    began = next((e["position"] for e in events if e["event"] == "position"), None)
    n["recordings"] += 1
    if began is None or Position.parse(began).counts != Position.parse(truth["start"]).counts:
        n["other starts"] += 1
        return
    said = [e for e in events if e["event"] == "verdict"]
    for move, verdict in zip(truth["moves"], paired(truth["moves"], said), strict=True):
        if verdict is None:
            continue
        has, lies = (Position.parse(line).counts for line in (_has_after(verdict, events), move["position"]))
        right = sum(a == b for a, b in zip(has, lies, strict=True))
        n["pits"] += len(lies)
        n["pits right"] += right
        if verdict["kind"] in KINDS:
            n["pits sure"] += len(lies)
            n["pits sure wrong"] += len(lies) - right


def _has_after(verdict: dict[str, Any], events: list[dict[str, Any]]) -> str:
    """Return the table's position after a move: that of its verdict. A verdict that is not sure leaves the board as it
    was, so after such a one return the last position that the table set before its next verdict, if any."""
    place = next(k for k, e in enumerate(events) if e is verdict) + 1
    then = list(takewhile(lambda e: e["event"] != "verdict", events[place:]))
    took = [] if verdict["kind"] in KINDS else [e for e in then if e["event"] == "position"]
    return str((took or [verdict])[-1]["position"])


@dataclass
class Watched:
    """The results of some clips. n: counts by result; delays: of the verdicts, seconds of the recording after the last
    hand has gone; spent, length: seconds of processing and of recording."""

    n: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    spent: float = 0.0
    length: float = 0.0

    def add(self, other: Watched) -> None:
        """Add the results of other clips."""
        self.n.update(other.n)
        self.delays += other.delays
        self.spent, self.length = self.spent + other.spent, self.length + other.length

    def rows(self, basis: str) -> list[Row]:
        """Return the figures. basis: which clips."""
        n = self.n
        total = sum(n[kind] for kind in KINDS)
        late = f"{np.median(self.delays):.2f} s" if self.delays else "none"
        last = f"{np.percentile(self.delays, 99):.2f} s" if self.delays else "none"
        return [
            share("verdict right", n["right"], total, basis),
            share("false accusation, also before the verdict", n["false"], n["legal"], basis),
            share("false accusations taken back by the table itself", n["taken back"], n["false"], basis),
            share("faults called something else before the verdict", n["otherwise"], total - n["legal"], basis),
            share("faults missed", n["missed"], n["illegal"], basis),
            share("faults caught: code and pit right", n["diagnosed"], n["caught"], basis),
            share("not sure", n["not sure"], total, basis),
            share("no verdict", n["silent"], total, basis),
            Row("verdict delay, median, in the recording", basis, late, len(self.delays)),
            Row("verdict delay, 99th percentile, in the recording", basis, last, len(self.delays)),
            Row("processing time over recording time", basis, f"{self.spent / max(self.length, 1e-9):.2f}"),
            *self._pits(basis),
        ]

    def _pits(self, basis: str) -> list[Row]:
        """Return the figures of `tally_pits`; empty if it was not called."""
        n = self.n
        if not n["recordings"]:
            return []
        return [
            share("pits as the table has them after a move: right", n["pits right"], n["pits"], basis),
            share("pits wrong after a verdict that was sure", n["pits sure wrong"], n["pits sure"], basis),
            share("recordings begun elsewhere, left out of the pits", n["other starts"], n["recordings"], basis),
        ]


def watched(number: int, pace: str, moves: int) -> Watched:
    """Make a clip, watch it, and compare the verdicts with its truth."""
    with tempfile.TemporaryDirectory() as folder:
        stem = Path(folder) / "clip"
        write(chosen(SEED, number, pace, moves=moves), stem)
        return made(stem.with_suffix(".mp4"))[1]


def made(clip: Path) -> tuple[str, Watched]:
    """Watch an existing clip with its truth beside it; return its pace and its results."""
    out = Watched()
    truth = json.loads(clip.with_suffix(".truth.json").read_text())
    said, out.spent = referee(clip, truth)
    out.length = truth["moves"][-1]["t_out"] + 1.5
    tally(truth["moves"], said, out.n, out.delays)
    return truth["pace"], out


def rows(clips: int = 8, moves: int = 5) -> list[Row]:
    """Return the figures over `clips` clips of `moves` turns, normal and fast."""
    every = Watched()
    for k in range(clips):
        every.add(watched(k, "fast" if k % 4 == 3 else "normal", moves))
    return every.rows(f"{clips} simulated clips of {moves} moves, seed {SEED}")


def _program() -> str:
    """Return a hash of the networks and the program, so that figures of different ones are not mixed."""
    root = Path(__file__).parents[2]
    rooms = [root / room for room in ("vision", "engine", "device")]
    files = sorted(path for room in rooms for ending in ("py", "onnx") for path in room.rglob(f"*.{ending}"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def _made(folder: Path) -> None:
    """Print the figures of the clips in a folder."""
    paces: dict[str, list[Watched]] = {}
    for clip in sorted(folder.glob("clip_*.mp4")):
        pace, one = made(clip)
        paces.setdefault(pace, []).append(one)
        click.echo(f"{clip.name}, {pace}: {dict(one.n)}", err=True)
    for pace, some in sorted(paces.items(), reverse=True):
        every = Watched()
        for one in some:
            every.add(one)
        print_rows(every.rows(f"clips in {folder.name}, {pace} ({len(some)} tables)"))


@click.command()
@click.option("--clips", default=60, show_default=True, help="half of them normal, half fast, each another table")
@click.option("--moves", default=6, show_default=True, help="of each clip")
@click.option("--first", default=FIRST, show_default=True, help="number of the first clip")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("data/watched"), show_default=True)
@click.option("--made", "there", type=click.Path(exists=True, path_type=Path), help="folder of clips made already")
def main(clips: int, moves: int, first: int, folder: Path, there: Path | None) -> None:
    """Watch many clips; each result is kept in a file, so that an interrupted run continues where it stopped."""
    if there is not None:
        _made(there)
        return
    folder = folder / f"{_program()}-{moves}"
    folder.mkdir(parents=True, exist_ok=True)
    all_ = {"normal": Watched(), "fast": Watched()}
    for k in range(clips):
        pace = ("normal", "fast")[k % 2]
        kept = folder / f"{first + k:04d}.json"
        if not kept.exists():
            partial = kept.with_suffix(".part")
            partial.write_text(json.dumps(vars(watched(first + k, pace, moves))))
            partial.replace(kept)
        one = json.loads(kept.read_text())
        all_[pace].add(Watched(Counter(one["n"]), one["delays"], one["spent"], one["length"]))
        click.echo(f"{k + 1} of {clips}, {pace}: {dict(all_[pace].n)}", err=True)
    for k, (pace, every) in enumerate(all_.items()):
        print_rows(every.rows(f"simulated clips from {first} on, {pace} ({(clips + 1 - k) // 2} tables)"))


if __name__ == "__main__":
    main()
