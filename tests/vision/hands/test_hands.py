from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.boards import Array, Image, camera, paint, places, view_of
from vision.board.find import find
from vision.board.geometry import project
from vision.hands.parameters import DARKNESS, MOTION
from vision.hands.reference import spread
from vision.hands.segmentation import Hands, HandWatch
from vision.reading import BoardView
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle

SIZE = (960, 540)
WHERE = places(2, 8, 1.15)
CAMERA = camera(SIZE, 3, 14, 90, 10.5, np.array([3.5, 0.57]))
FAIR, BROWN, DARK, SLEEVE = (150, 175, 225), (82, 125, 185), (45, 60, 88), (140, 60, 40)
REACH = ((2.0, 3.6), (2.1, 2.0), (2.0, 1.2))
"""South's arm from beyond the margin, wrist, finger tip: over pit c."""
REACH_NORTH = ((5.0, -2.5), (5.0, -0.8), (5.05, 0.1))
"""North's, over her C, South's f's neighbour across the board: number 8 + 2 along the ring."""

NOISE = np.random.default_rng(0).normal(0, 4, (3, SIZE[1], SIZE[0], 3)).astype(np.float32)

Picture = NDArray[np.float32]
Arm = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass
class Table:
    """A painted board before a noisy camera at 15 frames a second, and a watch over it."""

    h: Array = field(default_factory=lambda: CAMERA)
    frame: int = 0
    watch: HandWatch = field(default_factory=lambda: HandWatch(view_of(CAMERA, WHERE, 0.42, SIZE)))

    def show(self, frames: int = 1, *, seeds: int = 4, seed: int = 1, light: float | tuple[float, float, float] = 1.0,
             arms: tuple[Arm, ...] = (), skin: tuple[int, int, int] = BROWN, shadow: Array | None = None) -> Hands:
        """What the watch says of the last of so many frames."""
        clean = empty(self.h, seeds, seed)
        if shadow is not None:
            dim = np.ones(clean.shape[:2], np.float32)
            cv2.fillPoly(dim, [np.round(project(self.h, shadow)).astype(np.int32)], 0.62)
            clean *= cv2.GaussianBlur(dim, (0, 0), 9)[..., None]
        for arm in arms:
            draw(clean, self.h, arm, skin)
        return self.look(clean * np.asarray(light, np.float32), frames)

    def look(self, picture: Picture, frames: int) -> Hands:
        """What the watch says of the last of so many frames of this picture."""
        taken = [camera_takes(picture, k) for k in range(min(frames, 3))]
        for _ in range(frames):
            seen = self.watch.look(taken[self.frame % len(taken)], self.frame / 15)
            self.frame += 1
        return seen


def camera_takes(picture: Picture, k: int) -> Image:
    """With the k-th noise, and packed as a JPEG."""
    noisy = picture + NOISE[k]
    _, data = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 75])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def empty(h: Array = CAMERA, seeds: int = 4, seed: int = 1) -> Picture:
    """float32[h, w, 3], the painted board without a hand, to be drawn on."""
    return _painted(h.tobytes(), seeds, seed).copy()


@lru_cache(maxsize=16)
def _painted(h: bytes, seeds: int, seed: int) -> Picture:
    view = view_of(np.frombuffer(h).reshape(3, 3), WHERE, 0.42, SIZE)
    return paint(view, WHERE, seeds=seeds, seed=seed, noise=0).astype(np.float32)


def draw(picture: Picture, h: Array, arm: Arm, skin: tuple[int, int, int]) -> None:
    unit = float(np.linalg.norm(project(h, (4, 0)) - project(h, (3, 0))))
    elbow, wrist, tip = (tuple(round(v) for v in project(h, p)) for p in arm)
    cv2.line(picture, elbow, wrist, skin, round(0.8 * unit), cv2.LINE_AA)
    for apart in (-0.3, 0.0, 0.3):
        end = (tip[0] + round(apart * unit), tip[1])
        cv2.line(picture, wrist, end, tuple(0.93 * v for v in skin), round(0.26 * unit), cv2.LINE_AA)


def test_an_empty_table_is_quiet_and_free() -> None:
    seen = Table().show(6)
    assert seen.shares == (0, 0)
    assert not seen.covered.any() and not seen.moved and not seen.dark and not seen.blurred
    assert seen.quiet and seen.motion < 0.002


