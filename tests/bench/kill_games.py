"""kill -9 of the table, the page and both, in the middle of simulated games that are played fast.

    python -m tests.bench.kill_games [KILLS] [--seed N] [--notes FILE] [--seconds N] [--full]

The table's whole loop referees simulated players over painted pictures, as fast as it can; the page serves beside it,
and people rule, hold accusations back and begin new games there without a pause. At random instants, also during
start-up, one of the two processes or both are killed. After each kill every acknowledged event must be there (the table
acknowledges when `append` returns, the page by its answer), the chain must verify, and the evidence that events name
must be whole. Then the processes start again, and the game must go on, even in the middle of a move. Prints n of n.

With --notes the result of each kill is kept in a file, and a later run continues after the last. With --full the disk
fills up before each kill and has room again after it. The eye is left out, because its pictures would take days;
`tests.bench.kill_product` kills the real program with it.
"""

import argparse
import faulthandler
import hashlib
import http.client
import json
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self
from unittest.mock import patch
from urllib.parse import urlencode

import msgspec

from device.cameras.base import Camera
from device.journal import Journal, JournalError
from device.journal.backup import stills
from device.journal.events import Body, Event, HoldSet, Order, ShowFoul, VerdictGiven
from device.journal.game import Game
from device.journal.keeper import Keeper
from device.system.folder import MEMORY, DataFolder
from device.system.supervisor import answers
from device.system.table_process import Loop, Wanted
from tests.bench.forked import Victim
from tests.bench.table import print_rows, share
from tests.device.disks import Disk, small_disk
from tests.device.painted import PaintedEye
from tests.device.painted_sim import PaintedSim
from tests.ports import free_port
from tests.web.attack import machine_cookie
from vision.reading import Frame

KILLS = 500
FRESH = 20
"""Kills before a new folder is begun, because reading a long journal would take most of the time."""
LONGEST_S = 0.6
HASTY = 0.25
"""Share of the kills that come while the processes are still starting after the last one."""
HASTE_S = 0.3
BACK_S = 600.0
"""Seconds of the clock within which the game must go on: generous, because they mean little on a busy machine."""
BACK_WORK_S = 12.0
"""Seconds of the table's processor time within which the game must go on."""
LOOK_S = 0.05
PAUSE_S = 0.03
"""Seconds between two actions of the people."""
FPS = 10.0
DISK_KB = 8 << 10
SAYS = Callable[[str], None]


# ---- the table -------------------------------------------------------------------------------------------------

