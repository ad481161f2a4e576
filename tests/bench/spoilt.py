"""Verdicts on recordings that are spoilt as in real life, compared with the same recordings unspoilt.

    python -m tests.bench.spoilt FOLDER EFFECT... --out LOGS     watch each clip of FOLDER with each effect
    python -m tests.bench.spoilt FOLDER EFFECT... --out LOGS --again     referee their kept logs again

FOLDER holds clips with their truth, as `tests.bench.simulated_clips` and the makers write them. The frames are spoilt
while they are read. Logs and events are kept in LOGS/EFFECT; a clip with a log there is not watched again.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from device.cameras.base import Camera, CameraError
from device.cameras.files import Recording
from device.cli.watch.recorded_game import judge_log
from device.cli.watch.watcher import Match, Watcher
from engine.board import Board
from engine.rules import ruleset
from tests.bench.settled import tally_in_the_end
from tests.bench.table import print_rows, share
from tests.bench.watching import ACCUSE, KINDS, Watched, paired, tally
from vision.reading import Frame

Truth = dict[str, Any]
Events = list[dict[str, Any]]
Spoil = Callable[[Frame], Frame | None]
"""Takes a frame and returns it spoilt; None if the camera loses it."""
BAND_ROWS, BAND_STEP = 230, 0.37
"""Rows between a lamp's bands, and the part of this distance by which they move from frame to frame."""


def bands(share: float) -> Spoil:
    """Return the effect of a mains lamp's bands. share: the amplitude of the brightness."""
    def spoil(frame: Frame) -> Frame:
        phase = np.arange(len(frame.image))[:, None, None] / BAND_ROWS + frame.number * BAND_STEP
        image = frame.image * (1 + share * np.sin(2 * np.pi * phase))
        return replace(frame, image=np.clip(image, 0, 255).astype(np.uint8))
    return spoil


def mirrored(frame: Frame) -> Frame:
    """Return the frame mirrored, as front cameras and many drivers give it."""
    return replace(frame, image=np.ascontiguousarray(frame.image[:, ::-1]))


def turned_after(seconds: float) -> Spoil:
    """Return the effect of a picture that is rotated by 180° from some time on."""
    return lambda frame: (replace(frame, image=np.ascontiguousarray(frame.image[::-1, ::-1]))
                          if frame.time_ns > seconds * 1e9 else frame)


def hole(since: float, until: float) -> Spoil:
    """Return the effect of losing all frames between two times."""
    return lambda frame: None if since < frame.time_ns / 1e9 < until else frame


def hole_of(truth: Truth, seed: int) -> tuple[float, float]:
    """Return the start and end, in seconds, of a random hole of 3 to 14 s that spans two moves."""
    rng, moves = np.random.default_rng((49, seed)), truth["moves"]
    first = moves[int(rng.integers(len(moves) - 1))]
    since = float(rng.uniform(first["t_in"] - 0.5, first["t_out"]))
    return since, since + float(rng.uniform(3, 14))


def spoiler(effect: str, truth: Truth, seed: int) -> Spoil:
    """Return what an effect does to a clip's frames. Raises click.ClickException for an unknown effect."""
    if effect == "plain":
        return lambda frame: frame
    if effect == "mirror":
        return mirrored
    if effect == "turned":
        middle = len(truth["moves"]) // 2
        return turned_after((truth["moves"][middle - 1]["t_out"] + truth["moves"][middle]["t_in"]) / 2)
    if found := re.fullmatch(r"bands(\d+)", effect):
        return bands(int(found[1]) / 100)
    if found := re.fullmatch(r"hole(\d+)", effect):
        return hole(*hole_of(truth, seed * 100 + int(found[1])))
    raise click.ClickException(f"there is no effect {effect!r}: plain, mirror, turned, bandsN (N percent), holeN (the "
                               "Nth by lot)")


