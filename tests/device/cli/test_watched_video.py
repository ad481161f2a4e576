"""`inkeek watch --video`: the recording as a film, with what the table believes and says drawn in."""

import errno
import io
import json
import weakref
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from PIL import Image

from device.cli.files import OutputError
from device.cli.watch import refereeing, video
from device.cli.watch.recorded_game import Seen
from device.cli.watch.video import HOLD_S, LONGEST, SHORTEST, Pages, Video
from device.cli.watch.watcher import Match, Watcher
from device.eyes.eyes import find_board
from device.films.encoder import Encoder
from device.journal.states import State
from engine.rules import ruleset
from tests.bench.simulated_clips import Clip, write
from tests.device.cli.test_watched import ASKED, Film, command, followed
from tests.device.painted import FPS, PaintedEye, Script, doubled
from vision.reading import BoardView, Frame

FOUL = {"event": "verdict", "kind": "illegal", "player": "S", "move": "c", "t": 2.0, "confidence": 0.98,
        "faults": [{"code": "double", "pit": "d", "lap": 1, "n": 1}], "sentence": "South dropped two seeds into d.",
        "position": "0,0,4,4,4,4,4,4/1,0,0,6,5,5,5,5 N 0-0", "expected": "0,0,4,4,4,4,4,4/1,0,0,5,5,5,5,6 N 0-0"}
MEDDLED = "0,0,4,4,4,4,4,4/0,0,3,5,4,4,4,4 S 0-0"
BEGUN = {"event": "position", "t": 0.1, "position": "0,0,4,4,4,4,4,4/0,0,4,4,4,4,4,4 S 0-0"}


def pictures(path: Path) -> list[tuple[float, Image.Image]]:
    """The film's pictures, with their seconds."""
    with av.open(str(path), "r") as film:
        stream = film.streams.video[0]
        assert stream.codec_context.name == "h264" and stream.codec_context.pix_fmt == "yuv420p"
        return [(float(frame.time or 0), frame.to_image())  # type: ignore[no-untyped-call]
                for frame in film.decode(stream)]


def coloured(picture: Image.Image, colour: str) -> int:
    """How many pixels are red as the ring of a fault, ochre as that of a doubt, or white as letters."""
    r, g, b = np.moveaxis(np.asarray(picture, np.int16), 2, 0)
    return int({"red": (r > 150) & (g < 60) & (b < 60), "ochre": (r > 225) & (abs(g - 211) < 30) & (abs(b - 107) < 40),
                "white": (r > 225) & (g > 215) & (b > 200)}[colour].sum())


# ---- a recording of a rendered table, from its file to the film's file

@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """South skips a pit."""
    rules, stem = ruleset("endodoi"), tmp_path_factory.mktemp("rendered") / "game"
    write(Clip(rules, rules.setup(), seed=5, moves=1, script=("!skip",), pace="fast", fps=10.0, size=(640, 360),
               samples=1), stem)
    return stem.with_suffix(".mp4")


