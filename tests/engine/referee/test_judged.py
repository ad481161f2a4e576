"""One observation held against a position: what is legal is called legal, a misread pit accuses nobody, and what was
done where no move was made is told."""

import random
from dataclasses import replace

import numpy as np
import pytest

from engine.board import Side
from engine.explain import sentence
from engine.position import Position
from engine.referee.decide import weighed
from engine.referee.observation import COUNTS, Observation
from engine.rules import ruleset
from engine.verdict import Doubt
from tests.engine.referee.by_hand import BOTH, FAINT, MIDDLE, NORTHS, SOUTHS, by_hand, judged, names, reads, seen
from tests.engine.trace_applied import apply

RULES, BEFORE = ruleset("enkeshui"), Position.parse(MIDDLE)
AFTER = RULES.play(BEFORE, "e").position
SHARP = 1 - 1e-7


def changed(position: Position, **by: int) -> tuple[int, ...]:
    """The counts of a position with so many seeds more in some pits, by their letters."""
    return tuple(n + by.get(position.board.name(p), 0) for p, n in enumerate(position.counts))


# ---- what is no fault


def games(seed: int, n: int) -> list[tuple[str, str, Position]]:
    """Positions of random games."""
    rng, found = random.Random(seed), []
    for game, rules in (("enkeshui", "driedger"), ("enkeshui", "wikipedia"), ("endodoi", "merker")):
        position = ruleset(game, rules).setup()
        for _ in range(n):
            moves = ruleset(game, rules).moves(position).moves
            if not moves:
                break
            found.append((game, rules, position))
            position = rng.choice(moves).position
    return found


@pytest.mark.parametrize(("game", "name", "before"), games(3, 6))
def test_every_legal_move_is_called_legal(game: str, name: str, before: Position) -> None:
    """By the move that leaves its board, with its trace."""
    rules = ruleset(game, name)
    for move in rules.moves(before).moves:
        v = judged(rules, before, seen(move.position.counts, NORTHS if before.to_move else SOUTHS))
        assert (v.kind, v.position.counts, v.faults) == ("legal", move.position.counts, ())
        assert v.confidence > 0.95
        assert (v.move, v.captured, v.trace) == (move.name, move.captured, move.trace) or v.move != move.name


@pytest.mark.parametrize("off", [-1, 1, 4])
@pytest.mark.parametrize("pits", ["acdh", "BEH", "g"], ids=["own", "opponent's", "a heap"])
def test_one_misread_pit_accuses_nobody(pits: str, off: int) -> None:
    """Whichever it is: where its count is not as after the move, people look at it. A heap is often misread by one, and
    the eye is never as sure of it."""
    for pit in map(BEFORE.board.pit, pits):
        n = AFTER.counts[pit]
        count = max(0, n + off)
        fits = count == n or (pits == "g" and abs(off) == 1)
        odds = {n: 0.02, count: 0.98} if fits else {count: 0.9999}
        v = judged(RULES, BEFORE, reads(seen(AFTER.counts, SOUTHS), pit, odds))
        assert (v.kind, v.pits) == (("legal", ()) if fits else ("not-sure", (pit,))), BEFORE.board.name(pit)


@pytest.mark.parametrize("pits", ["aC", "bh", "gD", "eF", "AG"])
@pytest.mark.parametrize(("one", "two"), [(1, -1), (1, 1), (-1, -1)])
def test_two_misread_pits_are_not_two_faults(pits: str, one: int, two: int) -> None:
    """Nobody is accused by them."""
    seen_ = seen(AFTER.counts, SOUTHS)
    for name, by in zip(pits, (one, two), strict=True):
        pit = BEFORE.board.pit(name)
        seen_ = reads(seen_, pit, {AFTER.counts[pit]: 1e-4, max(0, AFTER.counts[pit] + by): 0.9999})
    assert judged(RULES, BEFORE, seen_).kind in ("legal", "not-sure")


READ = [  # of the board after e: pit, what is read of it, kind, pits asked about
    ("g", {-1: 0.6, 0: 0.25, 1: 0.15}, "legal", ""),
    ("d", {2: 0.62, 1: 0.374, 0: 0.006}, "legal", ""),
    ("d", {2: 0.99}, "not-sure", "d"),
    ("b", {-1: 0.99, 0: 0.01}, "legal", ""),
    ("b", {-1: 0.999, 0: 0.0001}, "not-sure", "b"),
    ("b", {-1: 0.6, 0: 0.4}, "legal", ""),
]


