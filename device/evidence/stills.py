"""Stills of the board as evidence: JPEGs named by their SHA-256, on the disk before an event names them.

The board after one move is the board before the next: if both pictures look alike, one still serves for both. The still
after a move is always written, so that a faint seed is not lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.journal.head import write_lasting

QUALITY = 80
"""JPEG quality, like the live picture's; at 88 a still took half as much again, and no pit was easier to count."""
GLANCE = (160, 90)
"""Blocks, across and down, whose mean colours are compared. In 1280 × 720 pixels a block has 8 × 8; a seed covers more
than one."""
ALIKE = 8.0
"""Pictures look alike if all blocks differ by fewer levels of a colour. In the demo noise makes 4 to 7, a move 37 and
more."""


class Glance:
    """A coarse copy of a picture for comparing: its size, and the mean colours of its blocks."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        """image: BGR."""
        self._size = image.shape
        self._blocks = cv2.resize(image, GLANCE, interpolation=cv2.INTER_AREA).astype(np.float32)

    def like(self, other: Glance | None) -> bool:
        """Whether the other picture looks alike."""
        return (other is not None and self._size == other._size
                and float(np.abs(self._blocks - other._blocks).max()) < ALIKE)


class Stills:
    """Keeps the frame before a move and the newest one, and writes them when a verdict needs them.

    write: writes a file to the disk, before the event that names it is written.
    """

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None] = write_lasting) -> None:
        """folder: the evidence folder; write: see the class."""
        self._folder, self._write = folder, write
        self._calm: NDArray[np.uint8] | None = None
        self._now: NDArray[np.uint8] | None = None
        self._last = ""
        self._glance: Glance | None = None

    def look(self, image: NDArray[np.uint8]) -> None:
        """Keep the newest frame."""
        self._now = image

    def calm(self) -> None:
        """Keep the newest frame as one of the board at rest."""
        self._calm = self._now

    def pair(self) -> tuple[str, str]:
        """Write the stills before and after a move; return their names, "" for a missing one. The board is at rest now.
        """
        before = self._last_or_saved(self._calm) if self._calm is not None else ""
        after = self.save(self._now) if self._now is not None else ""
        self._calm = self._now
        return before, after

    def now(self) -> str:
        """Write the newest frame; return its name, "" if there is none."""
        return self.save(self._now) if self._now is not None else ""

    def _last_or_saved(self, image: NDArray[np.uint8]) -> str:
        """The name of the last still if this picture looks like it; else write this picture and return its name."""
        there = bool(self._last) and (self._folder / self._last).exists()
        return self._last if there and Glance(image).like(self._glance) else self.save(image)

    def save(self, image: NDArray[np.uint8]) -> str:
        """Write a picture; return its file's name. Raises OSError."""
        ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not ok:
            raise OSError("a still could not be packed as a JPEG")
        packed = data.tobytes()
        name = hashlib.sha256(packed).hexdigest() + ".jpg"
        path = self._folder / name
        if not path.exists():
            self._write(path, packed)
        self._last, self._glance = name, Glance(image)
        return name


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file atomically: a reader sees the old or the new one, whole. Raises OSError."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    new.replace(path)
