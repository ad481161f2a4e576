"""The simulated table as a camera, its pictures, and the clips made of it. Small pictures: they are quick to draw."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cameras.base import Camera, CameraError, EndOfRecording
from device.journal.events import CorrectPit, LetStand, NewGame, Withdraw
from device.sim.camera import SimCamera
from device.sim.gestures import HandAt
from device.sim.picture import TablePicture
from device.sim.players import Players
from device.south import SOUTHS, South
from engine.board import Board, Side
from engine.rules import ruleset
from tests.bench import simulated_clips as clips
from tests.device.painted_sim import PaintedSim
from vision.render.skin import HandStyle
from vision.render.styles import SceneStyle

SMALL = (320, 180)
RULES = ruleset("enkeshui")


def camera(memory: Path | None = None, **more: object) -> SimCamera:
    settings: dict[str, object] = {"players": Players(cheats=0), "live": False, "fps": 10.0, "size": SMALL, **more}
    return SimCamera(RULES, memory=memory, **settings)  # type: ignore[arg-type]  # settings of many types


def painted_camera(memory: Path) -> PaintedSim:
    """The same where only what lies on the board counts, and not how it looks."""
    return PaintedSim(RULES, memory=memory, players=Players(cheats=0), live=False, fps=10.0)


def test_frames_come_at_their_times_until_the_end() -> None:
    sim: Camera = camera(seconds=2.0)
    with pytest.raises(CameraError, match="not open"):
        sim.read(0.1)
    sim.open()
    frames = []
    with pytest.raises(EndOfRecording, match="after 2 s"):
        while True:
            frames.append(sim.read(0.1))
    sim.close()
    assert [f.number for f in frames if f] == list(range(20))
    assert [f.time_ns for f in frames if f] == [round(i * 1e8) for i in range(20)]
    assert all(f is not None and f.image.shape == (180, 320, 3) and f.image.dtype == np.uint8 for f in frames)


def test_a_live_table_gives_new_frames_and_can_be_closed_and_opened_again(tmp_path: Path) -> None:
    sim = camera(tmp_path / "table.json", live=True, fps=20.0)
    for _ in range(2):
        sim.open()
        first, second = sim.read(20.0), sim.read(20.0)
        assert first is not None
        assert second is not None
        assert second.time_ns > first.time_ns
        assert second.number > first.number
        sim.close()


def test_a_table_that_was_killed_in_the_middle_of_a_turn_lies_as_it_lay_and_the_hand_goes_on(tmp_path: Path) -> None:
    memory = tmp_path / "sim" / "table.json"
    killed = painted_camera(memory)
    killed.open()
    start = list(killed.world.counts)
    while not (killed.world.busy and killed.world.counts != start):
        killed.read(0.1)
    kept = memory.read_bytes()
    lies = list(killed.world.counts)
    again = painted_camera(memory)
    memory.write_bytes(kept)
    again.open()
    assert again.world.counts == lies
    assert again.world.busy
    for _ in range(400):
        killed.read(0.1)
        again.read(0.1)
        if again.world.truths and killed.world.truths:
            break
    assert again.world.truths[0].play == killed.world.truths[0].play


def test_a_disk_that_takes_nothing_does_not_stop_the_players(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sim = painted_camera(tmp_path / "file" / "table.json")
    sim.open()
    while not sim.world.busy:
        assert sim.read(0.1) is not None
    sim.close()


@pytest.mark.parametrize("text", ["", "{", '{"version": 1}', "null"])
def test_a_broken_memory_begins_a_new_game(tmp_path: Path, text: str) -> None:
    memory = tmp_path / "table.json"
    memory.write_text(text)
    sim = camera(memory)
    sim.open()
    assert sim.world.position == RULES.setup()
    sim.close()
    assert json.loads(memory.read_text())["position"] == str(RULES.setup())


def test_the_players_hear_the_referee() -> None:
    sim = camera(players=Players(("c", "!double"), cheats=0))
    sim.hear(LetStand(verdict=1))
    sim.open()
    while len(sim.world.truths) < 2:
        sim.read(0.1)
    before = sim.world.truths[1].play.before
    sim.hear(CorrectPit(pit="a", count=3))
    sim.hear(Withdraw(verdict=2))
    while len(sim.world.truths) < 3:
        sim.read(0.1)
    assert tuple(sim.world.counts) == before.counts
    sim.hear(Withdraw(verdict=2), str(RULES.setup()))
    while len(sim.world.truths) < 4:
        sim.read(0.1)
    assert tuple(sim.world.counts) == RULES.setup().counts
    sim.hear(NewGame(game="endodoi", rules="merker", board="2x6"))
    frame = sim.read(0.1)
    assert frame is not None
    assert sim.world.position == ruleset("endodoi").setup()
    assert sim.world.counts == [4] * 12
    sim.hear(NewGame(game="endodoi", rules="merker", board="2x6", position="4,4,4,4,4,9/0,0,4,4,4,4 N 0-3 ply=5"))
    while sim.world.busy:
        sim.read(0.1)
    assert sim.world.position.to_move is Side.NORTH
    assert sim.world.counts[0] == 0
    sim.close()


def test_a_new_game_from_the_board_as_it_lies_moves_no_seed() -> None:
    sim = camera()
    sim.open()
    while not sim.world.truths:
        sim.read(0.1)
    lies = list(sim.world.counts)
    sim.hear(NewGame(game="enkeshui", rules="driedger", board="2x8", position="lies"))
    sim.read(0.1)
    assert sim.world.counts == lies
    assert sim.world.position.to_move is Side.SOUTH
    assert sim.world.position.ply == 0


def test_a_pace_that_is_none_is_named() -> None:
    with pytest.raises(CameraError, match="no pace 'hasty'"):
        camera(pace="hasty")


def picture(south: South, size: tuple[int, int]) -> TablePicture:
    style = SceneStyle.house(2, 8)
    return TablePicture(Board(2, 8), style, (HandStyle(), HandStyle(seed=1)), size=size, south=south, samples=1)


def test_south_may_sit_at_any_edge() -> None:
    hand = HandAt(Side.SOUTH, (3.0, 1.0), (3.0, 8.0), 0.2, "grip", (0.0, 0.0))
    counts = [0, 1, 2, 3, 4, 5, 6, 7] + [0] * 8
    shown = {}
    for south in SOUTHS:
        size = SMALL if south in ("bottom", "top") else (180, 320)
        table = picture(south, size)
        table.show(counts)
        shown[south] = table.frame([hand], np.random.default_rng(0)), table.frame([], np.random.default_rng(0))
        assert shown[south][0].shape == (size[1], size[0], 3)
    upright = shown["bottom"][0]
    assert (shown["top"][0] == upright[::-1, ::-1]).all()
    assert (shown["left"][0] == np.rot90(upright, -1)).all()
    assert (shown["right"][0] == np.rot90(upright)).all()
    with_hand, without = (image.astype(int) for image in shown["left"])
    changed = np.abs(with_hand - without).max(axis=2) > 25
    assert changed[:, :40].any(), "South's arm does not come from the left"
    assert not changed[:, -20:].any()


def test_only_pits_that_changed_look_otherwise() -> None:
    table = picture("bottom", SMALL)
    table.show([0] * 16)
    empty = table.scene.image()
    table.show([0, 0, 0, 5] + [0] * 12)
    filled = table.scene.image()
    changed = np.argwhere(np.abs(filled.astype(int) - empty).max(axis=2) > 12)
    x, y, r = table.scene.circles[8 + 3]
    assert len(changed) > 20
    assert np.hypot(changed[:, 1] - x, changed[:, 0] - y).max() < 2 * r


def test_a_clip_and_its_truth_can_be_read_and_are_the_same_again(tmp_path: Path) -> None:
    clip = clips.chosen(6, 0, "fast", "bottom", moves=2, size=SMALL)
    truth = clips.write(clip, tmp_path / "clip_000")
    assert json.loads((tmp_path / "clip_000.truth.json").read_text()) == truth
    assert set(truth) == {"game", "rules", "board", "start", "south", "pace", "moves"}
    moves = json.loads(json.dumps(truth["moves"]))
    assert len(moves) == 2
    assert set(moves[0]) == {"player", "move", "kind", "fault", "at", "t_in", "t_out", "position"}
    film = cv2.VideoCapture(str(tmp_path / "clip_000.mp4"))
    frames = []
    while (got := film.read())[0]:
        frames.append(got[1].astype(int))
    assert film.get(cv2.CAP_PROP_FPS) == 15
    film.release()
    assert len(frames) / 15 > moves[-1]["t_out"] + 0.2

    def differs(t: float) -> float:
        return float((np.abs(frames[int(t * 15)] - frames[0]).max(axis=2) > 40).mean())

    quiet, busy = moves[0]["t_in"] - 0.6, (moves[0]["t_in"] + moves[0]["t_out"]) / 2
    assert differs(busy) > 0.02 > 2 * differs(quiet)
    assert clips.write(clips.chosen(6, 0, "fast", "bottom", moves=2, size=SMALL), tmp_path / "again") == truth


def test_the_clips_command_writes_and_names_a_bad_size(tmp_path: Path) -> None:
    runner = CliRunner()
    args = [str(tmp_path / "out"), "--clips", "1", "--moves", "1", "--pace", "fast", "--size", "160x90"]
    done = runner.invoke(clips.main, args)
    assert done.exit_code == 0, done.output
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["clip_000.mp4", "clip_000.truth.json"]
    bad = runner.invoke(clips.main, [str(tmp_path), "--size", "big"])
    assert bad.exit_code == 2
    assert "'big' is not a size such as 1280x720" in bad.output


def test_players_hear_by_which_rules_the_new_game_is_played() -> None:
    sim = SimCamera(ruleset("endodoi"), samples=1, seconds=1)
    sim.open()
    sim.hear(NewGame(game="omweso", rules="", board="4x8", sets={"begin_seconds": "9"}))
    assert sim.world.rules.game == "omweso" and sim.world.rules.sets == {"begin_seconds": "9"}
    sim.hear(NewGame(game="omweso", rules="wikipedia", board="4x8"))
    assert sim.world.rules.sets == {}
    sim.close()
