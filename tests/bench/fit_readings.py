"""Fits how far the readings of a quiet board are to be trusted, on logs of recordings.

    python -m tests.bench.fit_readings [--folder FOLDER] [--first N]

In every log that may be tuned on, at every moment at which the true board is known (no hand near, between two moves),
each visible pit is one case: what was read, and what was true. A log is one board, read well, with its heaps short, or
badly. The parameters of `engine.referee.parameters.MisreadingRates` are set to make the true counts likeliest, one
after the other, by trying multiples of their present values. For each the program prints by how much the likelihood
falls when it is halved or doubled, which shows how well the recordings determine it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from device.evidence.reading_log import read_log
from engine.position import Position
from engine.referee import emission
from engine.referee.observation import COUNTS
from engine.referee.parameters import HANDS, READING, MisreadingRates
from tests.bench.logs import CACHE, FIT, readable

SETTLES_S, COMES_S = 0.25, 0.05
"""Seconds after a hand has left, and before the next one comes, in which the board does not count as known."""
FACTORS = (0.5, 0.71, 0.84, 1.19, 1.41, 2.0)
"""Factors by which each parameter is tried."""
ROUNDS = 6
BETTER_NATS = 0.001
"""The least gain in total log-likelihood, in nats, for a new value to be accepted."""
FITTED = ("misread", "misread_nats", "too_many", "further", "unsure_anyhow", "short_boards", "short",
          "short_unsure_nats", "short_by_one", "bad_boards", "bad")
"""The parameters to fit."""
BOUNDS = {"misread": (1e-5, 5e-4), "misread_nats": (1.0, 20.0), "short_unsure_nats": (1.0, 20.0),
          "further": (0.05, 0.6), "unsure_anyhow": (1e-4, 0.1), "short_boards": (0.001, 0.45),
          "bad_boards": (0.001, 0.45)}
"""Within these each may lie; any other is a share up to 0.9."""


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
    """Pits whose counts are known: true int64[n]; loglik float64[n, 26], what was read; log int64[n], the number of the
    recording."""

    true: NDArray[np.int64]
    loglik: NDArray[np.float64]
    log: NDArray[np.int64]

    def nats(self, reading: MisreadingRates) -> float:
        """Return the total log-probability of the true counts, all counts being equally likely beforehand."""
        with patch.object(emission, "READING", reading):
            nats = emission.count_nats(self.loglik, np.ones(len(self.true), np.bool_))
            nats = nats - np.logaddexp.reduce(nats, axis=1, keepdims=True)
            each = emission.kinds_of_board(nats)[:, np.arange(len(self.true)), self.true]
            boards = [emission.unread_board() + each[:, self.log == k].sum(axis=1) for k in np.unique(self.log)]
        return float(np.logaddexp.reduce(boards, axis=1).sum())


def known(log: Path) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the true count and log-likelihoods float64[26] of each visible pit, once between any two moves."""
    truth = msgspec.json.decode(log.with_suffix(".truth.json").read_bytes(), type=Truth)
    ends = [*(turn.t_in for turn in truth.moves), float("inf")]
    begins = [-1.0, *(turn.t_out for turn in truth.moves)]
    lines = [truth.start, *(turn.position for turn in truth.moves)]
    newest: dict[int, tuple[NDArray[np.float64], NDArray[np.bool_]]] = {}
    for entry in read_log(log)[1]:
        reading = entry.reading
        if reading is None or not (reading.counted and reading.found) or max(reading.hands) > HANDS.seen / 2:
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
    found = [(*one, k) for k, log in enumerate(logs) for one in known(log)]
    loglik = np.array([said for _, said, _ in found], np.float64).reshape(-1, COUNTS)
    return Cases(np.array([true for true, _, _ in found], np.int64), loglik - loglik.max(axis=1, keepdims=True),
                 np.array([k for _, _, k in found], np.int64))


def times(reading: MisreadingRates, name: str, factor: float) -> MisreadingRates:
    """Return the rates with one parameter multiplied, within its bounds: a share stays below 0.9, and the largest heap
    is misread less often than not."""
    least, most = BOUNDS.get(name, (0.0, 0.9))
    return replace(reading, **{name: min(most, max(least, getattr(reading, name) * factor))})


def fitted(those: Cases, reading: MisreadingRates = READING) -> MisreadingRates:
    """Return the rates with the likeliest parameters."""
    nats = those.nats(reading)
    for _ in range(ROUNDS):
        for name in FITTED:
            for factor in FACTORS:
                other = times(reading, name, factor)
                if (now := those.nats(other)) > nats + BETTER_NATS:
                    reading, nats = other, now
    return reading


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
    found = fitted(every)
    best = every.nats(found)
    click.echo(f"{len(logs)} logs, {len(every.true)} pits: log-likelihood {every.nats(READING):.1f} -> {best:.1f}")
    for name in FITTED:
        falls = [every.nats(times(found, name, by)) - best for by in (0.5, 2.0)]
        click.echo(f"  {name}: {getattr(READING, name):g} -> {getattr(found, name):.3g}; "
                   f"halved {falls[0]:+.2f}, doubled {falls[1]:+.2f} nats")


if __name__ == "__main__":
    main()
