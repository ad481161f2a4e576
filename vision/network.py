"""Running a network. This module alone calls the libraries that run them; `vision.seeds.workers` has other processes
call it.

Each network comes as ONNX, which OpenCV reads everywhere, and as a pair of files for ncnn, which takes two thirds of
the time on the machine where it was measured and less on ARM. ncnn is used where it is installed (`pip install
'inkeek[fast]'`; on a Raspberry Pi `make venv` installs it).
"""

import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Pictures = NDArray[np.float32]

RUNTIME = "INKEEK_RUNTIME"
"""Environment variable that asks for one runtime: `opencv` or `ncnn`. Without it ncnn is used where it can be."""


class Network(Protocol):
    """A network with its weights. Threads that use it at the same time may wait for one another."""

    @property
    def runtime(self) -> str:
        """The library that runs it: `opencv` or `ncnn`."""

    def run(self, pictures: Pictures) -> tuple[NDArray[np.float32], ...]:
        """Return its outputs, each float32[n, …], for pictures float32[n, channels, h, w]."""


class OpenCvNetwork:
    """An ONNX file, run by OpenCV. OpenCV 5 has a new engine that takes 1.7 times as long for these plain convolutions
    on one thread as its classic one; OpenCV 4 has the classic one only."""

    runtime = "opencv"

    def __init__(self, weights: Path, outputs: Sequence[str]) -> None:
        """weights: the ONNX file; outputs: names of its outputs. Raises cv2.error for a file that is no network."""
        import cv2  # here, since a process that runs ncnn alone does without

        engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        self._net: Any = cv2.dnn.readNetFromONNX(str(weights), *(() if engine is None else (engine,)))
        self._outputs, self._lock = list(outputs), threading.Lock()

    def run(self, pictures: Pictures) -> tuple[NDArray[np.float32], ...]:
        """See `Network.run`."""
        with self._lock:
            self._net.setInput(pictures)
            return tuple(np.array(one, np.float32) for one in self._net.forward(self._outputs))


class NcnnNetwork:
    """The same network as a pair of ncnn files, NAME.ncnn.param and NAME.ncnn.bin (`vision/train/export.py`), whose
    outputs are called out0, out1 and so on. Pictures go through it one by one, on one thread."""

    runtime = "ncnn"

    def __init__(self, weights: Path, outputs: Sequence[str]) -> None:
        """weights: the ONNX file, which has ncnn's two files beside it; outputs: names of its outputs. Raises OSError
        for files that are no network."""
        import ncnn

        self._mat, self._net = ncnn.Mat, ncnn.Net()
        self._net.opt.num_threads = 1
        self._net.opt.use_vulkan_compute = False
        param, binary = of_ncnn(weights)
        if self._net.load_param(str(param)) or self._net.load_model(str(binary)):
            raise OSError(f"ncnn cannot read {param.name} and {binary.name}")
        self._outputs = [f"out{k}" for k in range(len(outputs))]

    def run(self, pictures: Pictures) -> tuple[NDArray[np.float32], ...]:
        """See `Network.run`."""
        rows = []
        for picture in pictures:
            extractor = self._net.create_extractor()
            extractor.input("in0", self._mat(np.ascontiguousarray(picture)))
            rows.append([np.array(extractor.extract(name)[1], np.float32) for name in self._outputs])
        return tuple(np.stack(column) for column in zip(*rows, strict=True))


def of_ncnn(weights: Path) -> tuple[Path, Path]:
    """Return the paths of ncnn's two files beside an ONNX file."""
    return weights.with_suffix(".ncnn.param"), weights.with_suffix(".ncnn.bin")


def load(weights: Path, outputs: Sequence[str] = ("logits",)) -> Network:
    """Return the network of an ONNX file, run by the quickest runtime that is installed. outputs: the names of its
    outputs. Raises cv2.error or OSError for a file that is no network, ValueError for a runtime that is unknown or not
    installed."""
    asked = os.environ.get(RUNTIME, "")
    if asked not in ("", "opencv", "ncnn"):
        raise ValueError(f"{RUNTIME} is {asked!r}, but networks are run by opencv or ncnn")
    there = all(path.is_file() for path in of_ncnn(weights)) and find_spec("ncnn") is not None
    if asked == "ncnn" and not there:
        raise ValueError(f"{RUNTIME} is ncnn, but ncnn or {of_ncnn(weights)[0].name} is not here")
    return NcnnNetwork(weights, outputs) if there and asked != "opencv" else OpenCvNetwork(weights, outputs)