def test_a_recording_becomes_a_film_with_counts_and_verdict(rendered: Path, tmp_path: Path) -> None:
    out, heard = tmp_path / "out.mp4", io.StringIO()
    with redirect_stdout(heard):
        assert command("watch", rendered, "--game", "endodoi", "--board", "2x6", "--json", "--video", out,
                       "--report", tmp_path / "out.html") == (0, "")
    said = [json.loads(line) for line in heard.getvalue().splitlines()]
    foul = next(form for form in said if form.get("kind") == "illegal")
    assert "skipped" in (tmp_path / "out.html").read_text("utf-8"), "beside --json and --report"
    recorded, film = _frames(rendered), pictures(out)
    assert len(film) == len(recorded) + len(HOLD_S)
    assert film[-1][0] == pytest.approx((len(recorded) - 1) / 10 + HOLD_S[-1], abs=0.01)
    width, height = film[0][1].size
    assert width == 640 and height > 360 + 60 and height % 2 == 0
    assert {picture.size for _, picture in film} == {(width, height)}
    assert not list(tmp_path.glob(".inkeek-*"))

    before = [picture for t, picture in film if t < foul["t"] - 0.05]
    assert not any(coloured(picture, "red") for picture in before), "no fault is drawn before it was called one"
    after = film[-1][1]
    assert coloured(after, "red") > 300
    view = find_board(recorded[-1])
    assert isinstance(view, BoardView)
    top = next(i for i in range(10, 60) if _alike(film[0][1].crop((0, i, 640, i + 360)), recorded[0]))
    hands_in = film[round((foul["hands_in"] + foul["hands_out"]) / 2 * 10)][1]
    for row, col in ((1, 0), (0, 5)):  # far from the fault, and from the hand in the middle of its move
        x, y = view.centres[row, col]
        r = view.radii[row, col]
        box = (round(x - r), round(y - 1.2 * r) + top, round(x + r), round(y - 0.45 * r) + top)
        letters = [coloured(picture.crop(box), "white") for picture in (film[0][1], hands_in, after)]
        assert letters[0] < letters[1] < letters[2], "nothing, the pit's letter, its letter and its count"


def _frames(path: Path) -> list[np.ndarray]:
    """The recording's pictures, BGR."""
    recording, found = cv2.VideoCapture(str(path)), []
    while (read := recording.read())[0]:
        found.append(np.asarray(read[1], np.uint8))
    return found


def _alike(picture: Image.Image, image: np.ndarray) -> bool:
    return float(np.abs(np.asarray(picture, np.int16)[..., ::-1] - image).mean()) < 4


# ---- a painted recording, by the command

@pytest.fixture
def script() -> Script:
    """A foul, and what is played after it."""
    script = Script(ruleset("enkeshui", "driedger")).rest(1)
    return script.move(doubled(script.rules, script.position)).move(rest=2)


