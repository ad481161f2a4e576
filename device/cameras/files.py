"""Cameras that read files: a recording, or a folder of pictures. Their time is the recording's."""

import math
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np

from device.cameras.base import Camera, CameraError, EndedEarly, EndOfRecording
from device.cameras.pictures import SUFFIXES, PictureError, load_picture
from device.journal.messages import message
from vision.reading import Frame

NANO = 1_000_000_000
FOLDER_RATE = 10.0
"""Pictures a second assumed for a folder."""
USUAL_RATE = 30.0
LONGEST_GAP_S = 5.0
"""A larger step between two frames' times, if it also passes the recording's end, is taken for an error."""
EARLY_S = 1.0
"""A recording that lacks more than this ended early; less is normal, as the sound may outlast the picture a little."""
NO_TIMES = 0x80
"""FFmpeg's flag for formats without timestamps, whose duration it would guess from the file's size."""


class Recording(Camera):
    """A video file, read frame by frame; time is counted from its first frame."""

    live = False

    def __init__(self, path: Path | str) -> None:
        """path: the video file."""
        self.path = Path(path)
        self.name = message("camera.recording", file=self.path.name)
        self._video: cv2.VideoCapture | None = None
        self._number = 0
        self._rate = USUAL_RATE
        self._last_ns = -1
        self._duration_s: float | None = None

    def open(self) -> None:
        """See `Camera.open`."""
        path = self.path
        if path.is_dir():
            raise CameraError(f"{path} is a directory, not a recording")
        if not path.is_file():
            raise CameraError(f"{path}: no such file")
        if path.stat().st_size == 0:
            raise CameraError(f"{path} is empty: it holds no video")
        self.close()
        try:
            video = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        except cv2.error as error:
            raise CameraError(f"{path} cannot be opened as a video") from error
        if not video.isOpened():
            video.release()
            raise CameraError(f"{path} is not a video that can be read")
        rate = video.get(cv2.CAP_PROP_FPS)
        self._rate = rate if math.isfinite(rate) and 1 <= rate <= 1000 else USUAL_RATE
        self._video, self._number, self._last_ns = video, 0, -1
        self._duration_s = _stated_duration(path)

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame. Raises `EndOfRecording`, `EndedEarly` if frames are missing before the stated end, and
        `CameraError` if the file holds no frame at all."""
        if self._video is None:
            raise CameraError(f"{self.path} is not open")
        try:
            ok, image = self._video.read()
        except cv2.error as error:
            raise CameraError(f"{self.path} cannot be decoded after frame {self._number}") from error
        if not ok or image is None:
            if self._number == 0:
                raise CameraError(f"{self.path} holds no picture that can be read")
            raise self._end()
        frame = Frame(np.asarray(image, np.uint8), self._clock(), self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """See `Camera.close`."""
        if self._video is not None:
            self._video.release()
            self._video = None

    @property
    def length_s(self) -> float:
        """Seconds from the first frame to the end of the last one read."""
        return max(0, self._last_ns) / NANO + 1 / self._rate

    @property
    def duration_s(self) -> float | None:
        """See `Camera.duration_s`."""
        return self._duration_s

    def _end(self) -> EndOfRecording:
        """The exception for the end of the readable frames."""
        duration_s, length_s = self._duration_s, self.length_s
        if duration_s is None or length_s > duration_s - EARLY_S:
            return EndOfRecording()
        return EndedEarly(message("reason.ended-early", at=f"{length_s:.1f}", length=f"{duration_s:.1f}"))

    def _clock(self) -> int:
        """The frame's time, ns: the file's own if it advances plausibly, else computed from the rate."""
        assert self._video is not None
        stated = self._video.get(cv2.CAP_PROP_POS_MSEC)
        step = round(NANO / self._rate)
        due = 0 if self._last_ns < 0 else self._last_ns + step
        time_ns = round(stated * 1e6) if math.isfinite(stated) else due
        if self._last_ns < 0:
            time_ns = time_ns if 0 <= time_ns <= LONGEST_GAP_S * NANO else 0
        elif not self._last_ns < time_ns <= max(self._last_ns + LONGEST_GAP_S * NANO, (self._duration_s or 0) * NANO):
            time_ns = due
        self._last_ns = time_ns
        return time_ns


def _stated_duration(path: Path) -> float | None:
    """Duration of a recording's pictures as its file states it, seconds; None if it states none or PyAV is missing.
    OpenCV's frame count would include frames that a trimmed file holds but does not show."""
    if find_spec("av") is None:
        return None
    import av  # optional and heavy

    try:
        with av.open(str(path)) as file:
            stream = file.streams.video[0]
            if file.format.flags & NO_TIMES:
                return None
            if stream.duration and stream.time_base:
                return float(stream.duration * stream.time_base)
            return file.duration / av.time_base if file.duration else None
    except (av.error.FFmpegError, IndexError):
        return None


class PictureFolder(Camera):
    """A folder of pictures, in the order of their names, as if taken at `FOLDER_RATE` a second."""

    live = False

    def __init__(self, path: Path | str) -> None:
        """path: the folder."""
        self.path = Path(path)
        self.name = message("camera.pictures", file=self.path.name)
        self._files: list[Path] = []
        self._number = 0

    def open(self) -> None:
        """See `Camera.open`."""
        if not self.path.is_dir():
            raise CameraError(f"{self.path} is not a folder of pictures")
        try:
            self._files = sorted(p for p in self.path.iterdir() if p.suffix.lower() in SUFFIXES)
        except OSError as error:
            raise CameraError(f"{self.path} cannot be read: {error.strerror or error}") from error
        if not self._files:
            raise CameraError(f"{self.path} holds no pictures ({', '.join(SUFFIXES)})")
        self._number = 0

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`."""
        if self._number >= len(self._files):
            raise EndOfRecording
        try:
            image = load_picture(self._files[self._number]).image
        except PictureError as error:
            raise CameraError(str(error)) from error
        frame = Frame(image, round(self._number * NANO / FOLDER_RATE), self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """See `Camera.close`."""
        self._files = []

    @property
    def duration_s(self) -> float | None:
        """See `Camera.duration_s`."""
        return len(self._files) / FOLDER_RATE or None
