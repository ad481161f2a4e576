"""The decoder's parameters by maximum likelihood, on staged games that no figure is reported on.

    python -m tests.bench.fit [--games 40] [--questions 400] [--rounds 2]

Each question that a table asks its decoder in these games is kept, with what was true then: the first move had been
made to its end and left this board, or it had not. The parameters are those under which the answers are likeliest, one
after the other by a search over factors of their present values. Of each is printed how much the likelihood falls where
it is halved or doubled, which says how much the games tell of it; and the likelihood of other games, before and after.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any
from unittest.mock import patch

import click
import numpy as np

from engine.decoder import Decoded, Looks, decode, odds
from engine.decoder.parameters import DWELL, EMISSION, OTHERWISE, TOUCH
from engine.position import Position
from engine.rules import Rules
from tests.bench.othermaking import PACES
from tests.bench.staged import Staged

FIT, HELD = 3_000, 4_000
"""Seeds of the games that are fitted on, from the first on, and of those that the likelihood is told of."""
GAPS = (-0.75, -0.3, 0.25)
"""Seconds from one hand's going to the next one's coming, game by game."""
CHEATS = 0.15
"""Share of the moves that are faulty."""
FACTORS = (0.5, 0.71, 1.41, 2.0)
"""By which a parameter is multiplied to see whether others serve better."""
ASTRAY = 0.01
"""Probability that an answer says nothing, since what happened is none of what the decoder knows."""
BETTER_NATS = 0.0005
"""Nats a question by which others have to serve better."""


@dataclass(frozen=True)
class Asked:
    """A question to the decoder, and what was true: the board that the first move had left; None where it had not been
    made to its end."""

    rules: Rules
    befores: Sequence[tuple[Position, float]]
    looks: Looks
    left: tuple[int, ...] | None

    @property
    def nats(self) -> float:
        """The log-likelihood of what was true."""
        said = odds(self.rules, self.befores, self.looks)
        ended = sum(p for (_, _, counts), p in said.items() if self.left in (None, counts))
        p = 1 - ended if self.left is None else ended
        return math.log(ASTRAY + (1 - ASTRAY) * min(1.0, max(0.0, p)))


def questions(first: int, games: int) -> Iterator[Asked]:
    """Those of so many staged games that were asked while the table knew how the board lay."""
    for seed in range(first, first + games):
        game = Staged.draw(seed, PACES["fast"], GAPS[seed % len(GAPS)], cheats=CHEATS)
        asked: list[tuple[Rules, Sequence[tuple[Position, float]], Looks]] = []

        def kept(rules: Rules, befores: Sequence[tuple[Position, float]], looks: Looks,
                 asked: list[Any] = asked) -> Decoded | None:
            asked.append((rules, befores, looks))
            return decode(rules, befores, looks)

        with patch("device.table.settling.looks_since.decode", kept):
            game.watched()
        moves = {(v.turn.before.counts, v.turn.before.to_move): v for v in game.done}
        for rules, befores, looks in asked:
            visit = moves.get((befores[0][0].counts, befores[0][0].to_move)) if len(befores) == 1 else None
            if visit is not None:
                ended = visit.times[-1] <= looks.times[-1]
                yield Asked(rules, befores, looks, visit.turn.after.counts if ended else None)


def some(asked: Sequence[Asked], most: int) -> list[Asked]:
    """So many of them, evenly."""
    return [asked[k] for k in np.unique(np.linspace(0, len(asked) - 1, min(most, len(asked))).astype(int))]


def mean_nats(asked: Sequence[Asked]) -> float:
    """The mean log-likelihood of some questions."""
    return float(np.mean([one.nats for one in asked]))


@dataclass(frozen=True)
class Knob:
    """One parameter of the decoder. room: the dataclass that it is a field of."""

    room: Any
    name: str

    @property
    def value(self) -> float:
        """As it is now."""
        return float(getattr(self.room, self.name))

    def turn(self, value: float) -> None:
        """Set it, for this process alone."""
        object.__setattr__(self.room, self.name, value)

    def at(self, value: float, asked: Sequence[Asked]) -> float:
        """The mean log-likelihood of questions if it had another value."""
        was = self.value
        try:
            self.turn(value)
            return mean_nats(asked)
        finally:
            self.turn(was)


def knobs() -> list[Knob]:
    """All that are fitted: bounds of the work are not."""
    return [Knob(room, each.name) for room in (EMISSION, OTHERWISE, TOUCH, DWELL) for each in fields(room)]


def better(knob: Knob, asked: Sequence[Asked], now: float) -> float:
    """Set a parameter to the value that serves best; returns the mean log-likelihood then."""
    tried = {knob.value * factor: knob.at(knob.value * factor, asked) for factor in FACTORS}
    best = max(tried, key=tried.__getitem__)
    if tried[best] < now + BETTER_NATS:
        return now
    knob.turn(best)
    return tried[best]


@click.command()
@click.option("--games", default=40, show_default=True, help="That are fitted on, and half as many others.")
@click.option("--questions", "most", default=400, show_default=True, help="Of these games.")
@click.option("--rounds", default=2, show_default=True)
def main(games: int, most: int, rounds: int) -> None:
    """Fit the decoder's parameters."""
    fitted = some(list(questions(FIT, games)), most)
    held = some(list(questions(HELD, games // 2)), most // 2)
    before = {(type(k.room).__name__, k.name): k.value for k in knobs()}
    click.echo(f"{len(fitted)} questions, {len(held)} held out")
    now, other = mean_nats(fitted), mean_nats(held)
    click.echo(f"nats a question before: {now:.4f}, held out {other:.4f}")
    for k in range(rounds):
        for knob in knobs():
            now = better(knob, fitted, now)
            click.echo(f"round {k + 1}, {type(knob.room).__name__}.{knob.name} = {knob.value:.4g}: {now:.4f}")
    click.echo(f"nats a question after: {now:.4f}, held out {mean_nats(held):.4f}")
    for knob in knobs():
        falls = [now - knob.at(knob.value * factor, fitted) for factor in (0.5, 2.0)]
        was = before[type(knob.room).__name__, knob.name]
        click.echo(f"{type(knob.room).__name__}.{knob.name}: {was:g} -> {knob.value:.3g}; halved {-falls[0]:+.4f}, "
                   f"doubled {-falls[1]:+.4f} nats a question")


if __name__ == "__main__":
    main()
