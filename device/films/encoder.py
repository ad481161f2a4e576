"""Write pictures to an MP4 that any phone plays: H.264 (libx264, 4:2:0), no sound, its index at the beginning.

PyAV is an extra of the installation (`clips`), since its wheels hold FFmpeg with libx264, whose licence is the GPL.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from PIL import Image

if TYPE_CHECKING:
    from av import VideoFrame

TICKS = 1000
"""Ticks of a film's clock in a second."""
QUALITY = {"preset": "veryfast", "crf": "24"}
"""libx264's options."""


@cache
def films_are_made() -> bool:
    """Whether PyAV is installed on this machine."""
    return find_spec("av") is not None


class Encoder:
    """One film, open for writing. A context manager: when its block ends, the file is whole."""

    def __init__(self, path: Path, size: tuple[int, int]) -> None:
        """path: the file, which is overwritten; size: width and height in pixels, both even. Raises OSError."""
        import av  # optional and heavy

        with _as_os_errors():
            self._out = av.open(str(path), "w", format="mp4", options={"movflags": "faststart"})
        self._stream = stream = self._out.add_stream("libx264", rate=10, options=QUALITY)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, TICKS)
        stream.codec_context.thread_count = 1

    def __enter__(self) -> Self:
        """The encoder, ready for pictures."""
        return self

    def add(self, picture: Image.Image, at_s: float) -> None:
        """Add the next picture, RGB and of the film's size. at_s: its time in the film, seconds, at least a thousandth
        after the picture before. Raises OSError."""
        import av

        frame: VideoFrame = av.VideoFrame.from_image(picture)  # type: ignore[no-untyped-call]  # PyAV leaves it untyped
        frame.pts, frame.time_base = round(at_s * TICKS), Fraction(1, TICKS)
        with _as_os_errors():
            self._out.mux(self._stream.encode(frame))

    def __exit__(self, error: type[BaseException] | None, _what: BaseException | None,
                 _where: TracebackType | None) -> None:
        """Write the remaining packets and close the file. Raises OSError."""
        with _as_os_errors():
            try:
                if error is None:
                    self._out.mux(self._stream.encode(None))
            finally:
                self._out.close()


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Translate PyAV's errors into OSError, which not all of them are."""
    from av.error import FFmpegError

    try:
        yield
    except FFmpegError as error:
        raise OSError(error.errno, error.strerror) from error
