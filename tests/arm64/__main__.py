"""`make arm64`: the program under 64-bit ARM, by qemu: a picture read, a record replayed, the doctor asked.

    python -m tests.arm64 [--folder FOLDER]

A Debian for that processor is unpacked in a folder (kept for the next time), the wheels that `make install` puts on a
Pi are fetched for it, and the program's own package is installed beside them. What it says there of a rendered picture
and of a written game is held against what it says here. Needs qemu-user-static, mmdebstrap, a Debian mirror, the
package index and 1 GB of disk; where it cannot be built it says so and counts as skipped.

What it cannot show: the Pi's speed, its camera, its kernel; and qemu is no processor.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.rules import ruleset
from tests.arm64.system import System
from tests.libcamera.debian import NotHere

SOURCE = Path(__file__).resolve().parents[2]
SEED = 3
SAME_P = 0.02
"""How far a probability may be from what is found here: sums go in another order."""
SAME_PX = 1.5
"""How far a pit's place may be, in pixels."""
TURNS = 24
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def here(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line on this machine."""
    command = [sys.executable, "-m", "device.cli.main", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False,
                          cwd=SOURCE, stdin=subprocess.DEVNULL)


def picture(path: Path) -> None:
    """A rendered table with a game's set-up on it."""
    from device.sim.picture import TablePicture
    from vision.render.skin import HandStyle
    from vision.render.styles import SceneStyle

    position = ruleset("enkeshui").setup()
    rng = np.random.default_rng(SEED)
    hands = (HandStyle.random(rng, 5), HandStyle.random(rng, 6))
    table = TablePicture(position.board, SceneStyle.house(position.board.rows, position.board.cols), hands)
    table.show(position.counts)
    cv2.imwrite(str(path), table.frame([], rng))


def record(path: Path) -> None:
    """The beginning of a game, played by lot."""
    rules = ruleset("enkeshui")
    position, rng, words = rules.setup(), np.random.default_rng(SEED), list[str]()
    while len(words) < TURNS and rules.over(position) is None:
        there = rules.moves(position).moves
        move = there[int(rng.integers(len(there)))]
        words.append(move.name)
        position = move.position
    path.write_text(f'[Game "enkeshui"]\n[Rules "{rules.name}"]\n\n{" ".join(words)} *\n')


def form(run: Run, *words: str) -> dict[str, Any]:
    """The one JSON object that it prints. Raises ValueError where it prints none, or fails."""
    done = run(*words)
    try:
        if not done.returncode:
            found: dict[str, Any] = json.loads(done.stdout)
            return found
    except ValueError:
        pass
    raise ValueError(f"{words[0]}: status {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")


def read_alike(run: Run, image: Path) -> str:
    """What it reads otherwise than this machine does, "" for nothing."""
    there, mine = form(run, "read", str(image), "--json"), form(here, "read", str(image), "--json")
    if (there["found"], there.get("board")) != (mine["found"], mine.get("board")):
        return f"the board is {there.get('board')}, here it is {mine.get('board')}"
    for a, b in zip(there["pits"], mine["pits"], strict=True):
        if (a["name"], a["count"]) != (b["name"], b["count"]) or abs(a["p"] - b["p"]) > SAME_P:
            return f"pit {a['name']} reads {a['count']} ({a['p']}), here {b['count']} ({b['p']})"
        if max(abs(a[at] - b[at]) for at in "xyr") > SAME_PX:
            return f"pit {a['name']} lies elsewhere than it does here"
    return "" if mine["found"] else "no board is found, nor here"


def replayed_alike(run: Run, game: Path) -> str:
    """What it makes otherwise of a record than this machine does, "" for nothing."""
    there, mine = form(run, "replay", str(game), "--json"), form(here, "replay", str(game), "--json")
    return "" if there == mine and mine["ok"] else f"the record gives {there}, here {mine}"


def doctored(run: Run, data: Path) -> str:
    """What is wrong with the doctor's word there, "" for nothing; he may well find something to mend."""
    done = run("doctor", "--no-look", "--data", str(data))
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        return f"status {done.returncode}: {done.stderr.strip()[-300:]}"
    wanted = ("aarch64", "the counting network loads")
    return "; ".join(f"nothing is said of: {word}" for word in wanted if word not in done.stdout)


def main() -> int:
    """Try it. Exit status 1 when something went wrong; 0 also where it was skipped."""
    parser = argparse.ArgumentParser(prog="python -m tests.arm64")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser.add_argument("--folder", type=Path, default=cache / "inkeek" / "arm64",
                        help="folder of the Debian system (default: %(default)s)")
    given = parser.parse_args()
    system = System(given.folder, SOURCE)
    try:
        system.build()
        system.furnish()
    except NotHere as reason:
        print(f"SKIPPED: nothing is tried under 64-bit ARM here: {reason}")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    with tempfile.TemporaryDirectory(prefix="inkeek-arm64-") as folder:
        image, game = Path(folder) / "table.png", Path(folder) / "game.txt"
        picture(image)
        record(game)
        tries = (("read", read_alike, image), ("replay", replayed_alike, game), ("doctor", doctored, Path(folder)))
        failed = 0
        for name, alike, what in tries:
            try:
                wrong = alike(system.inkeek, what)
            except (ValueError, subprocess.TimeoutExpired) as error:
                wrong = str(error)
            print(f"inkeek {name} under 64-bit ARM: {'WRONG: ' + wrong if wrong else 'as here'}", flush=True)
            failed += bool(wrong)
    print(f"{len(tries) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
