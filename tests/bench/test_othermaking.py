"""Clips of another making show what their truth says."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.board import Side
from engine.position import Position
from tests.bench.otherfilming import SIZE, WIDE, Camera, Filming
from tests.bench.otherground import lattice
from tests.bench.othermaking import PACES, Rest, Scene, Visit, filming_of, make, rests_of, start_of, visit, visits
from tests.bench.othermoves import Act, Turn

pytestmark = pytest.mark.for_bench

NUMBER = 6
"""A board of twelve pits."""
FPS = 4.0


def test_the_seeds_lie_where_they_were_dropped_as_many_as_the_game_says_and_can_be_seen() -> None:
    rules, start, pace, rng = start_of(NUMBER)
    scene = Scene(start, rng)
    for done in visits(rules, start, pace, 4, scene, rng):
        for _, pit, by in done.changes:
            scene.change(pit, by)
        assert tuple(len(lies) for lies in scene.heaps.lies) == done.turn.after.counts
        for pit, lies in enumerate(scene.heaps.lies):
            at = np.array([(x, y) for x, y, _ in lies]).reshape(-1, 2)
            assert (np.linalg.norm(at - scene.where.centres[pit], axis=1) < scene.where.radius).all()
            edge = np.abs(at - scene.where.centres[pit]) + 1.5 * scene.heaps.size
            assert (edge < 0.5 * scene.where.pitch).all(), "drawing the next pit anew would cut it"
            drawn = _part(scene, scene.canvas.astype(float), pit) - _part(scene, scene.bare, pit)
            assert (np.abs(drawn).max() > 12) == bool(lies)
            assert all(share > 0.2 for share in _showing(at, scene.heaps.size))


def film(path: Path) -> tuple[list[np.ndarray], float]:
    """Return a clip's pictures, and how many there are per second."""
    clip = cv2.VideoCapture(str(path))
    frames = []
    while (got := clip.read())[0]:
        frames.append(got[1])
    return frames, clip.get(cv2.CAP_PROP_FPS)


def test_a_clip_holds_what_its_truth_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few pictures per second to save time."""
    monkeypatch.setattr("tests.bench.othermaking.filming_of", lambda number: replace(filming_of(number), fps=FPS))
    truth = make(NUMBER, tmp_path / "clip", moves=1)
    frames, fps = film(tmp_path / "clip.mp4")
    move = truth["moves"][0]
    assert fps == FPS
    assert frames[0].shape == (SIZE[1], SIZE[0], 3) and len(frames) / FPS > move["t_out"] + 2
    before, after = Position.parse(truth["start"]), Position.parse(move["position"])
    rules, start, _, rng = start_of(NUMBER)
    scene = Scene(start, rng)
    changed = np.abs(frames[-1].astype(float) - frames[0]).max(2)
    places = cv2.perspectiveTransform(scene.where.centres[None].astype(np.float64), scene.camera.matrix)[0]
    for pit, (x, y) in enumerate(places):
        if before.counts[pit] != after.counts[pit]:
            assert changed[round(y) - 30:round(y) + 30, round(x) - 30:round(x) + 30].max() > 25
    assert before == start and rules.name == truth["rules"]


def _part(scene: Scene, picture: np.ndarray, pit: int) -> np.ndarray:
    (x, y), r = scene.where.centres[pit], int(0.8 * scene.where.radius)
    return picture[round(float(y)) - r:round(float(y)) + r, round(float(x)) - r:round(float(x)) + r]


def _showing(at: np.ndarray, size: float) -> list[float]:
    """Return the share of every seed that no later one hides, each taken as a disc."""
    y, x = np.mgrid[-size:size:15j, -size:size:15j]
    disc = np.stack([x, y], -1)[np.hypot(x, y) < size]
    return [float((np.linalg.norm(one + disc[:, None] - at[k + 1:], axis=-1) > size).all(1).mean())
            for k, one in enumerate(at)]


@pytest.mark.parametrize(("edge", "along", "sign"),
                         [("bottom", 1, 1), ("top", 1, -1), ("right", 0, 1), ("left", 0, -1)])
def test_south_sits_where_it_is_said_to_and_the_whole_board_is_in_the_picture(edge: str, along: int, sign: int) -> None:
    board = start_of(NUMBER)[1].board
    where = lattice(board, False, np.random.default_rng(1), WIDE)
    filming = Filming(size=(640, 480), south=edge, small=0.7, aside=(0.8, -0.8), bump=(9.0, 0.0, 0.0), wide=True)
    camera = Camera(where.canvas, where.wood, where.radius, filming, np.random.default_rng(2))
    at = cv2.perspectiveTransform(where.centres[None].astype(np.float64), camera.matrix)[0]
    assert sign * (at[:board.cols, along].mean() - at[board.cols:, along].mean()) > 10
    assert (at > 10).all() and (at < np.array(filming.size) - 10).all()
    after = cv2.perspectiveTransform(where.centres[None].astype(np.float64), camera.matrix_after)[0]
    assert np.allclose(after - at, (4.5, 0)), "a bump is told for a picture 1280 wide"


def test_a_hand_rests_and_lays_what_it_captures_on_its_heap() -> None:
    start = Position.parse("0,0,0,0,0,5/1,0,0,0,0,0 S 0-0 ply=4")
    acts = (Act("lift", 0, 1), Act("drop", 1), Act("take", 1, 1), Act("take", 6, 5))
    turn = Turn(Side.SOUTH, "legal", 0, acts, start, start)
    rng = np.random.default_rng(3)
    plain = visit(turn, PACES["normal"], 1.0, 0.5, np.random.default_rng(3), heap=(7.0, 0.8))
    rested = visit(turn, PACES["normal"], 1.0, 0.5, rng, rests=[Rest(1, 2.0, True)], heap=(7.0, 0.8))
    assert plain.changes[-1][1:] == (-1 - Side.SOUTH, 6)
    assert sum(by for _, pit, by in plain.changes) == 0
    assert rested.t_out - plain.t_out > 2.0


def leans_beside(one: Visit, turn: Visit) -> bool:
    """Return whether a visit is the other side's hand resting on the wood throughout a turn."""
    longer = one.keys[0].t < turn.keys[0].t and one.keys[-1].t > turn.keys[-1].t
    return longer and not one.turn.acts and one.turn.player is not turn.turn.player


