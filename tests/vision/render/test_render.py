"""The renderer: what it draws is where it says, seeds lie in their pits, and the same lot gives the same picture."""

import math
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board.geometry import project
from vision.render.materials import BY_NAME, INSIDE, KINDS, Bag, parts_of
from vision.render.scene import RenderedTable
from vision.render.shading import cored
from vision.render.styles import SceneStyle
from vision.render.surfaces import hit_part
from vision.render.textures import photographed
from vision.seeds.crops import FINE
from vision.train.boards import MOST, board_batch, targets
from vision.train.crops import counter_lessons, draw_count, hand, marks
from vision.train.fine import fine_batch
from vision.train.shards import load, render


@pytest.fixture(scope="module")
def scene() -> RenderedTable:
    """A small picture of the house board, seeds in three pits."""
    table = RenderedTable(SceneStyle.house(2, 6), (480, 270))
    for col, seeds in ((0, 4), (2, 1), (5, 9)):
        table.set_pit(1, col, seeds)
    table.image()
    return table


def test_the_homography_meets_the_pits(scene: RenderedTable) -> None:
    grid = np.array([[c, r] for r in range(2) for c in range(6)], float)
    off = np.hypot(*(project(scene.homography, grid) - scene.circles[:12, :2]).T)
    assert off.max() < 0.1 * scene.circles[:12, 2].min()


def test_counts_are_what_was_laid(scene: RenderedTable) -> None:
    assert scene.counts().tolist() == [[0] * 6, [4, 0, 1, 0, 0, 9]]


def test_a_pit_is_drawn_anew_when_its_seeds_change_and_no_other_is(scene: RenderedTable) -> None:
    before = scene.image().astype(int)
    scene.set_pit(0, 3, 5)
    changed = np.abs(scene.image().astype(int) - before).max(axis=2) > 12
    scene.set_pit(0, 3, 0)
    x, y, r = scene.circles[3]
    far = np.hypot(*(np.argwhere(changed)[:, ::-1] - [x, y]).T)
    assert changed.sum() > 0.1 * math.pi * r * r
    assert far.max() < 1.5 * r


def test_a_seed_alone_shows_whole_and_heaped_seeds_hide_one_another(scene: RenderedTable) -> None:
    before = scene.image()
    (shown,), (alone,) = scene.shown(6 + 2)
    heaped, each = scene.shown(6 + 5)
    assert shown == alone > 20
    assert len(heaped) == 9 and (heaped <= each).all() and heaped.sum() < each.sum()
    assert len(scene.shown(0)[0]) == 0
    assert scene.counts().tolist() == [[0] * 6, [4, 0, 1, 0, 0, 9]] and (scene.image() == before).all()


def test_emptied_pits_look_as_they_did(scene: RenderedTable) -> None:
    before = scene.image()
    scene.set_pit(0, 1, 6)
    scene.set_pit(0, 1, 0)
    assert np.abs(scene.image().astype(int) - before).max() <= 2


def test_the_same_lot_gives_the_same_picture() -> None:
    def draw() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        style = SceneStyle.random(np.random.default_rng(5), 2, 5)
        return RenderedTable(style, (160, 120), np.full((2, 5), 3)).image()

    assert np.array_equal(draw(), draw())


@pytest.mark.parametrize("tilt", [0.0, math.radians(30)])
def test_the_board_lies_inside_the_picture(tilt: float) -> None:
    style = SceneStyle.random(np.random.default_rng(8), 4, 8)
    style = replace(style, lens=replace(style.lens, tilt=tilt, fill=0.95))
    table = RenderedTable(style, (320, 240))
    x, y, r = table.circles.T
    assert (x - r > 0).all() and (x + r < 320).all() and (y - r > 0).all() and (y + r < 240).all()


def test_a_hand_covers_what_lies_under_it(scene: RenderedTable) -> None:
    x, y = scene.pits[4, :2]
    scene.limbs = hand(np.random.default_rng(2), (float(x), float(y)))
    _, cover = scene.trace(np.array([[1.0, 0, 0], [0, 1.0, 0]]), scene.size, 1)
    scene.limbs = scene.limbs[:0]
    cx, cy, r = scene.circles[4]
    near = cover[int(cy - r / 2) : int(cy + r / 2), int(cx - r / 2) : int(cx + r / 2)]
    assert near.mean() > 0.2
    assert cover[:20, :20].max() <= 1.0


def test_every_kind_of_seed_can_be_drawn() -> None:
    rng, house = np.random.default_rng(0), SceneStyle.house(2, 5)
    for kind in KINDS:
        style = replace(house, bag=Bag.draw(rng, 0.12, kind))
        table = RenderedTable(style, (120, 60))
        empty = table.image().astype(int)
        table.set_pit(0, 2, 4)
        assert np.abs(table.image().astype(int) - empty).max() > 20, kind.name


