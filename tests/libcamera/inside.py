"""In the Debian system: one game refereed by the table's own loop and `PiCamera`, over the real picamera2 and the real
libcamera. `python -m tests.libcamera.inside DATA PICTURES`, in a process of its own.

What has to be stood in for is what a kernel with a camera would give: the DMA heap (files in memory instead), buffers
of two planes for the one format that the virtual camera has, and an empty list of raw modes. libcamera
takes the next picture whenever a buffer is queued; so buffers are queued at a sensor's pace, and on a machine that
does not keep up more slowly: the game is played in slow motion rather than with pictures left out.
"""

import importlib
import mmap
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, Queue
from types import ModuleType, SimpleNamespace
from typing import Any

from device.cameras import guard, pi
from device.cameras.pi import PiCamera
from device.journal import Journal
from device.journal.events import GameOver, GameStarted
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.position import Position
from tests.libcamera.shown import GAME, RATE, REPEATS, RULES, SIZE, START
from vision.reading import Frame

AFTER_S = 50.0
"""How long the table may take for its last word once the film has ended."""


class Heap:
    """In the kernel's DMA heap's place: buffers in files that live in memory."""

    isValid = True  # noqa: N815  (picamera2's name)

    def alloc(self, name: str, size: int) -> Any:
        """A buffer of memory; its file handle."""
        handle = os.memfd_create(name)
        os.ftruncate(handle, size)
        return SimpleNamespace(get=lambda: handle, isValid=lambda: True)

    def close(self) -> None:
        """Nothing is held."""


