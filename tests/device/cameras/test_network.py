"""Cameras with an address, at real servers on this machine: frames, breaks, and no word of a password."""

from collections.abc import Iterator

import numpy as np
import pytest

from device.cameras.addresses import public_word, without_secrets
from device.cameras.base import CameraError, CameraGone
from device.cameras.choose import cameras, choose_camera
from device.cameras.network import NetworkCamera
from engine.messages import message_in
from tests.device.cameras.mjpeg_server import SECRET, MjpegServer

NOISE = np.random.default_rng(4)


def noisy() -> np.ndarray:
    """A ramp with a sensor's noise."""
    ramp = np.linspace(30, 220, 160).astype(np.uint8)[None, :, None]
    return np.asarray(ramp + NOISE.integers(0, 8, (120, 160, 3)), np.uint8)


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    with MjpegServer(noisy) as server:
        yield server


def why(caught: pytest.ExceptionInfo[CameraGone]) -> str:
    """The key of the sentence."""
    found = message_in(caught.value)
    assert found is not None and SECRET not in str(caught.value)
    return found.key


def test_the_newest_picture_of_an_mjpeg_video_is_given(server: MjpegServer) -> None:
    camera = choose_camera(server.address)
    assert isinstance(camera, NetworkCamera) and camera.live
    assert str(camera.name) == f"camera at {server.host}"
    camera.open()
    frames = [camera.read(5) for _ in range(5)]
    camera.close()
    assert all(frame is not None and frame.image.shape == (120, 160, 3) for frame in frames)
    times = [frame.time_ns for frame in frames if frame is not None]
    assert times == sorted(times) and not camera.interframe


def test_a_user_and_a_password_open_it(capfd: pytest.CaptureFixture[str]) -> None:
    with MjpegServer(noisy, password=True) as server:
        camera = NetworkCamera(server.address)
        camera.open()
        assert camera.read(5) is not None
        camera.close()
        wrong = NetworkCamera(server.address.replace("referee:", "somebody:"))
        with pytest.raises(CameraGone, match="refuses the user or the password") as caught:
            wrong.open()
        assert why(caught) == "reason.network-refused" and caught.value.__cause__ is None
    assert SECRET not in "".join(capfd.readouterr())


@pytest.mark.parametrize(("path", "key"), [
    ("/none", "reason.network-path"), ("/page", "reason.network-no-video"),
    ("/shot.jpg", "reason.network-one-picture")])
def test_an_address_without_video_says_what_is_wrong(server: MjpegServer, path: str, key: str) -> None:
    with pytest.raises(CameraGone) as caught:
        NetworkCamera(server.address.replace("/video", path)).open()
    assert why(caught) == key


def test_where_nobody_answers_it_is_waited_for(server: MjpegServer) -> None:
    server.stop()
    camera = NetworkCamera(server.address)
    with pytest.raises(CameraGone) as caught:
        camera.open()
    assert why(caught) == "reason.network-silent"
    server.start()
    camera.open()
    assert camera.read(5) is not None
    camera.close()


def test_a_video_that_stops_is_gone_and_comes_again(server: MjpegServer) -> None:
    camera = NetworkCamera(server.address)
    camera.open()
    for _ in range(2):
        assert camera.read(5) is not None
        server.stop()
        with pytest.raises(CameraGone) as caught:
            while True:
                camera.read(5)
        assert why(caught) == "reason.network-gone"
        camera.close()
        server.start()
        camera.open()
    assert camera.read(5) is not None and camera.counts.gone == 2
    camera.close()
    with pytest.raises(CameraGone, match="not open"):
        camera.read(0.1)


# ---- its words

@pytest.mark.parametrize("word", [
    "rtsp://user:pa/ss@host/path", "rtsp://", "http://:80/video", "rtsp://user:secret@host:port/path", "rtsp://[::1/x"])
def test_addresses_that_name_no_camera(word: str) -> None:
    with pytest.raises(CameraError, match="names no camera: write rtsp://USER:PASSWORD@HOST/PATH") as caught:
        choose_camera(word)
    assert "secret" not in str(caught.value) and "ss@" not in str(caught.value)


@pytest.mark.parametrize("word", ["onvif://user:secret@10.0.0.7", "http://user:secret@10.0.0.7:80/onvif/device_service"])
def test_an_onvif_address_is_told_from_one_of_pictures(word: str) -> None:
    with pytest.raises(CameraError, match=r"ONVIF address of 10\.0\.0\.7.*take the rtsp:// address") as caught:
        choose_camera(word)
    assert "secret" not in str(caught.value)


def test_other_addresses_are_refused_without_repeating_them() -> None:
    with pytest.raises(CameraError, match=r"begins with rtmp://: choose rtsp://, http:// or https://") as caught:
        choose_camera("rtmp://user:secret@host/live")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("word", "told"), [
    ("rtsp://user:secret@10.0.0.7:554/live?token=secret", "rtsp://10.0.0.7:554"),
    ("RTSP://user:sec@ret@cam.local/secret", "RTSP://cam.local"), ("rtsp://user:12/3@host/x", "rtsp:"),
    ("http://[fe80::1]:8080/secret", "http://[fe80::1]:8080"), ("usb:3", "usb:3"), ("folder://nas/x", "folder://nas/x")])
def test_of_an_address_nothing_but_the_host_is_told(word: str, told: str) -> None:
    assert public_word(word) == told
    assert without_secrets(f'camera = "{word}"\nsouth = "top"') == f'camera = "{told}"\nsouth = "top"'


def test_no_network_is_searched() -> None:
    assert not [one for one in cameras() if "://" in one.word]
