"""Networks that are run by worker processes: the same answers, and what becomes of processes that end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from vision.network import load
from vision.seeds.counter import SPOTS, WEIGHTS, Reader
from vision.seeds.workers import NetworkFile, Workers, WorkersNetwork

FILES = [NetworkFile(WEIGHTS, ("logits", "seeds")), NetworkFile(SPOTS, ("spots",))]
LONGEST_S = 20.0


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Two of them."""
    two = Workers(FILES, 2)
    yield two
    two.close()


def pictures(n: int, side: int = 80) -> np.ndarray:
    """float32[n, 6, side, side] of noise, of empty pits none."""
    shown = np.random.default_rng(n).normal(0, 1, (n, 6, side, side)).astype(np.float32)
    shown[:, 3:] = 0
    return shown


def processes(workers: Workers) -> list[int]:
    """Their numbers."""
    return [worker._process.pid for worker in workers._workers]


def ended(pid: int) -> bool:
    """Whether a process is gone, or will be within a while."""
    until = time.monotonic() + LONGEST_S
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("number", [0, 1])
def test_workers_say_what_one_process_says(workers: Workers, number: int, n: int) -> None:
    shown, file = pictures(n), FILES[number]
    alone = load(file.weights, file.outputs).run(shown)
    shared = WorkersNetwork(workers, number).run(shown)
    assert [one.shape for one in alone] == [one.shape for one in shared]
    assert all(np.array_equal(one, other) for one, other in zip(alone, shared, strict=True))


def test_the_reader_reads_the_same_with_workers() -> None:
    shown = np.random.default_rng(3).integers(0, 255, (13, 160, 160, 3), dtype=np.uint8)
    for alone, shared in zip(Reader().read(shown), Reader(processes=2).read(shown), strict=True):
        assert np.array_equal(alone, shared)


def test_a_worker_that_was_killed_is_replaced(workers: Workers) -> None:
    shown = pictures(4)
    before, said = processes(workers), workers.run(0, shown)
    os.kill(before[1], signal.SIGKILL)
    again = workers.run(0, shown)
    assert all(np.array_equal(one, other) for one, other in zip(said, again, strict=True))
    assert processes(workers)[0] == before[0] and processes(workers)[1] != before[1]


def test_a_file_that_is_no_network_is_said_in_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    with pytest.raises(OSError, match=r"broken\.onnx|parse|read"):
        Workers([NetworkFile(broken, ("logits",))], 1)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_whoever_asked_for_them(how: signal.Signals) -> None:
    program = ("from tests.vision.seeds.test_workers import *\n"
               "workers = Workers(FILES, 2)\nprint(*processes(workers), flush=True)\ntime.sleep(600)")
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as asked:
        assert asked.stdout is not None
        theirs = [int(pid) for pid in asked.stdout.readline().split()]
        assert len(theirs) == 2
        asked.send_signal(how)
    assert all(ended(pid) for pid in theirs)
