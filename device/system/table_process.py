"""The table's process: it takes frames and orders, and writes events to the journal and the live picture."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, field

import msgspec

from device.cameras.addresses import public_word
from device.cameras.base import (
    Camera,
    CameraError,
    CameraGone,
    EndOfRecording,
)
from device.evidence.clips import Clips
from device.evidence.live_picture import LivePicture
from device.evidence.quota import Quota
from device.evidence.stills import Stills
from device.eyes.eyes import LiveEyes, OpenEye
from device.eyes.frozen import FROZEN, Arrivals, FrozenPictures
from device.eyes.pace import Pace
from device.eyes.pipeline import FrameReading, JobRunner, Pipeline, ThreadRunner
from device.eyes.remembered import Remembered, board_found, view_of
from device.eyes.table_eye import TableEye
from device.eyes.turned import TurnedPictures
from device.journal.events import (
    Arranging,
    Body,
    CameraNoted,
    EmptySeen,
    Event,
    LookEmpty,
    Order,
    OrderAnswered,
    PlaceBoard,
    SeatSouth,
    ShowFoul,
    TableStarted,
    TurnPicture,
    UseCamera,
    VerdictGiven,
    Withdraw,
    translatable,
)
from device.journal.game import Game
from device.journal.keeper import Keeper
from device.journal.messages import message
from device.journal.states import State
from device.south import South
from device.system.camera_addresses import cameras
from device.system.folder import DataFolder
from device.system.version import version
from device.table.arranging import Arrangement, check_places, empty_seen, placed
from device.table.orders import capital, game_started, starting_position
from device.table.placing import Placing
from device.table.table import Table
from device.turn import Turn
from engine.board import Board
from engine.messages import Message, message_in
from vision.board.lattice import oriented
from vision.reading import BoardView, Frame, Lesson

log = logging.getLogger(__name__)

FRAME_S = 0.1
"""Longest wait for a frame before orders are read."""
CAMERA = "camera"
"""Who turns the picture if the camera's own has turned."""
RETRY_S = (0.5, 1.0, 2.0, 4.0)
CAMERAS_S = 3.0
"""Seconds between two listings of the cameras."""


class _OtherCamera(Exception):
    """People chose another camera, which is not open yet."""

    def __init__(self, camera: Camera) -> None:
        super().__init__(str(camera.name))
        self.camera = camera


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options that the table is started with. game: "" to go on with the journal's game, or begin the `usual` one.
    sets: fields of the rules to change, as words. start: the position line that the game begins from, "" for the
    set-up."""

    data: DataFolder
    game: str = ""
    rules: str = ""
    board: str = ""
    south: South = "bottom"
    usual: str = "enkeshui"
    camera: str = ""
    sets: Mapping[str, str] = field(default_factory=dict)
    start: str = ""

    @property
    def asked(self) -> str:
        """The options that people may change while the table runs, as text (`TableStarted.asked`)."""
        return f"{public_word(self.camera)} {self.south}"


def begin_game(game: Game, wanted: Wanted, append: Callable[[Body], Event]) -> None:
    """Begin the wanted game, unless it is the journal's current one. Raises ValueError."""
    rules = game.rules_for(wanted.game, wanted.rules, wanted.sets, wanted.usual)
    board = Board.parse(wanted.board) if wanted.board else None
    begins = starting_position(rules, board, wanted.start) if wanted.start else None
    if game.rules is not None and game.start is not None and rules.game == game.rules.game:
        if begins is None and board in (None, game.start.board):
            begins = game.start
        if begins == game.start and (rules.name, rules.values) == (game.rules.name, game.rules.values):
            return
    game.fold(append(game_started(rules, begins or starting_position(rules, board), "table")))


