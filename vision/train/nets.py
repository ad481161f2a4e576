"""The three networks: plain convolutions that every OpenCV since 4.10 runs."""

import torch
from torch import Tensor, nn

from vision.reading import COUNTS
from vision.train.photographed import Photographed


class Conv(nn.Sequential):
    """Convolution, batch norm (folded away at export), ReLU."""

    def __init__(self, inner: int, outer: int, stride: int = 1, side: int = 3) -> None:
        """inner, outer: numbers of input and output channels; stride: pixels from place to place; side: of the kernel,
        1 or 3 pixels."""
        super().__init__(nn.Conv2d(inner, outer, side, stride, side // 2, bias=False), nn.BatchNorm2d(outer), nn.ReLU())


class Residual(nn.Module):
    """Two convolutions round a shortcut (He et al. 2016)."""

    def __init__(self, width: int) -> None:
        """width: channels."""
        super().__init__()
        self.first = Conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        """[n, width, h, w] to the same shape."""
        return torch.relu(x + self.second(self.first(x)))


class Counter(nn.Module):
    """The network that counts seeds: from [n, 6, s, s], s a multiple of 8, a pit's picture and that of the same pit
    empty, or zeros, to logits [n, 27]: counts 0…24, more, covered.

    The network maps how much of a seed lies at each place; the map's sum is the expected count. The logits of the
    counts form a parabola round it, to which a term from pooled features is added. The network is trained at 80 pixels;
    at 160 its map still marks small seeds, and more plainly (`vision.seeds.seed_map`).
    """

    def __init__(self, widths: tuple[int, int, int, int] = (24, 32, 48, 72)) -> None:
        """widths: channels at half of the picture's size (twice), at a quarter, and at an eighth."""
        super().__init__()
        a, b, c, d = widths
        self.fine = nn.Sequential(Conv(6, a, 2), Conv(a, b), Conv(b, c, 2), Residual(c))
        self.coarse = nn.Sequential(Conv(c, d, 2), Residual(d))
        self.places = nn.Sequential(nn.Conv2d(c + d, 32, 1), nn.ReLU(), nn.Conv2d(32, 1, 1))
        self.head = nn.Sequential(nn.Linear(c + 2 * d, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, COUNTS + 2))
        self.away = nn.Linear(1, COUNTS)
        with torch.no_grad():
            self.away.weight.fill_(-1.0)
            self.away.bias.copy_(torch.arange(COUNTS, dtype=torch.float32))
            map_last = self.places[2]
            assert isinstance(map_last, nn.Conv2d) and map_last.bias is not None
            map_last.weight *= 0.1  # a count of some seeds to begin with, not of hundreds
            map_last.bias.fill_(0.01)
            last = self.head[3]
            assert isinstance(last, nn.Linear)
            last.weight *= 0.1
            last.bias.zero_()
            last.bias[COUNTS + 1] = -1.5
        self.away.requires_grad_(False)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits [n, 27], and the map [n, 1, s / 4, s / 4] of seeds, whose sum is the expected count."""
        fine = self.fine(x)
        coarse = self.coarse(fine)
        wide = nn.functional.interpolate(coarse, scale_factor=2.0, mode="nearest")
        here = torch.relu(self.places(torch.cat([fine, wide], dim=1)))
        mean = here.sum(dim=(2, 3))
        pooled = [fine.mean(dim=(2, 3)), coarse.mean(dim=(2, 3)), coarse.amax(dim=(2, 3))]
        head = self.head(torch.cat(pooled, dim=1))
        away = self.away(mean)
        sharp = torch.exp(head[:, COUNTS + 1 :])
        counts = head[:, :COUNTS] - sharp * away * away
        return torch.cat([counts, head[:, COUNTS : COUNTS + 1]], dim=1), here


class Spots(nn.Module):
    """The network that finds seeds' middles: from [n, 6, s, s], s a multiple of 8, a pit's picture at full resolution
    and that of the same pit empty, or zeros, to [n, 4, s / 4, s / 4]: logits of a seed's middle at four places per
    cell, twice as many each way as the map has cells (`vision.seeds.seed_middles`).

    After CenterNet (Zhou et al. 2019): a seed is the point in its middle. Where seeds touch, their edges merge; their
    middles never do.
    """

    def __init__(self, widths: tuple[int, int, int] = (16, 32, 64)) -> None:
        """widths: channels at a half, a quarter and an eighth of the picture's size."""
        super().__init__()
        a, b, c = widths
        self.quarter = nn.Sequential(Conv(6, a, 2), Conv(a, b, 2), Residual(b))
        self.eighth = nn.Sequential(Conv(b, c, 2), Residual(c), Residual(c))
        self.whole = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(c, c, 1))
        self.joined = nn.Sequential(nn.Conv2d(b + c, b, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(), Residual(b))
        self.head = nn.Conv2d(b, 4, 3, 1, 1)
        with torch.no_grad():
            assert self.head.bias is not None
            self.head.bias.fill_(-4.0)

    def forward(self, x: Tensor) -> Tensor:
        """The logits [n, 4, s / 4, s / 4]."""
        q = self.quarter(x)
        e = self.eighth(q)
        e = e + self.whole(e)
        wide = nn.functional.interpolate(e, scale_factor=2.0, mode="nearest")
        return torch.as_tensor(self.head(self.joined(torch.cat([q, wide], dim=1))))


class Finder(nn.Module):
    """A picture [n, 3, 288, 384], BGR, 0 to 1, to maps [n, 3, 72, 96]: logits of pit and store centres, log radius.

    It begins with features that were learnt from photographs (`vision.train.photographed`).
    """

    def __init__(self) -> None:
        """Start with random weights."""
        super().__init__()
        self.features = Photographed()
        quarter, eighth, sixteenth = Photographed.WIDTHS
        self.sixteenth = Conv(sixteenth, 48, side=1)
        self.eighth = nn.Sequential(Conv(eighth + 48, 48, side=1), Residual(48))
        self.quarter = nn.Sequential(Conv(quarter + 48, 32, side=1), Conv(32, 32))
        self.heads = nn.Conv2d(32, 3, 1)
        with torch.no_grad():
            assert self.heads.bias is not None
            self.heads.bias.copy_(torch.tensor([-4.0, -5.0, 2.7]))

    def forward(self, x: Tensor) -> Tensor:
        """The maps [n, 3, 72, 96]."""
        quarter, eighth, sixteenth = self.features(x)
        eighth = self.eighth(torch.cat([eighth, _doubled(self.sixteenth(sixteenth))], dim=1))
        return torch.as_tensor(self.heads(self.quarter(torch.cat([quarter, _doubled(eighth)], dim=1))))


def _doubled(x: Tensor) -> Tensor:
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


def parameters(net: nn.Module) -> int:
    """Return the number of a network's weights."""
    return sum(p.numel() for p in net.parameters())
