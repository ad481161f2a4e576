"""A game over the network, from real servers: a break in it is said and survived, and no password is kept anywhere."""

import logging
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.video.frame import VideoFrame

from device.cameras.addresses import host_of
from device.cameras.choose import choose_camera
from device.eyes.pipeline import InlineRunner
from device.journal import Journal, JournalError
from device.journal.events import Blind, Sighted, TableStarted, VerdictGiven
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.rules import ruleset
from tests.device.cameras.mjpeg_server import SECRET, MjpegServer
from tests.device.cameras.rtsp_server import RtspServer, installed
from tests.device.painted import FPS, PaintedEye, Script, painted
from tests.waiting import wait_for
from vision.reading import Frame, Reading

BLOCK, ACROSS, DOWN = 32, 8, 5
NOISE = np.random.default_rng(5)


def blocks(image: np.ndarray) -> np.ndarray:
    """A painted picture drawn in blocks, each as bright as its number is large, which a lossy video keeps."""
    pits = int(image[1, 3, 0])
    others = [20 + 6 * (place % 2) for place in range(ACROSS * DOWN - 4 - pits)]  # no row of one colour
    numbers = [*image[1, :4, 0], *image[0, :pits, 0], *others]
    grey = 30 + 8 * np.array(numbers, np.uint8).clip(0, 26).reshape(DOWN, ACROSS)
    drawn = grey.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[:, :, None]
    return np.asarray(drawn + NOISE.integers(0, 4, (*drawn.shape[:2], 3)), np.uint8)


class BlockEye(PaintedEye):
    """Reads such pictures."""

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        means = frame.image.reshape(DOWN, BLOCK, ACROSS, BLOCK * 3).mean(axis=(1, 3)).ravel()
        numbers = [max(0, round((mean - 31.5) / 8)) for mean in means]
        south, north, trouble, pits = numbers[:4]
        image = painted(numbers[4:4 + pits], (south / 255, north / 255), trouble)
        return super().look(Frame(image, frame.time_ns, frame.number), count=count, revisit=revisit)


@pytest.fixture
def halves() -> list[list[np.ndarray]]:
    """The pictures of two legal moves, before a break and after it; the board is still around it."""
    script = Script(ruleset("enkeshui", "driedger")).rest(3).move(rest=5)
    first = len(script.images)
    script.rest(3).move(rest=5)
    images = [blocks(image) for image in script.images if image is not None]
    return [images[:first], images[first:]]


def told(data: DataFolder) -> list[object]:
    """What the table has said so far: that it is blind, that it sees again, verdicts."""
    with suppress(JournalError), Journal(data.journal, readonly=True) as journal:  # it may be being made
        return [event.body for event in journal.read() if isinstance(event.body, VerdictGiven | Blind | Sighted)]
    return []


def legal(data: DataFolder) -> int:
    """Verdicts so far that a move was legal."""
    return sum(isinstance(body, VerdictGiven) and body.kind == "legal" for body in told(data))


def played(data: DataFolder, address: str, servers: Sequence[AbstractContextManager[object]]) -> list[object]:
    """What the journal has of a table whose camera goes away after the first move, and comes back for the second."""
    done = threading.Event()

    def story() -> None:
        try:
            for moves, server in enumerate(servers, 1):
                with server:
                    wait_for(lambda due=moves: legal(data) >= due, 120, 0.1)  # type: ignore[misc]
                if moves < len(servers):
                    wait_for(lambda: any(isinstance(body, Blind) for body in told(data)[-1:]), 60, 0.1)
        finally:
            done.set()

    telling = threading.Thread(target=story)
    telling.start()
    Loop(Wanted(data, camera=address), lambda _game: choose_camera(address), done.is_set, BlockEye,
         InlineRunner()).run()
    telling.join()
    with Journal(data.journal, readonly=True) as journal:
        return [event.body for event in journal.read()]


def check(bodies: list[object], address: str, data: DataFolder, log: str) -> None:
    """Two legal moves, the break said between them, and no password."""
    host = host_of(address)
    started = next(body for body in bodies if isinstance(body, TableStarted))
    assert started.camera == f"camera at {host}" and started.asked.endswith(f"://{host} bottom")
    story = [body for body in bodies if isinstance(body, VerdictGiven | Blind | Sighted)]
    kinds = [body.kind if isinstance(body, VerdictGiven) else type(body).__name__ for body in story]
    assert not {"illegal", "not-sure", "tampered"} & set(kinds)
    first, second = (place for place, kind in enumerate(kinds) if kind == "legal")
    said = [body.why for body in story[first:second] if isinstance(body, Blind)]
    assert {f"the camera at {host} gives no more pictures", f"nothing answers at {host}"} & set(said)
    assert kinds[second - 1] == "Sighted"
    secrets = (SECRET, "pass@word", "referee:")
    assert not [secret for secret in secrets if secret in kept(data) + log]


def kept(data: DataFolder) -> str:
    """All that the table has written."""
    return "".join(path.read_bytes().decode("latin-1") for path in data.path.rglob("*") if path.is_file())


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.DEBUG)
    return caplog


def test_a_game_over_http_goes_on_after_a_break(tmp_path: Path, halves: list[list[np.ndarray]],
                                                log: pytest.LogCaptureFixture) -> None:
    pictures: Iterator[np.ndarray] = iter(())

    def picture() -> np.ndarray | None:
        return next(pictures, None)

    class Half(MjpegServer):
        def __enter__(self) -> MjpegServer:
            nonlocal pictures
            pictures = iter(halves.pop(0))
            return super().__enter__()

    server, data = Half(picture, FPS, password=True), DataFolder(tmp_path)
    check(played(data, server.address, [server, server]), server.address, data, log.text)


def film(path: Path, images: list[np.ndarray]) -> Path:
    """The pictures as a camera packs them: what changes alone, after the first one."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=FPS, options={"bf": "0", "g": "1000", "crf": "30"})
        stream.height, stream.width = images[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        for number, image in enumerate(images):
            frame = VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, FPS)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


@pytest.mark.skipif(not installed(), reason="RTSP (GStreamer and Debian's gir1.2-gst-rtsp-server-1.0)")
def test_a_game_over_rtsp_goes_on_after_a_break(tmp_path: Path, halves: list[list[np.ndarray]],
                                                log: pytest.LogCaptureFixture) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    servers = [RtspServer(film(tmp_path / f"{number}.mp4", half), port) for number, half in enumerate(halves)]
    data = DataFolder(tmp_path / "data")
    check(played(data, servers[0].address, servers), servers[0].address, data, log.text)
