"""Fitting: AdamW with one cycle of the learning rate, averaged weights, and a checkpoint after every epoch."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.reading import COUNTS
from vision.seeds.counter import prepare
from vision.train.augment import faded, lit, moved, recolour
from vision.train.boards import targets
from vision.train.crops import marks, peaks
from vision.train.nets import Counter
from vision.train.photographed import Photographed
from vision.train.restored import restored

Image = NDArray[np.uint8]
LossOf = Callable[[nn.Module, NDArray[np.int64], np.random.Generator], Tensor]
"""The loss of some examples int64[n] under a network; what is left to lot comes from the generator."""

WITH = 0.5
"""Share of the pits, of those whose empty picture is known, that are shown with it."""
KNOWN_RATE = 0.3
"""Share of the rate at which weights change that were learnt from photographs."""
CHECKPOINT = "checkpoint.pt"
"""File in a fit's folder from which it goes on."""


@dataclass(frozen=True, slots=True)
class FitSettings:
    """The settings of a fit, besides the pictures."""

    epochs: int
    batch: int
    rate: float
    seed: int = 1
    threads: int = 2
    held_out: float = 0.04
    start: str = ""
    """A checkpoint to take the weights from, or an ONNX file that is shipped; the rate's cycle begins anew."""

    @property
    def told(self) -> dict[str, Any]:
        """The settings that a fit keeps to its end; it may run on other threads."""
        return {name: value for name, value in asdict(self).items() if name != "threads"}


def _leaning(mean: Tensor, new: Tensor, seen: Tensor | int) -> Tensor:
    """The averaged weights: an exponential mean that forgets its first, untrained steps quickly."""
    n = int(seen)
    keep = min(0.998, (1 + n) / (10 + n))
    return mean * keep + new * (1 - keep) if mean.is_floating_point() else new


def _batches(
    n: int, size: int, rng: np.random.Generator, worth: NDArray[np.float64] | None
) -> Iterator[NDArray[np.int64]]:
    order = rng.permutation(n) if worth is None else rng.choice(n, n, p=worth / worth.sum())
    for k in range(0, n - size + 1, size):
        yield np.sort(order[k : k + size])


def fit(
    net: nn.Module,
    count: int,
    settings: FitSettings,
    folder: Path,
    loss_of: LossOf,
    judge: Callable[[nn.Module], dict[str, float]],
    worth: NDArray[np.float64] | None = None,
) -> nn.Module:
    """Fit `net` on `count` examples and return the averaged network. Continues from `folder/checkpoint.pt` if there is
    one; writes `folder/log.jsonl`.

    loss_of(net, indices, rng): the loss of a batch; judge(net): measures on held-out examples. worth: float64[count],
    the relative frequency of each example; None to show each once per epoch.
    """
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    folder.mkdir(parents=True, exist_ok=True)
    if settings.start.endswith(".onnx"):
        restored(net, Path(settings.start))
    elif settings.start:
        net.load_state_dict(_fitting(net, torch.load(settings.start, weights_only=False)["net"]), strict=False)
    net.to(memory_format=torch.channels_last)  # a fifth quicker on a CPU
    run = _Run.begin(net, settings, count)
    for epoch in range(run.resumed(folder, settings), settings.epochs):
        rng = np.random.default_rng((settings.seed, epoch))
        began = time.monotonic()
        loss = run.round(loss_of, _batches(count, settings.batch, rng, worth), rng, f"epoch {epoch}")
        run.save(folder, epoch, settings)
        _log(folder, {
            "epoch": epoch,
            "loss": round(loss, 4),
            "seconds": round(time.monotonic() - began),
            **asdict(settings),
            "examples": count,
            **{k: round(v, 4) for k, v in judge(run.mean.module).items()},
        })
    return nn.Module.eval(run.mean.module)


