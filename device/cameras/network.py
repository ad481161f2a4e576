"""A network camera, read by PyAV: rtsp://…, or MJPEG or other video at http://….

An address may hold a user and a password, before the host, in the path or after it. So only its host is ever shown, and
FFmpeg's messages about it are not passed on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from device.cameras.addresses import host_of
from device.cameras.base import Camera, CameraError, CameraGone, UnusableWord
from device.cameras.newest import DeviceCamera, NewestFrame
from device.journal.live_state import CameraChoice
from device.journal.messages import message
from vision.reading import Frame

if TYPE_CHECKING:
    from av import VideoFrame
    from av.container import InputContainer

log = logging.getLogger(__name__)

FORMS = "rtsp://ADDRESS, http://ADDRESS"
OPEN_S = 8.0
"""How long a camera may take to answer."""
READ_S = 4.0
"""How long a picture may take before the camera is reopened."""
WIDEST = 1920
"""Pixels; wider pictures are scaled down to this width."""
OPTIONS = {
    "rtsp_transport": "tcp",  # over UDP a lost packet tears a picture
    "flags": "low_delay", "max_delay": "500000", "analyzeduration": "2000000", "fpsprobesize": "0",
    "protocol_whitelist": "rtsp,rtsps,rtp,udp,tcp,tls,http,https,httpproxy",
}
"""FFmpeg's options: low delay, and no address may lead to a file."""
WHY = {"HTTPUnauthorizedError": "reason.network-refused", "HTTPForbiddenError": "reason.network-refused",
       "HTTPNotFoundError": "reason.network-path", "HTTPBadRequestError": "reason.network-path",
       "InvalidDataError": "reason.network-no-video"}
"""Messages for PyAV's errors; all others count as a camera that does not answer."""


class NetworkCamera(DeviceCamera):
    """`rtsp://…`, `rtsps://…`, `http://…` or `https://…`.

    interframe: the video stores only changes, so pictures of a still scene can be identical to the bit; only its key
    frames can show that the camera hangs.
    """

    def __init__(self, address: str) -> None:
        """address: that of the video. Raises `UnusableWord`."""
        host = host_of(address)
        if "/onvif/" in address.lower():
            raise _onvif(host)
        super().__init__(message("camera.network", host=host), message("reason.network-closed"))
        self._address, self._host = address, host
        self.unfed = message("reason.network-gone", host=host)
        self._frames: Iterator[VideoFrame] = iter(())

    def open(self) -> None:
        """See `Camera.open`. Raises `CameraGone` for a camera that does not answer yet."""
        self.close()
        if find_spec("av") is None:
            raise CameraError(message("reason.network-missing"))
        import av

        try:
            container = av.open(self._address, options=OPTIONS, timeout=(OPEN_S, READ_S))
        except (av.error.FFmpegError, OSError, ValueError) as error:  # its message holds the address, with the password
            raise self._gone(WHY.get(type(error).__name__, "reason.network-silent")) from None
        single = container.format.name.endswith("_pipe")
        if single or not container.streams.video:
            container.close()
            raise self._gone("reason.network-one-picture" if single else "reason.network-no-video")
        stream = container.streams.video[0]
        self.interframe = not stream.codec_context.codec.intra_only
        stream.thread_type = "SLICE"  # "FRAME" would delay each picture by one per thread
        self._frames = container.decode(stream)
        # The reading thread itself closes the container that it reads.
        self._read_from(NewestFrame(lambda: self._grab(container), "network", container.close))

    def _grab(self, container: InputContainer) -> Frame | None:
        """One frame of the video, timed by its arrival. Runs in the reading thread."""
        import av

        try:
            picture = next(self._frames)
        except av.error.InvalidDataError:  # a packet was lost; later ones can be decoded again
            self._frames = container.decode(container.streams.video[0])
            return None
        except (StopIteration, av.error.FFmpegError, OSError):
            raise self._lost("reason.network-gone") from None
        now = time.monotonic_ns()
        height = round(picture.height * WIDEST / picture.width / 2) * 2
        if picture.width > WIDEST:
            picture = picture.reformat(width=WIDEST, height=height)
        image = np.ascontiguousarray(picture.to_ndarray(format="bgr24"), np.uint8)
        return self._guard.check(Frame(image, now, 0), differs=not self.interframe or bool(picture.key_frame))

    def _lost(self, key: str) -> CameraGone:
        self._guard.lost()
        return self._gone(key)

    def _gone(self, key: str) -> CameraGone:
        return CameraGone(message(key, host=self._host))


def _onvif(host: str) -> UnusableWord:
    return UnusableWord(f"the ONVIF address of {host} is for setting that camera up and gives no pictures: take the "
                        "rtsp:// address that its manual or its app names, and allow RTSP in the app if it asks")


def made(which: str | None) -> Camera:
    """See `CameraModule`. which: the whole address."""
    address = which or ""
    if address.lower().startswith("onvif:"):
        raise _onvif(host_of(address))
    return NetworkCamera(address)


def found() -> list[CameraChoice]:
    """See `CameraModule`: none, as the network is not searched."""
    return []
