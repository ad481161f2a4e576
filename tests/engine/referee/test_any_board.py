"""On any board of any game, however it is read, the referee comes to a verdict, in bounded work and memory."""

import random
import tracemalloc

import numpy as np
import pytest

from engine.position import Position
from engine.referee import search
from engine.referee.faults import Outcome, Work
from engine.rules import Rules, ruleset
from tests.engine.referee.by_hand import MIDDLE, SOUTHS, by_hand, judged, seen

MOST_MB = 200
GAMES = (("enkeshui", None), ("endodoi", None), ("omweso", None), ("oware", None), ("layligoobalay", None))


def anything(rng: random.Random) -> tuple[Rules, Position, tuple[int, ...], tuple[float, float]]:
    """A game, a position of it by lot, what is read of the board, and whose hands were there."""
    rules = ruleset(*rng.choice(GAMES))
    position = rules.setup()
    for _ in range(rng.randrange(12)):
        moves = rules.moves(position).moves
        if not moves:
            break
        position = rng.choice(moves).position
    after = [move.position for move in rules.moves(position).moves] or [position]
    counts = list(rng.choice(after).counts)
    for _ in range(rng.randrange(6)):
        counts[rng.randrange(len(counts))] = rng.randrange(26)
    return rules, position, tuple(counts), (rng.random() / 3, rng.random() / 3)


@pytest.mark.parametrize("seed", range(8))
def test_any_board_gets_a_verdict_that_fits_together(seed: int) -> None:
    """Probabilities, the position after a question, and faults where somebody is accused."""
    rng = random.Random(seed)
    rules, position, counts, hands = anything(rng)
    v = judged(rules, position, seen(counts, hands, rng.choice((0.9, 0.999, 1 - 1e-7))))
    assert 0 <= v.confidence <= 1 + 1e-9 and np.isfinite(v.margin)
    assert (v.kind == "illegal") == bool(v.faults) or v.kind == "tampered"
    assert v.kind != "not-sure" or v.position == position
    assert sum(e.p for e in v.best) <= 1 + 1e-9


def test_no_board_takes_more_memory_than_there_is() -> None:
    """Of Omweso, whose moves are the longest, a board in the middle of a game with a fault in it."""
    rules, rng = ruleset("omweso"), random.Random(3)
    position = rules.setup()
    for _ in range(6):
        position = rng.choice(rules.moves(position).moves).position
    counts = list(rules.moves(position).moves[0].position.counts)
    counts[3], counts[20] = counts[3] + 2, counts[20] + 1
    tracemalloc.start()
    judged(rules, position, seen(counts, SOUTHS))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < MOST_MB * 1e6


def test_faults_are_looked_for_where_no_legal_move_fits_and_once_in_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position whose score differs is another one."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE.replace("19-0", "17-2"))
    searches: list[Position] = []
    illegal = search.faulty_moves

    def counted(rules: Rules, before: Position, work: Work) -> list[search.Hypothesis]:
        searches.append(before)
        return illegal(rules, before, work)

    monkeypatch.setattr(search, "faulty_moves", counted)
    for move in rules.moves(before).moves:
        assert judged(rules, before, seen(move.position.counts, SOUTHS, 0.9999)).kind == "legal"
    assert searches == []
    wrong = [by_hand(MIDDLE, play).counts for play in ("^e f h A B C D ^D E F", "^e d c b a H G ^G H a b ^b c d e f g")]
    said = [judged(rules, before, seen(counts, SOUTHS)) for counts in (*wrong, wrong[0])]
    assert searches == [before]
    assert said[0] == said[2] != said[1]


def test_seeds_that_strayed_when_all_was_done_are_in_the_outcome_and_not_in_the_move() -> None:
    """And are whose turn it was, or go against him."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    strayed = [c for c in search.faulty_moves(rules, before, Work(60_000)) if c.outcome is not None and c.outcome.stray]
    assert len(strayed) > 100
    for c in strayed[::37]:
        outcome = c.outcome
        assert isinstance(outcome, Outcome) and outcome.stray is not None
        pit, n = outcome.stray
        assert tuple(outcome.final_sowing.counts) == outcome.counts == c.counts
        assert c.counts[pit] - outcome.sowing.counts[pit] == n
        assert sum(c.counts) == sum(outcome.sowing.counts) + n
        assert c.position_after(before).total == before.total


def test_less_work_finds_less() -> None:
    """The search for faults ends at its bound."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    assert len(search.faulty_moves(rules, before, Work(100))) < len(search.faulty_moves(rules, before, Work(20_000)))
