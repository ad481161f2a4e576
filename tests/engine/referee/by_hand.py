"""Moves played by hand, right or wrong, apart from the referee's own search, and what it says of them.

`^c` lifts pit c, `^c-1` leaves one seed in it, a letter drops a seed, `xcF` captures pits c and F, `+cF` takes them up
to be sown on, `~-1` loses a seed from the hand. In a line the upper row reads H…A, the lower one a…h.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.board import Board
from engine.games.base import Rules
from engine.position import Position
from engine.referee.decide import weighed
from engine.referee.observation import COUNTS, Observation
from engine.trace import Capture, Drop, Lift, Step, Stray
from engine.verdict import Verdict
from tests.engine.trace_applied import apply

MIDDLE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
SOUTHS, NORTHS, BOTH, FAINT = (0.3, 0.01), (0.01, 0.3), (0.3, 0.3), (0.001, 0.001)
"""Whose hand was over the board; too faint to tell."""


def by_hand(line: str, play: str) -> Position:
    """The board after a move played by hand. Raises TraceError where seeds are asked for that are not there."""
    position, trace, lifted = Position.parse(line), list[Step](), -1
    counts = list(position.counts)
    for token in play.split():
        step = _step(position.board, counts, token, lifted)
        lifted = step.pit if isinstance(step, Lift) else lifted
        trace.append(step)
        counts = list(_after(counts, step))
    after = apply(position, trace)
    assert after.counts == tuple(counts)
    return after


def _step(board: Board, counts: list[int], token: str, lifted: int) -> Step:
    """The step that a word stands for. lifted: the pit that was lifted last."""
    pits = tuple(board.pit(p) for p in token[1:] if p.isalpha())
    match token[0]:
        case "^":
            return Lift(pits[0], counts[pits[0]] - int(token[3:] or 0))
        case "~":
            return Stray(None, int(token[1:]))
        case "x":
            return Capture(pits, sum(counts[p] for p in pits))
        case "+":
            return Capture(pits, sum(counts[p] for p in pits), lifted)
    return Drop(board.pit(token))


def _after(counts: list[int], step: Step) -> Iterator[int]:
    """What lies in each pit after a step of `_step`."""
    for pit, n in enumerate(counts):
        match step:
            case Lift(at, lifted) if at == pit:
                yield n - lifted
            case Drop(at) if at == pit:
                yield n + 1
            case Capture(taken) if pit in taken:
                yield 0
            case _:
                yield n


def seen(counts: Sequence[int], hands: tuple[float, float] = FAINT, sure: float = 0.999) -> Observation:
    """A board at a long rest, each pit read as it lies, with that probability."""
    return Observation.of_counts(counts, hands=hands, sure_nats=math.log(sure * (COUNTS - 1) / (1 - sure)))


def reads(observation: Observation, pit: int, odds: Mapping[int, float]) -> Observation:
    """The same with a pit read otherwise: the probabilities of some counts, of each other one in a million."""
    loglik = observation.loglik.copy()
    loglik[pit] = np.log(1e-6)
    loglik[pit, list(odds)] = np.log(list(odds.values()))
    return replace(observation, loglik=loglik)


def judged(rules: Rules, before: Position, observation: Observation, history: Sequence[Position] = ()) -> Verdict:
    """What is said of one happening; `unchanged` where nothing happened, the first verdict where two did."""
    found = weighed(rules, before, observation, history)
    return found[0].verdict(rules) if found else Verdict("unchanged", before, before)


def names(verdict: Verdict) -> list[tuple[str, str, int, int]]:
    """Code, pit, lap and number of every fault that a verdict names."""
    letter = verdict.before.board.name
    return [(f.code, "" if f.pit is None else letter(f.pit), f.lap, f.n) for f in verdict.faults]
