"""Decide when the Pi's camera sets exposure, white balance and focus automatically, and when they are locked."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from device.eyes.clearness import grey_sharpness

STEADY_FRAMES = 12
STEADY = 0.04
"""Largest relative change of exposure, gains and brightness that counts as steady."""
LOOSE = 0.30
LOOSE_FRAMES = 90
"""A relative change of brightness beyond `LOOSE` for `LOOSE_FRAMES` in a row means other light, not a hand."""
LOOSE_TONE = 12.0
"""The same for the picture's mean colour, in steps of 256: another lamp."""
SOFT = 0.5
"""The picture is soft if its sharpness above 1 (`device.eyes.clearness`) falls below this share of what it was."""
SOFT_LOOKS = 20
"""This many soft measurements in a row mean a lens out of focus, not a hand or its work."""
LOOK_FRAMES = 15
"""Frames between two measurements of the sharpness."""
SCANNING = 1
"""libcamera's AfState while the lens searches its focus."""
FOCUSED = 2

FOCUS: dict[str, Any] = {"AfMode": 1, "AfTrigger": 0}
"""Controls that focus once and then hold: Auto, Start."""
AUTO: dict[str, Any] = {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0}
"""Controls that unlock everything; a time or gain of 0 returns it to the camera's automatic."""


@dataclass(frozen=True, slots=True)
class Tone:
    """Means of a picture: luma 0…255, and chroma u and v (128: grey). sharp: see `device.eyes.clearness`; 0 if not
    measured."""

    luma: float
    u: float = 128.0
    v: float = 128.0
    sharp: float = 0.0


def tone(yuv: NDArray[np.uint8], size: tuple[int, int], stride: int, form: str = "YUV420", *,
         sharp: bool = False) -> Tone:
    """The tone of a YUV420 array [h·3/2, stride]: first h rows of luma, then the planes u and v, which have half the
    width and height; each row of the array holds two rows of a plane. Beyond the width each row holds padding. form
    "NV12": the array is [h·3/2, w], and below the luma u and v alternate.

    size: (width, height) of the picture; both even. sharp: measure the sharpness too.
    """
    width, height = size
    edges = grey_sharpness(yuv[:height, :width]) if sharp else 0.0
    if form == "NV12":
        return Tone(float(yuv[:height].mean()), float(yuv[height:, 0::2].mean()), float(yuv[height:, 1::2].mean()),
                    edges)
    flat = yuv.reshape(-1)
    plane = (height // 2) * (stride // 2)
    start = height * stride
    u, v = (flat[start + i * plane:start + (i + 1) * plane].reshape(height // 2, stride // 2)[:, :width // 2]
            for i in (0, 1))
    return Tone(float(yuv[:height, :width].mean()), float(u.mean()), float(v.mean()), edges)


@dataclass
class LightLock:
    """Decides when to lock exposure, white balance and focus, and when to unlock them, from metadata and tones alone.
    """

    locked_at: Tone | None = None
    _steady: int = 0
    _off: int = 0
    _sharp: float = 0.0
    _soft: int = 0
    _last: tuple[float, ...] = field(default=())

    def feed(self, metadata: dict[str, Any], seen: Tone) -> dict[str, Any] | None:
        """Take in one frame's metadata and tone; return the controls to set now, or None."""
        if self.locked_at is not None:
            return self._watch(seen)
        gains = metadata.get("ColourGains")
        now = (float(metadata.get("ExposureTime", 0)) * float(metadata.get("AnalogueGain", 0)),
               *((float(gains[0]), float(gains[1])) if gains else ()), seen.luma)
        close = len(self._last) == len(now) and all(
            abs(a - b) <= STEADY * max(abs(a), abs(b), 1e-6) for a, b in zip(now, self._last, strict=True))
        settled = close and min(now) > 0 and metadata.get("AfState") != SCANNING
        self._steady = self._steady + 1 if settled else 0
        if not close:
            self._last = now
        if self._steady < STEADY_FRAMES:
            return None
        self.locked_at, self._off, self._sharp, self._soft = seen, 0, 0.0, 0
        controls: dict[str, Any] = {"AeEnable": False, "ExposureTime": int(metadata["ExposureTime"]),
                                    "AnalogueGain": float(metadata["AnalogueGain"])}
        if gains:  # a sensor without colours has none
            controls |= {"AwbEnable": False, "ColourGains": (float(gains[0]), float(gains[1]))}
        if metadata.get("AfState") == FOCUSED and "LensPosition" in metadata:
            controls |= {"AfMode": 0, "LensPosition": float(metadata["LensPosition"])}  # Manual
        return controls

    def _watch(self, seen: Tone) -> dict[str, Any] | None:
        held = self.locked_at
        assert held is not None
        other = (abs(seen.luma - held.luma) > LOOSE * max(held.luma, 1.0)
                 or max(abs(seen.u - held.u), abs(seen.v - held.v)) > LOOSE_TONE)
        self._off = self._off + 1 if other else 0
        if seen.sharp:
            self._sharp = self._sharp or seen.sharp
            self._soft = self._soft + 1 if seen.sharp - 1 < SOFT * (self._sharp - 1) else 0
        if self._off < LOOSE_FRAMES and self._soft < SOFT_LOOKS:
            return None
        controls = dict(AUTO) if self._off >= LOOSE_FRAMES else dict(FOCUS)
        self.locked_at, self._steady, self._off, self._last = None, 0, 0, ()
        return controls
