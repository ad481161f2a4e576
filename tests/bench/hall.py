"""Fifty tables in one hall: whether anything is lost, how long its pages take, how much memory it needs.

    python -m tests.bench.hall [MINUTES] [--tables N] [--rate VERDICTS_A_SECOND]

The tables are simulated at the level of events: one process sends a real broker what their publishers would, from
random games with a few fouls, each followed by a ruling. The hall is the real program on that broker. Meanwhile pages
are requested one after the other, and some feeds are open, as from screens in the hall.
"""

import argparse
import http.client
import multiprocessing
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from device.journal.chain import GENESIS, encode, event_hash, utc_now
from device.journal.events import Body, FaultSeen, GameStarted, LetStand, OrderAnswered, VerdictGiven
from device.publishing.messages import (
    MOST_IN_FLIGHT,
    Confirmed,
    JournalRecord,
    PrivateState,
    Public,
    Topic,
    read,
    write,
)
from device.table.verdict_events import drawn
from engine.rules import ruleset
from tests.ports import free_port
from tests.waiting import wait_for
from web.hall.context import STORE
from web.hall.store import Store

TABLES, RATE, MINUTES = 50, 2.0, 10.0
FOUL = 0.02
"""Share of the moves that are called illegal; each is let stand a little later."""
LONGEST_GAME = 80
FEEDS = ("tables", "tables", "queue", "public", "table:t1")
PAGES = ("/", "/table/t{n}", "/rulings")
TELL_S = 0.5
"""The least seconds between two reports of a table's state."""
SETTLE_S, LOOK_S = 20.0, 30.0
"""Seconds before the first measurement of memory, and between the later ones."""
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"


def played(lot: random.Random) -> Iterator[Body]:
    """Yield what a table writes into its journal: game after game, one verdict after the other."""
    number = 0
    while True:
        rules = ruleset("enkeshui")
        position = rules.setup()
        number += 1
        yield GameStarted(game=rules.game, rules=rules.name, board=str(position.board), position=str(position))
        for _ in range(LONGEST_GAME):
            moves = rules.moves(position).moves
            if not moves:
                break
            move = lot.choice(moves)
            foul = lot.random() < FOUL
            number += 1
            yield VerdictGiven(
                kind="illegal" if foul else "legal", player=position.to_move.letter, before=str(position),
                position=str(move.position), expected=str(move.position) if foul else "", move=move.name,
                sentence=f"{move.name}: two seeds into a; one was due." if foul else f"Legal: {move.name}.",
                steps=drawn(position.board, move.trace), captured=move.captured, confidence=0.99,
                faults=[FaultSeen(code="double", pit="a", lap=1, n=1)] if foul else [],
                still_before="ab" * 32 + ".jpg", still_after="cd" * 32 + ".jpg")
            if foul:
                number += 2
                yield LetStand(verdict=number - 2)
                yield OrderAnswered(order=number - 1, done=True, sentence="The move stands.")
            position = move.position


@dataclass
class Told:
    """One table as the broker sees it. waiting: its events that are not confirmed yet, by number."""

    id: str
    lot: random.Random
    number: int = 0
    hash: str = GENESIS
    journal: str = ""
    confirmed: int = 0
    sent: int = 0
    verdicts: int = 0
    position: str = ""
    waiting: dict[int, bytes] = field(default_factory=dict)
    told: int = 0
    told_at: float = -1.0
    bodies: Iterator[Body] | None = None

    def write(self) -> None:
        """Write the next verdict and the events that belong to it."""
        self.bodies = self.bodies or played(self.lot)
        while True:
            body = next(self.bodies)
            kind, text, at, before = type(body).__name__, encode(body), utc_now(), self.hash
            self.number += 1
            self.hash = event_hash(before, self.number, at, kind, text)
            self.journal = self.journal or self.hash[:16]
            self.waiting[self.number] = write(JournalRecord(self.journal, self.number, self.hash, before, at, kind,
                                                            text))
            if isinstance(body, VerdictGiven):
                self.position = body.position
                self.verdicts += 1
                return

    def take(self, said: Confirmed) -> None:
        """Note that the hall has all events up to there; if it says so twice, send the later ones again."""
        if said.journal != self.journal or said.number < self.confirmed:
            return
        if said.number == self.confirmed:
            self.sent = said.number
        for number in range(self.confirmed + 1, said.number + 1):
            self.waiting.pop(number, None)
        self.confirmed, self.sent = said.number, max(self.sent, said.number)


