"""What is made on demand: once, one after the other, and never more than the memory bears."""

import os
import sys
import threading
from functools import partial

import pytest

from web.sharing import studio
from web.sharing.studio import Busy, Studio


def test_nothing_is_made_twice() -> None:
    one, made = Studio(), list[str]()

    def make(key: str) -> bytes:
        made.append(key)
        return key.encode()

    for key in ("a", "b", "a"):
        assert one.made(key, partial(make, key)) == key.encode()
    assert made == ["a", "b"]


def test_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio, "MOST_KEPT_BYTES", 25)
    one, made = Studio(), list[str]()

    def make(key: str) -> bytes:
        made.append(key)
        return bytes(10)

    for key in ("a", "b", "a", "c", "a", "b"):
        one.made(key, partial(make, key))
    assert made == ["a", "b", "c", "b"]


def test_too_many_are_sent_away_and_what_failed_may_be_asked_for_again() -> None:
    one, go = Studio(), threading.Event()

    def make() -> bytes:
        assert go.wait(20)
        return b"x"

    waiting = [threading.Thread(target=one.made, args=(str(i), make)) for i in range(studio.MOST_WAITING + 1)]
    for thread in waiting:
        thread.start()
    while len(one._on) <= studio.MOST_WAITING:
        pass
    with pytest.raises(Busy):
        one.made("more", make)
    go.set()
    for thread in waiting:
        thread.join()
    with pytest.raises(ZeroDivisionError):
        one.made("wrong", lambda: bytes(1 // 0))
    assert one.made("wrong", lambda: b"right") == b"right"


@pytest.mark.skipif(sys.platform != "linux", reason="the film's thread giving way to others (run it on Linux)")
def test_it_stands_back_behind_the_table() -> None:
    def niceness() -> bytes:
        return str(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())).encode()

    before = os.getpriority(os.PRIO_PROCESS, 0)
    assert int(Studio().made("nice", niceness)) == max(before, studio.NICENESS)
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
