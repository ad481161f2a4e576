"""Evidence files that the hall asks its tables for: put together, checked, and kept up to a bound."""

import hashlib
import threading
import time
from pathlib import Path

import pytest

from device.publishing.messages import MOST_EVIDENCE_BYTES, PART_BYTES
from tests.waiting import wait_for
from web.hall import evidence
from web.hall.evidence import EvidenceCache


class Asked:
    """A table that is asked, and answers at once, the last part first. parts: what it sends."""

    def __init__(self, folder: Path, *parts: bytes, most: int = 1 << 20) -> None:
        """most: bytes that are kept."""
        self.parts, self.asked, self.wrong = parts, list[str](), list[str]()
        self.evidence = EvidenceCache(folder, self, most)

    def __call__(self, table: str, sha: str) -> None:
        """It is asked."""
        self.asked.append(sha)
        for number, part in reversed(list(enumerate(self.parts, 1))):
            self.wrong.append(self.evidence.arrived(table, sha, part, number, len(self.parts)))


def sha(data: bytes) -> str:
    """Its name."""
    return hashlib.sha256(data).hexdigest()


def test_parts_are_put_together_in_their_order_and_checked(tmp_path: Path) -> None:
    table = Asked(tmp_path, b"a" * PART_BYTES, b"b" * 10)
    whole = b"a" * PART_BYTES + b"b" * 10
    path = table.evidence.get("t1", sha(whole), 1.0)
    assert path is not None and path.read_bytes() == whole and table.wrong == ["", ""]
    assert table.evidence.get("t1", sha(b"another"), 0.1) is None
    assert table.wrong[-1] == "evidence that is not what its name says"
    assert table.evidence.get("t1", sha(b"another"), 0.1) is None
    assert len(table.asked) == 2, "it was asked for a moment ago"


def test_a_file_that_a_table_has_not_is_waited_for_no_longer(tmp_path: Path) -> None:
    kept = EvidenceCache(tmp_path, lambda table, name: wrong.append(kept.arrived(table, name, b"", 0, 0)))
    wrong: list[str] = []
    assert kept.get("t1", sha(b"gone"), 60.0) is None
    assert wrong == [""]


@pytest.mark.parametrize(("payload", "part", "parts"), [
    (b"x", 0, 1), (b"x", 2, 1), (b"x", -1, -1), (b"x" * (PART_BYTES + 1), 1, 1),
    (b"x", 1, MOST_EVIDENCE_BYTES // PART_BYTES + 1)])
def test_parts_that_cannot_be_are_refused(tmp_path: Path, payload: bytes, part: int, parts: int) -> None:
    kept = EvidenceCache(tmp_path / "kept", lambda table, name: wrong.append(
        kept.arrived(table, name, payload, part, parts)))
    wrong: list[str] = []
    assert kept.get("t1", sha(payload), 0.05) is None
    assert wrong == ["evidence in parts that cannot be"]
    assert kept.arrived("t1", sha(b"y"), b"y", 1, 1) == "evidence that nobody asked for"
    assert not (tmp_path / "kept").exists()


def test_the_least_looked_at_make_room(tmp_path: Path) -> None:
    table, found = Asked(tmp_path, most=250), list[Path | None]()
    for letter in (b"a", b"b", b"c"):
        table.parts = (letter * 100,)
        found.append(table.evidence.get("t1", sha(letter * 100), 1.0))
        if letter == b"b":
            assert table.evidence.get("t1", sha(b"a" * 100), 1.0) == found[0]  # looked at again
    assert [path is not None and path.exists() for path in found] == [True, False, True]


def test_who_waits_for_what_does_not_come_leaves_threads_to_others(tmp_path: Path,
                                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MOST_WAITING", 3)
    asked = list[str]()
    kept = evidence.EvidenceCache(tmp_path, lambda _table, name: asked.append(name))
    waiting = [threading.Thread(target=kept.get, args=("t1", sha(b"a"), 30.0)) for _ in range(3)]
    for thread in waiting:
        thread.start()
    wait_for(lambda: sum(one.waiting for one in kept._wanted.values()) == 3)
    began = time.monotonic()
    assert kept.get("t1", sha(b"b"), 30.0) is None and kept.get("t1", sha(b"a"), 30.0) is None
    assert time.monotonic() - began < 20.0 and asked == [sha(b"a")], "it is asked for once, whoever waits for it"
    assert kept.arrived("t1", sha(b"a"), b"a", 1, 1) == ""
    for thread in waiting:
        thread.join(20)
        assert not thread.is_alive()