def feed(port: int, tables: int, rate: float, seconds: float, ends: Connection) -> None:
    """Run the tables; send (id, events, verdicts, hash) of each through `ends` when all is confirmed or time is
    over."""
    told = {f"t{n}": Told(f"t{n}", random.Random(n)) for n in range(1, tables + 1)}
    lock = threading.Lock()
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)

    def heard(_client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        with lock:
            told[Topic.parse(message.topic).table].take(read(bytes(message.payload), Confirmed, "confirmed"))

    client.on_message = heard
    client.connect("127.0.0.1", port)
    client.loop_start()
    client.subscribe("inkeek/1/+/confirmed", qos=1)
    start = time.monotonic()
    while True:
        now = time.monotonic() - start
        with lock:
            for table in told.values():
                while table.verdicts < min(now, seconds) * rate:
                    table.write()
                _send(client, table, now)
            done = now > seconds and all(table.confirmed == table.number for table in told.values())
        if done or now > seconds + 60:
            break
        time.sleep(0.02)
    ends.send([(t.id, t.number, t.verdicts, t.hash) for t in told.values()])
    client.disconnect()
    client.loop_stop()


def _send(client: mqtt.Client, table: Told, now: float) -> None:
    """Send the events that may be sent, and the table's state."""
    while table.sent < min(table.number, table.confirmed + MOST_IN_FLIGHT):
        table.sent += 1
        client.publish(str(Topic(table.id, "events")), table.waiting[table.sent], qos=1)
    if table.told != table.number and now - table.told_at >= TELL_S:
        table.told, table.told_at = table.number, now
        public = Public(name=f"Table {table.id[1:]}", at=utc_now(), journal=table.journal, state="watching",
                        seeing=True, position=table.position, game="enkeshui", board="2x8")
        client.publish(str(Topic(table.id, "public")), write(public), qos=1, retain=True)
        state = PrivateState(**msgspec.structs.asdict(public), number=table.number, hash=table.hash)
        client.publish(str(Topic(table.id, "state")), write(state), qos=1, retain=True)


@dataclass
class Visitor:
    """Requests pages one after the other and measures each. times: seconds, by page."""

    port: int
    tables: int
    times: dict[str, list[float]] = field(default_factory=dict)
    failed: int = 0
    ending: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Request pages until `ending` is set."""
        n = 0
        while not self.ending.wait(0.05):
            page = PAGES[n % len(PAGES)]
            n += 1
            began = time.monotonic()
            ok = get(self.port, page.format(n=1 + n % self.tables))
            self.times.setdefault(page, []).append(time.monotonic() - began)
            self.failed += not ok


def get(port: int, path: str) -> bool:
    """Request a page; return whether it came."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with suppress(OSError, http.client.HTTPException):
        line.request("GET", path)
        answer = line.getresponse()
        return bool(answer.read()) and answer.status == 200
    return False


def follow(port: int, see: str, ending: threading.Event) -> None:
    """Keep a feed open and read it as it comes."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with suppress(OSError, http.client.HTTPException):
        line.request("GET", f"/feed?see={see}")
        answer = line.getresponse()
        while not ending.is_set() and answer.readline():
            pass
    line.close()


def memory(pid: int) -> float:
    """Return the resident memory of a process, MiB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def lost(folder: Path, ends: list[tuple[str, int, int, str]]) -> int:
    """Return how many events the hall's copies lack, plus the copies whose last event differs."""
    store, missing = Store(folder / STORE), 0
    for table, number, _, last in ends:
        now = store.current(table)
        rows = store.rows(now.id) if now is not None else []
        missing += number - len(rows) + (not rows or rows[-1][4] != last)
    store.close()
    return missing


def measure(minutes: float, tables: int, rate: float) -> list[tuple[str, str]]:
    """Return the figures. Raises RuntimeError if something does not start."""
    mosquitto = shutil.which("mosquitto", path=PATH)
    if mosquitto is None:
        raise RuntimeError("there is no broker here: apt install mosquitto")
    with tempfile.TemporaryDirectory() as name:
        folder, broker, port = Path(name), free_port(), free_port()
        (folder / "conf").write_text(f"listener {broker} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 20000\n")
        at_broker = subprocess.Popen([mosquitto, "-c", str(folder / "conf")], stderr=subprocess.DEVNULL)
        hall = subprocess.Popen([sys.executable, "-m", "device.cli.main", "hall", "--broker",
                                 f"mqtt://127.0.0.1:{broker}", "--data", str(folder / "hall"), "--port", str(port)],
                                stdout=subprocess.DEVNULL)
        try:
            wait_for(lambda: get(port, "/"), 60)
            return observed(hall, folder / "hall", broker, port, minutes * 60, tables, rate)
        finally:
            for process in (hall, at_broker):
                process.terminate()
                process.wait(30)


def observed(hall: subprocess.Popen[bytes], folder: Path, broker: int, port: int, seconds: float, tables: int,
             rate: float) -> list[tuple[str, str]]:
    """Return the figures of a running hall."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    feeder = context.Process(target=feed, args=(broker, tables, rate, seconds, theirs))
    visitor = Visitor(port, tables)
    watching = [threading.Thread(target=follow, args=(port, see, visitor.ending), daemon=True) for see in FEEDS]
    asking = threading.Thread(target=visitor.run, daemon=True)
    feeder.start()
    wait_for(lambda: get(port, f"/table/t{tables}"), 60)
    for thread in (*watching, asking):
        thread.start()
    time.sleep(min(SETTLE_S, seconds / 2))
    memories = [memory(hall.pid)]
    while not ours.poll(min(LOOK_S, seconds / 4)):
        memories.append(memory(hall.pid))
        print(f"… {len(memories)} looks, {memories[-1]:.0f} MiB", file=sys.stderr, flush=True)
    ends = cast(list[tuple[str, int, int, str]], ours.recv())
    memories.append(memory(hall.pid))
    visitor.ending.set()
    asking.join(60)
    feeder.join(60)
    cpu = sum(float(n) for n in Path(f"/proc/{hall.pid}/stat").read_text().rpartition(")")[2].split()[11:13])
    rows: list[tuple[str, str]] = [
        ("tables", str(tables)), ("events", str(sum(number for _, number, _, _ in ends))),
        ("verdicts a second", f"{sum(verdicts for _, _, verdicts, _ in ends) / seconds:.1f}"),
        ("events lost or not as written", str(lost(folder, ends)))]
    for page, times in visitor.times.items():
        took = f"{statistics.median(times):.3f}, {_high(times):.3f}; n {len(times)}"
        rows.append((f"{page} (median, 95 %), s", took))
    return [*rows, ("pages that failed", str(visitor.failed)),
            ("memory at the start, halfway, in the end, at most, MiB",
             f"{memories[0]:.0f}, {memories[len(memories) // 2]:.0f}, {memories[-1]:.0f}, {max(memories):.0f}"),
            ("share of a core", f"{cpu / os.sysconf('SC_CLK_TCK') / seconds:.2f}")]


def _high(times: list[float]) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]


def main() -> int:
    """Print the figures; return 1 if something was lost, 2 if something did not start."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.hall")
    parser.add_argument("minutes", nargs="?", type=float, default=MINUTES)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--rate", type=float, default=RATE)
    given = parser.parse_args()
    try:
        rows = measure(given.minutes, given.tables, given.rate)
    except RuntimeError as error:
        print(f"{error}", file=sys.stderr)
        return 2
    for measure_of, figure in rows:
        print(f"{measure_of}: {figure}")
    return int(dict(rows)["events lost or not as written"] != "0")


if __name__ == "__main__":
    sys.exit(main())