@pytest.mark.parametrize("skin", [FAIR, BROWN, DARK, SLEEVE])
def test_a_hand_is_its_owners_and_covers_what_it_covers(skin: tuple[int, int, int]) -> None:
    table = Table()
    table.show(5)
    first = table.show(1, arms=(REACH,), skin=skin)
    assert first.motion > 0.005 and not first.quiet
    seen = table.show(2, arms=(REACH,), skin=skin)
    assert seen.south > 0.01 and seen.north == 0
    assert seen.covered[2] and not seen.covered[[0, 4, 5, 6, 7, 8, 9, 10, 15]].any()
    seen = table.show(2, arms=(REACH_NORTH,), skin=skin)
    assert seen.north > 0.01 and seen.south == 0
    assert seen.covered[10] and not seen.covered[:4].any()
    seen = table.show(2, arms=(REACH, REACH_NORTH), skin=skin)
    assert seen.north > 0.01 and seen.south > 0.01
    gone = table.show(4)
    assert gone.shares == (0, 0) and not gone.covered.any() and gone.quiet


def test_a_hand_of_the_boards_own_colour_is_known_by_its_moving_and_leaves_nothing_behind() -> None:
    """Its arm is nearly the colour of the table: nothing leads from the hand to the edge but where it moved."""
    table = Table()
    table.show(5)
    bare = empty()
    ridge, cloth = (bare[round(y), round(x)] for x, y in (project(CAMERA, p) for p in ((2.5, 0.57), (2.0, 2.9))))
    skin, sleeve = ((int(f * b), int(f * g), int(f * r)) for f, (b, g, r) in ((1.22, ridge), (1.14, cloth)))
    shares = []
    for k in range(12):
        clean = bare.copy()
        arm = [(px + 0.35 * k, py) for px, py in REACH]
        draw(clean, CAMERA, (arm[0], arm[1], arm[1]), sleeve)
        knuckles = (arm[1][0], 1.5)
        draw(clean, CAMERA, (knuckles, arm[2], arm[2]), skin)
        shares.append(table.watch.look(camera_takes(clean, k % 3), (table.frame + k) / 15).shares)
    assert all(south > 0.01 and north == 0 for south, north in shares[1:])
    table.frame += 12
    gone = table.show(4)
    assert gone.shares == (0, 0) and not gone.covered.any()


def test_one_thin_finger_covers_the_pit_it_is_over() -> None:
    table = Table()
    table.show(5)
    clean = empty()
    a, b = (tuple(round(v) for v in project(CAMERA, p)) for p in ((6.05, 3.5), (6.0, 1.15)))
    cv2.line(clean, a, b, FAIR, 18, cv2.LINE_AA)
    for k in range(2):
        seen = table.watch.look(clean.astype(np.uint8), 1 + k / 15)
    assert seen.covered[6] and seen.covered.sum() == 1 and seen.south > 0


def test_play_in_the_pits_is_no_hand() -> None:
    table = Table()
    table.show(5)
    for k in range(6):
        seen = table.show(3, seeds=2 + k, seed=10 + k)
        assert seen.shares == (0, 0) and not seen.covered.any() and not seen.moved


def test_what_a_hand_has_laid_into_pits_close_together_is_not_its_own() -> None:
    """Pale seeds on a small dark board shine across what little wood there is between its pits."""
    where = places(2, 8, 1.0)
    h = camera((1280, 720), 0, 5, 90, 20.0, where.reshape(-1, 2).mean(0))
    view = view_of(h, where, 0.44, (1280, 720))
    before, after = (paint(view, where, seeds=n, seed=n, noise=0, wood=(35, 32, 40)).astype(np.float32) for n in (2, 6))
    watch, noises = HandWatch(view), np.random.default_rng(0).normal(0, 2, (3, 720, 1280, 3)).astype(np.float32)
    unit, frames = float(np.linalg.norm(project(h, (4, 0)) - project(h, (3, 0)))), 30
    for k in range(5 + frames):
        x = 7.5 - 7.5 * max(0, k - 5) / frames
        clean = before.copy()
        sown = np.arange(1280) > project(h, (x, 0.5))[0] + 0.4 * unit
        clean[:, sown] = after[:, sown]
        if k >= 5:
            draw(clean, h, ((x, 4.0), (x, 1.9), (x, 0.9)), BROWN)
        seen = watch.look(np.clip(clean + noises[k % 3], 0, 255).astype(np.uint8), k / 15)
        assert seen.south < 0.25 and seen.north == 0, "0.27 where what was sown is taken for the hand"
    assert seen.covered[0] and not seen.covered[[3, 4, 5, 6, 7, 8, 9, 10, 11, 12]].any()