def test_a_core_in_clear_glass_is_seen_through_its_middle_alone() -> None:
    parts = np.array(parts_of(BY_NAME["marble"], np.ones(3), np.zeros(3), np.eye(3)))
    down = np.array([0.0, 0.0, -1.0])
    assert cored(parts, 0, down, 0.0, 0.0, 1.0, 0.15) == 1
    assert cored(parts, 0, down, 0.3, 0.0, math.sqrt(1 - 0.09), 0.15) == 1
    assert cored(parts, 0, down, 0.97, 0.0, math.sqrt(1 - 0.97**2), 0.15) == 0
    along = np.array([0.0, -1.0, 0.0])  # a flat core from its edge
    assert cored(parts, 0, along, 0.0, 1.0, 0.0, 0.15) == 1
    assert cored(parts, 0, along, 0.0, math.sqrt(1 - 0.6**2), 0.6, 0.15) == 0


def test_what_lies_in_glass_lies_in_clear_glass() -> None:
    rng = np.random.default_rng(4)
    bags = [Bag.draw(rng, 0.12, BY_NAME["marble"]) for _ in range(60)]
    assert {bag.pattern for bag in bags} >= {0, *INSIDE}
    assert min(bag.glass for bag in bags if bag.pattern in INSIDE) >= 0.85
    assert min(bag.glass for bag in bags) < 0.6, "others may be dull"


@pytest.mark.parametrize(("name", "along", "side"), [("dowel", 0, 1), ("disc", 2, 0)])
def test_a_seed_with_two_faces_is_met_at_its_faces_and_at_its_side(name: str, along: int, side: int) -> None:
    axes = np.array([1.5, 0.8, 0.8]) if along == 0 else np.array([1.0, 1.0, 0.3])
    parts = np.array(parts_of(BY_NAME[name], axes, np.zeros(3), np.eye(3)))
    for way, off, met in ((along, 0.0, True), (along, 0.7, True), (side, 0.0, True), (along, 0.99, True),
                          (along, 1.01, False)):
        start, across = np.zeros(3), side if way == along else along
        start[way], start[across] = 5.0, off * axes[across]
        far = hit_part(parts, 0, start, -np.eye(3)[way])
        assert far == pytest.approx(5.0 - axes[way]) if met else far > 1e8, (way, off)


def test_the_picture_of_a_floor_recurs_in_every_pit() -> None:
    """Red to the rim about a white middle, in deep and shallow pits alike; the board about them is of wood."""
    y, x = np.mgrid[0:64, 0:64] - 31.5
    picture = np.where((np.hypot(x, y) < 10)[..., None], (0.9, 0.9, 0.9), (0.6, 0.02, 0.02)).astype(np.float32)
    table = RenderedTable(replace(SceneStyle.house(2, 5), bowl=picture, floor=1.0), (400, 200))
    image = table.image()
    for (cx, cy, r) in table.circles[:10]:
        middle, rim = (image[round(cy), round(cx + off * r)].astype(int) for off in (0.0, 0.75))
        assert middle.max() - middle.min() < 90 and rim[2] - rim[1] > 60, (middle, rim)


def test_unusual_tables_of_a_seed_are_drawn_again_alike() -> None:
    images, labels, *_ = fine_batch(3, 4, unusual=1.0)
    again, same, *_ = fine_batch(3, 4, unusual=1.0)
    assert np.array_equal(images, again) and np.array_equal(labels, same)
    assert not np.array_equal(images, fine_batch(3, 4)[0])


def test_unusual_tables_have_photographed_surfaces(tmp_path: Path) -> None:
    """Of blue pictures: much of what is drawn turns blue."""
    cv2.imwrite(str(tmp_path / "blue.png"), np.full((64, 64, 3), (200, 20, 10), np.uint8))
    surfaces = (tmp_path / "blue.png",)
    drawn = [photographed(32, np.random.default_rng(k), surfaces) for k in range(9)]
    assert any(one[..., 2].mean() > 0.4 > one[..., 0].mean() for one in drawn)
    plain, blue = (fine_batch(3, 8, 1.0, files)[0] for files in ((), surfaces))
    assert not np.array_equal(plain, blue)
    (tmp_path / "text.txt").write_text("no picture")
    with pytest.raises(OSError, match=r"text\.txt is no picture"):
        photographed(32, np.random.default_rng(1), (tmp_path / "text.txt",))


def test_the_camera_adds_noise_but_no_shift(scene: RenderedTable) -> None:
    clean = scene.image()
    seen = scene.finish(clean, np.random.default_rng(1))
    assert 0.2 < np.abs(seen.astype(int) - clean).mean() < 25
    assert seen.shape == clean.shape


# ---- pictures to learn from ----


