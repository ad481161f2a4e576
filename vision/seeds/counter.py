"""The counter: pictures of pits in, log-likelihoods of counts out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network, load
from vision.reading import COUNTS
from vision.seeds.close_up import Window, closer, window
from vision.seeds.crops import MARGIN, SIZE
from vision.seeds.parameters import COUNTER
from vision.seeds.seed_map import weighed
from vision.seeds.seed_middles import heat
from vision.seeds.workers import NetworkFile, Workers, WorkersNetwork

Pictures = NDArray[np.uint8] | NDArray[np.float32]
Logs = NDArray[np.float32]
Maps = NDArray[np.float32]

WEIGHTS, SPOTS = (Path(__file__).parents[1] / "weights" / f"{name}.onnx" for name in ("counter", "spots"))
SPREAD_FLOOR_GREY = 255 * COUNTER.spread_floor
"""Grey levels added to a picture's spread."""
POSITIONS = 8
"""Quarter turns and mirror images of a picture."""
MARGINS = (MARGIN, COUNTER.closer_cut * MARGIN, COUNTER.wider_cut * MARGIN)
"""With how much round them pits are cut out of a photograph, one after the other; see `Reader.study`."""


def prepare(pictures: Pictures, empties: Pictures | None = None) -> NDArray[np.float32]:
    """Return the network's input float32[n, 6, h, w] for pictures [n, h, w, 3], 0…255, and for pictures of the same
    pits empty.

    Each picture is normalised by its own mean and spread, so that dark rooms look like bright ones. Its empty picture
    is normalised by the same two numbers, so that unchanged parts stay equal in both. An empty picture that is all
    black means that none is known; its channels are zero.
    """
    n, h, w, _ = pictures.shape
    out = np.zeros((n, 6, h, w), np.float32)
    for k in range(n):  # picture by picture: all of it stays in the processor's cache, which is six times as quick
        x = pictures[k].transpose(2, 0, 1).astype(np.float32)
        mean = x.mean()
        x -= mean
        spread = np.float32(math.sqrt(float(np.vdot(x, x)) / x.size) + SPREAD_FLOOR_GREY)
        np.divide(x, spread, out=out[k, :3])
        if empties is not None and empties[k].any():
            np.divide(empties[k].transpose(2, 0, 1) - mean, spread, out=out[k, 3:])
    return out


def turned(pictures: NDArray[Any], k: int) -> NDArray[Any]:
    """Return square pictures [n, s, s, …] in one of their eight positions: k % 4 quarter turns, and mirrored if k is 4
    or more."""
    quarter = np.rot90(pictures, k % 4, axes=(1, 2))
    return np.ascontiguousarray(quarter[:, :, ::-1] if k >= 4 else quarter)


def unturned(maps: NDArray[Any], k: int) -> NDArray[Any]:
    """Return square maps [n, s, s] of `turned` pictures, turned back."""
    back = maps[:, :, ::-1] if k >= 4 else maps
    return np.rot90(back, -(k % 4), axes=(1, 2))


