"""`inkeek watch` on clips of the simulated table: verdicts, accusations, diagnosis, delay, speed."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from device.cameras.choose import camera_of_file
from device.sim.clips import chosen, write
from device.watching import Match, Watcher
from engine.board import Board
from engine.rules import ruleset
from tests.bench.table import Row, share

SEED = 7_000
"""The networks' training seeds are others, and so are their hands."""


def referee(clip: Path, truth: dict[str, Any]) -> tuple[list[dict[str, Any]], float]:
    """The verdicts that the program gives on a clip, and the seconds it took."""
    events: list[dict[str, Any]] = []
    match = Match(ruleset(truth["game"], truth["rules"]), Board.parse(truth["board"]), truth["start"], truth["south"])
    began = time.perf_counter()
    Watcher(camera_of_file(clip), match, events.append).run()
    return [e for e in events if e["event"] == "verdict"], time.perf_counter() - began


def paired(moves: list[dict[str, Any]], said: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
    """The verdict of each move: in order where there are as many, else the one after its hands last left."""
    if len(moves) == len(said):
        return list(said)
    out: list[dict[str, Any] | None] = []
    for k, move in enumerate(moves):
        end = moves[k + 1]["t_out"] if k + 1 < len(moves) else np.inf
        out.append(next((v for v in said if move["t_out"] - 0.6 <= v["t"] < end - 0.6), None))
    return out


def tally(moves: list[dict[str, Any]], said: list[dict[str, Any]], n: Counter[str], delays: list[float]) -> None:
    """Count one clip's verdicts."""
    for move, verdict in zip(moves, paired(moves, said), strict=True):
        kind = verdict["kind"] if verdict else "none"
        n[move["kind"]] += 1
        n["not sure"] += kind == "not-sure"
        n["silent"] += verdict is None
        n["false"] += move["kind"] == "legal" and kind == "illegal"
        n["missed"] += move["kind"] == "illegal" and kind == "legal"
        if verdict is None:
            continue
        delays.append(verdict["t"] - move["t_out"])
        named = (verdict.get("player"), (verdict.get("move") or "?")[0])
        same = move["move"] is None or named == (move["player"], move["move"])
        n["right"] += kind == move["kind"] and same
        if kind == move["kind"] == "illegal":
            n["caught"] += 1
            n["diagnosed"] += any((f["code"], f.get("pit")) == (move["fault"], move["at"]) for f in verdict["faults"])


def rows(clips: int = 8, moves: int = 5) -> list[Row]:
    """The figures over `clips` clips of `moves` turns, normal and fast."""
    n: Counter[str] = Counter()
    delays: list[float] = []
    spent = length = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(clips):
            stem = Path(folder) / f"clip_{k:03d}"
            truth = write(chosen(SEED, k, "fast" if k % 4 == 3 else "normal", moves=moves), stem)
            truth = json.loads(json.dumps(truth))
            said, seconds = referee(stem.with_suffix(".mp4"), truth)
            spent, length = spent + seconds, length + truth["moves"][-1]["t_out"] + 1.5
            tally(truth["moves"], said, n, delays)
    total = n["legal"] + n["illegal"]
    return [
        (f"simulated clips ({clips}): verdict right", share(n["right"], total)),
        ("  false accusation", share(n["false"], n["legal"])),
        ("  missed", share(n["missed"], n["illegal"])),
        ("  diagnosed, of those caught", share(n["diagnosed"], n["caught"])),
        ("  not sure", share(n["not sure"], total)),
        ("  no verdict", share(n["silent"], total)),
        ("  verdict delay, median", f"{np.median(delays):.2f} s of the recording" if delays else "none"),
        ("  processing time over recording time", f"{spent / max(length, 1e-9):.2f}"),
    ]
