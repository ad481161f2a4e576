"""How a game begins: the simulated players wait until the table has accepted the start, pictures of the board before
are not read for another one, and people may begin from what lies there."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from device.eyes.pipeline import InlineRunner
from device.journal import Journal, JournalError
from device.journal.events import GameStarted, NewGame, OrderAnswered, StateEntered, VerdictGiven
from device.journal.states import State
from device.sim.camera import SimCamera
from device.sim.players import Players
from device.sim.world import START_S, World
from device.south import South
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.board import Board, Side
from engine.rules import ruleset
from tests.device.painted import PaintedEye
from tests.device.painted_sim import PaintedSim
from tests.device.played_table import Played
from vision.reading import Frame, Reading

SMALL = (320, 180)
LATE_S = 3.0
"""By so much later than the players would begin, this eye finds its board."""


# ---- the players wait

def run(world: World, seconds: float) -> None:
    end = world.clock + seconds
    while world.clock < end:
        world.advance(min(world.clock + 0.1, end))


def test_nobody_makes_the_first_move_before_the_start_is_accepted() -> None:
    rules = ruleset("enkeshui")
    world = World(rules, rules.setup(), Players(cheats=0), accepted=False)
    run(world, 30)
    assert not world.busy and not world.truths and tuple(world.counts) == rules.setup().counts
    world.accepted = True
    run(world, START_S / 2)
    assert not world.busy
    run(world, START_S)
    assert world.busy
    world.accepted = False  # it counts for the first move alone: who plays is not stopped
    while len(world.truths) < 3:
        run(world, 1)


def test_after_a_game_the_set_up_is_laid_and_the_next_start_is_waited_for() -> None:
    rules = ruleset("enkeshui")
    world = World(rules, rules.setup(), Players(cheats=0), accepted=False)
    world.counts[world.counts.index(max(world.counts))] = 0
    world.new_game(rules.setup())
    run(world, 20)
    assert tuple(world.counts) == rules.setup().counts and not world.busy
    assert [truth.play.kind for truth in world.truths] == ["laid"]


class LateEye(PaintedEye):
    """Finds its board some seconds after it has seen the first picture."""

    def __init__(self, board: Board, south: South) -> None:
        super().__init__(board, south)
        self._began = time.monotonic()

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        reading = super().look(frame, count=count, revisit=revisit)
        if time.monotonic() >= self._began + LATE_S:
            return reading
        self.view = None
        return Reading(frame.time_ns, reading.loglik * 0, reading.seen & False, found=False, counted=False)


def bodies_in(data: DataFolder) -> list[object]:
    """The journal's events so far; none while it is being made."""
    try:
        with Journal(data.journal, readonly=True) as journal:
            return [event.body for event in journal.read()]
    except JournalError:
        return []


@pytest.mark.parametrize("ordered", [False, True])
def test_the_demo_begins_when_the_table_is_ready(tmp_path: Path, ordered: bool) -> None:
    """Also where people order another game on another board while one is on."""
    data, stop = DataFolder(tmp_path), threading.Event()
    first, then = ("enkeshui", "2x8"), ("endodoi", "2x6")

    def camera(_game: object) -> PaintedSim:
        return PaintedSim(ruleset(first[0]), board=Board.parse(first[1]), players=Players(cheats=0), pace="fast",
                          live=True, fps=20.0)

    wanted = Wanted(data, first[0], "", first[1])
    table = threading.Thread(target=Loop(wanted, camera, stop.is_set, LateEye, InlineRunner()).run)
    table.start()
    try:
        until(lambda: any(watching(body) for body in bodies_in(data)))
        if ordered:
            with Journal(data.journal) as page:
                page.append(NewGame(game=then[0], rules=ruleset(then[0]).name, board=then[1]))
            until(lambda: sum(isinstance(body, GameStarted) for body in bodies_in(data)) == 2)
        until(lambda: isinstance(bodies_in(data)[-1], VerdictGiven), 90)
    finally:
        stop.set()
        table.join()
    said = bodies_in(data)
    last = max(n for n, body in enumerate(said) if isinstance(body, GameStarted))
    began = next(n for n, body in enumerate(said) if n > last and watching(body))
    verdicts = [body for body in said[last:] if isinstance(body, VerdictGiven)]
    assert verdicts and [body.kind for body in verdicts] == ["legal"] * len(verdicts)
    assert not any(isinstance(body, VerdictGiven) for body in said[last:began])
    assert not any(isinstance(body, StateEntered) and "check" in body.why for body in said[last:began])


