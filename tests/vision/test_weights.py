"""The networks that come with the program: valid models, that say the same whatever runs them."""

from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto

from vision.network import NcnnNetwork, OpenCvNetwork
from vision.train.export import INPUTS, WEIGHTS

OUTPUTS = {"counter": ("logits", "seeds"), "pitnet": ("logits",), "spots": ("spots",)}
CLOSE = 1e-4
"""Logits by which two runtimes that calculate in float32 may differ."""
CLOSE_NCNN = 0.02
"""Logits by which ncnn may differ, which calculates in part with float16."""


def pictures(name: str, n: int) -> np.ndarray:
    """float32[n, channels, h, w] of blots and noise, as large as the network takes them."""
    _, channels, h, w = (int(side) for side in INPUTS[name].strip("[]").split(","))
    rng = np.random.default_rng(7)
    noise = rng.normal(0, 1, (n, channels, h, w)).astype(np.float32)
    blots = np.array([[cv2.GaussianBlur(plane, (0, 0), 5) for plane in one] for one in noise]) * 8
    return np.asarray(blots + 0.2 * noise, np.float32)


def weights(name: str) -> Path:
    """Where the network of that name lies."""
    return WEIGHTS / f"{name}.onnx"


def test_all_networks_are_looked_at() -> None:
    assert {path.stem for path in WEIGHTS.glob("*.onnx")} == set(OUTPUTS) == set(INPUTS)


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_network_is_a_valid_model(name: str) -> None:
    model = onnx.load(str(weights(name)))
    onnx.checker.check_model(model, full_check=True)
    assert any(tensor.data_type in (TensorProto.FLOAT16, TensorProto.INT8) for tensor in model.graph.initializer)


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_network_says_the_same_in_opencv_as_in_onnxruntime(name: str) -> None:
    shown = pictures(name, 2)
    by_opencv = OpenCvNetwork(weights(name), OUTPUTS[name]).run(shown)
    session = onnxruntime.InferenceSession(str(weights(name)), providers=["CPUExecutionProvider"])
    for here, there in zip(by_opencv, session.run(list(OUTPUTS[name]), {"pictures": shown}), strict=True):
        assert here.shape == there.shape and np.ptp(there) > 0.01
        assert np.abs(here - there).max() < CLOSE


@pytest.mark.parametrize("name", OUTPUTS)
def test_ncnns_files_are_of_the_same_network(name: str) -> None:
    shown = pictures(name, 1)
    by_opencv = OpenCvNetwork(weights(name), OUTPUTS[name]).run(shown)
    for here, there in zip(by_opencv, NcnnNetwork(weights(name), OUTPUTS[name]).run(shown), strict=True):
        assert here.shape == there.shape
        assert np.abs(here - there).max() < CLOSE_NCNN * max(1.0, np.abs(here).max())
