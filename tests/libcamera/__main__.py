"""`make libcamera`: a game from its middle to its end, through the real libcamera and the real picamera2.

    python -m tests.libcamera [--root FOLDER]

A Debian system is built in a folder (kept for the next time), the game is rendered, libcamera's virtual camera shows
the pictures, and the table's loop with `PiCamera` referees them there, in a process of its own. Its verdicts are held
against what really happened. Needs root, mmdebstrap, a Debian mirror, 2 GB of disk and 4 GB of memory; where it cannot
be built it says so and counts as skipped.

What it cannot show: a sensor, its modes and its controls (the virtual camera knows no exposure, gain, white balance or
focus), the Pi's image processor and its formats (it gives NV12 alone), dropped frames, and pacing, which is ours.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from device.journal import Journal
from device.journal.events import Blind, GameOver, VerdictGiven
from tests.libcamera import debian

SOURCE = Path(__file__).resolve().parents[2]
GAME_S = 900.0


def differences(truth: dict[str, Any], journal: Path) -> list[str]:
    """What the table said otherwise than it happened; [] when all is as it should be."""
    with Journal(journal, readonly=True) as opened:
        bad = opened.verify()
        bodies = [event.body for event in opened.read()]
    said = [body for body in bodies if isinstance(body, VerdictGiven)]
    over = [body for body in bodies if isinstance(body, GameOver)]
    wrong = [] if bad is None else [bad.reason]
    if len(said) != len(truth["moves"]):
        wrong.append(f"{len(said)} verdicts on {len(truth['moves'])} moves")
    for number, (move, verdict) in enumerate(zip(truth["moves"], said, strict=False), 1):
        wrong += [f"move {number}: {one}" for one in taken_wrongly(move, verdict)]
    if [body.result for body in over] != [truth["result"]]:
        wrong.append(f"the game ended {truth['result']}, it was said: {[body.result for body in over]}")
    blind = [body.why for body in bodies if isinstance(body, Blind)]
    return wrong + [f"blind: {why}" for why in blind]


def taken_wrongly(move: dict[str, Any], verdict: VerdictGiven) -> list[str]:
    """What a verdict says otherwise than the move happened."""
    pairs = (("kind", verdict.kind), ("player", verdict.player), ("position", verdict.position))
    wrong = [f"{name} {move[name]} was taken for {said}" for name, said in pairs if move[name] != said]
    if move["fault"] is not None and move["fault"] not in [fault.code for fault in verdict.faults]:
        wrong.append(f"the fault {move['fault']} was not named")
    return wrong


def play(root: Path, film: Path) -> tuple[list[str], str]:
    """(what was wrong, what the camera counted) of one game. Raises `NotHere`."""
    from tests.libcamera.film import shoot

    debian.build(root)
    began = time.monotonic()
    pictures = shoot(film)
    print(f"{pictures} pictures rendered in {time.monotonic() - began:.0f} s", flush=True)
    debian.furnish(root, SOURCE, film)
    debian.enter(root, ["rm", "-rf", "/data"], "the last game cannot be cleared away")
    told = debian.enter(root, ["env", "PYTHONPATH=/inkeek", "/venv/bin/python", "-m", "tests.libcamera.inside", "/data",
                               str(pictures)], "the game was not refereed to its end", GAME_S)
    truth = json.loads((film / "truth.json").read_text())
    return differences(truth, root / "data" / "journal.sqlite3"), told.strip()


def main() -> int:
    """Run it. Exit status 1 when the game was refereed wrongly; 0 also where it was skipped."""
    parser = argparse.ArgumentParser(prog="python -m tests.libcamera")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser.add_argument("--root", type=Path, default=cache / "inkeek" / "libcamera",
                        help="folder of the Debian system (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="inkeek-film-") as folder:
        try:
            debian.build(given.root)
        except debian.NotHere as reason:
            print(f"SKIPPED: the real libcamera is not tried here: {reason}")
            print("0 passed, 0 failed, 1 skipped")
            return 0
        try:
            wrong, told = play(given.root, Path(folder))
        except debian.NotHere as reason:
            wrong, told = [str(reason)], ""
    print(told)
    for sentence in wrong:
        print(f"WRONG: {sentence}")
    print(f"{int(not wrong)} passed, {int(bool(wrong))} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
