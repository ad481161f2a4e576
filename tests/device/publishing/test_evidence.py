"""Evidence goes out when it is asked for, in parts, no faster than agreed, and from the evidence folder alone."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from device.publishing import evidence as module
from device.publishing.evidence import MOST_ASKED, EvidenceSender
from device.publishing.messages import PART_BYTES


class Wire:
    """What was sent; the broker has it at once, unless it is held up."""

    def __init__(self) -> None:
        """Nothing was sent."""
        self.messages: list[tuple[str, bytes, Mapping[str, str]]] = []
        self.held_up = False

    def publish(self, topic: str, payload: bytes, said: Mapping[str, str]) -> int:
        self.messages.append((topic, payload, said))
        return len(self.messages)

    def sent(self, number: int) -> bool:
        return not self.held_up or number < len(self.messages)


def kept(folder: Path, data: bytes, ending: str = ".jpg") -> str:
    sha = hashlib.sha256(data).hexdigest()
    (folder / f"{sha}{ending}").write_bytes(data)
    return sha


def sender(folder: Path, wire: Wire, rate: int = 1 << 30) -> EvidenceSender:
    return EvidenceSender(folder, "table-3", wire.publish, wire.sent, rate)


@pytest.mark.parametrize(("size", "parts"), [(1, 1), (PART_BYTES, 1), (PART_BYTES + 1, 2), (5 * PART_BYTES, 5)])
def test_a_file_goes_in_parts_that_make_it_again(tmp_path: Path, size: int, parts: int) -> None:
    data = bytes(i % 251 for i in range(size))
    sha, wire = kept(tmp_path, data, ".zip"), Wire()
    sending = sender(tmp_path, wire)
    assert sending.ask(sha)
    for now in range(10):
        sending.tick(float(now))
    assert b"".join(payload for _, payload, _ in wire.messages) == data
    assert [said for *_, said in wire.messages] == [{"part": str(n), "parts": str(parts)} for n in range(1, parts + 1)]
    assert {topic for topic, *_ in wire.messages} == {f"inkeek/1/table-3/evidence/{sha}"}
    assert max(len(payload) for _, payload, _ in wire.messages) <= PART_BYTES


def test_it_is_no_faster_than_agreed_and_waits_for_the_broker(tmp_path: Path) -> None:
    sha, wire = kept(tmp_path, b"x" * (4 * PART_BYTES)), Wire()
    sending = sender(tmp_path, wire, rate=PART_BYTES)
    sending.ask(sha)
    for tenth in range(15):
        sending.tick(tenth / 10)
    assert len(wire.messages) == 2, "one part a second"
    wire.held_up = True
    sending.tick(5.0)
    sending.tick(9.0)
    assert len(wire.messages) == 2, "and none before the last has arrived"
    wire.held_up = False
    sending.tick(9.0)
    assert len(wire.messages) == 3


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    wire = Wire()
    sending = sender(tmp_path, wire)
    sending.ask("0" * 64)
    sending.tick(0.0)
    assert wire.messages == [(f"inkeek/1/table-3/evidence/{'0' * 64}", b"", {"parts": "0"})]
    sending.tick(1.0)
    assert len(wire.messages) == 1


def test_no_link_is_followed_and_nothing_too_large_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EVIDENCE_BYTES", 100)
    secret = tmp_path / "page.pin"
    secret.write_bytes(b"secret")
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / f"{'1' * 64}.jpg").symlink_to(secret)
    (folder / f"{'2' * 64}.jpg").mkdir()
    large, wire = kept(folder, b"x" * 101), Wire()
    sending = sender(folder, wire)
    for now, sha in enumerate(("1" * 64, "2" * 64, large)):
        sending.ask(sha)
        sending.tick(float(now))
    assert [payload for _, payload, _ in wire.messages] == [b""] * 3


def test_a_hall_that_asks_too_much_is_told_no_more_than_that(tmp_path: Path) -> None:
    wire = Wire()
    sending = sender(tmp_path, wire)
    shas = [f"{n:064x}" for n in range(MOST_ASKED + 1)]
    assert [sending.ask(sha) for sha in shas] == [True] * MOST_ASKED + [False]
    assert sending.ask(shas[0]), "what waits already is sent once"
    for now in range(100):
        sending.tick(float(now))
    assert len(wire.messages) == MOST_ASKED
