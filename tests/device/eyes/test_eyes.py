"""How a live table has its board looked for."""

import threading

import numpy as np
import pytest

from device.eyes import eyes
from device.eyes.eyes import LiveEyes, workers
from vision.board.lattice import NotFound
from vision.reading import BoardView

FOUND = BoardView(2, 2, np.zeros((2, 2, 2)), np.ones((2, 2)), np.eye(3), 0.4, (4, 4))


@pytest.fixture
def thread_of_search(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where each search of an eye was made, by its thread's name; the first finds nothing."""
    where: list[str] = []

    class Eye:
        """Looks for its board three times."""

        def __init__(self, *_: object, search: object, **__: object) -> None:
            for result in (NotFound("nothing there"), FOUND, FOUND):
                def look(result: BoardView | NotFound = result) -> BoardView | NotFound:
                    where.append(threading.current_thread().name)
                    return result

                assert callable(search)
                search(look).result()

    monkeypatch.setattr("vision.eye.Eye", Eye)
    return where


def opened(eyes: LiveEyes) -> None:
    from engine.board import Board

    eyes(Board(2, 8), "bottom")


def test_a_camera_never_waits_for_the_search(thread_of_search: list[str]) -> None:
    opened(LiveEyes())
    assert all(name.startswith("finder") for name in thread_of_search) and len(thread_of_search) == 3


def test_a_recording_waits_until_a_board_was_found(thread_of_search: list[str]) -> None:
    waited: list[float] = []
    opened(LiveEyes(waited.append))
    main = threading.current_thread().name
    assert thread_of_search[:2] == [main, main] and thread_of_search[2].startswith("finder")
    assert len(waited) == 2 and min(waited) >= 0


@pytest.mark.parametrize(("cores", "processes"), [(1, 0), (2, 0), (3, 2), (4, 3), (16, 3)])
def test_pits_are_counted_by_worker_processes_where_there_are_cores_for_them(cores: int, processes: int) -> None:
    assert workers(cores) == processes


def test_all_eyes_of_a_live_camera_share_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    class Counted:
        def __init__(self, processes: int = 0) -> None:
            made.append(processes)

    monkeypatch.setattr(eyes, "Reader", Counted)
    monkeypatch.setattr(eyes, "cores", lambda: 4)
    live = LiveEyes()
    opened(live)
    opened(live)
    assert made == [3]
