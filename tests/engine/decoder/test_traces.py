"""Looks laid against the boards that moves pass through: as a plain, slow dynamic programme does it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.board import Side
from engine.decoder import Looks
from engine.decoder.looks import F64
from engine.decoder.parameters import DWELL, TOUCH
from engine.decoder.traces import I64, Tokens, Traces, passed
from engine.judge.timeline_likelihood import boards_passed
from engine.judge.verdict import COUNTS
from tests.engine.decoder.sown import RULES, position
from tests.examples import examples

Token = tuple[float, tuple[int, ...]]
"""Its nats, and the looks at which it made its steps."""
NOWHERE: Token = (-np.inf, ())


@dataclass(frozen=True)
class Plain:
    """One move laid against looks, one step and look after the other. boards: int64[steps + 1, pits]; the rest as in
    `passed`."""

    looks: Looks
    emissions: F64
    boards: I64
    player: Side
    rest: F64
    board: F64
    prior: float

    @property
    def steps(self) -> int:
        """The steps of the move."""
        return len(self.boards) - 1

    def fit(self, look: int, step: int) -> float:
        """How well a look fits the board after so many steps."""
        nats = float(self.board[look])
        for pit, (first, now) in enumerate(zip(self.boards[0], self.boards[step], strict=True)):
            nats += self.emissions[look, pit, now] - self.emissions[look, pit, first]
        return nats

    def dwelling(self, look: int, step: int) -> float:
        """What it costs to stand after so many steps since the look before."""
        there, seconds = self.looks.hands[look, self.player], self.looks.seconds[look]
        if step == self.steps:
            return float(DWELL.after * seconds) if there else 0.0
        if there:
            return float(DWELL.midway * seconds)
        leaves = look == 0 or self.looks.hands[look - 1, self.player]
        return float(DWELL.midway_away * seconds + DWELL.midway_left_nats * leaves)

    def touch(self, look: int, step: int) -> float:
        """How well a step fits since the look before: by the mover's hand, and by one of its pits."""
        hand = 0.0 if self.looks.hands[look, self.player] else -TOUCH.no_hand_nats
        pits = np.flatnonzero(self.boards[step] != self.boards[step - 1])
        return hand + max(self.open(look, int(pit)) for pit in pits) + (self.prior if step == 1 else 0.0)

    def open(self, look: int, pit: int) -> float:
        """How well a touch of a pit fits since the look before, by what was open."""
        seen, stays = self.looks.seen[:, pit], self.looks.stays[:, pit]
        if not seen[look] or (look and not seen[look - 1]):
            return 0.0
        return -TOUCH.unnoticed_nats if look and stays[look] == stays[look - 1] else -TOUCH.open_nats

    @cached_property
    def table(self) -> dict[tuple[int, int], Token]:
        """By steps made and look: the best token that stands there."""
        stood: dict[tuple[int, int], Token] = {(0, look): (float(nats), ()) for look, nats in enumerate(self.rest)}
        made: dict[tuple[int, int], Token] = {}
        for step, look in product(range(1, self.steps + 1), range(len(self.looks))):
            waited, hurried = stood.get((step - 1, look - 1), NOWHERE), made.get((step - 1, look), NOWHERE)
            nats, path = max(waited, (hurried[0] - TOUCH.unseen_nats, hurried[1]))
            made[step, look] = nats + self.touch(look, step), (*path, look)
            nats, path = max(made[step, look], stood.get((step, look - 1), NOWHERE))
            stood[step, look] = nats + self.fit(look, step) - self.dwelling(look, step), path
        return {at: token for at, token in stood.items() if token[0] > -np.inf}

    def along(self, path: list[int], last: int) -> float:
        """Nats of the token that makes its steps at these looks, after the last look."""
        nats = float(self.rest[path[0] - 1])
        for look in range(path[0], last + 1):
            for step in (k + 1 for k, at in enumerate(path) if at == look):
                nats += self.touch(look, step) - TOUCH.unseen_nats * (step > 1 and path[step - 2] == look)
            made = sum(at <= look for at in path)
            nats += self.fit(look, made) - self.dwelling(look, made)
        return nats

    def nats(self, step: int, look: int) -> float:
        """Of the best token there; minus infinity where none can be."""
        return self.table.get((step, look), NOWHERE)[0]


