"""Clips of fouls: which pictures, in which file, told when it is on the disk, and no verdict waits for them."""

import hashlib
import io
import json
import threading
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

import device.system
from device.evidence.clips import MOST_BYTES, MOST_PICTURES, Clips, packed
from device.evidence.live_picture import EVERY_S
from device.evidence.live_picture import QUALITY as LIVE_QUALITY
from device.evidence.quota import Quota
from device.evidence.stills import Stills
from device.eyes.pipeline import InlineRunner
from device.journal import Journal
from device.journal.backup import stills
from device.journal.events import ClipKept, Event, VerdictGiven, VerdictKind
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.board import Side
from engine.rules import ruleset
from tests.device.painted import PaintedCamera, PaintedEye, Script

SAMPLE = Path(device.system.__file__).parent / "board.jpg"
"""A picture of the simulated table, as its camera gives it."""


def verdict(kind: VerdictKind = "illegal", hands_in: float = 5.0, t: float = 8.0, hands_s: float = 1.0) -> VerdictGiven:
    return VerdictGiven(kind=kind, player="S", before="", position="", sentence="", hands_in=hands_in,
                        hands_out=hands_in + hands_s, t=t)


def filmed(folder: Path, seconds: float = 10.0, size: int = 1000) -> Clips:
    """Ten pictures a second, each of its own bytes."""
    clips = Clips(folder)
    for i in range(round(seconds * 10)):
        clips.picture(i / 10, i.to_bytes(4) * (size // 4))
    return clips


def index(path: Path) -> dict[str, object]:
    with zipfile.ZipFile(path) as file:
        found: dict[str, object] = json.loads(file.read("clip.json"))
        assert len(file.namelist()) == 1 + len(found["times"])  # type: ignore[arg-type]  # a list
    return found


def test_a_clip_takes_under_a_third_of_what_its_live_pictures_did(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    noise = cv2.resize(rng.integers(0, 40, (180, 320, 3)).astype(np.uint8), (1280, 720))
    jpeg = cv2.imencode(".jpg", noise + 60, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()
    clips = Clips(tmp_path)
    for i in range(20):
        clips.picture(4 + i / 5, jpeg)
    clips.keep(verdict(), 41)
    (kept,) = clips.close()
    with zipfile.ZipFile(tmp_path / kept.clip) as file:
        shown = cv2.imdecode(np.frombuffer(file.read("000.webp"), np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None and shown.shape == (540, 960, 3)
    assert (tmp_path / kept.clip).stat().st_size < 0.3 * 19 * len(jpeg)


def test_an_hour_of_evidence_takes_at_most_a_hundred_megabytes(tmp_path: Path) -> None:
    """A move every 15 s, the hand over the board for five of them, and every fourth is asked about or accused."""
    moves, hands_s = 240, 5.0
    picture = cv2.imread(str(SAMPLE))
    assert picture is not None and picture.shape == (720, 1280, 3)
    still = (tmp_path / Stills(tmp_path).save(np.asarray(picture, np.uint8))).stat().st_size
    live = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, LIVE_QUALITY])[1].tobytes()
    clips = Clips(tmp_path)
    for t in np.arange(0.0, 10.0, EVERY_S):
        clips.picture(float(t), live)
    clips.keep(verdict(hands_in=9.9 - hands_s, t=10.0), 1)
    (kept,) = clips.close()
    clip = (tmp_path / kept.clip).stat().st_size
    assert index(tmp_path / kept.clip)["times"][-1] > hands_s  # type: ignore[index]  # a list
    assert moves * still + moves / 4 * clip < 100e6, (still, clip)


def test_clip_begins_before_the_hand(tmp_path: Path) -> None:
    clips = filmed(tmp_path)
    clips.keep(verdict(), 41)
    (kept,) = clips.close()
    assert kept.verdict == 41 and (tmp_path / kept.clip).is_file()
    data = (tmp_path / kept.clip).read_bytes()
    assert kept.clip == hashlib.sha256(data).hexdigest() + ".zip"
    told = index(tmp_path / kept.clip)
    assert told["cut"] is False and isinstance(told["times"], list)
    assert told["times"][0] == 0.0 and told["times"][-1] == pytest.approx(9.9 - 4.2)
    with zipfile.ZipFile(tmp_path / kept.clip) as file:
        assert file.read("000.jpg")[:4] == (42).to_bytes(4)


@pytest.mark.parametrize(("kind", "wanted"), [("legal", False), ("withdrawn", False), ("illegal", True),
                                              ("not-sure", True), ("tampered", True)])
def test_only_accusations_have_clips(tmp_path: Path, kind: VerdictKind, wanted: bool) -> None:
    clips = filmed(tmp_path)
    clips.keep(verdict(kind), 1)
    assert bool(clips.close()) is wanted and bool(list(tmp_path.iterdir())) is wanted


def test_no_hand_was_seen(tmp_path: Path) -> None:
    clips = filmed(tmp_path)
    clips.keep(verdict("tampered", hands_in=9.5, t=9.9, hands_s=0.0), 1)
    (kept,) = clips.close()
    assert index(tmp_path / kept.clip)["times"][-1] == pytest.approx(6.0, abs=0.11)  # type: ignore[index]  # a list


@pytest.mark.parametrize("hands_s", [0.0, 2.0])
def test_the_board_before_a_stall_of_the_camera_is_shown(tmp_path: Path, hands_s: float) -> None:
    """The move was made in the gap, wholly or until hands were seen."""
    clips = filmed(tmp_path)
    for i in range(30):
        clips.picture(25 + i / 10, b"after")
    clips.keep(verdict(hands_in=25.4, t=27.9, hands_s=hands_s), 1)
    (kept,) = clips.close()
    told = index(tmp_path / kept.clip)
    assert told["began"] == pytest.approx(9.1) and told["gaps"] == [[pytest.approx(0.8), pytest.approx(15.9)]]
    assert told["cut"] is False


def test_long_move_is_cut_and_says_so(tmp_path: Path) -> None:
    clips = filmed(tmp_path, 40.0)
    clips.keep(verdict(hands_in=2.0, t=39.0), 1)
    (kept,) = clips.close()
    told = index(tmp_path / kept.clip)
    assert told["cut"] is True and len(told["times"]) == MOST_PICTURES  # type: ignore[arg-type]  # a list


def test_memory_is_bounded(tmp_path: Path) -> None:
    clips = filmed(tmp_path, 12.0, size=MOST_BYTES // 40)
    clips.keep(verdict(hands_in=0.1, t=11.0), 1)
    (kept,) = clips.close()
    assert (tmp_path / kept.clip).stat().st_size <= MOST_BYTES + 10_000


def test_nothing_waits_for_a_slow_disk_and_a_full_one_does_no_harm(tmp_path: Path) -> None:
    gate = threading.Event()

    def slow(path: Path, data: bytes) -> None:
        gate.wait(20)
        raise OSError(28, "no space left on device")

    clips = Clips(tmp_path, slow)
    for i in range(20):
        clips.picture(i / 10, bytes([i]) * 50)
    for number in range(9):
        clips.keep(verdict(hands_in=0.5, t=1.0), number)
    assert clips.kept() == []
    gate.set()
    assert clips.close() == []


def test_recording_that_begins_anew(tmp_path: Path) -> None:
    clips = filmed(tmp_path)
    clips.picture(0.0, b"x")
    clips.picture(0.1, b"y")
    clips.keep(verdict(hands_in=0.05, t=0.1), 1)
    (kept,) = clips.close()
    assert index(tmp_path / kept.clip)["times"] == [0.0, 0.1]


def test_same_pictures_make_the_same_file() -> None:
    shown = [(1.0, b"a"), (1.2, b"b")]
    assert packed(shown) == packed(shown) != packed(shown, cut=True)
    with zipfile.ZipFile(io.BytesIO(packed(shown))) as file:
        assert file.testzip() is None


def test_clips_are_backed_up_and_never_dropped(tmp_path: Path) -> None:
    event = Event(number=3, at="", type="ClipKept", body=ClipKept(verdict=2, clip="c" * 64 + ".zip"), hash="")
    assert [name for name, _ in stills([event])] == ["c" * 64 + ".zip"]
    (tmp_path / ("c" * 64 + ".zip")).write_bytes(b"x" * 5000)
    quota = Quota(tmp_path, 1000, least_free=0)
    quota.note([event])
    assert quota.tend() is None and (tmp_path / ("c" * 64 + ".zip")).exists()


def test_table_keeps_the_clip_of_a_foul(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.evidence.live_picture.EVERY_S", 0.05)
    rules = ruleset("enkeshui", "driedger")
    script = Script(rules).rest(1.5).move()
    counts = list(script.position.counts)
    full = max(range(8, 16), key=counts.__getitem__)
    counts[0], counts[full] = counts[0] + 2, counts[full] - 2
    script.move(counts, Side.NORTH, rest=5.0)
    left = [6]

    def at_end() -> None:
        left[0] -= 1

    camera = PaintedCamera(script, live=True, at_end=at_end)
    Loop(Wanted(DataFolder(tmp_path)), lambda _game: camera, lambda: left[0] <= 0, PaintedEye,
         InlineRunner()).run()
    with Journal(tmp_path / "journal.sqlite3", readonly=True) as journal:
        events = journal.read()
    (kept,) = [e.body for e in events if isinstance(e.body, ClipKept)]
    accused = next(e for e in events if e.number == kept.verdict)
    assert isinstance(accused.body, VerdictGiven) and accused.body.kind in ("illegal", "not-sure", "tampered")
    with zipfile.ZipFile(tmp_path / "evidence" / kept.clip) as file:
        assert file.read("000.webp").startswith(b"RIFF")
