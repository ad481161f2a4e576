"""Loading a network: the one place that knows OpenCV's engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2


def load(weights: Path) -> Any:
    """A `cv2.dnn.Net` of an ONNX file. OpenCV 5 has a new engine that takes 1.7 times as long for these plain
    convolutions on one thread as its classic one; OpenCV 4 has the classic one only. cv2.error for a file that is no
    network."""
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    if engine is None:
        return cv2.dnn.readNetFromONNX(str(weights))
    return cv2.dnn.readNetFromONNX(str(weights), engine)