@pytest.mark.parametrize(("name", "odds", "kind", "pits"), READ)
def test_a_doubtful_pit_is_decided_by_the_rules(name: str, odds: dict[int, float], kind: str, pits: str) -> None:
    """One that is plainly read otherwise is asked about."""
    pit = BEFORE.board.pit(name)
    near = {AFTER.counts[pit] + by: p for by, p in odds.items()}
    v = judged(RULES, BEFORE, reads(seen(AFTER.counts, SOUTHS), pit, near))
    assert (v.kind, "".join(map(BEFORE.board.name, v.pits))) == (kind, pits)


def test_a_palmed_seed_in_one_pit_is_asked_about() -> None:
    """One pit that is one seed short may as well be misread."""
    v = judged(RULES, BEFORE, seen(changed(AFTER, b=-1), SOUTHS))
    assert (v.kind, v.pits, {e.kind for e in v.best}) == ("not-sure", (1,), {"legal", "illegal"})
    assert "Please count b:" in sentence(v)


ONE_PIT = [  # line, play, how surely each pit is read, kind
    ("3,1,0,5,0,2,0,1/0,2,0,0,4,0,0,2 S 14-14 ply=12", "^b c d xd", SHARP, "illegal"),  # five seeds left that were due
    ("3,1,0,5,0,2,0,1/0,2,0,0,4,0,0,2 S 14-14 ply=12", "^b c d xE", 0.99, "not-sure"),  # the lone one that captures
    ("3,1,0,5,0,2,0,1/0,0,1,0,4,0,0,2 S 14-15 ply=12", "^c d xd", 0.99, "not-sure"),  # it may still lie where it lay
]


@pytest.mark.parametrize(("line", "play", "sure", "kind"), ONE_PIT, ids=[o[1] for o in ONE_PIT])
def test_many_seeds_in_one_pit_accuse_and_a_lone_one_does_not(line: str, play: str, sure: float, kind: str) -> None:
    """Where it is read as surely as most pits, and the seeds are not of the pit that was lifted."""
    assert judged(RULES, Position.parse(line), seen(by_hand(line, play).counts, SOUTHS, sure)).kind == kind


def test_a_heap_is_not_misread_as_nothing() -> None:
    """South's last seed sleeps, and ten of North's seeds are gone."""
    before = Position.parse("0,0,0,0,10,0,0,3/0,3,1,0,6,0,7,1 S 17-0 ply=8")
    after = RULES.play(before, "c").position
    v = judged(RULES, before, seen(changed(after, D=-10), SOUTHS, SHARP))
    assert (v.kind, v.faults[0].pit) == ("illegal", before.board.pit("D"))


def test_a_pit_that_nobody_saw_is_decided_by_the_others() -> None:
    """And where no pit was seen, no move is named."""
    after = RULES.play(BEFORE, "g").position
    both = np.isin(np.arange(16), [3, 9])
    v = judged(RULES, BEFORE, replace(seen(after.counts, SOUTHS), seen=~both))
    assert (v.kind, v.move, v.position) == ("legal", "g", after)
    blind = judged(RULES, BEFORE, replace(seen(after.counts, SOUTHS), seen=np.zeros(16, np.bool_)))
    assert (blind.kind, blind.position) == ("not-sure", BEFORE)


# ---- where no move was made


def test_a_board_that_cannot_be_explained_is_not_sure() -> None:
    """And is said to be something that the rules do not explain."""
    scrambled = tuple(random.Random(1).sample(BEFORE.counts, len(BEFORE.counts)))
    v = judged(RULES, BEFORE, seen(scrambled, SOUTHS))
    assert (v.kind, v.position, v.best[0].kind) == ("not-sure", BEFORE, "else") and v.doubt & Doubt.UNKNOWN
    assert "Something may have happened that the rules do not explain" in sentence(v)


