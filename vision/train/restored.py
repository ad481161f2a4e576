"""Networks with the weights of the shipped files, to be trained further.

Export folds every batch norm into the convolution before it (`vision.train.export`). It stays folded: the convolutions
get a bias, and the norms become identities.
"""

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from vision.train.compression import widened

SIDE = 96
"""Pixels of a side of the picture that is shown to a network to see in which order its convolutions come."""


def restored(net: nn.Module, path: Path) -> nn.Module:
    """Return the network, changed in place, with the weights of an ONNX file. Raises ValueError if the file is of
    another network, OSError if there is none."""
    model = widened(onnx.load(str(path)))
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    kept = [[stored[name] for name in node.input[1:]] for node in model.graph.node if node.op_type == "Conv"]
    convolutions = _passed(net)
    if len(kept) != len(convolutions):
        raise ValueError(f"{path.name} has {len(kept)} convolutions, the network {len(convolutions)}")
    for (weight, bias), convolution in zip(kept, convolutions, strict=True):
        _set(convolution.weight, weight, path)
        convolution.bias = nn.Parameter(torch.from_numpy(bias.copy()))
    for name, parameter in net.named_parameters():
        if name in stored:
            _set(parameter, stored[name], path)
    _without_norms(net)
    return net


def _without_norms(net: nn.Module) -> None:
    """Make every batch norm an identity."""
    for name, child in list(net.named_children()):
        if isinstance(child, nn.BatchNorm2d):
            setattr(net, name, nn.Identity())
        else:
            _without_norms(child)


def _passed(net: nn.Module) -> list[nn.Conv2d]:
    """Return the convolutions in the order in which pictures pass through them."""
    channels = next(part.in_channels for part in net.modules() if isinstance(part, nn.Conv2d))
    passed: list[nn.Conv2d] = []
    hooks = [part.register_forward_hook(lambda part, *_: passed.append(part))
             for part in net.modules() if isinstance(part, nn.Conv2d)]
    with torch.no_grad():
        net.eval()(torch.zeros(1, channels, SIDE, SIDE))
    for hook in hooks:
        hook.remove()
    return passed


def _set(parameter: Tensor, values: NDArray[np.float32], path: Path) -> None:
    if tuple(parameter.shape) != values.shape:
        raise ValueError(f"{path.name} has weights of shape {values.shape}, the network of {tuple(parameter.shape)}")
    with torch.no_grad():
        parameter.copy_(torch.from_numpy(values.copy()))