def watching(body: object) -> bool:
    return isinstance(body, StateEntered) and body.state == State.WATCHING


def until(condition: object, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]  # a function
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.1)


def test_no_picture_of_the_board_before_is_given_for_another() -> None:
    """To look for a board of 2×6 where one of 4×8 lies takes long, and may find one."""
    sim = SimCamera(ruleset("omweso"), board=Board(4, 8), players=Players(cheats=0), live=True, fps=30.0, size=SMALL)
    sim.open()
    try:
        old = taken(sim)
        time.sleep(0.5)  # another waits to be taken
        sim.hear(NewGame(game="endodoi", rules="merker", board="2x6"))
        new, again = taken(sim), taken(sim)
        assert difference(new, again) < difference(old, new) / 4
    finally:
        sim.close()


def taken(sim: SimCamera) -> Frame:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        frame = sim.read(0.5)
        if frame is not None:
            return frame
    raise AssertionError("no frame came")


def difference(one: Frame, other: Frame) -> float:
    return float(np.abs(one.image.astype(float) - other.image).mean())


# ---- people begin from what lies there

@pytest.fixture
def waiting() -> Played:
    """En Dodoi, whose set-up does not lie there: a seed of a lies in b, so that the table waits for ever."""
    played = Played()
    played.start("endodoi")
    played.counts[0] -= 3
    played.counts[1] += 3
    played.counts[4] += 2
    played.counts[8] -= 2
    played.frames(8.0)
    assert played.at(State.SETTING_UP) and "check" in played.table.why
    return played


LIES = NewGame(game="endodoi", rules="merker", board="2x6", position="lies")


def test_a_game_begins_from_what_lies_there(waiting: Played) -> None:
    lies = tuple(waiting.counts)
    assert waiting.order(LIES)
    waiting.frames(1.0)
    assert waiting.at(State.WATCHING) and waiting.game.playing[1].counts == lies
    assert sum(waiting.game.playing[1].counts) == 48


@pytest.mark.parametrize("side", Side)
def test_either_side_may_move_first_then(waiting: Played, side: Side) -> None:
    """Nobody knows whose turn it is: nobody is accused of moving out of turn."""
    assert waiting.order(LIES)
    waiting.frames(1.0)
    rules, position = waiting.game.playing
    move = rules.moves(position, side).moves[0]
    waiting.move(move.position.counts, side)
    verdict = waiting.said(VerdictGiven)[-1]
    assert (verdict.kind, verdict.player) == ("legal", side.letter)


def test_seeds_that_are_missing_are_said_with_how_many_are_due(waiting: Played) -> None:
    waiting.counts[3] -= 2
    waiting.frames(8.0)
    assert not waiting.order(LIES)
    assert waiting.said(OrderAnswered)[-1].sentence == (
        "46 seeds are on the board, but En Dodoi on 2x6 starts with 48: add or remove seeds, then try again.")
    assert waiting.at(State.SETTING_UP) and len(waiting.said(GameStarted)) == 1


def test_what_cannot_be_read_is_no_start(waiting: Played) -> None:
    waiting.frames(2.0, hands=(0.2, 0.0))
    assert not waiting.order(LIES)
    assert "cannot be read clearly" in waiting.said(OrderAnswered)[-1].sentence