class Spoilt(Camera):
    """A recording whose frames are spoilt."""

    live = False

    def __init__(self, recording: Camera, spoil: Spoil) -> None:
        """recording: not yet open."""
        self._recording, self._spoil = recording, spoil
        self.name = recording.name

    def open(self) -> None:
        """See `Camera.open`."""
        self._recording.open()

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`."""
        while (frame := self._recording.read(timeout_s)) is not None:
            if (spoilt := self._spoil(frame)) is not None:
                return spoilt
        return None

    def close(self) -> None:
        """See `Camera.close`."""
        self._recording.close()


def watched(clip: Path, effect: str, folder: Path) -> tuple[Truth, Events]:
    """Watch a clip with an effect and keep its log in a folder, or use the kept one; return its truth and events."""
    truth: Truth = json.loads(clip.with_suffix(".truth.json").read_text("utf-8"))
    kept = folder / effect / f"{clip.stem}.log"
    if kept.exists():
        return truth, json.loads(kept.with_suffix(".events.json").read_text("utf-8"))
    kept.parent.mkdir(parents=True, exist_ok=True)
    events: Events = []
    match = Match(ruleset(truth["game"], truth["rules"]), Board.parse(truth["board"]), truth["start"], truth["south"])
    camera = Spoilt(Recording(clip), spoiler(effect, truth, int(clip.stem.rpartition("_")[2])))
    part = kept.with_suffix(".part")
    with suppress(CameraError):
        Watcher(camera, match, events.append, log=part.open("wb")).run()
    kept.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1), "utf-8")
    kept.with_suffix(".events.json").write_text(json.dumps(events, indent=1), "utf-8")
    part.replace(kept)
    return truth, events


def refereed_again(clip: Path, effect: str, folder: Path) -> tuple[Truth, Events]:
    """Referee the kept log of a clip with an effect; return its truth and its events."""
    log, events = folder / effect / f"{clip.stem}.log", Events()
    with suppress(CameraError):
        judge_log(log, events.append)
    return json.loads(clip.with_suffix(".truth.json").read_text("utf-8")), events


def goes_wrong(move: dict[str, Any], verdict: dict[str, Any], unseen: bool) -> bool:
    """Return whether a verdict accuses a legal move, or calls legal a fault or a move whose end nobody saw."""
    if verdict["kind"] == "legal":
        return unseen or move["kind"] == "illegal"
    return move["kind"] == "legal" and verdict["kind"] in ACCUSE


def tallied(clip: Path, effect: str, truth: Truth, events: Events, n: Counter[str]) -> None:
    """Count the results of a clip, and print its errors."""
    moves, said = truth["moves"], [event for event in events if event["event"] == "verdict"]
    at_once = [verdict for verdict in said if "shown_by" not in verdict]
    tally(moves, at_once, n, [])
    tally_in_the_end(moves, said, n)
    n["clips"] += 1
    since, until = (0.0, 0.0)
    if effect.startswith("hole"):
        since, until = hole_of(truth, int(clip.stem.rpartition("_")[2]) * 100 + int(effect[4:]))
    reasons = {event["why"] for event in events if event["event"] == "blind"}
    n["said to be blind"] += bool(reasons)
    for k, (move, verdict) in enumerate(zip(moves, paired(moves, at_once), strict=True), 1):
        unseen = since < move["t_out"] < until
        n["end unseen"] += unseen
        n["end unseen, legal"] += unseen and verdict is not None and verdict["kind"] == "legal"
        if verdict is not None and goes_wrong(move, verdict, unseen):
            click.echo(f"{effect} {clip.stem}, move {k}, {move['kind']} {move['player']} {move['move']} from "
                       f"{move['t_in']} to {move['t_out']} s: {verdict['kind']} at {verdict['t']} s "
                       f"{verdict.get('faults') or ''}")
    click.echo(f"{effect} {clip.stem}: {dict(n)} {sorted(reasons)}", err=True)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("effects", nargs=-1, required=True)
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Where logs are kept.")
@click.option("--again", is_flag=True, help="Referee the logs that are kept there; no clip is watched.")
def main(folder: Path, effects: tuple[str, ...], out: Path, again: bool) -> None:
    """Referee the clips in FOLDER with each of the EFFECTS: plain, mirror, turned, bandsN, holeN."""
    for effect in effects:
        every = Watched()
        for clip in sorted(folder.glob("*.mp4")):
            told = refereed_again if again else watched
            truth, events = told(clip, effect, out)
            tallied(clip, effect, truth, events, every.n)
        basis, n = f"{effect}, {every.n['clips']} clips of {folder.name}", every.n
        total = sum(n[kind] for kind in KINDS)
        print_rows([
            share("verdict right", n["right"], total, basis), share("right in the end", n["end: right"], total, basis),
            share("accused falsely", n["false"], n["legal"], basis), share("missed", n["missed"], n["illegal"], basis),
            share("accused falsely in the end", n["end: accused falsely"], n["legal"], basis),
            share("not sure", n["not sure"], total, basis), share("no verdict", n["silent"], total, basis),
            share("end unseen and called legal", n["end unseen, legal"], n["end unseen"], basis),
            share("clips in which it says that it is blind", n["said to be blind"], n["clips"], basis)])


if __name__ == "__main__":
    main()