@dataclass(frozen=True, slots=True)
class _Run:
    """A fit in progress: the network, its optimizer, and the averaged weights."""

    net: nn.Module
    optimiser: torch.optim.AdamW
    schedule: torch.optim.lr_scheduler.OneCycleLR
    mean: torch.optim.swa_utils.AveragedModel

    @classmethod
    def begin(cls, net: nn.Module, settings: FitSettings, count: int) -> _Run:
        """Return the start of a fit on so many examples."""
        known = {p for part in net.modules() if isinstance(part, Photographed) for p in part.parameters()}
        taught = [p for p in net.parameters() if p.requires_grad]
        groups = [
            ([p for p in taught if p not in known and p.ndim > 1], 0.02, settings.rate),
            ([p for p in taught if p not in known and p.ndim <= 1], 0.0, settings.rate),
            ([p for p in taught if p in known], 0.0, KNOWN_RATE * settings.rate),
        ]
        optimiser = torch.optim.AdamW([
            {"params": some, "weight_decay": decay, "lr": rate} for some, decay, rate in groups])
        steps = settings.epochs * (count // settings.batch)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, [rate for *_, rate in groups], total_steps=steps + 1,
                                                       pct_start=0.1)
        return cls(net, optimiser, schedule,
                   torch.optim.swa_utils.AveragedModel(net, avg_fn=_leaning, use_buffers=True))

    @property
    def parts(self) -> dict[str, Any]:
        """The parts of a checkpoint, by name."""
        return {"net": self.net, "optimiser": self.optimiser, "schedule": self.schedule, "mean": self.mean}

    def resumed(self, folder: Path, settings: FitSettings) -> int:
        """Take over the state of the folder's checkpoint; return the epoch to continue with, 0 without a checkpoint.
        Raises ValueError if the checkpoint is of a fit with other settings."""
        saved = folder / CHECKPOINT
        if not saved.exists():
            return 0
        state = torch.load(saved, weights_only=False)
        known = state.get("settings", {})
        others = [name for name, value in settings.told.items() if known.get(name, value) != value]
        if others:
            raise ValueError(f"{saved} is of a fit with another {', '.join(others)}: move it away to begin anew")
        for name, part in self.parts.items():
            part.load_state_dict(state[name])
        return int(state["epoch"]) + 1

    def save(self, folder: Path, epoch: int, settings: FitSettings) -> None:
        """Write the state after an epoch."""
        state = {name: part.state_dict() for name, part in self.parts.items()}
        torch.save(state | {"epoch": epoch, "settings": settings.told}, folder / CHECKPOINT)

    def round(self, loss_of: LossOf, batches: Iterable[NDArray[np.int64]], rng: np.random.Generator,
              name: str) -> float:
        """Teach the network all batches once; return their mean loss."""
        self.net.train()
        began, total, n = time.monotonic(), 0.0, 0
        for indices in batches:
            loss = loss_of(self.net, indices, rng)
            self._step(loss)
            total, n = total + float(loss.detach()), n + 1
            if n % 100 == 0:
                print(f"{name}, step {n}: loss {total / n:.3f}, {time.monotonic() - began:.0f} s", flush=True)
        return total / max(1, n)

    def _step(self, loss: Tensor) -> None:
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        # A fit that goes on with more lessons takes more steps.
        if self.schedule.last_epoch + 1 < self.schedule.total_steps:
            self.schedule.step()
        self.mean.update_parameters(self.net)