@pytest.mark.parametrize("light", [0.6, 1.3, (0.8, 1.0, 1.15)])
def test_light_and_white_balance_are_no_hand(light: float | tuple[float, float, float]) -> None:
    table = Table()
    table.show(5)
    seen = table.show(1, light=light)
    assert seen.shares == (0, 0) and not seen.covered.any()
    assert table.show(5, light=light).quiet
    assert table.show(3, light=light, arms=(REACH,)).covered[2]


def test_a_shadow_is_no_hand() -> None:
    table = Table()
    table.show(5)
    seen = table.show(2, shadow=np.array([[1, -2], [4, -2], [4.3, 1.1], [1.2, 1.1]]))
    assert seen.shares == (0, 0) and not seen.covered.any() and not seen.moved


def test_slow_drift_of_the_light_is_followed() -> None:
    table = Table()
    table.show(5)
    for k in range(12):
        seen = table.show(5, light=(1 - 0.03 * k, 1 - 0.02 * k, 1 - 0.015 * k))
        assert seen.shares == (0, 0)
    assert table.show(2, light=(0.64, 0.76, 0.82), arms=(REACH,)).covered[2]


def test_a_hand_that_rests_long_stays_a_hand() -> None:
    table = Table()
    table.show(5)
    first = table.show(2, arms=(REACH,))
    last = table.show(150, arms=(REACH,))
    assert last.south == pytest.approx(first.south, rel=0.3) and last.covered[2]
    assert table.show(4).shares == (0, 0)


def test_a_hand_in_the_first_frames_is_not_learnt_for_ever() -> None:
    table = Table()
    table.show(5, arms=(REACH,))
    gone = table.show(25)
    assert gone.shares == (0, 0) and not gone.covered.any()
    assert table.show(2, arms=(REACH,)).covered[2]
    assert table.show(3).shares == (0, 0)


@pytest.mark.parametrize("cloth", [(70, 45, 120), (40, 42, 45), (235, 235, 235)])
@pytest.mark.parametrize("first", [False, True])
def test_a_hand_much_like_the_wood_is_told_from_it_on_a_table_that_is_not(
        first: bool, cloth: tuple[int, int, int]) -> None:
    """Beside the board's wide border it looks usual, and the table odd: neither a hand that rests over both nor one
    that was there from the first and has left is to be taken for the other."""
    wood, table = (90, 130, 175), Table()
    rest = paint(view_of(CAMERA, WHERE, 0.42, SIZE), WHERE, seeds=4, noise=0, table=cloth, wood=wood).astype(np.float32)
    edge = project(CAMERA, [(-0.84, -0.84), (7.84, -0.84), (7.84, 1.99), (-0.84, 1.99)])
    cv2.polylines(rest, [np.round(edge).astype(np.int32)], True, wood, round(0.2 * SIZE[0] / 10.5))
    hand = rest.copy()
    draw(hand, CAMERA, REACH, (125, 175, 240))

    table.look(hand if first else rest, 5)
    if not first:
        assert table.look(hand, 12).south > 0.01, "it rests"
    gone = table.look(rest, 12)
    assert gone.shares == (0, 0) and not gone.covered.any()
    assert table.look(hand, 12).south > 0.01
    assert table.look(rest, 4).shares == (0, 0)


def test_a_seed_on_the_ridge_reaches_in_from_nowhere() -> None:
    table = Table()
    table.show(5)
    clean = empty().astype(np.uint8)
    x, y = (round(v) for v in project(CAMERA, (3.5, 0.57)))
    cv2.circle(clean, (x, y), 9, (190, 215, 225), -1, cv2.LINE_AA)
    for k in range(3):
        seen = table.watch.look(clean, 1 + k / 15)
    assert seen.shares == (0, 0) and not seen.covered.any()


@pytest.mark.parametrize(("turn", "dx", "dy"), [(3, 22, 0), (3, -4, 20), (7, 0, 0), (3, 0, 13), (4, 0, 8), (3, 8, 0)])
def test_a_nudged_board_is_said_to_have_moved(turn: float, dx: int, dy: int) -> None:
    table = Table()
    table.show(5)
    moved = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]])
    table.h = moved @ camera(SIZE, turn, 14, 90, 10.5, np.array([3.5, 0.57]))
    assert not table.show(2).moved  # not on the spot: a hand may be passing
    seen = table.show(25)
    assert seen.moved
    if turn == 3:
        unit = float(np.linalg.norm(project(CAMERA, (4, 0)) - project(CAMERA, (3, 0))))
        assert abs(abs(seen.shift[0]) + abs(seen.shift[1]) - (abs(dx) + abs(dy)) / unit) < 0.12


