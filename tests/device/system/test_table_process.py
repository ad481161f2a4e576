"""The table's process: frames to journal, stills and live files; orders back; going on after the plug was pulled."""

import gc
import hashlib
import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import pytest

from device.cameras.base import Camera, CameraError, EndOfRecording
from device.eyes.pipeline import InlineRunner
from device.journal import Journal, JournalError
from device.journal.events import Any as AnyBody
from device.journal.events import (
    Blind,
    BoardFound,
    CameraNoted,
    Event,
    GameStarted,
    KeptInMemory,
    LetStand,
    NewGame,
    OrderAnswered,
    Sighted,
    TableStarted,
    VerdictGiven,
    Withdraw,
)
from device.journal.records import records
from device.system.folder import DataFolder, FolderError
from device.system.table_process import Loop, Wanted
from device.table.orders import game_started
from engine.board import Board
from engine.position import Position
from engine.rules import ruleset
from tests.device.disks import small_disk
from tests.device.painted import PaintedCamera, PaintedEye, Script, doubled
from vision.reading import Frame, Reading, Watched

T = TypeVar("T")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.system.table_process.RETRY_S", (0.01,))
    monkeypatch.setattr("device.evidence.live_picture.EVERY_S", 0.05)


class Runs:
    """Runs a table over scripts, until each is at its end."""

    def __init__(self, path: Path) -> None:
        self.data = DataFolder(path)
        self.rules = ruleset("enkeshui", "driedger")
        self.live_states: list[dict[str, object]] = []
        self.camera: PaintedCamera | None = None

    def run(self, script: Script, wanted: Wanted | None = None, also: Callable[[Journal], None] | None = None,
            more_frames: int = 8) -> list[AnyBody]:
        """Let a table run; `also` happens at the script's end, before the last frames. Its bodies."""
        state = {"left": more_frames, "asked": False}

        def at_end() -> None:
            state["left"] -= 1
            if not state["asked"]:
                state["asked"] = True
                if also is not None:
                    with Journal(self.data.journal) as page:
                        also(page)
            live = self.data.live / "state.json"
            if live.exists():
                self.live_states.append(json.loads(live.read_text()))

        camera = self.camera = PaintedCamera(script, live=True, at_end=at_end)
        Loop(wanted or Wanted(self.data), lambda _game: camera, lambda: state["left"] <= 0, PaintedEye,
             InlineRunner()).run()
        with Journal(self.data.journal, readonly=True) as journal:
            assert journal.verify() is None
            return [e.body for e in journal.read()]  # type: ignore[misc]  # nothing unknown was written


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "data")


def kinds(bodies: list[AnyBody]) -> list[str]:
    return [b.kind for b in bodies if isinstance(b, VerdictGiven)]


def test_a_game_goes_into_the_journal(runs: Runs) -> None:
    bodies = runs.run(Script(runs.rules).rest(1).move().move())
    assert kinds(bodies) == ["legal", "legal"]
    assert [type(b) for b in bodies[:2]] == [GameStarted, TableStarted]
    assert sum(isinstance(b, BoardFound) for b in bodies) == 1