def test_a_move_taken_back_is_withdrawn() -> None:
    """By one step, or by two."""
    third = RULES.play(AFTER, "C").position
    v = judged(RULES, third, seen(AFTER.counts), [BEFORE, AFTER])
    assert (v.kind, v.position, v.player) == ("withdrawn", AFTER, Side.NORTH)
    assert sentence(v) == "North's move was taken back. It is North's turn."
    further = judged(RULES, third, seen(BEFORE.counts), [BEFORE, AFTER])
    assert (further.kind, further.position) == ("withdrawn", BEFORE)


def test_a_nudge_that_changes_no_count_is_nothing() -> None:
    """A hand was there."""
    assert weighed(RULES, BEFORE, seen(BEFORE.counts, SOUTHS)) == []


@pytest.mark.parametrize(("by", "said"), [
    ({"e": -3, "A": 3}, ""),
    ({"b": 2, "G": -2}, "b holds 5 instead of 3 and G holds 0 instead of 2."),
])
def test_seeds_changed_with_no_move_are_tampering(by: dict[str, int], said: str) -> None:
    """Nobody is named, and the turn stays."""
    counts = changed(BEFORE, **by)
    v = judged(RULES, BEFORE, seen(counts, SOUTHS if not said else FAINT))
    assert (v.kind, v.expected, v.position.counts, v.position.to_move) == (
        "tampered", BEFORE, counts, BEFORE.to_move)
    assert sentence(v).startswith("The board was changed without a move: ") and said in sentence(v)


@pytest.mark.parametrize(("game", "line"), [
    ("enkeshui", "0,0,0,0,4n,0,0,0/0,1,0,0,0,0,0,2 S 21-20 ply=30"), ("endodoi", "0,0,0,0,0,0/0,1,0,0,0,2 S 25-20"),
])
def test_a_legal_move_that_ends_the_game_is_a_legal_move(game: str, line: str) -> None:
    """And after it nothing happens."""
    rules, before = ruleset(game), Position.parse(line)
    move = rules.play(before, "b")
    v = judged(rules, before, seen(move.position.counts, SOUTHS), [before])
    assert (v.kind, v.move, v.position) == ("legal", "b", move.position) and rules.over(v.position) is not None
    assert sentence(v) == "South sowed b in one lap and slept."
    assert judged(rules, v.position, seen(v.position.counts, NORTHS), [before]).kind == "unchanged"


# ---- who moved, and what he should have left


def test_two_legal_moves_with_no_pause_are_two_legal_moves() -> None:
    """Each with its own trace."""
    after = RULES.play(AFTER, "C").position
    found = [f.verdict(RULES) for f in weighed(RULES, BEFORE, seen(after.counts, BOTH))]
    assert [(v.kind, v.player, v.move) for v in found] == [("legal", Side.SOUTH, "e"), ("legal", Side.NORTH, "C")]
    assert apply(BEFORE, found[0].trace) == AFTER and found[1].position == after


ANSWERED = "0,2,13s,0,1,0,1,0/6n,0,0,6s,9,12s,2,0 S 0-0 ply=18"
"""South's g ends in North's empty A: sown on from there, it leaves the board of North's answer."""


@pytest.mark.parametrize(("hands", "kinds"), [(SOUTHS, ["not-sure"]), ((0.3, 0.25), ["legal"] * 2),
                                              (BOTH, ["legal"] * 2), (FAINT, ["legal"] * 2)])
def test_running_on_into_the_opponents_row_is_not_taken_for_his_answer(
    hands: tuple[float, float], kinds: list[str]
) -> None:
    """Where both hands were there, or none was made out, both moved; where the mover's alone was, people are asked."""
    rules, before = ruleset("enkeshui", "wikipedia"), Position.parse(ANSWERED)
    counts = rules.play(rules.play(before, "g").position, "A").position.counts
    found = [f.verdict(rules) for f in weighed(rules, before, seen(counts, hands))]
    assert [v.kind for v in found] == kinds
    assert kinds != ["not-sure"] or "ran-on" in [f.code for e in found[0].best for f in e.faults]


def test_whose_hand_it_was_tells_a_pit_of_the_wrong_side_from_a_move_out_of_turn() -> None:
    """The board is the same."""
    counts = by_hand(MIDDLE, "^E F G ^G H a b").counts
    south, north = (judged(RULES, BEFORE, seen(counts, hands)) for hands in (SOUTHS, NORTHS))
    assert (south.faults[0].code, south.player) == ("wrong-side", Side.SOUTH)
    assert (north.faults[0].code, north.player) == ("out-of-turn", Side.NORTH)