def test_the_counters_lessons_are_fine_pictures_shrunk_or_from_close_by() -> None:
    """Three white seeds in a corner of a black pit: shown larger, too, and each is marked where it is white."""
    pictures = np.zeros((20, FINE, FINE, 3), np.uint8)
    middles = np.full((20, 30, 2), np.nan, np.float32)
    middles[:, :3] = (40, 50), (60, 50), (50, 70)
    for picture in pictures:
        for x, y in ((40, 50), (60, 50), (50, 70)):
            cv2.circle(picture, (x, y), 8, (255, 255, 255), -1)
    fine = (pictures, np.full(20, 3, np.uint8), np.full(20, 50, np.float32), middles, np.zeros_like(pictures))
    images, labels, _, at, empties = counter_lessons(fine, np.full(20, 0.14, np.float32), np.random.default_rng(1))
    assert images.shape == empties.shape == (len(labels), FINE // 2, FINE // 2, 3)
    assert 20 < len(labels) < 40 and (labels == 3).all()
    for image, places in zip(images, at[:, :3].round().astype(int), strict=True):
        assert (image[places[:, 1], places[:, 0]] > 200).all() and image.mean() < 200
    white = (images > 127).mean(axis=(1, 2, 3))
    assert white.max() > 2 * white.min()


def test_seeds_are_marked_where_they_lie() -> None:
    crop = np.zeros((1, 80, 80, 3), np.uint8)
    middles = np.full((1, 30, 2), np.nan, np.float32)
    middles[0, :2] = (10, 50), (70, 10)
    (mark,) = marks(middles, crop.shape[1], 20)
    assert mark.sum() == pytest.approx(2)
    assert {divmod(int(k), 20) for k in mark.ravel().argsort()[-2:]} == {(12, 2), (2, 17)}  # row, column


def test_counts_are_drawn_from_all_bands() -> None:
    rng = np.random.default_rng(0)
    drawn = [draw_count(rng, 30) for _ in range(800)]
    assert {0, 1, 4, 8, 12, 20} <= set(drawn)
    assert max(draw_count(rng, 6) for _ in range(100)) <= 6


def test_board_pictures_name_their_pits() -> None:
    images, truth = board_batch(4, 4)
    assert images.shape == (4, 288, 384, 3) and truth.shape == (4, MOST, 4)
    assert (truth[..., 3] == 1).sum() >= 10


def test_unusual_pictures_name_the_pits_that_they_show_and_chequered_boards_none() -> None:
    images, truth = board_batch(6, 8, unusual=1.0)
    assert images.shape == (8, 288, 384, 3) and truth.shape == (8, MOST, 4)
    pits = [circles[circles[:, 3] == 1] for circles in truth]
    assert sum(len(one) >= 5 for one in pits) >= 4 and any(not len(one) for one in pits)
    for one in pits:
        apart = np.linalg.norm(one[:, None, :2] - one[None, :, :2], axis=-1) + 1e9 * np.eye(len(one))
        assert (apart > 0.8 * one[:, 2]).all(), "each pit is named once"
        assert ((one[:, :2] > -one[:, 2:3]) & (one[:, :2] < np.array([384, 288]) + one[:, 2:3])).all()


def test_targets_peak_at_the_pits() -> None:
    truth = np.zeros((1, MOST, 4), np.float32)
    truth[0, 0] = (101.5, 61.5, 20, 1)
    truth[0, 1] = (301.5, 201.5, 30, 2)
    maps = targets(truth)[0]
    assert np.unravel_index(maps[0].argmax(), maps[0].shape) == (15, 25)
    assert np.unravel_index(maps[1].argmax(), maps[1].shape) == (50, 75)
    assert maps[2][15, 25] == pytest.approx(math.log(20))
    assert maps[3].sum() > 0 and maps[3][50, 75] == 0 and maps[4][50, 75] == 1


def _numbers(seed: int, n: int) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int64]], ...]:
    return (np.full(n, seed),)


def test_shards_go_on_where_they_stopped(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path)) / "numbers"
    folder.mkdir()
    np.savez(folder / "000005.npz", np.array([77, 77]))
    render(_numbers, folder, 2, 2, seed=5, workers=1)
    assert load(folder)[0].tolist() == [77, 77, 6, 6]


def test_no_shards_are_named() -> None:
    from pathlib import Path

    with pytest.raises(FileNotFoundError, match="no shards in nowhere"):
        load(Path("nowhere"))


def test_the_readme_tells_how_one_picture_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[3] / "vision" / "README.md").read_text("utf-8")
    (words,) = re.findall(r"```python\n(.*?)```", text, re.S)
    monkeypatch.chdir(tmp_path)
    there: dict[str, object] = {}
    exec(words, there)
    style = there["style"]
    assert isinstance(style, SceneStyle) and 0 <= style.lens.tilt <= 0.3
    picture = cv2.imread("board.png")
    assert picture is not None and picture.shape == (720, 1280, 3) and picture.std() > 10
