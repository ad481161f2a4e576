"""A folder into which something else puts pictures: the newest is given, once and whole."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras.base import Camera, CameraError, CameraGone
from device.cameras.choose import cameras, choose_camera
from device.cameras.folder import WatchedFolder
from device.journal.messages import message
from device.table.sight import Sight
from engine.messages import message_in
from tests.device.cameras.plain_pictures import picture
from vision.reading import Frame

NOISE = np.random.default_rng(2)


def put(folder: Path, name: str, value: int, second: int) -> None:
    """Move a whole picture of about that grey into the folder, written at that second."""
    image = np.clip(picture(value).astype(np.int16) + NOISE.integers(-3, 4, (48, 64, 3)), 0, 255).astype(np.uint8)
    whole = folder.parent / name
    cv2.imwrite(str(whole), image)
    os.utime(whole, (second, second))
    whole.rename(folder / name)


def value(frame: Frame | None) -> int:
    """The grey of a frame, to the next ten."""
    assert frame is not None
    return round(float(frame.image.mean()) / 10) * 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "phone").mkdir()
    return tmp_path / "phone"


@pytest.fixture
def camera(folder: Path) -> Iterator[Camera]:
    camera = choose_camera(f"folder:{folder}")
    camera.open()
    yield camera
    camera.close()


def test_the_newest_picture_is_given_once(folder: Path, camera: Camera) -> None:
    assert isinstance(camera, WatchedFolder) and camera.live and str(camera.name) == "folder phone"
    assert camera.read(0.05) is None
    put(folder, "a.png", 50, 1)
    first = camera.read(2)
    assert value(first) == 50 and camera.read(0.1) is None
    put(folder, "b.PNG", 90, 2)
    second = camera.read(2)
    assert value(second) == 90
    assert first is not None and second is not None and second.time_ns > first.time_ns
    assert [first.number, second.number] == [0, 1] and camera.counts.frames == 2


def test_what_lay_there_before_is_not_given(folder: Path) -> None:
    put(folder, "before.png", 30, 10)
    camera = WatchedFolder(folder)
    camera.open()
    assert camera.read(0.1) is None
    (folder / "notes.txt").write_text("no picture")
    assert camera.read(0.1) is None
    put(folder, "newer.png", 120, 11)
    assert value(camera.read(2)) == 120
    (folder / "before.png").rename(folder / "z-before.png")
    (folder / "newer.png").unlink()
    assert camera.read(0.1) is None, "what was renamed, and what lies beside one that was taken away, was there before"
    camera.close()


@pytest.mark.parametrize("seconds", [(100, 40, 50, 45), (100, 100, 100), (10, 10 ** 9, 20, 21)],
                         ids=["clock set back", "clock that stands", "one from the future"])
def test_no_clock_keeps_a_new_picture_from_being_given(folder: Path, seconds: tuple[int, ...]) -> None:
    put(folder, "IMG_1.png", 30, 10 ** 9 + 5)
    camera = WatchedFolder(folder)
    camera.open()
    for number, second in enumerate(seconds):
        put(folder, "newest.png", 60 + 20 * number, second)
        assert value(camera.read(2)) == 60 + 20 * number
    camera.close()


@pytest.mark.parametrize("broken", ["a.png", "z.png"])
def test_of_two_that_came_together_the_one_that_can_be_read_is_given(folder: Path, broken: str) -> None:
    both, link = folder.parent / "both", folder.parent / "link"
    both.mkdir()
    put(both, "m.png", 80, 5)
    (both / broken).write_bytes(b"half a picture")
    link.symlink_to(folder)
    camera = WatchedFolder(link)
    camera.open()
    (folder.parent / "other").symlink_to(both)
    (folder.parent / "other").replace(link)
    assert value(camera.read(2)) == 80
    camera.close()


def test_a_picture_that_is_still_being_written_is_waited_for(folder: Path, camera: Camera) -> None:
    whole = folder.parent / "whole.jpg"
    cv2.imwrite(str(whole), picture(70))
    data = whole.read_bytes()
    (folder / "a.jpg").write_bytes(data[: len(data) // 2])
    assert camera.read(0.2) is None
    (folder / "a.jpg").write_bytes(data)
    assert value(camera.read(2)) == 70


def test_there_is_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(CameraError) as caught:
        choose_camera(f"folder:{tmp_path / 'none'}").open()
    assert message_in(caught.value) == message("reason.folder-none", folder=str(tmp_path / "none"))
    for word in ("folder", "folder:"):
        with pytest.raises(CameraError, match="folder:PATH"):
            choose_camera(word)


def test_a_folder_at_home_may_be_written_with_a_tilde(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    camera = choose_camera("folder:~/phone")
    camera.open()
    put(folder, "a.png", 50, 1)
    assert value(camera.read(2)) == 50
    camera.close()
    with pytest.raises(CameraError, match="there is no folder ~nobody-of-this-name/phone"):
        choose_camera("folder:~nobody-of-this-name/phone").open()


def test_what_is_said_when_no_picture_comes_is_of_the_folder_and_of_no_cable(camera: Camera) -> None:
    assert camera.unfed == message("reason.folder-unfed", folder="phone")
    sight = Sight()
    sight.lose_camera(camera.unfed)
    assert sight.blind is not None and sight.blind.todo == message("reason.folder-unfed.todo")
    sight.lose_camera(message("reason.silent", camera=camera.name))
    assert sight.blind.todo == message("reason.no-camera.todo")


def test_a_folder_that_goes_away_is_waited_for(folder: Path, camera: Camera) -> None:
    shutil.rmtree(folder)
    for _ in range(2):
        with pytest.raises(CameraGone) as caught:
            camera.read(2)
        assert message_in(caught.value) == message("reason.folder-gone", folder=str(folder))
        with pytest.raises(CameraGone):
            camera.open()
        folder.mkdir()
        camera.open()
        folder.rmdir()
    camera.close()
    with pytest.raises(CameraGone, match="not open"):
        camera.read(0.1)


def test_heic_pictures_that_cannot_be_read_are_said(folder: Path, camera: Camera,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.cameras.pictures.find_spec", lambda _name: None)
    (folder / "IMG_1.HEIC").write_bytes(b"\0\0\0\x18ftypheic" + bytes(100))
    with pytest.raises(CameraGone, match="gets HEIC pictures"):
        camera.read(2)


def test_a_folder_that_cannot_be_read_is_named(folder: Path, camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("device.cameras.folder.os.scandir", refuse)
    with pytest.raises(CameraGone, match=f"the folder {folder} cannot be read: Permission denied"):
        camera.read(2)


def test_the_frames_are_watched_for_faults(camera: Camera) -> None:
    assert camera.notes() == []


def test_no_folder_is_offered_by_itself(folder: Path) -> None:
    put(folder, "a.png", 50, 1)
    assert not [one for one in cameras() if one.word.startswith("folder")]