@pytest.mark.parametrize(("hands", "kind"), [(NORTHS, "illegal"), (SOUTHS, "not-sure"), (FAINT, "illegal")])
def test_nobody_is_accused_whose_hand_was_not_there_though_the_others_was(
    hands: tuple[float, float], kind: str
) -> None:
    """South's move out of turn, between two laps: it lies as after a move of North's from the wrong side."""
    before = Position.parse("0,0,5,5,0,5,1,1/0,0,4,4,4,4,4,0 N 11-0 ply=1")
    lies = Position.parse("1,1,6,6,1,0,2,0/1,0,4,4,0,5,5,1 S 11-0 ply=2")
    assert judged(RULES, before, seen(lies.counts, hands, SHARP)).kind == kind


@pytest.mark.parametrize(("line", "lies"), [
    ("7,2,1,1,0,0,2,2/3,0,1,0,7,0,7,2 N 13-0 ply=3", (4, 0, 2, 1, 0, 3, 10, 1, 3, 3, 1, 1, 1, 0, 3, 0)),
    ("0,3,0,2,1,2,1,3/4,1,2,1,1,1,1,4s N 13-8 ply=5", (4, 0, 2, 1, 1, 1, 1, 4, 0, 2, 3, 0, 3, 0, 3, 0)),
])
def test_whose_hand_was_not_there_counts_against_two_legal_moves_that_nearly_leave_the_board(
    line: str, lies: tuple[int, ...],
) -> None:
    """North took a seed of b that was not his. Or South had answered, and in c one seed is misread."""
    before = Position.parse(line)
    one = reads(seen(lies, NORTHS, 0.99999), 2, {lies[2]: 0.998, lies[2] - 1: 0.002})
    said = judged(RULES, before, one)
    assert (said.kind, [(f.code, f.pit) for f in said.faults]) == ("illegal", [("false-capture", 1)])
    assert judged(RULES, before, replace(one, hands=BOTH)).kind == "not-sure"


def test_what_should_lie_there_is_the_legal_end_of_the_pit_played() -> None:
    """Of a pit that may not be played, the board before."""
    skipped = judged(RULES, BEFORE, seen(by_hand(MIDDLE, "^e f h A B C D ^D E F").counts, SOUTHS))
    wrong = judged(RULES, BEFORE, seen(by_hand(MIDDLE, "^E F G ^G H a b").counts, SOUTHS))
    assert (skipped.expected, wrong.expected) == (AFTER, BEFORE)


def test_a_capture_after_a_relay_is_false_under_wikipedia_and_due_under_driedger() -> None:
    """The seeds are the captor's under either."""
    line = "3,1,0,5,0,2,0,1/1,1,0,0,4,0,0,2 S 14-14 ply=12"
    counts = by_hand(line, "^a b ^b c d xdE").counts
    v = judged(ruleset("enkeshui", "wikipedia"), Position.parse(line), seen(counts, SOUTHS))
    assert (v.kind, names(v)[0][:2], v.faults[0].n, v.captured) == ("illegal", ("false-capture", "E"), 5, 6)
    assert judged(RULES, Position.parse(line), seen(counts, SOUTHS)).kind == "legal"


def test_a_bull_captured_from_is_one_no_more() -> None:
    """But should be."""
    line = "3,1,0,5n,0,2,0,1/0,0,1,0,4,0,0,2 S 14-15 ply=12"
    v = judged(RULES, Position.parse(line), seen(by_hand(line, "^c d xdE").counts, SOUTHS))
    bull = v.before.board.pit("E")
    assert v.expected is not None and (v.expected.bulls[bull], v.position.bulls[bull]) == (Side.NORTH, None)


def test_the_same_observation_gets_the_same_verdict() -> None:
    """Work is bounded by counts and no clock."""
    observation: Observation = seen(by_hand(MIDDLE, "^e d c b a H G ^G H a b ^b c d e f g").counts, SOUTHS)
    assert observation.loglik.shape == (16, COUNTS)
    assert judged(RULES, BEFORE, observation) == judged(RULES, BEFORE, observation)