def test_dark_and_blurred_are_said() -> None:
    table = Table()
    table.show(5)
    assert table.show(2, light=0.08).dark
    assert not table.show(2).dark
    clean = paint(view_of(CAMERA, WHERE, 0.42, SIZE), WHERE, seeds=4)
    seen = table.watch.look(np.asarray(cv2.GaussianBlur(clean, (0, 0), 5), np.uint8), 2.0)
    assert seen.blurred and not seen.dark
    assert not table.show(2).blurred


def test_seeds_that_leave_a_board_are_no_blur() -> None:
    style = SceneStyle.random(np.random.default_rng(13), 2, 8, tilt=0.4)

    def pictures(each: int) -> list[Image]:
        scene = RenderedTable(style, (1280, 720), np.full((2, 8), each), samples=1)
        seen = scene.image()
        return [scene.finish(seen, np.random.default_rng(k)) for k in range(4)]

    full, bare = pictures(4), pictures(0)
    view = find(full[0], 2, 8)
    assert isinstance(view, BoardView)
    watch = HandWatch(view)
    assert not any(watch.look(image, k / 15).blurred for k, image in enumerate([*full, *bare]))
    hazy = [np.asarray(cv2.GaussianBlur(image, (0, 0), 4), np.uint8) for image in bare[:2]]
    assert [watch.look(image, 1 + k / 15).blurred for k, image in enumerate(hazy)] == [True, True]


def test_pale_seeds_on_a_dark_board_are_seen_in_little_light() -> None:
    view = view_of(CAMERA, WHERE, 0.42, SIZE)
    picture = np.asarray(paint(view, WHERE, seeds=0) * 0.1, np.uint8)
    watch = HandWatch(view)
    assert watch.look(picture, 0.0).dark
    for x, y in view.centres.reshape(-1, 2):
        cv2.circle(picture, (round(x), round(y)), round(0.3 * float(view.radii.mean())), (90, 120, 130), -1)
    assert not watch.look(picture, 0.1).dark


def test_it_is_not_darker_once_a_hand_has_left_a_dark_board() -> None:
    """Seeds between the two levels: whether it is too dark goes by what it was before."""
    view = view_of(CAMERA, WHERE, 0.42, SIZE)

    def seeds(level: int) -> np.ndarray:
        picture = np.asarray(paint(view, WHERE, seeds=0, noise=0.0) * 0.1, np.uint8)
        for x, y in view.centres.reshape(-1, 2):
            cv2.circle(picture, (round(x), round(y)), round(0.6 * float(view.radii.mean())), (level,) * 3, -1)
        return picture

    watch = HandWatch(view)
    between, bright, off = (seeds(round(DARKNESS.lit_grey * share))
                            for share in ((1 + DARKNESS.darker_yet) / 2, 1.3, 0.5))
    said = [watch.look(picture, 0.1 * k).dark for k, picture in enumerate((between, bright, between, off, between))]
    assert said == [True, False, False, True, True]


def test_a_black_board_on_a_bright_table_is_not_in_the_dark() -> None:
    view = view_of(CAMERA, WHERE, 0.42, SIZE)
    black = np.asarray(paint(view, WHERE, seeds=0) * 0.1, np.uint8)
    assert HandWatch(view).look(black, 0.0).dark
    low, high = (np.round(edge(view.centres, axis=(0, 1)) + k * 1.6 * view.radii.mean()).astype(int)
                 for edge, k in ((np.min, -1), (np.max, 1)))
    table = np.full_like(black, 190)
    table[low[1]:high[1], low[0]:high[0]] = black[low[1]:high[1], low[0]:high[0]]
    assert not HandWatch(view).look(table, 0.0).dark


def test_pictures_that_come_twice_do_not_hide_how_noisy_the_others_are() -> None:
    """Else the noise of each new one passes for a movement, and the board never lies still."""
    clean = empty()
    taken = [np.clip(clean + 10 * NOISE[k], 0, 255).astype(np.uint8) for k in range(3)]
    once, twice = Table().watch, Table().watch
    for k in range(60):
        once.look(taken[k % 3], k / 15)
        for half in range(2):
            twice.look(taken[k % 3], (k + half / 2) / 15)
    assert twice._noise > 0.9 * once._noise