def shrunk(pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return square pictures uint8[n, s, s, 3] at the counter's size, uint8[n, SIZE, SIZE, 3]."""
    if pictures.shape[1] == SIZE:
        return pictures
    small = [cv2.resize(p, (SIZE, SIZE), interpolation=cv2.INTER_AREA) for p in pictures]
    return np.array(small, np.uint8).reshape(-1, SIZE, SIZE, 3)


class Cut(Protocol):
    """Pits to be cut out of a picture: `crop_view` or `crop_circles` with its first arguments."""

    def __call__(self, *, margin: float) -> NDArray[np.uint8]:
        """Return the pits' pictures, uint8[n, s, s, 3]."""


@dataclass(frozen=True, slots=True)
class _Pits:
    """Pits to be read. pictures: uint8[n, s, s, 3]; empties: the same pits empty, None if no empty picture is known;
    turns: number of positions to read them in; first: the position to begin with."""

    pictures: NDArray[np.uint8]
    empties: NDArray[np.uint8] | None
    turns: int
    first: int

    @property
    def positions(self) -> list[int]:
        """The positions to read them in, as `k` of `turned`."""
        return [(self.first + k) % POSITIONS for k in range(self.turns)]

    def some(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> _Pits:
        """Return some of them, given as bool[n] or by their indices."""
        return self._each(lambda pictures: pictures[which])

    def shrunk(self) -> _Pits:
        """Return all of them at the counter's size."""
        return self._each(shrunk)

    def closer(self, windows: Mapping[int, Window]) -> _Pits:
        """Return the windows of the pits with these indices, at the counter's size."""
        return self._each(lambda pictures: np.array(
            [closer(pictures[k], at, SIZE) for k, at in windows.items()], np.uint8))

    def turned(self, k: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
        """Return their pictures and their empty pictures in position `k`."""
        at_k = self._each(lambda pictures: turned(pictures, k))
        return at_k.pictures, at_k.empties

    def _each(self, change: Callable[[NDArray[np.uint8]], NDArray[np.uint8]]) -> _Pits:
        empties = None if self.empties is None else change(self.empties)
        return replace(self, pictures=change(self.pictures), empties=empties)


class Reader:
    """The networks with their weights."""

    def __init__(self, weights: Path = WEIGHTS, spots: Path = SPOTS, processes: int = 0) -> None:
        """weights, spots: ONNX files of the counter and of the network of seeds' middles. processes: number of worker
        processes that share each call's pictures; 0 to run the networks in this process. Raises what
        `vision.network.load` and `vision.seeds.workers.Workers` raise."""
        files = [NetworkFile(weights, ("logits", "seeds")), NetworkFile(spots, ("spots",))]
        self._net: Network
        self._spots: Network
        if processes:
            workers = Workers(files, processes)
            self._net, self._spots = (WorkersNetwork(workers, k) for k in range(len(files)))
        else:
            self._net, self._spots = (load(file.weights, file.outputs) for file in files)
        self._together = COUNTER.together * max(1, processes)

    def look(
        self, pictures: NDArray[np.uint8], empties: NDArray[np.uint8] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the logits float32[n, 27] of the counts 0…24, more, and covered; and maps float32[n, s / 4, s / 4] of
        how much of a seed lies at each place. pictures: uint8[n, s, s, 3] BGR, s a multiple of 16; empties: of the same
        pits empty, where known; see `prepare`."""
        if len(pictures) == 0:
            return np.zeros((0, COUNTS + 1), np.float32), np.zeros((0, 1, 1), np.float32)
        said, where = [], []
        for k in range(0, len(pictures), self._together):
            some = slice(k, k + self._together)
            logits, maps = self._net.run(prepare(pictures[some], None if empties is None else empties[some]))
            said.append(logits)
            where.append(maps[:, 0])
        return np.concatenate(said) / np.float32(COUNTER.temperature), np.concatenate(where)

    def heats(
        self, pictures: NDArray[np.uint8], empties: NDArray[np.uint8] | None = None
    ) -> NDArray[np.float32]:
        """Return float32[n, s / 2, s / 2], the probability of a seed's middle at each place
        (`vision.seeds.seed_middles`), for pictures as `look` takes them."""
        said = []
        for k in range(0, len(pictures), self._together):
            some = slice(k, k + self._together)
            said.append(heat(self._spots.run(prepare(pictures[some], None if empties is None else empties[some]))[0]))
        return np.concatenate(said)

    def read(
        self,
        pictures: NDArray[np.uint8],
        turns: int = 1,
        first: int = 0,
        empties: NDArray[np.uint8] | None = None,
        again: bool = True,
        fine: NDArray[np.float32] | None = None,
        drawn: NDArray[np.float32] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return log-likelihoods float32[n, 26], normalised under a uniform prior, and float32[n], the probability that
        the pit is covered. pictures: uint8[n, s, s, 3], s a multiple of 16, at least 80.

        The first look is at 80 pixels. Where it is not sure, two more follow: the seeds from close by
        (`vision.seeds.close_up`), and the seeds' middles in the whole pit at full resolution
        (`vision.seeds.seed_middles`). Then all looks are weighed (`vision.seeds.seed_map`).

        turns: in how many positions, 1 to 8, each pit is read; the results are averaged. Use more than one where there
        is time, such as for single photographs. first: the position to begin with; if it changes from frame to frame,
        the mean over frames is one over positions. empties: uint8[n, s, s, 3], the same pits empty, all black where
        unknown. again: False to leave out the look at full resolution, which costs the most. fine: float32[n, s / 2, s
        / 2], heats of earlier looks at full resolution at pits that look unchanged since, NaN for none; if given, only
        a few pits are looked at in full resolution at one time, the least sure first, and their heats are written into
        it. drawn: float32[n, SIZE / 4, SIZE / 4], into which the first look's maps are written.
        """
        pits = _Pits(pictures, empties, turns, first)
        logits, maps = self._turned(pits.shrunk())
        if drawn is not None:
            drawn[:] = maps
        top = logits.max(axis=1, keepdims=True)
        covered = np.exp(logits[:, COUNTS:] - top).sum(axis=1) / np.exp(logits - top).sum(axis=1)
        counts = _normal(logits[:, :COUNTS])
        ask = (covered < COUNTER.covered) & (counts.max(axis=1) < math.log(COUNTER.sure))
        if pictures.shape[1] > SIZE and ask.any():
            near, near_maps = self._near(pits.some(ask), counts[ask], maps[ask])
            heats = self._fine(pits, ask, counts, again=again, known=fine)[ask]
            counts[ask] = _together(counts[ask], near, near_maps, heats)
        return np.maximum(counts, np.float32(COUNTER.least_loglik)).astype(np.float32), covered.astype(np.float32)

    def _fine(
        self,
        pits: _Pits,
        ask: NDArray[np.bool_],
        counts: NDArray[np.float32],
        *,
        again: bool,
        known: NDArray[np.float32] | None,
    ) -> NDArray[np.float32]:
        """Return float32[n, s / 2, s / 2], the heats of the pits at full resolution, NaN for pits not looked at in this
        way. ask: bool[n], the pits whose first look is not sure; counts: float32[n, 26], the first look's
        log-likelihoods. again, known: `again` and `fine` of `read`; new heats are written into `known`."""
        places = pits.pictures.shape[1] // 2
        heats = np.full((len(ask), places, places), np.nan, np.float32) if known is None else known
        if not again:
            return heats
        new = np.flatnonzero(ask & np.isnan(heats[:, 0, 0]))
        if known is not None:
            new = new[np.argsort(counts[new].max(axis=1), kind="stable")][:COUNTER.fine_pits]
        if len(new):
            heats[new] = self._heated(pits.some(new))
        return heats

    def study(self, *cuts: Cut) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return what `read` returns, with more work for each pit: for a single photograph, where there is time. The
        pits are read in all positions; those still in doubt are also cut out a little closer and a little wider, and
        the results are averaged. cuts: one way to cut the pits out, or several, used in turn: a pit seen at a slant may
        be levelled, which stretches its seeds, or left as it is."""
        loglik, covered = self.read(cuts[0](margin=MARGINS[0]), POSITIONS)
        ask = (covered < COUNTER.covered) & (loglik.max(axis=1) < math.log(COUNTER.sure))
        if ask.any():
            more = [
                self.read(cuts[k % len(cuts)](margin=MARGINS[k])[ask], POSITIONS)[0] for k in range(1, len(MARGINS))
            ]
            loglik[ask] = _normal(np.mean([loglik[ask], *more], axis=0))
        return loglik, covered

    def looks(
        self, pictures: NDArray[np.uint8], empties: NDArray[np.uint8], turns: int, first: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Return the first look at every pit, the closer look, its maps, and the heats: the first four arguments of
        `vision.seeds.seed_map.evidence`, also where the first look is sure. Arguments: as for `read`."""
        pits = _Pits(pictures, empties, turns, first)
        logits, maps = self._turned(pits.shrunk())
        counts = _normal(logits[:, :COUNTS])
        near, near_maps = self._near(pits, counts, maps)
        return counts, near, near_maps, self._heated(pits)

    def _near(
        self, pits: _Pits, counts: NDArray[np.float32], maps: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return log-likelihoods float32[n, 26] and maps from close by; those of the first look where a closer one
        would show no more. counts, maps: of the first look."""
        counts, maps = counts.copy(), maps.copy()
        windows = {k: at for k, at in enumerate(map(window, maps)) if at is not None}
        if windows:
            asked = list(windows)
            logits, near_maps = self._turned(pits.closer(windows))
            counts[asked], maps[asked] = _normal(logits[:, :COUNTS]), near_maps
        return counts, maps

    def _turned(self, pits: _Pits) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the mean logits and the mean maps over the positions."""
        logits, maps = [], []
        for k in pits.positions:
            said, seeds = self.look(*pits.turned(k))
            logits.append(said)
            maps.append(unturned(seeds, k))
        return np.mean(logits, axis=0), np.mean(maps, axis=0)

    def _heated(self, pits: _Pits) -> NDArray[np.float32]:
        """Return the mean heat over the positions."""
        seen = [unturned(self.heats(*pits.turned(k)), k) for k in pits.positions]
        return np.asarray(np.mean(seen, axis=0), np.float32)


def _together(counts: Logs, near: Logs, near_maps: Maps, heats: Maps) -> Logs:
    """Combine all looks at the pits into normalised log-likelihoods, float32[n, 26]. counts, near: the log-likelihoods,
    float32[n, 26], of the first look and of the look from close by; near_maps: the maps from close by; heats: of the
    look at full resolution, NaN for pits without one."""
    there = ~np.isnan(heats[:, 0, 0])
    said = np.empty_like(counts)
    said[~there] = weighed(counts[~there], near[~there], near_maps[~there])
    said[there] = weighed(counts[there], near[there], near_maps[there], heats[there])
    return _normal(said)


def _normal(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Normalise logits, float32[n, 26], so that the likelihoods of each pit's counts add up to 1."""
    best = counts.max(axis=1, keepdims=True)
    return np.asarray(counts - best - np.log(np.exp(counts - best).sum(axis=1, keepdims=True)), np.float32)


@lru_cache(maxsize=1)
def reader() -> Reader:
    """Return the counter with the weights that come with the program."""
    return Reader()
