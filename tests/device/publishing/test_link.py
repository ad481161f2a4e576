"""A link to whatever listens there: each thing that is no broker gives one sentence, and nothing else."""

import logging
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from device.publishing.address import HallAddress
from device.publishing.link import HallLink, LinkLost
from device.publishing.publisher import Publisher
from device.publishing.publisher_state import TableIdentity

CONNACK = bytes([0x20, 3, 0, 0, 0])
SAYS_NO = bytes([0x20, 3, 0, 0x88, 0])


@contextmanager
def somebody(says: Callable[[socket.socket], None]) -> Iterator[HallAddress]:
    """A program that listens, and says this to whoever comes."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        def serve() -> None:
            with suppress(OSError):
                guest, _ = listening.accept()
                with guest:
                    guest.settimeout(10)
                    says(guest)

        thread = threading.Thread(target=serve)
        thread.start()
        yield HallAddress("127.0.0.1", listening.getsockname()[1])
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def lost(address: HallAddress, heard: Callable[[str, bytes], None] = lambda *_: None, keepalive: int = 15) -> str:
    """The sentence with which a link there ends."""
    link = HallLink(address, "inkeek-t", heard, ("inkeek/1/t/gone", b""), keepalive)
    try:
        with pytest.raises(LinkLost) as error:
            link.open()
            end = time.monotonic() + 20
            while time.monotonic() < end:
                link.turn(0.05)
        return str(error.value)
    finally:
        link.drop()


def published(topic: bytes, payload: bytes = b"x") -> bytes:
    """A message as a broker sends it, without a number."""
    body = len(topic).to_bytes(2, "big") + topic + b"\0" + payload
    return bytes([0x30, len(body)]) + body


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_said_there_is_one_sentence(seed: int) -> None:
    lot = random.Random(seed)
    garbage = (CONNACK if seed % 2 else b"") + bytes([lot.choice((0x20, 0x30, 0x32, 0x40, 0x90, 0xD0, 0xE0, 0xF0)), *(
        lot.randrange(256) for _ in range(lot.randrange(1, 60)))])

    def says(guest: socket.socket) -> None:
        guest.recv(4096)
        guest.sendall(garbage)

    with somebody(says) as address:
        sentence = lost(address)
    assert str(address) in sentence and "\n" not in sentence


def test_one_who_says_nothing_is_not_waited_for_without_end() -> None:
    def says(guest: socket.socket) -> None:
        while guest.recv(4096):
            pass

    with somebody(says) as address:
        assert lost(address, keepalive=1) == f"the link to the hall at {address} was lost"


def test_one_who_is_too_busy_says_so() -> None:
    def says(guest: socket.socket) -> None:
        guest.recv(4096)
        guest.sendall(SAYS_NO)
        guest.recv(4096)

    with somebody(says) as address:
        assert lost(address) == f"the hall's broker at {address} accepts no links just now"


def test_a_topic_that_is_no_text_is_passed_over_and_a_fault_of_ours_is_not_the_brokers() -> None:
    heard: list[str] = []

    def hear(topic: str, _payload: bytes) -> None:
        heard.append(topic)
        raise ZeroDivisionError

    def says(guest: socket.socket) -> None:
        guest.recv(4096)
        guest.sendall(CONNACK + published(b"\xff\xfe") + published(b"a/b"))
        guest.recv(4096)

    with somebody(says) as address:
        link = HallLink(address, "inkeek-t", hear, ("inkeek/1/t/gone", b""))
        link.open()
        with pytest.raises(ZeroDivisionError):
            while True:
                link.turn(0.05)
        link.drop()
    assert heard == ["a/b"]


def test_what_the_library_stumbles_over_is_no_end_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def says(guest: socket.socket) -> None:
        guest.recv(4096)

    def stumble(_seconds: float) -> None:
        raise IndexError

    with somebody(says) as address:
        link = HallLink(address, "inkeek-t", lambda *_: None, ("inkeek/1/t/gone", b""))
        link.open()
        monkeypatch.setattr(link._mqtt, "loop", stumble)
        with pytest.raises(LinkLost, match=r"does not speak MQTT 5: is it a broker"):
            link.turn(0.05)
        link.drop()


def test_who_was_told_that_the_link_broke_is_told_that_it_stands_again(tmp_path: Path,
                                                                       caplog: pytest.LogCaptureFixture) -> None:
    publisher = Publisher(TableIdentity(tmp_path, "t", "Table", "127.0.0.1", 8000), HallAddress("hall.local", 1883))
    for linked, sentence in ((True, ""), (False, "the link was lost"), (True, ""), (True, "")):
        publisher._show(linked, sentence)
    at_a_terminal = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert [line.partition(" (")[0] for line in at_a_terminal] == [
        "the link was lost", "the link to the hall mqtt://hall.local:1883 stands: this table is t there"]