@dataclass(frozen=True)
class Drawn:
    """Some moves and looks, drawn at random from a seed."""

    seed: int
    pits: int
    looks: int
    steps: tuple[int, ...]

    @cached_property
    def _random(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)

    @cached_property
    def boards(self) -> list[I64]:
        """Of each move. A step changes one pit, or two."""
        first = self._random.integers(0, 6, self.pits)
        return [self._walk(first, steps) for steps in self.steps]

    def _walk(self, first: I64, steps: int) -> I64:
        boards = [first]
        for _ in range(steps):
            board = boards[-1].copy()
            at = self._random.choice(self.pits, self._random.integers(1, 3), replace=False)
            board[at] = (board[at] + self._random.integers(1, 6, len(at))) % 7
            boards.append(board)
        return np.array(boards)

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """Which pits were open."""
        return np.asarray(self._random.random((self.looks, self.pits)) < 0.6)

    @cached_property
    def laid_out(self) -> Looks:
        """The looks."""
        shape = (self.looks, self.pits)
        return Looks(np.cumsum(self._random.uniform(0.05, 1, self.looks)),
                     self._random.normal(0, 4, (*shape, COUNTS)), self.seen, np.zeros(shape, np.int64),
                     self._random.random((self.looks, 2)) < 0.6, np.full(self.pits, -1))

    def plain(self, player: Side) -> tuple[list[Plain], Tokens, Traces]:
        """Each move laid against the looks plainly, and all of them abreast."""
        looks, random = self.laid_out, self._random
        priors = random.normal(-2, 1, len(self.boards))
        emissions = np.concatenate((-random.exponential(3, (self.looks, self.pits, COUNTS)),
                                    np.zeros((self.looks, 1, COUNTS))), axis=1)
        rest, board = random.normal(-5, 5, self.looks), random.normal(-5, 5, self.looks)
        traces = Traces.of(self.boards)
        tokens = passed(looks, emissions, traces, player, rest, board, priors)
        plain = [Plain(looks, emissions, boards, player, rest, board, float(prior))
                 for boards, prior in zip(self.boards, priors, strict=True)]
        return plain, tokens, traces


DRAWN = st.builds(Drawn, st.integers(0, 2**32 - 1), st.integers(2, 5), st.integers(1, 7),
                  st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple))


@settings(max_examples=examples(60), deadline=None)
@given(DRAWN, st.sampled_from(Side))
def test_the_best_tokens_are_those_of_the_plain_programme_at_every_step(drawn: Drawn, player: Side) -> None:
    plain, tokens, traces = drawn.plain(player)
    last = drawn.looks - 1
    for m, one in enumerate(plain):
        assert np.allclose(tokens.ended[:, m], [one.nats(one.steps, look) for look in range(drawn.looks)])
        assert np.allclose(tokens.standing[:, m], [one.nats(s + 1, last) for s in range(len(tokens.standing))])
    midway = [max((one.nats(step, last) for step in range(1, one.steps)), default=-np.inf) for one in plain]
    assert np.allclose(tokens.midway(traces.last), midway)
    assert np.allclose(tokens.best, [max(one.nats(step, look) for one in plain for step in range(one.steps + 1))
                                     for look in range(drawn.looks)])


@settings(max_examples=examples(60), deadline=None)
@given(DRAWN, st.sampled_from(Side))
def test_and_they_have_come_by_ways_that_are_as_good(drawn: Drawn, player: Side) -> None:
    plain, tokens, _ = drawn.plain(player)
    for m, one in enumerate(plain):
        for (step, look), (nats, _) in one.table.items():
            if step:  # of ways that are as good either may be found
                assert np.isclose(one.along(tokens.path(m, step, look).tolist(), look), nats)


def test_no_step_is_made_before_the_first_look() -> None:
    _, tokens, _ = Drawn(1, 3, 1, (2, 3)).plain(Side.SOUTH)
    assert (tokens.standing == -np.inf).all() and (tokens.ended == -np.inf).all()


def walked(traces: Traces, move: int, first: I64) -> list[list[int]]:
    """The boards that the steps of a move leave; what they held before is held against what they say it was."""
    board = np.append(first, 0)
    boards = []
    for step in range(int(traces.last[move])):
        pits = traces.pit[step, move]
        real = pits < len(first)
        assert (np.minimum(board[pits], COUNTS - 1) == traces.old[step, move])[real].all()
        board[pits[real]] = traces.new[step, move][real]
        boards.append(board[:-1].tolist())
    assert (traces.pit[int(traces.last[move]):, move] == len(first)).all(), "then it changes no pit"
    return boards


def test_the_steps_of_legal_moves_lead_through_their_boards() -> None:
    before = position()
    moves = RULES.moves(before).moves
    boards = [boards_passed(before.counts, move.trace) for move in moves]
    traces = Traces.of(boards)
    assert len(moves) > 3 and any(move.captured for move in moves), "a capture empties several pits"
    for m, passed_through in enumerate(boards):
        assert walked(traces, m, passed_through[0]) == passed_through[1:].tolist()


def test_more_seeds_than_are_told_apart_are_told_as_more() -> None:
    traces = Traces.of([np.array([[30, 0], [0, 30], [0, 31]])])
    assert traces.old[0, 0].tolist() == [COUNTS - 1, 0] and traces.new[0, 0].tolist() == [0, COUNTS - 1]
    assert traces.old[1, 0, 0] == traces.new[1, 0, 0] == COUNTS - 1
