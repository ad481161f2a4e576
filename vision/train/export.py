"""From a trained network to an ONNX file that OpenCV reads: dynamic batch, weights stored as float16."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import nn


def export(net: nn.Module, path: Path, size: tuple[int, int, int], outputs: Sequence[str] = ("logits",)) -> None:
    """Write `net` to `path`. size: (channels, height, width) of its input; outputs: names of what it returns, in order.

    The weights are stored as float16; OpenCV widens them to float32 when it loads them, in 4.10 and in 5.0 alike, and
    calculates in float32.
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
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT and len(tensor.dims) > 1:
            half = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, tensor.name))
    onnx.save(model, str(path))