class Taken(PiCamera):
    """The Pi's camera; counts the frames that the table has taken from it."""

    def __init__(self) -> None:
        """See the class."""
        super().__init__()
        self.taken = 0
        self.closing = False

    def close(self) -> None:
        """See `Camera.close`."""
        self.closing = True
        super().close()
        self.closing = False

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`."""
        frame = super().read(timeout_s)
        self.taken += frame is not None
        return frame


class Sensor:
    """Lets the film pass before the table, picture by picture, each at its time and not before one of the last was
    taken. ended: when all were shown, 0.0 before."""

    def __init__(self, camera: Taken, pictures: int) -> None:
        """See the class."""
        self.camera, self.left = camera, pictures * REPEATS
        self.ended = 0.0
        self.running = False
        self._due: Queue[Any] = Queue()
        self._thread = threading.Thread()

    def start(self, queue_request: Callable[[Any], None]) -> None:
        """Begin to take pictures."""
        self._due, self.running = Queue(), True
        self._thread = threading.Thread(target=self._tick, args=(queue_request,), name="sensor", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Take no more pictures."""
        self.running = False
        self._thread.join()

    def queue(self, request: Any) -> None:
        """One more buffer is to be filled."""
        self._due.put(request)

    def _tick(self, queue_request: Callable[[Any], None]) -> None:
        due, taken = time.monotonic(), 0
        while self.running:
            if not self.left:
                self.ended = self.ended or time.monotonic()
            try:
                request = self._due.get(timeout=0.2)
            except Empty:
                continue
            due = max(due + 1 / (RATE * REPEATS), time.monotonic() - 0.1)
            time.sleep(max(0.0, due - time.monotonic()))
            while self.running and not self.camera.closing and self._early(taken):
                time.sleep(0.01)
            if self.left % REPEATS == 0:
                taken = self.camera.taken
            if self.running:
                self.left = max(0, self.left - 1)
                queue_request(request)

    def _early(self, taken: int) -> bool:
        """Whether the next buffer has to wait: the film is over, or of the last picture no frame was taken."""
        return not self.left or (self.left % REPEATS == 0 and self.camera.taken == taken > 0)


class Paced:
    """A libcamera camera to which buffers are queued by a `Sensor`. All else is the real one's."""

    def __init__(self, camera: Any, sensor: Sensor) -> None:
        """See the class."""
        self._camera, self._sensor = camera, sensor

    def __getattr__(self, name: str) -> Any:
        """All else is the camera's."""
        return getattr(self._camera, name)

    def __eq__(self, other: object) -> bool:
        """It is that camera."""
        return bool(self._camera == getattr(other, "_camera", other))

    def __hash__(self) -> int:
        """That camera's."""
        return hash(self._camera)

    def start(self, controls: Any) -> None:
        """Begin to take pictures."""
        self._camera.start(controls)
        self._sensor.start(self._camera.queue_request)

    def stop(self) -> None:
        """Take no more pictures."""
        self._sensor.stop()
        self._camera.stop()

    def queue_request(self, request: Any) -> None:
        """One more buffer is to be filled."""
        self._sensor.queue(request)


def with_stand_ins(sensor: Sensor) -> Any:
    """The real picamera2, loaded with what this machine has no hardware for stood in for."""
    pykms = ModuleType("pykms")
    names = ("RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12", "NV21")
    vars(pykms).update(PixelFormat=SimpleNamespace(**{name: name for name in names}))
    sys.modules["pykms"] = pykms
    libcamera = importlib.import_module("libcamera")
    picamera2 = importlib.import_module("picamera2")
    dma = importlib.import_module("picamera2.allocators.dmaallocator")
    main = importlib.import_module("picamera2.picamera2")

    class TwoPlanes(dma.DmaAllocator):  # type: ignore[misc, name-defined]  # picamera2's, known only when it runs
        """Buffers with a plane for the greys and one for the colours, one after the other in one file."""

        def allocate(self, libcamera_config: Any, _: Any) -> None:
            super().allocate(libcamera_config, _)
            for configuration in libcamera_config:
                stream = configuration.stream
                greys = configuration.stride * configuration.size.height
                made = []
                for old in self.frame_buffers[stream]:
                    self.libcamera_fds.remove(old.planes[0].fd)
                    del self.mapped_buffers_used[old.planes[0].fd]
                    planes = []
                    for offset, length in ((0, greys), (greys, configuration.frame_size - greys)):
                        plane = libcamera.FrameBuffer.Plane()
                        plane.fd, plane.offset, plane.length = old.planes[0].fd, offset, length
                        planes.append(plane)
                    made.append(libcamera.FrameBuffer(planes))
                    self.mapped_buffers.pop(old).close()
                    self.mapped_buffers[made[-1]] = mmap.mmap(planes[0].fd, configuration.frame_size)
                    self.mapped_buffers_used[made[-1].planes[0].fd] = False
                    self.libcamera_fds.append(made[-1].planes[0].fd)
                self.frame_buffers[stream] = made

    dma.DmaHeap = Heap  # type: ignore[attr-defined]  # picamera2 is imported by name, mypy knows a module alone
    dma.fcntl = SimpleNamespace(ioctl=lambda *_: 0)  # type: ignore[attr-defined]  # as above
    main.DmaAllocator = TwoPlanes  # type: ignore[attr-defined]  # as above
    real = picamera2.Picamera2
    real._get_raw_modes = lambda _: [{"format": "NV12", "size": SIZE}]
    grab = real._grab_camera
    real._grab_camera = lambda self, number: Paced(grab(self, number), sensor)
    return libcamera


def main() -> int:
    """Referee the film; exit status 1 when the game did not end."""
    data, pictures = DataFolder(Path(sys.argv[1])), int(sys.argv[2])
    camera = Taken()
    sensor = Sensor(camera, pictures)
    libcamera = with_stand_ins(sensor)
    pi.WAIT_S = guard.STALE_S = 60.0  # a slow machine is not a silent camera
    data.make()
    with Journal(data.journal) as journal:
        board = str(Position.parse(START).board)
        journal.append(GameStarted(game=GAME, rules=RULES, board=board, position=START))
    seen = {"at": 0.0, "over": 0.0}

    def stop() -> bool:
        now = time.monotonic()
        if now - seen["at"] > 2.0:
            seen["at"] = now
            with Journal(data.journal, readonly=True) as journal:
                seen["over"] = float(any(isinstance(event.body, GameOver) for event in journal.read()))
        return bool(seen["over"]) or bool(sensor.ended and now > sensor.ended + AFTER_S)

    Loop(Wanted(data), lambda _game: camera, stop).run()
    version = getattr(libcamera.CameraManager.singleton(), "version", "of unknown version")
    print(f"libcamera {version}, {camera.name}: {camera.counts.frames} frames, {camera.taken} of them read", flush=True)
    return 0 if seen["over"] else 1


if __name__ == "__main__":
    sys.exit(main())