def _log(folder: Path, line: dict[str, Any]) -> None:
    """Write one line to the folder's log and to the screen."""
    print(json.dumps(line), flush=True)
    with (folder / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")


def _fitting(net: nn.Module, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights that have a place of the same shape in the network. A convolution with more input channels
    than the weights have starts with zero weights for these."""
    own = net.state_dict()
    out = {}
    for name, old in weights.items():
        new = own.get(name)
        if new is not None and new.ndim == 4 and new.shape[1] > old.shape[1] and new.shape[2:] == old.shape[2:]:
            old = nn.functional.pad(old, (0, 0, 0, 0, 0, new.shape[1] - old.shape[1]))
        if new is not None and new.shape == old.shape:
            out[name] = old
    return out


def counter_loss(
    pictures: Image,
    labels: NDArray[np.uint8],
    middles: NDArray[np.float32],
    empties: Image,
    side: int,
    compiled: bool = False,
) -> LossOf:
    """Cross entropy on the 27 classes, and the squared error of the map of seeds, with which training converges much
    sooner. empties: pictures of the same pits empty; the network gets them only half of the time, so that it works with
    and without them. side: the pictures are shrunk to this side, pixels, which speeds up the first epochs. compiled:
    have torch compile the network, which is a quarter faster and needs a C++ compiler."""
    size = pictures.shape[1]
    counted = torch.compile(Counter.forward) if compiled else Counter.forward

    def loss(net: nn.Module, indices: NDArray[np.int64], rng: np.random.Generator) -> Tensor:
        bare = empties[indices].copy()
        bare[rng.random(len(bare)) > WITH] = 0
        seen = faded(pictures[indices], empties[indices], rng)
        turned, at = moved(np.concatenate([seen, bare], axis=3), middles[indices], rng)
        x = torch.from_numpy(prepare(*lit(shrunk(turned[..., :3], side), shrunk(turned[..., 3:], side), rng)))
        x = x.to(memory_format=torch.channels_last)
        y = torch.from_numpy(labels[indices].astype(np.int64))
        assert isinstance(net, Counter)
        logits, here = counted(net, x)
        want = torch.from_numpy(marks(at, size, here.shape[-1]))
        off = ((here[:, 0] - want) ** 2).sum(dim=(1, 2)) / (1 + y / 4) * (y < COUNTS)  # deep heaps hide theirs
        return nn.functional.cross_entropy(logits, y, label_smoothing=0.005) + 4.0 * off.mean()

    return loss


def shrunk(pictures: Image, side: int) -> Image:
    """Return square pictures uint8[n, s, s, 3] at a smaller size."""
    if pictures.shape[1] == side:
        return np.ascontiguousarray(pictures)
    small = [cv2.resize(p, (side, side), interpolation=cv2.INTER_AREA) for p in pictures]
    return np.asarray(small, np.uint8)


def counter_logits(net: nn.Module, pictures: Image, empties: Image | None = None) -> NDArray[np.float32]:
    """Return the logits float32[n, 27] for pictures uint8[n, SIZE, SIZE, 3], and those of the same pits empty, where
    known."""
    net.eval()
    parts = [slice(k, k + 256) for k in range(0, len(pictures), 256)]
    with torch.no_grad():
        return np.concatenate(
            [
                net(torch.from_numpy(prepare(pictures[k], None if empties is None else empties[k])))[0].numpy()
                for k in parts
            ]
        )


def counter_measures(
    net: nn.Module, pictures: Image, labels: NDArray[np.uint8], empties: Image | None = None
) -> dict[str, float]:
    """Return the share of pits counted exactly, per band of counts, and the shares of covered and of open pits that are
    recognised as such."""
    logits = counter_logits(net, pictures, empties)
    counts = logits[:, :COUNTS].argmax(axis=1)
    out = {}
    for name, low, high in (("0", 0, 0), ("1-4", 1, 4), ("5-8", 5, 8), ("9-14", 9, 14), ("15-20", 15, 20)):
        here = (labels >= low) & (labels <= high)
        out[name] = float((counts[here] == labels[here]).mean()) if here.any() else math.nan
    covered = labels == COUNTS
    says = logits.argmax(axis=1) == COUNTS
    out["covered"] = float(says[covered].mean()) if covered.any() else math.nan
    out["not covered"] = float((~says[~covered]).mean())
    return out


def spots_loss(
    pictures: Image, middles: NDArray[np.float32], ratios: NDArray[np.float32], empties: Image
) -> LossOf:
    """CenterNet's penalty-reduced focal loss for the heat of seeds' middles. pictures, empties: uint8[n, s, s, 3];
    middles: float32[n, most, 2], pixels, NaN for none; ratios: float32[n], a seed's radius divided by its pit's. Empty
    pictures are hidden from the network as in `counter_loss`."""
    size = pictures.shape[1]

    def loss(net: nn.Module, indices: NDArray[np.int64], rng: np.random.Generator) -> Tensor:
        bare = empties[indices].copy()
        bare[rng.random(len(bare)) > WITH] = 0
        seen = faded(pictures[indices], empties[indices], rng)
        turned, at = moved(np.concatenate([seen, bare], axis=3), middles[indices], rng)
        seen, bare = (np.ascontiguousarray(turned[..., k : k + 3]) for k in (0, 3))
        x = torch.from_numpy(prepare(*lit(seen, bare, rng)))
        y = torch.from_numpy(peaks(at, ratios[indices], size, size // 2))
        out = net(x.to(memory_format=torch.channels_last))
        return focal(nn.functional.pixel_shuffle(out, 2)[:, 0], y, 0.999)

    return loss


def spots_error(
    net: nn.Module, pictures: Image, middles: NDArray[np.float32], ratios: NDArray[np.float32], empties: Image
) -> float:
    """Return the mean loss of `spots_loss` for unchanged pictures."""
    net.eval()
    size, errors = pictures.shape[1], []
    with torch.no_grad():
        for k in range(0, len(pictures), 24):
            some = slice(k, k + 24)
            out = net(torch.from_numpy(prepare(pictures[some], empties[some])))
            want = torch.from_numpy(peaks(middles[some], ratios[some], size, size // 2))
            errors.append(float(focal(nn.functional.pixel_shuffle(out, 2)[:, 0], want, 0.999)))
    return float(np.mean(errors))


def focal(logits: Tensor, want: Tensor, top: float) -> Tensor:
    """Return CenterNet's loss of a heat map against the wanted heat map of the same shape. A cell counts as a middle if
    the wanted heat is above `top` there."""
    p = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    peak = (want > top).float()
    hit = -peak * (1 - p) ** 2 * torch.log(p)
    miss = -(1 - peak) * (1 - want) ** 4 * p**2 * torch.log(1 - p)
    return torch.as_tensor((hit + miss).sum() / peak.sum().clamp(min=1))


def finder_loss(
    pictures: Image, truth: NDArray[np.float32]
) -> LossOf:
    """CenterNet's penalty-reduced focal loss for the heat, L1 for the log radius."""

    def loss(net: nn.Module, indices: NDArray[np.int64], rng: np.random.Generator) -> Tensor:
        images, circles = pictures[indices].copy(), truth[indices].copy()
        h, w = images.shape[1:3]
        if rng.random() < 0.5:
            images, circles[..., 0] = images[:, :, ::-1], w - 1 - circles[..., 0]
        if rng.random() < 0.5:
            images, circles[..., 1] = images[:, ::-1], h - 1 - circles[..., 1]
        x = torch.from_numpy(np.ascontiguousarray(recolour(images, rng).transpose(0, 3, 1, 2)) / np.float32(255))
        return finder_error(net(x), torch.from_numpy(targets(circles)))

    return loss


def finder_error(out: Tensor, want: Tensor) -> Tensor:
    """The finder's loss for its maps [n, 3, h, w] against `boards.targets` [n, 5, h, w]."""
    mask = want[:, 3:].sum(dim=1).clamp(max=1)
    size = (torch.abs(out[:, 2] - want[:, 2]) * mask).sum() / mask.sum().clamp(min=1)
    return focal(out[:, :2], want[:, :2], 0.85) + size
