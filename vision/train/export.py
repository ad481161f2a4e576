"""From a trained network to an ONNX file that OpenCV reads: dynamic batch, weights stored as int8 or float16."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from torch import nn

from vision.train.compression import compressed


def export(
    net: nn.Module,
    path: Path,
    size: tuple[int, int, int],
    outputs: Sequence[str] = ("logits",),
    *,
    int8: bool = False,
) -> None:
    """Write `net` to `path`. size: (channels, height, width) of its input; outputs: names of what it returns, in order;
    int8: the large convolutions' weights as int8, else as float16 (`vision.train.compression`).

    Raises ValidationError or InferenceError of onnx where what would be written is no valid model.
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
    model = compressed(onnx.load(str(path)), int8=int8)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(path))