def test_people_of_odder_manners_leave_the_board_that_their_move_leaves() -> None:
    rules, start, pace, rng = start_of(NUMBER)
    filming = Filming(laps=1.0, carries=True, tries=1.0, points=True, fiddles=True, leans=True, dim=0.4)
    scene = Scene(start, rng, filming)
    done = visits(rules, start, pace, 3, scene, rng)
    lies = list(start.counts)
    for _, pit, by in sorted(change for v in done for change in v.changes):
        lies[pit] += by
        assert lies[pit] >= 0
    turns = [v for v in done if v.turn.acts]
    assert len(turns) == 3 and tuple(lies) == turns[-1].turn.after.counts
    for v in turns:
        own = [a for a in v.turn.acts if a.kind in ("lift", "drop", "take")]
        assert own[0].pit != v.turn.pit or v.turn.kind != "legal", "another move is tried first"
        assert sum(leans_beside(one, v) for one in done) == 1
    assert sum(bool(v.changes) and not v.turn.acts for v in done) == 1, "a hand that fiddles"
    plain = Scene(start, start_of(NUMBER)[3])
    assert scene.camera.gain.mean() < 0.6 * plain.camera.gain.mean()


def test_a_hand_leaves_between_two_laps_and_with_each_pit_that_it_captured() -> None:
    start = Position.parse("0,0,0,0,0,5/1,2,0,0,0,0 S 0-0 ply=4")
    acts = (Act("lift", 0, 1), Act("drop", 1), Act("lift", 1, 3), Act("drop", 2), Act("take", 2, 1), Act("take", 6, 5))
    turn = Turn(Side.SOUTH, "legal", 0, acts, start, start)
    rng = np.random.default_rng(3)
    rests = rests_of(turn, Filming(laps=1.0, carries=True), "normal", rng)
    assert [(r.act, r.away) for r in rests] == [(2, True), (5, True)]
    done = visit(turn, PACES["normal"], 1.0, 0.5, rng, rests=rests)
    off = [k.row > 3 for k in done.keys]
    assert sum(a and not b for a, b in pairwise(off)) == 3, "it comes three times"
    assert not rests_of(turn, Filming(), "normal", rng)