@pytest.fixture
def film(script: Script, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A recording for the command line, whose pictures are painted."""
    monkeypatch.setattr(refereeing, "camera_of_file", lambda _path: Film(script))
    monkeypatch.setattr(refereeing, "Watcher", partial(Watcher, eye=PaintedEye))
    path = tmp_path / "film.mp4"
    path.write_bytes(b"a recording")
    return path


def test_a_start_that_is_read_first_is_not_shown_twice(film: Path, script: Script, tmp_path: Path) -> None:
    with redirect_stdout(io.StringIO()):
        assert command("watch", film, *ASKED, "--start", "auto", "--video", tmp_path / "out.mp4")[0] == 0
    times = [t for t, _ in pictures(tmp_path / "out.mp4")]
    assert len(times) == len(script.images) + len(HOLD_S) and times == sorted(set(times))
    assert times[-1] == pytest.approx((len(script.images) - 1) / FPS + 3, abs=0.01)


def test_where_no_film_can_be_written_nothing_is_refereed(film: Path, tmp_path: Path) -> None:
    (tmp_path / "link.mp4").symlink_to(film)
    out = io.StringIO()
    with redirect_stdout(out):
        for path, due, why in ((tmp_path, 2, "is a directory"),
                               (tmp_path / "none" / "a.mp4", 2, "there is no directory"),
                               (tmp_path / ("x" * 300), 2, "cannot be written: File name too long"),
                               (film, 2, "is named twice"), (tmp_path / "link.mp4", 2, "is named twice"),
                               (Path("/proc/a.mp4"), 1, "cannot be written: ")):
            status, said = command("watch", film, *ASKED, "--video", path)
            assert status == due and said.startswith("inkeek: ") and said.count("\n") == 1 and why in said
            assert str(path) in said
    assert not out.getvalue() and film.read_bytes() == b"a recording"
    assert not list(tmp_path.glob(".inkeek-*"))


def test_without_pyav_it_says_what_to_install(film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "films_are_made", lambda: False)
    assert command("watch", film, *ASKED, "--video", tmp_path / "out.mp4") == (
        1, "inkeek: --video needs PyAV: pip install 'inkeek[clips]'\n")


def test_a_full_disk_costs_the_film_and_not_the_verdicts(film: Path, tmp_path: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_given: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Encoder, "add", full)
    (tmp_path / "out.mp4").write_bytes(b"an older film")
    out = io.StringIO()
    with redirect_stdout(out):
        status, said = command("watch", film, *ASKED, "--video", tmp_path / "out.mp4", "--json")
    assert "illegal" in {json.loads(line).get("kind") for line in out.getvalue().splitlines()}
    assert (status, said) == (1, f"inkeek: {tmp_path / 'out.mp4'} cannot be written: No space left on device\n")
    assert (tmp_path / "out.mp4").read_bytes() == b"an older film" and not list(tmp_path.glob(".inkeek-*"))


def test_a_recording_that_breaks_off_leaves_no_half_film(script: Script, film: Path, tmp_path: Path) -> None:
    script.gone()
    with redirect_stdout(io.StringIO()):
        status, said = command("watch", film, *ASKED, "--video", tmp_path / "out.mp4")
    assert status == 1 and said == "inkeek: the camera was pulled out\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.mp4"]


# ---- what is held, and what is drawn

def seen(number: int, image: np.ndarray | None = None, view: BoardView | None = None,
         state: State = State.WATCHING, hand: bool = False) -> Seen:
    image = np.zeros((360, 640, 3), np.uint8) if image is None else image
    return Seen(Frame(image, number * 100_000_000, number), view, state, hand)


def test_no_picture_is_held_but_the_newest(tmp_path: Path) -> None:
    images: list[weakref.ref[np.ndarray]] = []
    with Video(tmp_path / "out.mp4", "film.mp4") as made:
        for number in range(30):
            image = np.full((36, 64, 3), number, np.uint8)
            images.append(weakref.ref(image))
            made.seen(seen(number, image))
            del image
            assert sum(one() is not None for one in images) <= 1
        made.write_out()


def test_large_pictures_become_smaller_and_small_ones_larger(tmp_path: Path) -> None:
    for name, shape, wide in (("a", (1080, 1920, 3), LONGEST), ("b", (48, 64, 3), SHORTEST), ("c", (901, 801, 3), 800)):
        with Video(tmp_path / name, "film.mp4") as made:
            made.seen(seen(0, np.zeros(shape, np.uint8)))
            made.seen(seen(1, np.zeros((480, 640, 3), np.uint8)))  # of a folder, whose pictures may differ
            made.write_out()
        size = pictures(tmp_path / name)[0][1].size
        assert abs(size[0] - wide) <= 2 and size[0] % 2 == size[1] % 2 == 0


def test_a_film_that_was_written_to_before_is_replaced_whole(tmp_path: Path, script: Script) -> None:
    path = tmp_path / "out.mp4"
    with Video(path, "film.mp4") as made:
        followed(script, made)
        assert not path.exists()
        path.mkdir()
        with pytest.raises(OutputError, match="cannot be written: Is a directory"):
            made.write_out()


@pytest.fixture
def view() -> BoardView:
    """A board in the middle of a picture of 640 × 360 pixels."""
    centres = np.stack(np.meshgrid(np.arange(8) * 70.0 + 75, np.arange(2) * 100.0 + 130), -1)
    return BoardView(2, 8, centres, np.full((2, 8), 25.0), np.eye(3), 0.4, (640, 360))


def drawn(forms: list[dict[str, Any]], given: Seen) -> tuple[Image.Image, int, int]:
    """The page, and where its picture begins and ends."""
    drawing = Pages("film.mp4", (640, 360))
    for form in forms:
        drawing.event(form)
    made = drawing.page(Image.new("RGB", (640, 360)), given)
    top = round(640 * 0.045 / 2) * 2
    return made, top, top + 360


def test_a_fault_is_ringed_until_the_next_hand_and_its_sentence_stays(view: BoardView) -> None:
    rest, top, end = drawn([BEGUN, FOUL], seen(1, view=view))
    hands, _, _ = drawn([BEGUN, FOUL], seen(1, view=view, state=State.HANDS_IN, hand=True))
    assert coloured(rest.crop((0, top, 640, end)), "red") > 200
    assert not coloured(hands.crop((0, top, 640, end)), "red")
    foot = (0, end, *rest.size)
    assert rest.crop(foot).tobytes() == hands.crop(foot).tobytes() and coloured(rest.crop(foot), "red") > 200


def test_a_doubt_names_its_pits_in_ochre_and_claims_no_counts(view: BoardView) -> None:
    doubt = {**FOUL, "kind": "not-sure", "pits": ["d"], "best": [], "faults": [], "expected": None}
    rest, top, end = drawn([BEGUN, doubt], seen(1, view=view))
    hands, _, _ = drawn([BEGUN, doubt], seen(1, view=view, hand=True))
    board = (0, top, 640, end)
    assert coloured(rest.crop(board), "ochre") > 100 and not coloured(rest.crop(board), "red")
    far = (0, top + 80, 640, top + 140)  # North's pits; none is in doubt
    assert rest.crop(far).tobytes() == hands.crop(far).tobytes()


def test_a_doubt_is_not_said_to_be_sure(view: BoardView, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(video, "write", lambda _draw, _at, text, *_more, **_others: written.append(text))
    drawn([BEGUN, FOUL], seen(1, view=view))
    assert "South c, 98.0 % certain" in written
    drawn([BEGUN, FOUL | {"kind": "not-sure", "pits": [], "move": None}], seen(1, view=view))
    assert "Not sure" in written and "South" in written and len([one for one in written if "% certain" in one]) == 1


def test_who_meddled_with_the_board_is_shown_how_it_lay(view: BoardView) -> None:
    meddled = {**FOUL, "kind": "tampered", "player": None, "move": None, "position": MEDDLED}
    rest, top, end = drawn([BEGUN, meddled], seen(1, view=view))
    assert coloured(rest.crop((0, top, 640, end)), "red") > 400


def test_blindness_is_said_and_no_pit_is_claimed(view: BoardView) -> None:
    blind = {"event": "blind", "t": 3.0, "why": "it is too dark"}
    made, top, end = drawn([BEGUN, FOUL, blind], seen(1, view=view, state=State.BLIND))
    assert not any(made.crop((0, top, 640, end)).tobytes()) and coloured(made.crop((0, end, *made.size)), "ochre") > 100
    again, _, _ = drawn([BEGUN, FOUL, blind, {"event": "sighted", "t": 4.0}], seen(1, view=view))
    before, pits = drawn([BEGUN, FOUL], seen(1, view=view))[0], (0, top, 640, end)
    assert again.crop(pits).tobytes() == before.crop(pits).tobytes()
    assert coloured(again.crop((0, end, *again.size)), "ochre") > 100, "from when to when nobody watched"


def test_the_end_of_a_game_stands_beside_the_last_verdict(view: BoardView) -> None:
    end = {"event": "end", "t": 2.0, "result": "27-21", "winner": "S", "reason": "North cannot move"}
    before, top, below = drawn([BEGUN, FOUL], seen(1, view=view))
    made, _, _ = drawn([BEGUN, FOUL, end], seen(1, view=view))
    assert made.crop((0, 0, 640, top)).tobytes() != before.crop((0, 0, 640, top)).tobytes()
    assert made.crop((0, below, *made.size)).tobytes() == before.crop((0, below, *before.size)).tobytes()


def test_live_frames_are_shown_as_the_table_took_them_in(script: Script, tmp_path: Path) -> None:
    """Each once, with what was known then, and the last one again at the end."""
    told: list[Seen] = []
    Watcher(Film(script), Match(script.rules, script.position.board), lambda _form: None, eye=PaintedEye,
            show=told.append).run()
    numbers = [one.frame.number for one in told]
    assert numbers[:-1] == sorted(set(numbers)) and numbers[-1] == numbers[-2]
    assert {one.state for one in told} >= {State.WATCHING, State.HANDS_IN}
    assert all(one.hand for one in told if one.state is State.HANDS_IN)