class Hurried(Camera):
    """A camera that counts as live for the table, but whose time runs as fast as frames are requested."""

    name, live = "painted table", True

    def __init__(self, inner: PaintedSim) -> None:
        """inner: the camera to hurry."""
        self._inner = inner

    def open(self) -> None:
        """See `Camera.open`."""
        self._inner.open()

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`."""
        return self._inner.read(timeout_s)

    def close(self) -> None:
        """See `Camera.close`."""
        self._inner.close()

    def hear(self, order: Order | ShowFoul, position: str = "") -> bool:
        """See `Camera.hear`."""
        return self._inner.hear(order, position)


def referee(say: SAYS, folder: Path, memory: Path) -> None:
    """Run the table until it is killed. memory: file in which the simulated players keep the board."""

    class Telling(Keeper):
        def append(self, body: Body) -> Event:
            event = super().append(body)
            if not self.why:
                say(f"{event.number} {event.hash}")
            return event

    data = DataFolder(folder)
    # On this signal it writes the stack of every thread.
    faulthandler.register(signal.SIGUSR1, memory.with_name("where").open("w"), all_threads=True)

    def camera(game: Game) -> Hurried:
        rules, position = game.playing
        if not game.begun:  # as the program does it
            memory.unlink(missing_ok=True)
        return Hurried(PaintedSim(rules, position=position, memory=memory, live=False, fps=FPS, pace="fast"))

    with patch("device.system.table_process.Keeper", Telling):
        Loop(Wanted(data, usual="endodoi"), camera, lambda: False, PaintedEye).run()


# ---- the page, and the people there ----------------------------------------------------------------------------

def serve(say: SAYS, folder: Path, port: int) -> None:
    """Run the page until it is killed."""
    from web.__main__ import main

    say("serving")
    main(["--data", str(folder), "--port", str(port)])


class People:
    """People at the page who rule on open verdicts, set the hold, and begin a new game after each end.

    ordered: numbers of the orders that the page acknowledged; held: how many settings of the hold it acknowledged.
    """

    def __init__(self, port: int, seed: int, folder: Path) -> None:
        """port: of the page; seed: of the people's choices; folder: the table's data."""
        self.port, self._folder = port, folder
        self.ordered: set[int] = set()
        self.held = 0
        self._rng = random.Random(seed)
        self._headers: dict[str, str] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop the people."""
        self._ended.set()
        self._thread.join()

    def _go_on(self) -> None:
        while not self._ended.wait(PAUSE_S):
            with suppress(OSError, http.client.HTTPException, ValueError):  # the page is being killed
                self._once()

    def _once(self) -> None:
        if not self._headers:
            _, body, headers = self._ask("GET", "/token", headers={"Cookie": machine_cookie(self._folder)})
            self._headers = {"Cookie": headers["Set-Cookie"].partition(";")[0],
                             "X-CSRFToken": json.loads(body)["token"]}
        table = json.loads(self._ask("GET", "/api/v1/table")[1])
        order: dict[str, object] = {}
        if table.get("over"):
            order = {"type": "NewGame", "game": "endodoi", "rules": "merker", "board": "2x8"}
        elif table.get("ruling"):
            order = {"type": self._rng.choice(("LetStand", "Withdraw")), "verdict": table["ruling"]}
        if order:
            status, body, _ = self._ask("POST", "/orders", json.dumps(order), {"Content-Type": "application/json"})
            if status == 201:
                self.ordered.add(int(json.loads(body)["order"]))
        else:
            status, _, _ = self._ask("POST", "/referee/hold", urlencode({"on": "no"}),
                                     {"Content-Type": "application/x-www-form-urlencoded"})
            self.held += status == 303
        if status in (400, 403):  # a page killed before its key was on the disk now has another
            self._headers = {}

    def _ask(self, method: str, path: str, body: str | None = None,
             headers: dict[str, str] | None = None) -> tuple[int, bytes, http.client.HTTPMessage]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            line.request(method, path, body, {**self._headers, **(headers or {})})
            answer = line.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            line.close()


# ---- the killing -----------------------------------------------------------------------------------------------

@dataclass
class Killing:
    """One table and one page over a folder, killed again and again. folder: an empty one; disk: the disk for the data
    folder, if it is to fill up."""

    folder: Path
    rng: random.Random
    disk: Disk | None = None
    table: Victim | None = None
    page: Victim | None = None
    _told: dict[int, str] = field(default_factory=dict)
    """Hash of each event that the table acknowledged, by number."""
    _whole: set[str] = field(default_factory=set)
    _went_on: Victim | None = None

    def __post_init__(self) -> None:
        """Derive the other attributes and start both processes."""
        self.data = DataFolder((self.folder if self.disk is None else self.disk.path) / "data")
        self.port = free_port()
        # The board is written with every frame, so keep it in memory if possible.
        self._memory = TemporaryDirectory(prefix="inkeek-lies-", dir=MEMORY if MEMORY.is_dir() else None)
        self.lies = Path(self._memory.name) / "simulated.json"
        self.people = People(self.port, self.rng.randrange(1 << 30), self.data.path)
        self._start()

    def __enter__(self) -> Self:
        """Return this object; the block's end closes it."""
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Stop the people and both processes, and delete what lies in memory."""
        self.people.end()
        for victim in (self.table, self.page):
            if victim is not None:
                victim.lines()
        self.data.drop_live()
        self._memory.cleanup()

    @property
    def acknowledged(self) -> int:
        """How many events the table or the page acknowledged."""
        return len(self._told) + len(self.people.ordered) + self.people.held

    def kill(self) -> tuple[str, str]:
        """Kill one process or both, and start again. Return which ("" if the game had not gone on since the last kill),
        and what is wrong afterwards, "" for nothing."""
        hasty = self.data.journal.exists() and self.rng.random() < HASTY
        wrong = "" if hasty else self.goes_on()
        if wrong:
            return "", wrong  # of the kill before
        if self.disk is not None:
            self.disk.fill(leave=self.rng.choice((0, 1 << 12, 1 << 14, 1 << 16)))
        time.sleep(self.rng.uniform(0, HASTE_S if hasty else LONGEST_S))
        who = self.rng.choice(("table", "page", "both"))
        wrong = self._kill(who)
        if self.disk is not None:
            self.disk.empty()
        wrong = wrong or self.wrong()
        self._start()
        return who, wrong

    def _kill(self, who: str) -> str:
        """Kill the table, the page or both; return what is wrong if one of them had ended by itself, else ""."""
        killed = [(name, victim) for name, victim in (("table", self.table), ("page", self.page))
                  if victim is not None and who in (name, "both")]
        for _, victim in killed:
            victim.kill()
        if who != "page":
            self.table = None
        if who != "table":
            self.page = None
        wrong = ""
        for name, victim in killed:
            lines = victim.lines()
            if name == "table":
                self._note(lines)
            if victim.trouble:
                wrong = f"the {name} had ended by itself: {victim.trouble}"
        return wrong

    def goes_on(self) -> str:
        """Wait until the page answers and, if the table was killed, gives another verdict; return what is wrong if that
        does not happen, else ""."""
        end, (last, _) = time.monotonic() + BACK_S, self._verdicts(0)
        begun = self._worked()
        while time.monotonic() < end and self._worked() - begun < BACK_WORK_S:
            # A table that was not killed since it last went on need not be checked again: only the page is.
            if answers("127.0.0.1", self.port) and (self._went_on is self.table or self._verdicts(last)[1]):
                self._went_on = self.table
                return ""
            time.sleep(LOOK_S)
        names = [f"{event.type} {getattr(event.body, 'state', getattr(event.body, 'kind', ''))}".strip()
                 for event in self._events(0) if not isinstance(event.body, HoldSet)][-12:]
        ended = [victim.lines() and victim.trouble for victim in (self.table, self.page)
                 if victim is not None and victim.process.exitcode is not None]
        if self.table is not None and self.table.process.pid is not None and not ended:
            os.kill(self.table.process.pid, signal.SIGUSR1)
            time.sleep(1.0)
        where = ""
        with suppress(OSError):
            where = self.lies.with_name("where").read_text()
        return f"the game did not go on after {', '.join(names)}; {ended}; {where}"

    def _worked(self) -> float:
        """Return the table's processor time in seconds."""
        if self.table is None:
            return 0.0
        with suppress(OSError, IndexError):
            words = Path(f"/proc/{self.table.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    def wrong(self) -> str:
        """Return what is missing or wrong of all that was acknowledged; "" for nothing."""
        if self.table is not None:
            self._note(self.table.hear())
        if not self.data.journal.exists():
            return "the journal is gone" if self.acknowledged else ""
        try:
            with Journal(self.data.journal, readonly=True) as journal:
                bad = journal.verify()
                events = {event.number: event for event in journal.read()}
        except Exception as error:  # any error means that the kill went wrong
            return str(error)
        return "; ".join([*([bad.reason] if bad is not None else []), *self._lost(events)])

    def _lost(self, events: Mapping[int, Event]) -> list[str]:
        """Return a sentence for each kind of acknowledged thing missing in the journal (events by number) or the
        evidence."""
        lost = [n for n, digest in self._told.items() if n not in events or events[n].hash != digest]
        lost += [n for n in set(self.people.ordered) if n not in events]
        less = self.people.held - sum(isinstance(event.body, HoldSet) for event in events.values())
        missing = [name for name, _ in stills(events.values()) if not self._is_whole(name)]
        found = ((lost, f"events lost: {lost}"), (less > 0, f"{less} switchings of the hold lost"),
                 (missing, f"evidence missing or broken: {missing}"))
        return [sentence for bad, sentence in found if bad]

    def _start(self) -> None:
        """Start whichever of the two does not run."""
        self.table = self.table or Victim(referee, self.data.path, self.lies)
        self.page = self.page or Victim(serve, self.data.path, self.port)

    def _note(self, lines: list[str]) -> None:
        for line in lines:
            number, digest = line.split()
            self._told[int(number)] = digest

    def _is_whole(self, name: str) -> bool:
        if name not in self._whole:
            with suppress(OSError):
                if hashlib.sha256((self.data.evidence / name).read_bytes()).hexdigest() == Path(name).stem:
                    self._whole.add(name)
        return name in self._whole

    def _events(self, after: int) -> list[Event]:
        with suppress(JournalError), Journal(self.data.journal, readonly=True) as journal:
            return journal.read(after)
        return []

    def _verdicts(self, after: int) -> tuple[int, int]:
        """Return the number of the last event above `after`, and the number of verdicts above it."""
        events = self._events(after)
        return (events[-1].number if events else after,
                sum(isinstance(event.body, VerdictGiven) for event in events))



@dataclass(frozen=True, slots=True)
class Note:
    """The result of some kills in one folder: which processes, how many events were acknowledged, and what went wrong
    in the last kill, if anything."""

    seed: int
    who: list[str]
    acknowledged: int
    wrong: str


def some(seed: int, kills: int, full: bool = False) -> Note:
    """Kill `kills` times, stop at the first failure, and check that the game goes on after the last kill."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="inkeek-kills-")))
        disk = stack.enter_context(small_disk(folder / "disk", DISK_KB)) if full else None
        killing = stack.enter_context(Killing(folder, random.Random(seed), disk))
        who: list[str] = []
        wrong = ""
        while not wrong and len(who) < kills:
            victim, wrong = killing.kill()
            who += [victim] * bool(victim)
        return Note(seed, who, killing.acknowledged, wrong or killing.goes_on())


def main() -> int:
    """Run the kills. Exit status 1 if one went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kill_games")
    parser.add_argument("kills", type=int, nargs="?", default=KILLS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--notes", type=Path, help="what came of it is kept here, and added to")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no kill in a new folder after so many")
    parser.add_argument("--full", action="store_true", help="on a disk that fills up")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left running
    notes: list[Note] = []
    if given.notes is not None and given.notes.exists():
        notes = msgspec.json.decode(b"[" + b",".join(given.notes.read_bytes().splitlines()) + b"]", type=list[Note])
    end = time.monotonic() + given.seconds
    while (done := sum(len(note.who) for note in notes)) < given.kills and time.monotonic() < end:
        note = some(given.seed + len(notes), min(FRESH, given.kills - done), given.full)
        notes.append(note)
        if given.notes is not None:
            with given.notes.open("ab") as file:
                file.write(msgspec.json.encode(note) + b"\n")
        print(f"{done + len(note.who)} kills" + (f": {note.wrong}" if note.wrong else ""), flush=True)
    bad = sum(bool(note.wrong) for note in notes)
    whom = Counter(who for note in notes for who in note.who)
    named = ", ".join(f"{n} {who}" for who, n in sorted(whom.items()))
    print_rows([share("kill -9 of table, page or both: nothing lost and the game going on", whom.total() - bad,
                      whom.total(), "fast simulated games" + ", on a disk that fills up" * given.full,
                      f"{named}; {sum(note.acknowledged for note in notes):,} events acknowledged")])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
