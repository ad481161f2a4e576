"""kill -9 of the running program's processes in the middle of simulated games: it must come back by itself and go on.

    python -m tests.bench.kill_product [KILLS] [--seed N] [--folder FOLDER]

`inkeek run` plays at the simulated table. At random instants its table, its page or both are killed. After each kill
every event that could be read before must be there, the chain must verify, and the table must continue from it; at the
end the game must have gone on. After eight deaths in a row `inkeek run` gives up, as intended, and is started again, as
a service manager would. Takes some ten seconds per kill, mostly for the table's start; `tests.bench.kills` kills more
often. Prints n of n. With --folder the data stay there, a later run continues the game, and all kills count, also
those of an interrupted run.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from device.journal import Journal, JournalError
from device.journal.events import TableStarted, VerdictGiven
from device.system.folder import DataFolder
from device.system.supervisor import answers
from tests.bench.table import print_rows, share
from tests.ports import free_port

KILLS = 20
LONGEST_S = 8.0
COME_BACK_S = 180.0


class Program:
    """`inkeek run` in a folder, observed through its journal."""

    def __init__(self, folder: Path) -> None:
        """folder: the table's data."""
        self.data = DataFolder(folder)
        self.port = free_port()
        self.seen: dict[int, str] = {}
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the program, also again."""
        command = [sys.executable, "-m", "device.cli.main", "run", "--camera", "sim", "--data", str(self.data.path),
                   "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self.process

    def children(self) -> dict[str, int]:
        """Return the process ids of table and page."""
        found = {}
        try:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        except FileNotFoundError:
            return {}
        for child in children:
            try:
                words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            except FileNotFoundError:
                continue
            if b"table" in words:
                found["table"] = int(child)
            elif b"web" in words:
                found["page"] = int(child)
        return found

    def look(self) -> list[object]:
        """Read the journal, remember all event hashes, and return the events' bodies."""
        try:
            with Journal(self.data.journal, readonly=True) as journal:
                events = journal.read()
        except JournalError:
            return []
        self.seen |= {event.number: event.hash for event in events}
        return [event.body for event in events]

    def started(self) -> int:
        """Return how often the table has started."""
        return sum(isinstance(body, TableStarted) for body in self.look())

    def verdicts(self) -> int:
        """Return how many verdicts the journal has."""
        return sum(isinstance(body, VerdictGiven) for body in self.look())

    def back(self, starts: int) -> bool:
        """Return whether the table has started at least `starts` times and the page answers."""
        return self.started() >= starts and self.answers()

    def answers(self) -> bool:
        """Return whether the page answers."""
        return answers("127.0.0.1", self.port)

    def wrong(self) -> str:
        """Return which of the events seen so far are missing or no longer valid; "" for none."""
        with Journal(self.data.journal, readonly=True) as journal:
            bad = journal.verify()
            there = {event.number: event.hash for event in journal.read()}
        lost = [number for number, digest in self.seen.items() if there.get(number) != digest]
        return (bad.reason if bad is not None else "") + (f" events lost: {lost}" if lost else "")

    def wait_until(self, what: Callable[[], bool], seconds: float = COME_BACK_S) -> bool:
        """Return whether `what` becomes true in time; restart the program if it has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                self.start()
            if what():
                return True
            time.sleep(0.3)
        return False


def run(folder: Path, kills: int, rng: random.Random, count: Callable[[int, int], None]) -> int:
    """Kill `kills` times and return how many kills went well; print those that did not. count: called after each kill
    with how many went well and how many there were."""
    program, well = Program(folder), 0
    try:
        if not program.wait_until(lambda: program.answers() and program.started() > 0):
            print("the program did not start")
            return 0
        for number in range(1, kills + 1):
            end = time.monotonic() + rng.uniform(0, LONGEST_S)
            while time.monotonic() < end:
                program.look()
                time.sleep(0.05)
            victims = rng.choice((("table",), ("page",), ("table", "page")))
            program.wait_until(lambda: len(program.children()) == 2)
            begun, children = program.started(), program.children()
            for name in victims:
                with suppress(ProcessLookupError, KeyError):
                    os.kill(children[name], signal.SIGKILL)
            wrong = program.wrong()
            back = program.wait_until(partial(program.back, begun + ("table" in victims)))
            wrong = wrong or program.wrong() or ("" if back else "it did not come back")
            if wrong:
                print(f"kill {number} ({' and '.join(victims)}): {wrong}", flush=True)
            well += not wrong
            count(well, number)
        before = program.verdicts()
        if not program.wait_until(lambda: program.verdicts() > before):
            print("the game did not go on")
            well = 0
        print(f"{program.verdicts()} verdicts, {len(program.seen)} events", flush=True)
    finally:
        program.process.terminate()
        program.process.wait()
    return well


def main() -> int:
    """Run the kills. Exit status 1 if one went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kill_product")
    parser.add_argument("kills", type=int, nargs="?", default=KILLS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="keep the data here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="inkeek-kills-") as passing:
        folder = given.folder or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "kills.txt"
        before = [int(n) for n in file.read_text().split()] if file.exists() else [0, 0]

        def count(well: int, kills: int) -> None:
            file.write_text(f"{before[0] + well} {before[1] + kills}\n")

        well = before[0] + run(folder, given.kills, random.Random(given.seed + before[1]), count)
        all_ = before[1] + given.kills
        count(well - before[0], given.kills)
    print_rows([share("kill -9 of the whole program: nothing lost and the game going on", well, all_,
                      "inkeek run at the simulated table")])
    return 0 if well == all_ else 1


if __name__ == "__main__":
    sys.exit(main())
