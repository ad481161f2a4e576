"""Measure and remove the bands that a flickering mains lamp makes in the picture.

Such a lamp flickers 100 or 120 times a second. A sensor reads its rows one after the other, so with a short exposure
some rows get more light than others: bright and dark bands, which wander from picture to picture, as the camera's rate
is seldom in step with the lamp's. To the eye they look like movement all over the board, and like pits that changed.

A row that is brighter than usual in most of its columns belongs to a band: a hand covers fewer columns. A sine is
fitted to the rows, and each row is divided by it. Bands that stand still belong to the board's look and do no harm.
"""

from collections import deque
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from device.eyes.parameters import BANDS
from vision.reading import Frame

ROWS, COLUMNS = 4, 16
"""Steps between the sampled rows and columns."""
GREEN = 1
WAVES = np.geomspace(0.1, 1.25, 240)
"""Possible wavelengths of the bands, in picture heights, for the read-out times of sensors."""


class Bands:
    """Measures and removes the bands in one camera's pictures."""

    def __init__(self) -> None:
        """Start without any picture."""
        self._profiles: deque[NDArray[np.float64]] = deque(maxlen=BANDS.frames)
        self._sizes: deque[float] = deque(maxlen=BANDS.frames)
        self._reset(np.zeros((0, 0), np.float32))

    def _reset(self, seen: NDArray[np.float32]) -> None:
        """Start anew with a first picture, of another camera or another mode. seen: its light, logarithmic."""
        self._usual, self._fits = seen, _fits(len(seen))
        self._profiles.clear()
        self._sizes.clear()
        self._wave = self._seen = 0
        self.strength = 0.0
        """The bands' amplitude, as a share of a row's light; 0 without bands."""

    def evened(self, frame: Frame) -> Frame:
        """The frame with its bands removed; the same frame if it has none."""
        seen = np.log1p(frame.image[::ROWS, ::COLUMNS, GREEN].astype(np.float32))
        if self._usual.shape != seen.shape:
            self._reset(seen)
        self._seen = min(self._seen + 1, BANDS.frames)
        profile = np.median(seen - self._usual, axis=1).astype(np.float64)
        self._profiles.append(profile)
        wave = self._measure(profile)
        # Remove half of the bands here: with all removed, bands that have ended would stay in the usual light for ever.
        usual = seen - wave.astype(np.float32)[:, None] / 2
        self._usual += (usual - self._usual) / np.float32(self._seen)
        return frame if not self.strength else replace(frame, image=_divided(frame.image, np.exp(wave)))

    def _measure(self, profile: NDArray[np.float64]) -> NDArray[np.float64]:
        """The bands of the newest picture, as the logarithm of each row's light; zeros without bands."""
        none = np.zeros(len(profile))
        if len(self._profiles) < BANDS.frames:
            return none
        if not self.strength:
            self._wave = self._best_wave()
        waves = _waves(len(profile), WAVES[self._wave])
        fit = _robust(self._fits[self._wave], waves, profile)
        size = float(np.hypot(fit[1], fit[2]))
        explained = waves[:, 1:] @ fit[1:]
        rest = profile - fit[0] - explained
        self._sizes.append(size if np.median(np.abs(rest)) < BANDS.unexplained * size else 0.0)
        usual = float(np.median(self._sizes)) if len(self._sizes) == BANDS.frames else 0.0
        self.strength = usual if usual >= (BANDS.gone if self.strength else BANDS.there) else 0.0
        if not self.strength:
            return none
        return np.asarray(explained * min(1.0, BANDS.largest * usual / max(size, 1e-9)))

    def _best_wave(self) -> int:
        """The index in `WAVES` that explains most of the last pictures' rows."""
        profiles = np.array(self._profiles)
        profiles = profiles - profiles.mean(axis=1, keepdims=True)
        sizes = np.einsum("wcr,pr->wpc", self._fits[:, 1:], profiles)
        return int((sizes ** 2).sum(axis=(1, 2)).argmax())


def _waves(rows: int, length: float) -> NDArray[np.float64]:
    """float64[rows, 3]: a constant, a cosine and a sine of wavelength `length`, in picture heights."""
    turns = 2 * np.pi * np.arange(rows) / rows / length
    return np.stack([np.ones(rows), np.cos(turns), np.sin(turns)], axis=1)


def _fits(rows: int) -> NDArray[np.float64]:
    """float64[waves, 3, rows]: the least-squares fit of each of `WAVES` to this many rows."""
    return np.array([np.linalg.pinv(_waves(rows, length)) for length in WAVES])


def _robust(fit: NDArray[np.float64], waves: NDArray[np.float64], profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[3]: the wave that fits most rows, without outliers, such as rows along an arm."""
    found = fit @ profile
    off = np.abs(profile - waves @ found)
    near = off <= BANDS.outlier * max(float(np.median(off)), 1e-6)
    return np.asarray(np.linalg.lstsq(waves[near], profile[near], rcond=None)[0])


def _divided(image: NDArray[np.uint8], light: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The picture with each row divided by its light. light: that of every `ROWS`-th row."""
    rows = np.arange(len(image))
    gain = (1 / np.interp(rows, np.arange(0, len(image), ROWS), light)).astype(np.float32)
    flat = image.reshape(len(image), -1)
    gains = np.repeat(gain[:, None], flat.shape[1], axis=1)
    return np.asarray(cv2.multiply(flat, gains, dtype=cv2.CV_8U), np.uint8).reshape(image.shape)
