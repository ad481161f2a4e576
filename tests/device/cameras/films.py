"""Recordings that are written for a test, as cameras and telephones write them: FFmpeg's, through PyAV."""

import struct
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.video.frame import VideoFrame

TICKS = 1000


def lossless(path: Path, images: Sequence[np.ndarray], times: Sequence[float]) -> Path:
    """A film whose pictures are kept to the bit, each at its second; what it holds stands at its beginning, so that it
    can be read when its end is missing."""
    with av.open(str(path), "w", format="mov", options={"movflags": "faststart"}) as out:
        stream = out.add_stream("png", rate=10)
        stream.height, stream.width = images[0].shape[:2]
        stream.pix_fmt = "rgb24"
        stream.codec_context.time_base = Fraction(1, TICKS)
        for image, at in zip(images, times, strict=True):
            frame = VideoFrame.from_ndarray(np.ascontiguousarray(image), format="bgr24").reformat(format="rgb24")
            frame.pts, frame.time_base = round(at * TICKS), Fraction(1, TICKS)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def filmed(path: Path, images: Sequence[np.ndarray], times: Sequence[float], pixels: str = "yuv420p",
           **options: str) -> Path:
    """A film as telephones make it, H.264 with each picture at its second. pixels: their form; options: of the file."""
    with av.open(str(path), "w", format="mp4", options=options) as out:
        stream = out.add_stream("libx264", rate=10, options={"g": "1000", "bf": "0"})
        stream.height, stream.width = images[0].shape[:2]
        stream.pix_fmt = pixels
        stream.codec_context.time_base = Fraction(1, TICKS)
        for image, at in zip(images, times, strict=True):
            frame = VideoFrame.from_ndarray(np.ascontiguousarray(image), format="bgr24")
            frame.pts, frame.time_base = round(at * TICKS), Fraction(1, TICKS)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def trimmed(path: Path, images: Sequence[np.ndarray], first: int) -> Path:
    """A film as a telephone trims it: the pictures before the first one that is shown stay in the file."""
    return filmed(path, images, [(number - first) / 10 for number in range(len(images))])


def on_its_side(path: Path) -> Path:
    """The same film, to be shown turned clockwise by a quarter, as a telephone writes one that it took upright."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 44  # the matrix of ISO/IEC 14496-12, 8.3.2
    data[at:at + 36] = struct.pack(">9i", 0, 1 << 16, 0, -1 << 16, 0, 0, 48 << 16, 0, 1 << 30)
    path.write_bytes(data)
    return path


def cut_off(path: Path, share: float) -> Path:
    """The same file without its end, as where a card was pulled."""
    data = path.read_bytes()
    path.write_bytes(data[:int(share * len(data))])
    return path
