"""Fits how far the readings of a quiet board are to be trusted, on logs of recordings.

    python -m tests.bench.fit_readings [--folder FOLDER]

In every log that may be tuned on, at every moment at which the true board is known (no hand near, between two moves),
each visible pit is one case: what was read, and what was true. The parameters `misread` and `misread_by` of
`engine.referee.parameters.MisreadingRates` are set to make the true counts likeliest, for each band of true counts, one
after the other, by trying multiples of their present values. For each parameter the program prints by how much the
likelihood falls when it is halved or doubled, which shows how well the recordings determine it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from device.evidence.reading_log import read_log
from device.table.parameters import Motion
from engine.position import Position
from engine.referee import emission
from engine.referee.observation import COUNTS
from engine.referee.parameters import READING, MisreadingRates
from tests.bench.logs import CACHE, FIT, readable

SETTLES_S, COMES_S = 0.25, 0.05
"""Seconds after a hand has left, and before the next one comes, in which the board does not count as known."""
FACTORS = (0.5, 0.71, 0.84, 1.19, 1.41, 2.0)
"""Factors by which each parameter is tried."""
ROUNDS = 6
BETTER_NATS = 0.001
"""The least gain in total log-likelihood, in nats, for a new value to be accepted."""
NAMES = ("just sure", "as sure as can be", "too many", "each further too few", "each further too many")
"""The parameters of a band: two of `misread`, three of `misread_by`."""
LEAST, MOST = (5.1e-5, 5.1e-5, 0.005, 0.005, 0.005), (0.3, 0.3, 0.95, 0.95, 0.95)


class Turn(msgspec.Struct):
    """A move in a clip's truth: when its hand came and left, and the position after it."""

    t_in: float
    t_out: float
    position: str


class Truth(msgspec.Struct):
    """A clip's truth."""

    start: str
    moves: list[Turn]


@dataclass(frozen=True)
class Cases:
    """Pits whose counts are known: true int64[n]; loglik float64[n, 26], what was read."""

    true: NDArray[np.int64]
    loglik: NDArray[np.float64]

    def of(self, band: int) -> Cases:
        """Return the cases whose true count is in a band of the parameters."""
        ends = [-1, *(most for most, _, _ in READING.misread)]
        inside = (self.true > ends[band]) & (self.true <= ends[band + 1])
        return Cases(self.true[inside], self.loglik[inside])

    def nats(self, reading: MisreadingRates) -> float:
        """Return the total log-probability of the true counts, all counts being equally likely beforehand."""
        with patch.object(emission, "READING", reading):
            nats = emission.stay(self.loglik, np.ones(len(self.true), np.bool_))
        nats = nats - np.logaddexp.reduce(nats, axis=1, keepdims=True)
        return float(nats[np.arange(len(self.true)), self.true].sum())


def known(log: Path) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the true count and log-likelihoods float64[26] of each visible pit, once between any two moves."""
    truth = msgspec.json.decode(log.with_suffix(".truth.json").read_bytes(), type=Truth)
    ends = [*(turn.t_in for turn in truth.moves), float("inf")]
    begins = [-1.0, *(turn.t_out for turn in truth.moves)]
    lines = [truth.start, *(turn.position for turn in truth.moves)]
    newest: dict[int, tuple[NDArray[np.float64], NDArray[np.bool_]]] = {}
    for entry in read_log(log)[1]:
        reading = entry.reading
        if reading is None or not (reading.counted and reading.found) or max(reading.hands) > Motion().hands_leave:
            continue
        t = reading.time_ns / 1e9
        for k, (begin, end) in enumerate(zip(begins, ends, strict=True)):
            if begin + SETTLES_S < t < end - COMES_S:
                newest[k] = reading.loglik.astype(np.float64), reading.seen
    for k, (loglik, seen) in newest.items():
        counts = Position.parse(lines[k]).counts
        if len(counts) == len(loglik):
            yield from ((min(counts[pit], COUNTS - 1), loglik[pit]) for pit in np.flatnonzero(seen).tolist())


def cases(logs: Iterable[Path]) -> Cases:
    """Return all cases in the logs."""
    found = [one for log in logs for one in known(log)]
    loglik = np.array([said for _, said in found], np.float64).reshape(-1, COUNTS)
    return Cases(np.array([true for true, _ in found], np.int64), loglik - loglik.max(axis=1, keepdims=True))


def values(reading: MisreadingRates, band: int) -> list[float]:
    """Return the five parameters of a band, in the order of `NAMES`."""
    return [*reading.misread[band][1:], *reading.misread_by[band][1:]]


def with_values(reading: MisreadingRates, band: int, found: Sequence[float]) -> MisreadingRates:
    """Return the rates with other parameters for a band."""
    misread, misread_by = list(reading.misread), list(reading.misread_by)
    misread[band] = (misread[band][0], found[0], found[1])
    misread_by[band] = (misread_by[band][0], found[2], found[3], found[4])
    return replace(reading, misread=tuple(misread), misread_by=tuple(misread_by))


def allowed(found: Sequence[float]) -> bool:
    """Return whether a band may have these parameters: within bounds, and surer readings err no more often."""
    within = all(low <= one <= high for low, one, high in zip(LEAST, found, MOST, strict=True))
    return within and found[1] <= found[0]


def fitted(band: int, those: Cases, reading: MisreadingRates = READING) -> MisreadingRates:
    """Return the rates with the likeliest parameters for a band."""
    best, nats = values(reading, band), those.nats(reading)
    for _ in range(ROUNDS):
        for k in range(len(NAMES)):
            for factor in FACTORS:
                other = [*best[:k], best[k] * factor, *best[k + 1:]]
                if allowed(other) and (now := those.nats(with_values(reading, band, other))) > nats + BETTER_NATS:
                    best, nats = other, now
    return with_values(reading, band, best)


@click.command()
@click.option("--folder", default=CACHE, type=click.Path(path_type=Path), help="Of the logs; the cache if not given.")
@click.option("--first", default=FIT, show_default=True, help="Number of the first clip that may be tuned on.")
def main(folder: Path, first: int) -> None:
    """Fit how far readings are to be trusted."""
    logs = [log for log in sorted(folder.glob("*_*.log"))
            if int(log.stem.rsplit("_", 1)[1]) >= first and readable(log)]
    if not logs:
        raise click.ClickException(f"{folder} has no log of clip {first} or later: python -m tests.bench.logs make")
    every = cases(logs)
    click.echo(f"{len(logs)} logs, {len(every.true)} pits")
    for band, (most, _, _) in enumerate(READING.misread):
        those = every.of(band)
        found = fitted(band, those)
        now, best = those.nats(READING), those.nats(found)
        click.echo(f"up to {most} seeds: {len(those.true)} pits, log-likelihood {now:.1f} -> {best:.1f}")
        at = values(found, band)
        for k, (name, was, is_) in enumerate(zip(NAMES, values(READING, band), at, strict=True)):
            falls = [those.nats(with_values(found, band, [*at[:k], min(MOST[k], is_ * by), *at[k + 1:]])) - best
                     for by in (0.5, 2.0)]
            click.echo(f"  {name}: {was:g} -> {is_:.3g}; halved {falls[0]:+.2f}, doubled {falls[1]:+.2f} nats")


if __name__ == "__main__":
    main()
