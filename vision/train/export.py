"""From a trained network to an ONNX file that OpenCV reads: dynamic batch, weights stored as int8 or float16."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import ModelProto, TensorProto, helper, numpy_helper
from torch import nn

LEVELS = 127
"""Steps of an int8 weight on either side of nought."""
MANY = 2000
"""Convolutions of more weights are stored as int8 where that is asked for; the others are small anyway."""


def export(
    net: nn.Module,
    path: Path,
    size: tuple[int, int, int],
    outputs: Sequence[str] = ("logits",),
    *,
    int8: bool = False,
) -> None:
    """Write `net` to `path`. size: (channels, height, width) of its input; outputs: names of what it returns, in order;
    int8: the large convolutions' weights as int8, a scale for each channel (Jacob et al. 2018), else as float16.

    OpenCV widens them to float32 when it loads them, in 4.10 and in 5.0 alike, and calculates in float32.
    """
    net = net.eval()
    batch = {0: "n"}
    torch.onnx.export(
        net,
        (torch.zeros(1, *size),),
        str(path),
        input_names=["pictures"],
        output_names=list(outputs),
        dynamic_axes=dict.fromkeys(("pictures", *outputs), batch),
        opset_version=13,
        dynamo=False,
    )
    model = onnx.load(str(path))
    if int8:
        _as_int8(model)
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT and len(tensor.dims) > 1:
            half = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, tensor.name))
    onnx.save(model, str(path))


def _as_int8(model: ModelProto) -> None:
    """The large convolutions' weights as int8, each made float again by a DequantizeLinear node."""
    graph = model.graph
    large = [t for t in graph.initializer if len(t.dims) == 4 and np.prod(t.dims) > MANY]
    for tensor in large:
        weights = numpy_helper.to_array(tensor).astype(np.float32)
        most = np.abs(weights).reshape(len(weights), -1).max(axis=1)
        scale = np.maximum(most, np.float32(1e-12)) / np.float32(LEVELS)
        steps = np.clip(np.round(weights / scale[:, None, None, None]), -LEVELS, LEVELS).astype(np.int8)
        name = tensor.name
        graph.initializer.remove(tensor)
        parts = {f"{name}.steps": steps, f"{name}.scale": scale, f"{name}.zero": np.zeros(len(scale), np.int8)}
        graph.initializer.extend([numpy_helper.from_array(v, k) for k, v in parts.items()])
        graph.node.insert(0, helper.make_node("DequantizeLinear", list(parts), [name], axis=0))