def leaping(picture: Picture, rng: np.random.Generator, blocks: int, side: int = 12) -> Image:
    """As one frame of a picture that was packed small, in blocks of so many pixels."""
    found = picture.copy()
    for x, y in rng.integers((100, 180), (860, 360), (blocks, 2)):
        found[y:y + side, x:x + side] *= rng.uniform(0.7, 1.4)
    return np.clip(found, 0, 255).astype(np.uint8)


def test_blocks_that_leap_in_every_frame_are_no_movement_and_hide_none() -> None:
    """Else the board would never lie still, and nothing be said."""
    clean = empty()
    arm = clean.copy()
    draw(arm, CAMERA, REACH, BROWN)
    rng, watch = np.random.default_rng(3), Table().watch
    seen = [watch.look(leaping(picture, rng, 25), k / 15) for k, picture in enumerate([clean] * 75 + [arm])]
    assert float(np.median([one.motion for one in seen[60:75]])) < MOTION.still
    assert seen[75].motion > 0.02 and seen[75].south > 0.02 and seen[75].north == 0


def test_blocks_that_leap_in_every_other_frame_are_no_movement_and_hide_none() -> None:
    """As in the film of a camera that is half as fast as the film: between two of its pictures nothing leaps."""
    clean = empty()
    arm = clean.copy()
    draw(arm, CAMERA, REACH, BROWN)
    rng, watch = np.random.default_rng(3), Table().watch
    pictures = [leaping(one, rng, 60) + NOISE[k % 3] for k, one in enumerate([clean] * 75 + [arm])]
    packed = rng.integers(-1, 2, clean.shape)
    seen = [watch.look(np.clip(picture + again * packed, 0, 255).astype(np.uint8), (k + again / 2) / 15)
            for k, picture in enumerate(pictures) for again in range(2)]
    assert float(np.quantile([one.motion for one in seen[100:150]], 0.8)) < 0.01
    assert seen[150].motion > 0.02 and seen[150].south > 0.02 and seen[150].north == 0


@pytest.mark.parametrize("level", [0.7, 0.62])
@pytest.mark.parametrize("column", [1, 6])
def test_a_shade_over_most_of_the_board_is_no_hand_and_hides_none(column: int, level: float) -> None:
    """What the shade spares would look lighter than the board did, and reaches in from the edge as well."""
    clean = empty()
    shade = np.where(np.arange(SIZE[0]) < 0.55 * SIZE[0], level, 1.0).astype(np.float32)
    dim = cv2.GaussianBlur(np.tile(shade, (SIZE[1], 1)), (0, 0), 25)[..., None]
    arm = clean.copy()
    draw(arm, CAMERA, ((column, 3.6), (column + 0.1, 2.0), (column, 1.2)), FAIR)
    table = Table()
    table.show(5)
    for k in range(10):
        bare = table.watch.look(camera_takes(clean * dim, k % 3), 1 + k / 15)
        assert bare.shares == (0, 0)
    for k in range(2):
        seen = table.watch.look(camera_takes(arm * dim, k), 1.7 + k / 15)
    assert 0.02 < seen.south < 0.06 and seen.north == 0 and np.flatnonzero(seen.covered).tolist() == [column]
    for k in range(8):
        bare = table.watch.look(camera_takes(clean, k % 3), 2 + k / 15)
    assert bare.shares == (0, 0)


@pytest.mark.parametrize(("columns", "dyed"), [(3, (2.2, 2.2, 2.2)), (3, (1.1, 1.35, 1.6)), (1, (1.4, 1.4, 1.4))])
def test_a_sleeve_is_not_the_light(columns: int, dyed: tuple[float, float, float]) -> None:
    """One that is much paler than the wood, one of another colour, and one that covers little."""
    clean = 0.6 * empty()
    cloth, end, table = np.zeros(clean.shape[:2], np.uint8), columns - 0.5, Table()
    at = project(CAMERA, [(-0.6, 4.0), (end, 4.0), (end, -0.6), (-0.6, -0.6)])
    cv2.fillPoly(cloth, [np.round(at).astype(np.int32)], 1)
    wood = np.median(clean[230:310].reshape(-1, 3), axis=0)
    for k in range(5):
        table.watch.look(camera_takes(clean, k % 3), k / 15)
    seen = table.watch.look(camera_takes(np.where(cloth[..., None] > 0, wood * dyed, clean), 0), 0.4)
    assert seen.covered[:columns].all() and seen.covered[16 - columns:].all()
    assert not seen.covered[columns + 1: 15 - columns].any()


