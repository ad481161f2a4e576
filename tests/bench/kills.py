"""kill -9 at random instants: every event acknowledged before must be there after, and the chain must verify.

    python -m tests.bench.kills [ROUNDS] [--seed N] [--full] [--seconds N]

In each round a table's writer (stills, then the verdicts that name them, with a WAL checkpoint every few events) and a
page's writer (orders) write to one journal, and one of them or both are killed at a random instant, also in the middle
of commits and checkpoints. They acknowledge each event through a pipe after `append` has returned. The next round
continues with the same files. Prints n of n.

With --full the files lie on a small disk that fills up during each round: what the table then keeps in memory counts as
acknowledged only once it is written. Needs permission to mount.
"""

import argparse
import hashlib
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from device.journal import Journal, JournalTrouble
from device.journal.events import LetStand, VerdictGiven
from device.journal.keeper import Keeper
from tests.bench.forked import Victim
from tests.bench.table import print_rows, share
from tests.device.disks import Disk, small_disk

ROUNDS = 500
FRESH = 20
"""Rounds before a new journal is begun, because reading a long one takes most of the time; fewer on a small disk."""
LONGEST_S = 0.12
FOLD_EVERY = 5


def write_table(say: Callable[[str], None], folder: Path) -> None:
    """Write as the table does, until killed."""
    from device.journal import keeper

    keeper.CHECKPOINT_EVERY = FOLD_EVERY
    rng = random.Random(os.getpid())
    with Keeper(folder / "journal.sqlite3") as book:
        while True:
            still = rng.randbytes(rng.choice((200, 20_000)))
            name = hashlib.sha256(still).hexdigest() + ".jpg"
            book.keep_file(folder / name, still)
            event = book.append(VerdictGiven(kind="legal", player="S", before="", position="", still_after=name,
                                             sentence="x" * rng.choice((10, 700, 6000))))
            if not book.why:
                say(f"{event.number} {event.hash}")
            elif "full" not in str(book.why):
                raise SystemExit(str(book.why))


def write_page(say: Callable[[str], None], folder: Path) -> None:
    """Write as the page does, until killed: open the journal for each order."""
    while True:
        try:
            with Journal(folder / "journal.sqlite3") as book:
                event = book.append(LetStand(verdict=1))
            say(f"{event.number} {event.hash}")
        except JournalTrouble as error:
            if "full" not in str(error) and "disk I/O" not in str(error) and "unable to open" not in str(error):
                raise
        time.sleep(0.001)


@dataclass
class Kills:
    """Kills writers to one journal and counts. folder: an empty one."""

    folder: Path
    rng: random.Random
    rounds: int = 0
    events: int = 0
    wrong: dict[int, str] = field(default_factory=dict)
    """What went wrong, by round."""
    disk: Disk | None = None
    _fresh: bool = True
    _place: Path = Path()

    def round(self) -> None:
        """Start both writers, kill one or both, then the survivor, and check the journal."""
        self.rounds += 1
        if self._fresh or self.rounds % (FRESH if self.disk is None else FRESH // 5) == 0:
            self._begin_a_journal()
        writers = {"table": Victim(write_table, self._place), "page": Victim(write_page, self._place)}
        for writer in writers.values():  # the random instant counts from when both write
            writer.wait_for_word()
        if self.disk is not None:
            self.disk.fill(leave=self.rng.choice((0, 1 << 12, 1 << 14, 1 << 16)))
        time.sleep(self.rng.uniform(0, LONGEST_S))
        for kind in self.rng.choice((("table",), ("page",), ("table", "page"))):
            writers[kind].kill()
        time.sleep(self.rng.uniform(0, 0.02))
        for writer in writers.values():
            writer.kill()
        acknowledged = self._acknowledged(writers)
        if self.disk is not None:
            self.disk.empty()
        self._look(self._place, acknowledged)

    def _begin_a_journal(self) -> None:
        """Begin a journal in a new folder; on a small disk, delete the old one."""
        if self.disk is not None and self.rounds > 1:
            shutil.rmtree(self._place)
        self._place, self._fresh = self.folder / str(self.rounds), False
        self._place.mkdir()
        Journal(self._place / "journal.sqlite3").close()

    def _acknowledged(self, writers: Mapping[str, Victim]) -> dict[int, str]:
        """Return the hash of every event that the killed writers had acknowledged, by number."""
        found: dict[int, str] = {}
        for kind, writer in writers.items():
            for line in writer.lines():
                number, digest = line.split()
                found[int(number)] = digest
            if writer.trouble:
                self._wrong(f"the {kind} ended by itself: {writer.trouble}")
        return found

    def _look(self, place: Path, acknowledged: dict[int, str]) -> None:
        try:
            with Journal(place / "journal.sqlite3", readonly=True) as journal:
                bad = journal.verify()
                events = {event.number: event for event in journal.read()}
        except Exception as error:  # any error means that the round failed
            self._wrong(str(error))
            return
        self.events += len(acknowledged)
        lost = [n for n, digest in acknowledged.items() if n not in events or events[n].hash != digest]
        missing = [e.number for e in events.values() if isinstance(e.body, VerdictGiven)
                   and not _whole(place / e.body.still_after)]
        if bad is not None or lost or missing:
            self._wrong(f"{bad}; events lost {lost}; stills missing for {missing}")

    def _wrong(self, what: str) -> None:
        """Note the first failure of a round, and continue with a new journal."""
        self.wrong.setdefault(self.rounds, what)
        self._fresh = True


def _whole(still: Path) -> bool:
    return still.is_file() and hashlib.sha256(still.read_bytes()).hexdigest() == still.stem


def main() -> int:
    """Run the rounds. Exit status 1 if one went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kills")
    parser.add_argument("rounds", type=int, nargs="?", default=ROUNDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--full", action="store_true", help="on a disk that fills up")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no round is begun after so many")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="inkeek-kills-")))
        disk = stack.enter_context(small_disk(folder / "disk", 48 << 10)) if given.full else None
        kills = Kills(folder if disk is None else disk.path, random.Random(given.seed), disk=disk)
        end = time.monotonic() + given.seconds
        while kills.rounds < given.rounds and time.monotonic() < end:
            kills.round()
        for number, what in kills.wrong.items():
            print(f"round {number}: {what}")
        where = "on a disk that fills up" if given.full else "at random instants"
        print_rows([share("kill -9 of the journal's two writers: nothing lost", kills.rounds - len(kills.wrong),
                          kills.rounds, where, f"{kills.events:,} events acknowledged")])
    return 1 if kills.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