def test_stills_are_there_and_named_by_their_content(runs: Runs) -> None:
    bodies = runs.run(Script(runs.rules).rest(1).move())
    (verdict,) = [b for b in bodies if isinstance(b, VerdictGiven)]
    assert verdict.still_before != verdict.still_after
    for name in (verdict.still_before, verdict.still_after):
        data = (runs.data.evidence / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() + ".jpg" == name
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None and image.shape == (48, 64, 3)
    assert not list(runs.data.evidence.glob("*.new"))


def test_the_live_state_says_what_is_seen(runs: Runs) -> None:
    runs.run(Script(runs.rules).rest(2))
    state = runs.live_states[-1]
    setup = runs.rules.setup()
    assert state["state"] == "watching" and state["position"] == str(setup) and state["size"] == [64, 48]
    pits = state["pits"]
    assert isinstance(pits, list) and [p["count"] for p in pits] == list(setup.counts)
    assert pits[0]["name"] == "a" and pits[0]["p"] > 0.9 and pits[0]["seen"]
    assert not runs.data.live.exists(), "the table has ended: its last picture is no live one"


def test_a_table_that_was_stopped_goes_on_with_the_game(runs: Runs) -> None:
    first = Script(runs.rules).rest(1).move()
    runs.run(first)
    second = Script(runs.rules, first.position).rest(0.5).move()
    bodies = runs.run(second)
    assert kinds(bodies) == ["legal", "legal"] and sum(isinstance(b, GameStarted) for b in bodies) == 1
    assert [b.player for b in bodies if isinstance(b, VerdictGiven)] == ["S", "N"]


def _events_held() -> int:
    """Number of events in this process's memory, those of other tests included."""
    return sum(isinstance(one, Event) for one in gc.get_objects())


def test_a_long_journal_is_not_kept_in_memory(runs: Runs) -> None:
    runs.run(Script(runs.rules).rest(0.5))
    with Journal(runs.data.journal) as journal:
        journal.append_all([(Sighted(), "")] * 400)
    gc.collect()
    others, held = _events_held(), list[int]()
    runs.run(Script(runs.rules).rest(0.5), also=lambda _journal: held.append(_events_held()))
    assert held[0] - others < 100


def test_a_move_made_while_the_table_was_down_is_asked_about(runs: Runs) -> None:
    """Its board is known; that it was made legally nobody saw."""
    first = Script(runs.rules).rest(1).move()
    runs.run(first)
    after = runs.rules.moves(first.position).moves[0].position
    bodies = runs.run(Script(runs.rules, after).rest(3))
    assert kinds(bodies) == ["legal", "not-sure"]
    assert [b for b in bodies if isinstance(b, VerdictGiven)][-1].doubts == ["UNWATCHED"]


def test_a_game_asked_for_begins_unless_it_is_being_played(runs: Runs) -> None:
    first = Script(runs.rules).rest(1).move()
    runs.run(first)
    runs.run(Script(runs.rules, first.position).rest(1), Wanted(runs.data, "enkeshui", "driedger"))
    other = ruleset("endodoi")
    bodies = runs.run(Script(other).rest(1), Wanted(runs.data, "endodoi"))
    assert [b.game for b in bodies if isinstance(b, GameStarted)] == ["enkeshui", "endodoi"]


def test_a_game_begins_from_the_position_that_is_asked_for_and_goes_on_when_it_is_asked_for_again(runs: Runs) -> None:
    lying = runs.rules.moves(runs.rules.setup()).moves[0].position
    for _ in range(2):
        bodies = runs.run(Script(runs.rules, lying).rest(2), Wanted(runs.data, start=str(lying)))
    assert [b.position for b in bodies if isinstance(b, GameStarted)] == [str(lying)]


def test_rules_that_people_changed_outlive_the_table(runs: Runs) -> None:
    first = Script(runs.rules).rest(1).move()
    runs.run(first, Wanted(runs.data, "enkeshui", "wikipedia", sets={"race_winner": "went_farthest"}))
    for again in (Wanted(runs.data), Wanted(runs.data, "enkeshui"), Wanted(runs.data, sets={"endless": "annulled"})):
        bodies = runs.run(Script(runs.rules, first.position).rest(1), again)
    (begun,) = [b for b in bodies if isinstance(b, GameStarted)]
    assert (begun.rules, begun.sets) == ("wikipedia", {"race_winner": "went_farthest"})
    bodies = runs.run(Script(runs.rules).rest(1), Wanted(runs.data, sets={"endless": "withdrawn"}))
    begun = [b for b in bodies if isinstance(b, GameStarted)][-1]
    assert begun.rules == "wikipedia" and begun.sets == {"race_winner": "went_farthest", "endless": "withdrawn"}
    bodies = runs.run(Script(ruleset("enkeshui"), ruleset("enkeshui").setup("2x12")).rest(1),
                      Wanted(runs.data, board="2x12"))
    last = [b for b in bodies if isinstance(b, GameStarted)][-1]
    assert (last.board, last.rules, last.sets) == ("2x12", "wikipedia", begun.sets)
    with Journal(runs.data.journal, readonly=True) as journal:
        written = list(records(journal.read()))
    assert [dict(record.sets) for record in written] == [
        {"race_winner": "went_farthest"}, begun.sets, begun.sets]


def test_a_table_on_an_agreed_start_may_change_its_rules(runs: Runs) -> None:
    start = Position.parse("5,3,3,1,3,3,0,3,3,0/0,3,3,0,3,3,0,3,3,6 N 0-0 ply=0")
    with Journal(runs.data.journal) as journal:
        journal.append(game_started(runs.rules, start, "people"))
    bodies = runs.run(Script(runs.rules, start).rest(1), Wanted(runs.data, sets={"race_winner": "went_farthest"}))
    begun = [b for b in bodies if isinstance(b, GameStarted)][-1]
    assert begun.position == str(start) and begun.sets == {"race_winner": "went_farthest"}


def test_people_withdraw_a_move_and_the_players_hear_it(runs: Runs) -> None:
    script = Script(runs.rules).rest(1)
    before = script.position
    script.move(doubled(runs.rules, before), rest=3)

    def withdraw(page: Journal) -> None:
        number = next(e.number for e in page.read() if isinstance(e.body, VerdictGiven))
        page.append(Withdraw(verdict=number))

    bodies = runs.run(script, also=withdraw)
    (answer,) = [b for b in bodies if isinstance(b, OrderAnswered)]
    assert answer.done and runs.camera is not None
    ((order, laid),) = runs.camera.heard
    assert isinstance(order, Withdraw) and laid == str(before)
    bodies = runs.run(Script(runs.rules, before).rest(1))
    assert kinds(bodies) == ["illegal", "withdrawn"]
    assert runs.camera.heard == [(Withdraw(verdict=order.verdict), laid)], "the table may have died before they heard"


def test_an_order_given_while_the_table_was_down_is_taken_up(runs: Runs) -> None:
    first = Script(runs.rules).rest(1)
    runs.run(first)
    with Journal(runs.data.journal) as page:
        order = page.append(NewGame(game="endodoi", rules="merker", board="2x8"))
    other = ruleset("endodoi")
    bodies = runs.run(Script(other, other.setup(board=Board.parse("2x8"))).rest(1))
    assert runs.camera is not None and len(runs.camera.heard) == 1
    assert [b.order for b in bodies if isinstance(b, OrderAnswered)] == [order.number]


def test_an_order_that_is_refused_is_not_heard(runs: Runs) -> None:
    def let_stand(page: Journal) -> None:
        page.append(LetStand(verdict=77))

    bodies = runs.run(Script(runs.rules).rest(1), also=let_stand)
    (answer,) = [b for b in bodies if isinstance(b, OrderAnswered)]
    assert not answer.done and runs.camera is not None and not runs.camera.heard


def test_a_camera_that_goes_and_comes_back(runs: Runs) -> None:
    bodies = runs.run(Script(runs.rules).rest(1).gone().rest(1).move())
    told = [type(b) for b in bodies if isinstance(b, Blind | Sighted)]
    assert told == [Blind, Sighted] and kinds(bodies) == ["legal"]
    assert runs.camera is not None and runs.camera.opened == 2


def test_the_camera_is_opened_anew_for_a_board_that_needs_larger_pictures(runs: Runs) -> None:
    class Fitted(PaintedCamera):
        columns: tuple[int, ...] = ()

        def fit(self, columns: int) -> bool:
            self.columns = (*self.columns, columns)
            return len(self.columns) > 1 and columns != self.columns[-2]

    left = [12]
    opened: list[int] = []

    def at_end() -> None:
        left[0] -= 1
        if left[0] == 8:
            with Journal(runs.data.journal) as page:
                page.append(NewGame(game="enkeshui", rules="driedger", board="2x12", by="page"))
        opened.append(camera.opened)

    camera = Fitted(Script(runs.rules).rest(1), live=True, at_end=at_end)
    Loop(Wanted(runs.data), lambda _game: camera, lambda: left[0] <= 0, PaintedEye, InlineRunner()).run()
    assert opened == [1] * 4 + [2] * 8 and {*camera.columns} == {8, 12}
    with Journal(runs.data.journal, readonly=True) as journal:
        assert "board of another size" in next(e.body.why for e in journal.read() if isinstance(e.body, Blind))


def test_a_camera_of_no_use_is_an_error(runs: Runs) -> None:
    class Useless(PaintedCamera):
        def open(self) -> None:
            raise CameraError("there is no camera")

    def useless(_game: object) -> Camera:
        return Useless(Script(runs.rules))

    with pytest.raises(CameraError, match="no camera"):
        Loop(Wanted(runs.data), useless, lambda: False, PaintedEye, InlineRunner()).run()
    assert not runs.data.live.exists()


def test_two_tables_do_not_share_a_folder(runs: Runs) -> None:
    runs.data.make()
    with runs.data.held(), pytest.raises(FolderError, match="another table"):
        runs.run(Script(runs.rules).rest(1))


def test_a_folder_with_a_broken_journal(runs: Runs) -> None:
    runs.data.make()
    runs.data.journal.write_text("no journal" * 100)
    with pytest.raises(JournalError, match=r"journal\.sqlite3"):
        runs.run(Script(runs.rules).rest(1))
    assert runs.data.journal.read_text() == "no journal" * 100


def test_a_full_disk_stops_no_game_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.journal.keeper.RETRY_S", 0.0)
    with small_disk(tmp_path / "disk", 1024) as disk:
        runs = Runs(disk.path / "data")
        runs.run(Script(runs.rules).rest(1).move())
        with Journal(runs.data.journal, readonly=True) as journal:
            before = journal.read()
        full: list[object] = []

        def at_end(_page: Journal) -> None:
            full.append(json.loads((runs.data.live / "state.json").read_text())["notice"])
            disk.empty()

        disk.fill()
        bodies = runs.run(Script(runs.rules, before_position(before)).rest(1).move().move(), also=at_end)
        assert str(full[0]).startswith("the disk is full; moves and results are saved, pictures wait in memory: ")
        named = [b.still_after for b in bodies if isinstance(b, VerdictGiven)]
        assert len(named) == 3 and all((runs.data.evidence / name).is_file() for name in named)
    assert kinds(bodies) == ["legal"] * 3
    assert not any(isinstance(b, KeptInMemory) for b in bodies), "the reserve took every event"


def before_position(events: list[Event]) -> Position:
    """Where the last verdict of a journal left the game."""
    verdict = [e.body for e in events if isinstance(e.body, VerdictGiven)][-1]
    return Position.parse(verdict.position)


def test_what_is_wrong_with_the_frames_is_in_the_journal(runs: Runs) -> None:
    said = iter(["the painted table gives torn pictures"])

    class Grumbling(PaintedCamera):
        def notes(self) -> list[str]:
            return [sentence for sentence in [next(said, "")] if sentence]

    left = {"frames": 5}

    def at_end() -> None:
        left["frames"] -= 1

    camera = Grumbling(Script(runs.rules).rest(1), live=True, at_end=at_end)
    Loop(Wanted(runs.data), lambda _game: camera, lambda: left["frames"] <= 0, PaintedEye,
         InlineRunner()).run()
    with Journal(runs.data.journal, readonly=True) as journal:
        notes = [e.body.sentence for e in journal.read() if isinstance(e.body, CameraNoted)]
    assert notes == ["the painted table gives torn pictures"]


class Lagging:
    """Counts beside the frames, and is done so many seconds of the script later. now: the script's time."""

    def __init__(self, lag: float) -> None:
        self.lag, self.now, self.until = lag, 0.0, -1.0

    @property
    def free(self) -> bool:
        """Whether it would be done by now."""
        return self.now >= self.until

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Counted at once, and there when it would be done."""
        return self.submit(lambda: counting(None))

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """The same."""
        self.until = max(self.now, self.until) + self.lag
        at, outer = self.until, self

        class Later(Future[T]):
            def done(self) -> bool:
                return outer.now >= at

        later = Later()
        later.set_result(work())
        return later

    def close(self) -> None:
        """Nothing to end."""


class WatchingEye(PaintedEye):
    """The painted eye, whose hands are there at once and whose counts come later."""

    def watch(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Watched:
        """As the product's eye."""
        hands = super().look(frame, count=False)
        whole = super().look(frame, count=count)
        return Watched(replace(hands, counted=whole.counted), self.view, (lambda _: whole) if whole.counted else None)


@pytest.mark.parametrize("lag", [0.0, 0.3, 1.0])
def test_a_slow_counter_delays_no_frame_and_loses_no_move(tmp_path: Path, lag: float) -> None:
    counting, frames = Lagging(lag), [0]

    class Camera(PaintedCamera):
        def read(self, timeout_s: float) -> Frame | None:
            frame = super().read(timeout_s)
            assert frame is not None
            counting.now, frames[0] = frame.time_ns / 1e9, frames[0] + 1
            return frame

    rules, left = ruleset("enkeshui", "driedger"), {"frames": 60}
    script = Script(rules).rest(3)
    for _ in range(2):
        script.move().rest(4)

    def at_end() -> None:
        left["frames"] -= 1

    data = DataFolder(tmp_path)
    Loop(Wanted(data), lambda _: Camera(script, live=True, at_end=at_end), lambda: left["frames"] <= 0, WatchingEye,
         InlineRunner(), counting=counting).run()
    assert frames[0] == len(script.images) + 60
    with Journal(data.journal, readonly=True) as journal:
        said = [event.body.kind for event in journal.read() if isinstance(event.body, VerdictGiven)]
    assert said == ["legal", "legal"]


def test_a_frame_that_comes_when_the_counter_is_done_is_counted(tmp_path: Path) -> None:
    """The counting of the frame before, done by now, keeps none from being counted."""
    times: list[float] = []

    class Counted(Lagging):
        def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
            times.append(self.now)
            return super().count(counting)

    counting, left = Counted(0.05), [1]
    script = Script(ruleset("enkeshui", "driedger")).rest(3)

    class Camera(PaintedCamera):
        def read(self, timeout_s: float) -> Frame | None:
            frame = super().read(timeout_s)
            assert frame is not None
            counting.now = frame.time_ns / 1e9
            return frame

    def at_end() -> None:
        left[0] -= 1

    Loop(Wanted(DataFolder(tmp_path)), lambda _: Camera(script, live=True, at_end=at_end), lambda: left[0] <= 0,
         WatchingEye, InlineRunner(), counting=counting).run()
    between = np.diff(times)
    assert between.min() < 0.06 + 1 / 30, "as often as a board that is to be judged is counted"


def test_what_there_was_no_time_for_is_told(tmp_path: Path) -> None:
    counting, left, states = Lagging(1.0), [40], list[dict[str, float]]()
    data = DataFolder(tmp_path)

    class Camera(PaintedCamera):
        """Gives every third frame."""

        def read(self, timeout_s: float) -> Frame | None:
            frame = super().read(timeout_s)
            assert frame is not None
            number = 3 * frame.number
            counting.now = number / 30
            live = data.live / "state.json"
            if live.exists():
                states.append(json.loads(live.read_text()))
            return replace(frame, number=number, time_ns=round(number / 30 * 1e9))

    def at_end() -> None:
        left[0] -= 1

    script = Script(ruleset("enkeshui", "driedger")).rest(4)
    Loop(Wanted(data), lambda _: Camera(script, live=True, at_end=at_end), lambda: left[0] <= 0, WatchingEye,
         InlineRunner(), counting=counting).run()
    last = states[-1]
    assert (last["fps"], last["given"], last["behind"]) == (10.0, 30.0, True)
    assert last["dropped"] >= 2 * len(script.images) and last["uncounted"] > 0


def test_what_is_still_being_counted_when_a_recording_ends_is_waited_for(tmp_path: Path) -> None:
    counting, ended = Lagging(0.5), [0]
    script = Script(ruleset("enkeshui", "driedger")).rest(3).move(rest=0.3)

    class Camera(PaintedCamera):
        def read(self, timeout_s: float) -> Frame | None:
            try:
                frame = super().read(timeout_s)
            except EndOfRecording:
                ended[0] += 1
                raise
            assert frame is not None
            counting.now = frame.time_ns / 1e9
            return frame

    data = DataFolder(tmp_path)
    Loop(Wanted(data), lambda _: Camera(script), lambda: ended[0] > 0, WatchingEye, InlineRunner(),
         counting=counting).run()
    with Journal(data.journal, readonly=True) as journal:
        said = [event.body.kind for event in journal.read() if isinstance(event.body, VerdictGiven)]
    assert said == ["legal"]