def test_what_stirs_more_than_any_noise_does_not_come_to_count_as_rest() -> None:
    clean = empty()
    rng, watch = np.random.default_rng(3), Table().watch
    seen = [watch.look(leaping(clean, rng, 30, side=36), k / 15) for k in range(75)]
    assert float(np.median([one.motion for one in seen[60:]])) > MOTION.most_leaps


def test_what_stirs_while_a_hand_is_there_is_no_noise() -> None:
    clean = empty()
    arm = clean.copy()
    draw(arm, CAMERA, REACH, BROWN)
    rng, watch = np.random.default_rng(3), Table().watch
    for k in range(30):
        watch.look(clean.astype(np.uint8), k / 15)
    seen = [watch.look(leaping(arm, rng, 60), (30 + k) / 15) for k in range(60)]
    assert float(np.median([one.motion for one in seen[45:]])) > MOTION.still


BESIDE = ((2.0, 3.6), (2.05, 2.5), (2.0, 1.82))
"""South's arm, finger tips on the wood's edge beyond pit c's rim."""


def captured(picture: Picture) -> Picture:
    """With a heap of captured seeds at the board's right end, from beside the last pits to beyond the margin."""
    found = picture.copy()
    for x, y in np.random.default_rng(6).uniform((7.62, 0.1), (8.5, 1.1), (30, 2)):
        u, v = (round(float(w)) for w in project(CAMERA, (x, y)))
        cv2.circle(found, (u, v), 9, (190, 215, 225), -1, cv2.LINE_AA)
    return found


def test_captured_seeds_that_are_laid_beside_the_pits_are_soon_no_hand() -> None:
    """Else the hands would never have left, and nothing be said any more."""
    clean = empty()
    table, heap = Table(), captured(clean)

    table.look(clean, 5)
    assert table.look(heap, 3).mask.any()
    laid = table.look(heap, 11)
    assert not laid.mask.any() and laid.shares == (0, 0)
    assert not table.look(clean, 14).mask.any(), "nor is where they lay"


def test_the_soft_edge_of_a_hand_does_not_belong_to_a_speck_beside_it() -> None:
    """Else a hand that is there would be learnt with the speck, and seen where it was once it has left."""
    speck, hand, differs = np.zeros((3, 20, 40), bool)
    speck[9:11, 4:6] = hand[2:18, 20:36] = True
    differs[8:12, 2:22] = differs[1:19, 18:38] = True
    own = spread(speck, differs, hand)
    assert own[9, 2:10].all() and not own[:, 14:].any()
    assert (spread(speck, differs, np.zeros_like(hand)) == differs).all(), "alone it is all its own"


def test_fingers_that_rest_beside_the_pits_are_a_hand_again_once_they_move() -> None:
    table = Table()
    table.show(5)
    assert table.show(3, arms=(BESIDE,)).mask.any()
    assert not table.show(15, arms=(BESIDE,)).mask.any()
    seen = table.show(2, arms=(REACH,))
    assert seen.covered[2] and seen.south > 0.01 and seen.north == 0
    assert not table.show(12).mask.any()


def test_a_jolt_through_the_whole_picture_is_no_hand_and_hides_none() -> None:
    """Films are packed whole now and then, and all of a dark picture shifts a little with that."""
    clean = empty()
    arm, rng, watch = clean.copy(), np.random.default_rng(3), Table().watch
    draw(arm, CAMERA, REACH, BROWN)
    seen: list[Hands] = []
    for k in range(60):
        if k % 6 == 0:
            blocks = rng.normal(0, 0.10, (SIZE[1] // 18, SIZE[0] // 18, 3))
            jolt = np.exp(cv2.resize(blocks, SIZE, interpolation=cv2.INTER_NEAREST))
        picture = (clean if k < 50 else arm) * jolt
        seen.append(watch.look(np.clip(picture, 0, 255).astype(np.uint8), k / 15))
    assert max(one.motion for one in seen[1:50]) < MOTION.most_leaps and not any(one.mask.any() for one in seen[1:50])
    assert all(one.south > 0.01 and one.covered[2] and one.north == 0 for one in seen[51:])
