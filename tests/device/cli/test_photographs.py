"""`inkeek read`: hostile files, EXIF's orientation, and the kept form, with a counter that is played."""

import math
import struct
import zlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.cameras.pictures import PictureError, load_picture, picture_size
from device.cli import photographs as photos
from device.cli.files import OutputError
from device.cli.options import Unusable
from device.cli.photographs import (
    BadPits,
    Photograph,
    PhotoReader,
    draw_overlay,
    overlays,
    parse_pits,
    read_line,
    write_picture,
)
from engine.board import Board
from tests.vision.boards import camera, places, view_of
from vision.board.geometry import Ellipse, pit_ellipses
from vision.board.lattice import NotFound
from vision.overlay import DOUBTFUL
from vision.reading import COUNTS, BoardView
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.seeds.counter import Cut
from vision.seeds.crops import MARGIN


def jpeg(value: int = 120, size: tuple[int, int] = (64, 48)) -> bytes:
    rng = np.random.default_rng(1)
    image = np.clip(rng.normal(value, 20, (size[1], size[0], 3)), 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", image)[1].tobytes())


def turned(data: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF orientation."""
    tiff = b"MM\x00\x2a\x00\x00\x00\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    exif = b"Exif\x00\x00" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


def bomb(width: int, height: int) -> bytes:
    """A PNG whose head promises more than it holds."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


@pytest.mark.parametrize(("name", "content", "word"), [
    ("empty.jpg", b"", "empty"), ("text.jpg", b"this is no picture", "not a picture"),
    ("cut.jpg", jpeg()[:-300], "cut short"), ("stub.jpg", jpeg()[:20], "cut short"),
    ("bomb.png", bomb(200_000, 200_000), "too large"), ("zero.png", bomb(0, 0), "not a picture|cannot be decoded"),
    ("gif.gif", b"GIF89a" + bytes(40), "not a picture|cannot be decoded")])
def test_files_that_are_no_picture(tmp_path: Path, name: str, content: bytes, word: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(PictureError, match=word) as caught:
        load_picture(path)
    assert name in str(caught.value) and "\n" not in str(caught.value)


def with_thumbnail(data: bytes) -> bytes:
    """A JPEG with a small picture in its head, as cameras put one there."""
    small = jpeg()
    return data[:2] + b"\xff\xe1" + (len(small) + 2).to_bytes(2, "big") + small + data[2:]


@pytest.mark.parametrize("behind", [bytes(200_000), b"\xff" * 100, b"\0\0\0\x18ftypmp42" + bytes(range(256)) * 800],
                         ids=["padded", "filled", "motion photograph"])
def test_what_stands_behind_a_jpeg_is_no_part_of_it(tmp_path: Path, behind: bytes) -> None:
    path = tmp_path / "photograph.jpg"
    path.write_bytes(with_thumbnail(jpeg()) + behind)
    assert load_picture(path).image.shape == (48, 64, 3)
    path.write_bytes(with_thumbnail(jpeg())[:-100])
    with pytest.raises(PictureError, match="cut short"):
        load_picture(path)


def test_a_progressive_jpeg_is_whole_with_its_last_scan(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (48, 64, 3)).astype(np.uint8)
    path = tmp_path / "progressive.jpg"
    cv2.imwrite(str(path), noise, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 2])
    assert load_picture(path).image.shape == (48, 64, 3)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(PictureError, match="cut short"):
        load_picture(path)


def test_a_very_large_jpeg_is_unpacked_smaller(tmp_path: Path) -> None:
    path = tmp_path / "108.jpg"
    cv2.imwrite(str(path), np.full((9_000, 12_000), 90, np.uint8))
    path.write_bytes(turned(path.read_bytes(), 6))
    picture = load_picture(path)
    assert picture.image.shape == (6_000, 4_500, 3) and picture.part == 2


def test_what_is_too_large_is_told_the_limit_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(bomb(12_000, 9_000))
    with pytest.raises(PictureError, match="12000×9000 pixels are more than 100 million; save it smaller"):
        load_picture(path)


def test_places_are_told_in_pixels_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, circles = tmp_path / "pits.png", [(40.0, 40.0, 20.0), (100.0, 40.0, 20.0)]
    whole = np.random.default_rng(1).integers(90, 110, (80, 140, 3)).astype(np.uint8)
    cv2.imwrite(str(path.with_suffix(".jpg")), whole)
    monkeypatch.setattr("device.cameras.pictures.LARGE_JPEG", 80 * 140 // 2)
    form = PhotoReader().read(path.with_suffix(".jpg"), circles).form
    assert [(pit["x"], pit["y"], pit["r"]) for pit in form["pits"]] == circles
    unfit = PhotoReader().read(path.with_suffix(".jpg"), [(141.0, 40.0, 20.0)])
    assert unfit.unusable and "outside the picture of 140×80 pixels" in unfit.form["reason"]


def test_heic_is_read_where_its_library_is(tmp_path: Path) -> None:
    heif = pytest.importorskip("pillow_heif", reason="pillow-heif (pip install pillow-heif)")
    path, rng = tmp_path / "IMG_1.HEIC", np.random.default_rng(1)
    image = np.full((48, 64, 3), (30, 90, 200), np.uint8) + rng.integers(0, 3, (48, 64, 3)).astype(np.uint8)
    heif.from_bytes("BGR", (64, 48), image.tobytes()).save(str(path))
    assert np.abs(load_picture(path).image.mean(axis=(0, 1)) - image.mean(axis=(0, 1))).max() < 4
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(PictureError, match="a HEIC picture that cannot be decoded"):
        load_picture(path)


def test_heic_without_its_library_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.cameras.pictures.find_spec", lambda _name: None)
    path = tmp_path / "IMG_1.HEIC"
    path.write_bytes(b"\0\0\0\x18ftypheic" + bytes(100))
    with pytest.raises(PictureError, match="Settings, Camera, Formats, Most Compatible"):
        load_picture(path)


def test_a_damaged_tiff_is_no_occasion_for_opencv_to_speak(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(2)
    whole = bytearray(cv2.imencode(".tif", rng.integers(0, 256, (40, 40, 3)).astype(np.uint8))[1].tobytes())
    path = tmp_path / "bad.tif"
    for seed in range(30):  # its directory lies at the end
        bad = bytearray(whole)
        for at in np.random.default_rng(seed).integers(len(bad) - 200, len(bad), 4):
            bad[at] ^= 0x55
        path.write_bytes(bad)
        with suppress(PictureError):
            load_picture(path)
    assert capfd.readouterr().err == ""


def test_directories_and_missing_files(tmp_path: Path) -> None:
    none = tmp_path / "none.jpg"
    for path, word in ((tmp_path, "directory"), (none, "no such file"), (Path("/dev/null"), "not a file")):
        with pytest.raises(PictureError, match=word):
            load_picture(path)


def test_a_turned_photograph_is_turned_back(tmp_path: Path) -> None:
    path = tmp_path / "turned.jpg"
    path.write_bytes(turned(jpeg(), 6))
    assert load_picture(path).image.shape == (64, 48, 3)
    assert picture_size(path.read_bytes()) == (64, 48)


@pytest.mark.parametrize("text", [
    "1,2", "a,b,c", "1,2,3;4,5", "1,2,nan", "1,2,0", "1,2,-5", ";", "1,2,3,4", "1e99,2,3"])
def test_pits_that_cannot_be(text: str) -> None:
    with pytest.raises(BadPits, match="--pits"):
        parse_pits(text)


@pytest.mark.parametrize("text", ["", " "])
def test_an_empty_list_of_pits_is_called_so(text: str) -> None:
    with pytest.raises(BadPits, match=r"^--pits is empty: write x,y,r"):
        parse_pits(text)


def test_pits_as_written() -> None:
    assert parse_pits("10,20.5,3; 4,5,6;") == [(10.0, 20.5, 3.0), (4.0, 5.0, 6.0)]


class PlayedCounter:
    """Counts one more in each pit than in the one before."""

    def study(self, *cuts: Cut) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        pictures = cuts[0](margin=MARGIN)
        loglik = np.full((len(pictures), COUNTS), -8.0, np.float32)
        loglik[np.arange(len(pictures)), np.arange(len(pictures)) % 20] = 0
        return loglik, np.zeros(len(pictures), np.float32)


VIEW = BoardView(2, 6, np.stack(np.meshgrid(np.arange(6) * 9.0 + 8, np.arange(2) * 20.0 + 12), -1),
                 np.full((2, 6), 4.0), np.eye(3), 0.4, (64, 48), stores=((4.0, 22.0, 2.0, 9.0),))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> PhotoReader:
    def find(image: NDArray[np.uint8], board: Board | None = None, south: str = "bottom") -> BoardView | NotFound:
        return NotFound("no board-like lattice of pits") if image.mean() < 60 else VIEW

    monkeypatch.setattr(photos, "find_board", find)
    monkeypatch.setattr(photos, "Reader", PlayedCounter)
    monkeypatch.setattr(photos, "crop_view", lambda *_, **__: np.zeros((12, 80, 80, 3), np.uint8))
    return PhotoReader()


def test_the_kept_form(tmp_path: Path, reader: PhotoReader) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    form = reader.read(path).form
    assert list(form) == ["image", "found", "board", "rows", "cols", "ms", "pits", "stores", "warnings", "sizes"]
    assert form["sizes"] == [] and form["warnings"] == []
    assert form["found"] is True and form["board"] == "2x6" and set(form["ms"]) == {"find", "count"}
    assert [p["name"] for p in form["pits"]] == list("abcdefABCDEF")
    first, last = form["pits"][0], form["pits"][-1]
    assert (first["x"], first["y"], first["r"], first["count"]) == (8.0, 32.0, 4.0, 0)
    assert (last["x"], last["y"], last["count"]) == (8.0, 12.0, 11)
    assert len(first["probs"]) == 26 and first["p"] == pytest.approx(first["probs"][0], abs=1e-3) and first["p"] > 0.98
    assert form["stores"] == [{"x": 4.0, "y": 22.0, "rx": 2.0, "ry": 9.0, "count": 0, "p": pytest.approx(1, abs=0.02)}]
    assert "a 2x6 board" in read_line(form) and "A 6" in read_line(form).replace("  ", " ")


@pytest.mark.parametrize(("sizes", "said"), [
    (((2, 6, 0.97), (2, 7, 0.03)), None), (((2, 6, 0.6), (2, 7, 0.3), (2, 5, 0.1)), "2x6, but it may be 2x7 or 2x5"),
    (((2, 7, 0.55), (2, 6, 0.45)), "2x6, but it may be 2x7"), (((2, 7, 0.95), (2, 6, 0.05)), "2x6, but it may be 2x7"),
    (((2, 6, 0.7),), None)])
def test_a_size_that_is_not_plain_is_named_as_a_doubt(tmp_path: Path, reader: PhotoReader, sizes: Any, said: str | None,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    monkeypatch.setattr(photos, "find_board", lambda *_: replace(VIEW, sizes=sizes))
    form = reader.read(path).form
    assert form["sizes"] == [{"board": f"{rows}x{cols}", "p": p} for rows, cols, p in sizes]
    assert form["warnings"] == ([said] if said else []) and form["board"] == "2x6"
    assert f"a {said or '2x6 board'}\n" in read_line(form)


def test_of_a_covered_pit_no_count_is_believed(tmp_path: Path, reader: PhotoReader,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    class Covering(PlayedCounter):
        def study(self, *cuts: Cut) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            loglik, covered = super().study(*cuts)
            covered[3:4] = 1.0
            return loglik, covered

    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    plain = reader.read(path).form["pits"]
    monkeypatch.setattr(photos, "Reader", Covering)
    pits = PhotoReader().read(path).form["pits"]
    assert pits[3]["p"] == pytest.approx(1 / COUNTS, abs=1e-3) and pits[3]["hidden"]
    assert pits[2] == plain[2] and not pits[2]["hidden"]


def test_pits_beyond_the_pictures_edge_are_said_to_be_hidden(tmp_path: Path, reader: PhotoReader,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    cut = replace(VIEW, centres=VIEW.centres - (9.5, 0), cut=True)
    monkeypatch.setattr(photos, "find_board", lambda *_: cut)
    form = reader.read(path).form
    hidden = [p["name"] for p in form["pits"] if p["hidden"]]
    assert hidden == ["a", "F"] and all(p["p"] == pytest.approx(1 / COUNTS, abs=1e-3)
                                        for p in form["pits"] if p["name"] in hidden)
    said = read_line(form).splitlines()
    assert said[-1] == "Hidden, so not counted: a, F." and "F  –" in said[1] and "a  –" in said[2]


@pytest.mark.parametrize(("sizes", "said"), [
    (((2, 6, 0.97),), []), (((2, 6, 0.4), (2, 5, 0.6)), []),
    (((2, 5, 0.99),), ["2x6, but it looks like 2x5"]), (((2, 7, 0.9), (2, 6, 0.1)), ["2x6, but it looks like 2x7"])])
def test_a_size_that_was_told_and_plainly_does_not_fit_is_questioned(
        tmp_path: Path, reader: PhotoReader, sizes: Any, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    monkeypatch.setattr(photos, "find_board", lambda *_: replace(VIEW, sizes=sizes))
    form = PhotoReader(Board(2, 6)).read(path).form
    assert form["warnings"] == said and form["board"] == "2x6"
    assert read_line(form).startswith(f"{path}: a {said[0] if said else '2x6 board'}\n")


@pytest.mark.parametrize(("told", "advice"), [
    (None, ", or name its size: --board 4x8"), (Board(4, 8), "")])
def test_a_refusal_says_what_it_takes_for_likeliest_and_what_to_do(
        tmp_path: Path, reader: PhotoReader, told: Board | None, advice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    monkeypatch.setattr(photos, "find_board", lambda *_: NotFound("perhaps a 4x8 board, but it is cut", (4, 8)))
    assert PhotoReader(told).read(path).form["reason"] == (
        "perhaps a 4x8 board, but it is cut: take all of it from straight above in more even light" + advice)


def test_named_pits_come_back_in_their_order(tmp_path: Path, reader: PhotoReader) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    form = reader.read(path, [(30.0, 20.0, 5.0), (10.0, 10.0, 4.0)]).form
    assert form["board"] is None and form["found"] is True
    assert [(p["x"], p["count"]) for p in form["pits"]] == [(30.0, 0), (10.0, 1)]


def seen_from(tilt: float) -> BoardView:
    """A board of two rows of eight from so many degrees off the plumb."""
    where = places(2, 8, 1.2)
    return view_of(camera((640, 400), 0, tilt, 90, 12, where.reshape(-1, 2).mean(0)), where, 0.42, (640, 400))


@pytest.mark.parametrize(("tilt", "tilted"), [(20, False), (40, False), (55, True)])
@pytest.mark.parametrize("given", [False, True])
def test_a_board_seen_from_low_aside_is_warned_of(tmp_path: Path, reader: PhotoReader, given: bool, tilt: float,
                                                  tilted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    path, view = tmp_path / "board.jpg", seen_from(tilt)
    path.write_bytes(jpeg(size=view.picture_size))
    monkeypatch.setattr(photos, "find_board", lambda *_: view)
    monkeypatch.setattr(photos, "crop_view", lambda *_, **__: np.zeros((16, 80, 80, 3), np.uint8))
    circles = [(e.x, e.y, (e.rx + e.ry) / 2) for row in pit_ellipses(view) for e in row]
    form = reader.read(path, circles if given else None).form
    assert form["warnings"] == (["tilted"] if tilted else [])
    said = "The camera looks from too low: near walls may hide seeds. Hold it closer to straight above."
    assert (said in read_line(form)) == tilted


@pytest.mark.parametrize("given", [False, True])
def test_a_dark_picture_is_warned_of_in_a_sentence(tmp_path: Path, reader: PhotoReader, given: bool,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg(30))
    monkeypatch.setattr(photos, "find_board", lambda *_: VIEW)
    form = reader.read(path, [(30.0, 20.0, 5.0)] if given else None).form
    assert form["warnings"] == ["dark"]
    assert read_line(form).splitlines()[-1] == "The picture is dark: give the board more light."


def test_circles_that_overlap_are_warned_of_where_their_shapes_cannot_be_told(tmp_path: Path,
                                                                              reader: PhotoReader) -> None:
    view = seen_from(68)
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg(size=view.picture_size))
    circles = [(e.x, e.y, (e.rx + e.ry) / 2) for row in pit_ellipses(view) for e in row]
    few = [*circles[:3], *circles[8:11]]
    form = reader.read(path, few).form
    assert form["warnings"] == ["overlap"]
    assert "name all pits of the board (8 to 48)" in read_line(form)
    assert "overlap" not in reader.read(path, circles).form["warnings"], "their shapes are told"
    apart = [(x, y, 0.6 * r) for x, y, r in few]
    assert reader.read(path, apart).form["warnings"] == []


def test_the_overlay_shows_what_was_cut_out(tmp_path: Path, reader: PhotoReader,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pits seen slantwise ellipses, whether they were found or given as circles."""
    path, view = tmp_path / "board.png", seen_from(55)
    write_picture(path, np.zeros((400, 640, 3), np.uint8))
    monkeypatch.setattr(photos, "find_board", lambda *_: view)
    monkeypatch.setattr(photos, "crop_view", lambda *_, **__: np.zeros((16, 80, 80, 3), np.uint8))
    true = [e for row in pit_ellipses(view) for e in row]
    for circles in (None, [(e.x, e.y, (e.rx + e.ry) / 2) for e in true]):
        read = reader.read(path, circles)
        for name, pit, rim in zip(range(16), read.form["pits"], read.rims, strict=True):
            assert (rim.x, rim.y) == pytest.approx((pit["x"], pit["y"]), abs=0.06), name
            nearest = min(true, key=lambda e: math.hypot(e.x - rim.x, e.y - rim.y))
            assert (rim.rx, rim.ry) == pytest.approx((nearest.rx, nearest.ry), rel=0.06) and rim.ry < 0.7 * rim.rx
        draw_overlay(path, read, tmp_path / "seen.png")
        drawn = cv2.imread(str(tmp_path / "seen.png"))
        assert drawn is not None
        rim = read.rims[0]
        along = np.array([math.cos(math.radians(rim.angle)), math.sin(math.radians(rim.angle))])
        across = np.array([-along[1], along[0]])
        assert _lit(drawn, rim, along * rim.rx) and _lit(drawn, rim, across * rim.ry)
        assert not _lit(drawn, rim, across * (rim.rx + rim.ry) / 2), "no circle"


def _lit(drawn: NDArray[Any], rim: Ellipse, off: NDArray[np.float64]) -> bool:
    """Whether anything is drawn within a pixel of that place beside the middle of a pit, on black."""
    x, y = round(rim.x + off[0]), round(rim.y + off[1])
    return bool(drawn[y - 1:y + 2, x - 1:x + 2].max() > 100)


def rendered_from_low_aside() -> tuple[NDArray[np.uint8], list[tuple[float, float, float]], NDArray[np.int64]]:
    """A board of two rows of six seen from 68 degrees off the plumb, its pits as circles, and what lies in them."""
    rng = np.random.default_rng(5)
    style = SceneStyle.house(2, 6)
    lens = replace(style.lens, tilt=math.radians(68), bearing=math.radians(60), fill=0.8)
    counts = rng.integers(1, 6, (2, 6))
    scene = RenderedTable(replace(style, lens=lens), (960, 540), counts, samples=1)
    circles = []
    for pit in range(12):
        (x, y), (long, short), _ = cv2.fitEllipse(scene.rim(pit).astype(np.float32))
        circles.append((float(x), float(y), (long + short) / 4))
    return scene.finish(scene.image(), rng), circles, counts.ravel()


def test_pits_handed_over_of_a_board_seen_from_low_aside_are_read_by_their_shape(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As circles they would show what lies in the pits beside them as well."""
    picture, circles, counts = rendered_from_low_aside()
    path = tmp_path / "aside.png"
    write_picture(path, picture)
    reader = PhotoReader()
    form = reader.read(path, circles).form
    assert [(p["x"], p["y"], p["r"]) for p in form["pits"]] == [tuple(round(v, 1) for v in c) for c in circles]
    monkeypatch.setattr(photos, "handed_shapes", lambda given, _: np.array([np.eye(2) * r for *_, r in given]))
    as_circles = reader.read(path, circles).form
    right, likely = zip(*(_read_right(read, counts) for read in (form, as_circles)), strict=True)
    assert right[0] >= right[1] + 3
    assert likely[0] > likely[1] + 5


def _read_right(form: dict[str, Any], counts: NDArray[np.int64]) -> tuple[int, float]:
    """Of how many pits the count is right, and the log-likelihood of what lies in all of them."""
    pairs = list(zip(form["pits"], counts.tolist(), strict=True))
    return sum(p["count"] == n for p, n in pairs), sum(math.log(max(1e-5, p["probs"][n])) for p, n in pairs)


def test_a_picture_without_a_board(tmp_path: Path, reader: PhotoReader) -> None:
    path = tmp_path / "cat.jpg"
    path.write_bytes(jpeg(30))
    read, out = reader.read(path), tmp_path / "seen.png"
    assert read.form == {"image": str(path), "found": False, "reason": "no board-like lattice of pits"}
    assert not read.unusable
    draw_overlay(path, read, out)
    assert not out.exists()


def test_pits_outside_the_picture(tmp_path: Path, reader: PhotoReader) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    read = reader.read(path, [(10, 10, 4), (64, 10, 4)])
    assert read.form["reason"] == "pit 2 of --pits lies outside the picture of 64×48 pixels" and read.unusable


def test_a_pit_wider_than_the_picture_is_none_of_it(tmp_path: Path, reader: PhotoReader) -> None:
    path = tmp_path / "bowl.jpg"
    path.write_bytes(jpeg())
    read = reader.read(path, [(10, 10, 4), (30, 20, 32.5)])
    assert read.form["found"] is False and read.unusable and read.form["reason"] == (
        "pit 2 of --pits has a radius of 32.5 pixels and is wider than the picture of 64×48 pixels")
    assert reader.read(path, [(30, 20, 32)]).form["found"], "a bowl may fill the picture"


def test_a_folder_and_a_missing_file_are_arguments_that_do_not_fit_and_a_broken_picture_is_none(
        tmp_path: Path, reader: PhotoReader) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_text("text")
    assert [reader.read(path).unusable for path in (tmp_path, tmp_path / "none.jpg", broken)] == [True, True, False]


def test_orange_in_the_overlay_is_a_question_mark_in_the_text(tmp_path: Path, reader: PhotoReader) -> None:
    path, out = tmp_path / "board.jpg", tmp_path / "seen.png"
    path.write_bytes(jpeg())
    for p, doubtful in ((0.79, True), (0.81, False)):
        form = {"image": str(path), "found": True, "board": "2x2", "rows": 2, "cols": 2, "pits": [
            {"name": name, "x": 20.0, "y": 20.0, "r": 10.0, "count": 3, "p": p} for name in "abAB"]}
        draw_overlay(path, Photograph(form, [Ellipse(20.0, 20.0, 10.0, 10.0, 0.0)] * 4), out)
        drawn = cv2.imread(str(out))
        assert drawn is not None
        assert ("?" in read_line(form)) == ("a=3?" in read_line(form | {"board": None})) == doubtful
        assert bool((drawn == DOUBTFUL).all(axis=2).any()) == doubtful


def test_the_overlay_is_drawn_beside_the_photograph(tmp_path: Path, reader: PhotoReader) -> None:
    path, out = tmp_path / "board.jpg", tmp_path / "seen.png"
    path.write_bytes(jpeg())
    draw_overlay(path, reader.read(path), out)
    before, after = cv2.imread(str(path)), cv2.imread(str(out))
    assert before is not None and after is not None and before.shape == after.shape
    assert np.abs(after.astype(int) - before).max() > 50
    with pytest.raises(OutputError, match="cannot be written: No such file"):
        draw_overlay(path, reader.read(path), tmp_path / "nowhere" / "seen.png")


def test_a_folder_takes_an_overlay_of_each_photograph(tmp_path: Path) -> None:
    seen, twice = tmp_path / "seen", tmp_path / "twice"
    seen.mkdir()
    twice.mkdir()
    images = [tmp_path / "a.jpg", tmp_path / "b.heic", tmp_path / "c.png"]
    assert [path.name for path in overlays(images, seen)] == ["a.jpg", "b.heic.png", "c.png"]
    with pytest.raises(Unusable, match=r"two photographs would be drawn into .*a\.jpg"):
        overlays([*images, twice / "a.jpg"], seen)
    with pytest.raises(Unusable, match="is not an existing folder: 3 photographs need one"):
        overlays(images, tmp_path / "none")
    images[0].write_bytes(jpeg())
    with pytest.raises(Unusable, match="named twice"):
        overlays(images, tmp_path)