@dataclass
class Loop:
    """One table's process. camera: makes the camera that the table is started with. weighing: see `Table`. stop: asked
    after every frame. other: makes a camera that people choose, by its word; None for no choice."""

    wanted: Wanted
    camera: Callable[[Game], Camera]
    stop: Callable[[], bool]
    eye: OpenEye = field(default_factory=LiveEyes)
    weighing: JobRunner = field(default_factory=lambda: ThreadRunner(name="referee"))
    other: Callable[[str, Game, South], Camera] | None = None
    counting: JobRunner = field(default_factory=ThreadRunner)

    def run(self) -> None:
        """Referee until `stop` returns True. A full disk does not end it (see `Keeper`).

        Raises `CameraError`, `JournalError`, `FolderError` or ValueError, each with one sentence.
        """
        data = self.wanted.data
        data.make()
        with data.held(), Keeper(data.journal) as journal:
            self._journal = journal
            self._pace, self._stills = Pace(), Stills(data.evidence, journal.keep_file)
            self._live = LivePicture(data.make_live(), self._pace)
            self._clips = Clips(data.evidence, journal.keep_file)
            self._live.pictured = self._clips.picture
            try:
                self._referee(journal)
            finally:
                self.weighing.close()
                self.counting.close()
                for clip in self._clips.close():
                    journal.append(clip)
                data.drop_live()

    def _referee(self, journal: Keeper) -> None:
        game = self._recalled(journal.read())
        begin_game(game, self.wanted, self._append)
        self._table = Table(game, self._append, self.weighing)
        self._cameras_listed_at = -CAMERAS_S
        self._camera = self._first_camera(game)
        while True:
            self._append(TableStarted(camera=str(self._camera.name), version=version(), asked=self.wanted.asked,
                                      told=translatable(self._camera.name)))
            self._eye: TableEye | None = None
            self._size: tuple[int, int] | None = None
            self._by_hand: BoardView | None = None
            self._board: Board | None = None
            self._view: BoardView | None = None
            self._frozen, self._turned = FrozenPictures(), TurnedPictures()
            try:
                return self._watch()
            except _OtherCamera as chosen:
                self._say_no_picture(message("reason.other-camera"))
                following = chosen.camera
            finally:
                self._camera.close()
            self._camera = following

    def _recalled(self, events: list[Event]) -> Game:
        """Return the game after all of the journal's events. The events themselves are not kept, because each takes 5
        KB."""
        self._quota = Quota(self.wanted.data.evidence, self.wanted.data.settings().evidence_mb << 20)
        self._quota.note(events)
        self._last_event = events[-1].number if events else 0
        self._arranged = Arrangement.recalled(events, self.wanted.asked)
        return Game.recalled(events)

    @property
    def _south(self) -> South:
        return self._arranged.south or self.wanted.south

    def _first_camera(self, game: Game) -> Camera:
        """The camera chosen on the page, if it can still be used; else the one that the table is started with."""
        if self._arranged.camera and self.other is not None:
            try:
                return self.other(self._arranged.camera, game, self._south)
            except CameraError as error:
                log.warning("%s; the table goes on with the camera that it is started with", error)
        return self.camera(game)

    def _watch(self) -> None:
        """Open the camera, as often as it takes, and follow it. Raises `CameraError` if trying again is no use."""
        tries = 0
        while not self.stop():
            try:
                self._fit()
                self._tell_players()
                self._open()
                tries = 0
                self._repeat_withdrawal()
                self._take_what_waited()
                self._follow()
            except CameraGone as error:
                self._say_no_picture(message_in(error) or str(error))
                self._wait(RETRY_S[min(tries, len(RETRY_S) - 1)])
                tries += 1
            except EndOfRecording as end:
                self._finish(message_in(end) or message("reason.ended"))
                while not self.stop():
                    self._wait(0.5)
            finally:
                self._camera.close()

    def _take_what_waited(self) -> None:
        """Take up orders that people gave while no table ran."""
        for number, order in sorted(self._table.game.pending.items()):
            self._take_order(number, order)
        for number, arranging in sorted(self._arranged.pending.items()):
            self._arrange(number, arranging)

    def _finish(self, why: Message) -> None:
        """End a recording: take in the readings still being counted, and finish the table. why: the message shown."""
        for looked in self._pipeline.ready(wait=True) if self._eye is not None else ():
            self._reading(looked)
        self._table.finish()
        self._say_no_picture(why)

    def _open(self) -> None:
        """Open the camera, which may take long, and update the live state meanwhile. Raises as `Camera.open`."""
        camera, opening = self._camera, Future[None]()

        def opens() -> None:
            try:
                camera.open()
                opening.set_result(None)
            except Exception as error:  # raised in the loop, which tells passing errors from lasting ones
                opening.set_exception(error)

        threading.Thread(target=opens, name="opening", daemon=True).start()
        while not opening.done() and not self.stop():
            self._live.say(self._table, time.monotonic(), message("why.opening", camera=camera.name))
            wait([opening], timeout=0.3)
        self._pace.opened()
        if opening.done():
            opening.result()

    def _tell_players(self) -> None:
        """Tell simulated players whether they may play (`Camera.accepted`)."""
        self._camera.accepted = self._table.game.begun and not self._table.game.over

    def _fit(self) -> bool:
        """Tell the camera the board's size; return whether the camera must be reopened for it."""
        return self._camera.fit(self._table.game.playing[1].board.cols)

    def _follow(self) -> None:
        """Pass the camera's frames to the table, and take up orders in between."""
        started, first_ns = time.monotonic(), None
        arrivals = Arrivals(started)
        while not self.stop():
            frame, board = self._camera.read(FRAME_S), self._table.game.playing[1].board
            self._take_orders()
            if self._fit():
                self._say_no_picture(message("reason.other-size", camera=self._camera.name))
                self._open()
                arrivals = Arrivals(time.monotonic())
                continue
            if self._table.game.playing[1].board != board:
                continue  # the picture is older than the order for another board, so do not look for it there
            if frame is None:
                self._no_frame(arrivals)
                continue
            arrivals.heard(time.monotonic())
            self._pace.take(frame)
            if not self._camera.live:  # show a recording at its own speed
                first_ns = frame.time_ns if first_ns is None else first_ns
                time.sleep(max(0.0, started + (frame.time_ns - first_ns) / 1e9 - arrivals.last))
            if turn := self._turned.look(frame.image, self._south):
                self._append(TurnPicture(turn=turn.word, by=CAMERA))  # taken up before the next frame
            else:
                self._frame(self._arranged.upright(frame, self._south))
            arrivals.waiting_since = time.monotonic()

    def _no_frame(self, arrivals: Arrivals) -> None:
        """No frame came in time: say so if the wait is long. Raises `CameraGone` if it is too long."""
        now, camera = time.monotonic(), self._camera
        silence = camera.unfed or message("reason.silent", camera=camera.name)
        if camera.live and now - arrivals.last > arrivals.longest_s:
            raise CameraGone(silence)
        if camera.live and not camera.waits and arrivals.silent(now):
            self._say_no_picture(silence, passing=True)
        else:
            self._live.say(self._table, now, message("why.waiting", camera=camera.name))

    def _frame(self, frame: Frame) -> None:
        """Pass one frame through eye and table; a frozen picture is only reported."""
        table = self._table
        if not self._camera.interframe and self._frozen.look(frame.image, frame.time_ns / 1e9):
            self._say_no_picture(FROZEN, passing=True)
            return
        _, position = table.game.playing
        if self._eye is None or self._board != position.board:
            self._eye, self._board = self.eye(position.board, self._south), position.board
            table.other_eye()
            self._pipeline = Pipeline(self._eye, self.counting, self._pace)
            self._placing = Placing(self.eye, counting=self.counting)
            self._place(frame)
        self._size = (frame.image.shape[1], frame.image.shape[0])
        if self._remembered.due(frame, self._eye):
            self._live.say(table, time.monotonic(), message("why.remembered"))
            self._remembered.look(frame, self._eye)
        self._readings(frame)  # take finished readings first: that frees the counter for this frame
        self._pipeline.look(frame, count=table.wants_count(frame.time_ns), revisit=table.revisit)
        self._stills.look(frame.image)
        self._readings(frame)
        if self._by_hand is None:
            self._placing.look(frame, self._eye, table, self._south)

    def _readings(self, frame: Frame) -> None:
        """Pass finished readings to the table, and with the newest frame to the live picture."""
        for looked in self._pipeline.ready():
            self._reading(looked)
            self._live.show(self._table, frame, looked.reading, looked.view)

    def _reading(self, looked: FrameReading) -> None:
        """Pass one frame's reading to the table, and the table's lessons to the eye."""
        table = self._table
        self._note_view(looked.view)
        table.reading(looked.reading, looked.view)
        self._tell_players()
        self._pipeline.teach(table.counts_to_teach())
        if table.takes_reference_reset():
            self._pipeline.eye.reset_reference()
        if turn := table.turns():
            self._append(TurnPicture(turn=turn.word, by="table"))
        if looked.reading.counted and table.state is State.WATCHING and not self._pipeline.hands:
            self._stills.calm()

    def _note_view(self, view: BoardView | None) -> None:
        if view is None or view is self._view:
            return
        self._view = view
        by_hand = view is self._by_hand
        if not by_hand:
            self._arranged.pits = ()
        self._append(board_found(view, placed=by_hand))

    def _say_no_picture(self, why: Message | str, *, passing: bool = False) -> None:
        """Tell table and page that there is no picture. passing: the same camera may soon give the next one."""
        self._table.camera_gone(why, passing=passing)
        self._live.say(self._table, time.monotonic())

    def _wait(self, seconds: float) -> None:
        """Wait without frames, taking orders meanwhile."""
        end = time.monotonic() + seconds
        while not self.stop() and time.monotonic() < end:
            self._take_orders()
            self._live.say(self._table, time.monotonic())
            time.sleep(0.2)

    def _take_orders(self) -> None:
        """Take up new orders, the camera's notes and finished clips."""
        for sentence in self._camera.notes():
            self._append(CameraNoted(sentence=sentence))
        for clip in self._clips.kept():
            self._append(clip)
        if time.monotonic() - self._cameras_listed_at >= CAMERAS_S and self.other is not None:
            self._cameras_listed_at, self._live.cameras = time.monotonic(), cameras(self.wanted.data.path)
        self._live.south = self._south
        if self._table.recounts():
            return
        events, self._live.notice = self._journal.read(self._last_event), self._journal.why
        for event in events:
            self._last_event = event.number
            body = event.body
            if isinstance(body, Order):
                self._table.game.fold(event)
                self._take_order(event.number, body)
                if self._table.recounts():
                    return
            elif isinstance(body, Arranging):
                self._arranged.places.fold(event)
                self._arrange(event.number, body)

    def _take_order(self, number: int, order: Order) -> None:
        game = self._table.game
        if self._table.order(number):
            laid = str(game.withdrawing.before) if game.withdrawing is not None else ""
            self._camera.hear(order, laid)

    def _repeat_withdrawal(self) -> None:
        """Tell simulated players of a withdrawal again, in case the table died before they heard of it."""
        taken = self._table.game.withdrawing
        if taken is not None:
            self._camera.hear(Withdraw(verdict=taken.number), str(taken.before))

    # ---- how people arrange the table -------------------------------------------------------------------------

    def _arrange(self, number: int, order: Arranging) -> None:
        """Take up the order or refuse it, and answer it. Raises `_OtherCamera`."""
        self._arranged.pending.pop(number, None)
        try:
            answer, chosen = self._arranging(order)
        except (ValueError, CameraError) as error:
            self._append(OrderAnswered(order=number, done=False, sentence=capital(str(error)),
                                       told=translatable(message_in(error))))
            return
        self._arranged.take(order)
        self._append(OrderAnswered(order=number, done=True, sentence=str(answer), told=translatable(answer)))
        if chosen is not None:
            raise _OtherCamera(chosen)

    def _arranging(self, order: Arranging) -> tuple[Message, Camera | None]:
        """Carry out the order; return the answer, and the camera to change to or None. Raises ValueError, CameraError.
        """
        match order:
            case UseCamera(camera=word):
                chosen = self._chosen_camera(word)
                return message("answer.camera", camera=chosen.name), chosen
            case SeatSouth(edge=edge):
                self._eye = None
                return message("answer.south", edge=message(f"edge.{edge}")), None
            case TurnPicture(turn=word, by=by):
                if by != CAMERA:  # else the upright picture is what it was
                    self._eye = None
                return Turn.of(word).done, None
            case PlaceBoard(pits=pits):
                if pits:
                    check_places(tuple(pits), self._table.game.playing[1].board, self._eye, self._size)
                self._eye = None
                return message("answer.placed" if pits else "answer.sought"), None
            case LookEmpty():
                return self._look_empty(), None
            case ShowFoul():
                if not self._camera.hear(order):
                    raise ValueError(message("answer.no-demo"))
                return message("answer.foul"), None

    def _chosen_camera(self, word: str) -> Camera:
        """The camera that people chose, by its word, not yet open. Raises CameraError."""
        if self.other is None or word not in [choice.word for choice in cameras(self.wanted.data.path)]:
            raise CameraError(message("answer.no-camera", word=word[:40]))
        return self.other(word, self._table.game, self._south)

    def _look_empty(self) -> Message:
        """Check the board that people say is empty, and teach the eye by it; return the answer. Raises ValueError."""
        board = self._table.game.playing[1].board
        seen, answer = empty_seen(self._table.window, board)
        self._append(seen)
        if self._eye is not None:
            self._pipeline.teach(Lesson((0,) * board.pits))
        return answer

    def _place(self, frame: Frame) -> None:
        """Tell a new eye where the board lies, if people said so; else prepare to look where it last lay."""
        self._by_hand, self._remembered = None, Remembered()
        assert self._board is not None
        size = (frame.image.shape[1], frame.image.shape[0])
        if not self._arranged.pits or self._eye is None:
            found = self._arranged.places.last(size, self._board.pits)
            lay = None if found is None else view_of(found, self._board)
            self._remembered = Remembered(None if lay is None else oriented(lay, self._south))
            return
        try:
            self._by_hand = placed(self._arranged.pits, self._board, size)
            self._eye.place(self._by_hand)
        except ValueError:  # the places are for a board of another size: find the board instead
            self._arranged.pits = ()

    def _append(self, body: Body) -> Event:
        """Append an event to the journal; a verdict's stills are written first, if the disk has room for them."""
        if isinstance(body, EmptySeen):
            body = msgspec.structs.replace(body, still=self._stills.now())
        if isinstance(body, VerdictGiven) and not body.instead_of:  # an answer shows the question's stills
            before, after = self._stills.pair()
            body = msgspec.structs.replace(body, still_before=before, still_after=after)
        event = self._journal.append(body)
        self._quota.note([event])
        self._arranged.places.fold(event)
        if isinstance(body, VerdictGiven) and not body.instead_of:
            self._clips.keep(body, event.number)
        if self._quota.due and (dropped := self._quota.tend()) is not None:
            self._journal.append(dropped)
        return event
