"""The judge names every fault of the list, and accuses nobody who played by the rules.

Faulty moves are played by hand here (`tests.engine.judge.by_hand`), apart from the judge's own search.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.board import Side
from engine.drawing import steps
from engine.explain import sentence
from engine.judge import COUNTS, Evidence, Fault, Verdict, judge, search
from engine.judge.decision import Case, doubts
from engine.judge.faults import Work
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import BOUNDS, EFFORT, READING
from engine.judge.weighing import Scored
from engine.position import Position
from engine.rules import ruleset
from engine.trace import apply
from tests.engine.judge.by_hand import MIDDLE, NORTHS, SOUTHS, by_hand, misread, seen

FAULTS = [
    ("skip", "g", 1, MIDDLE, "^e f h A B C D ^D E F", SOUTHS),
    ("double", "f", 1, MIDDLE, "^e f f g h A B ^B C D E ^E F G H ^H a b c d e xeD", SOUTHS),
    ("left-seed", "e", 1, MIDDLE, "^e-1 f g h A B ^B C D E ^E F G H ^H a b c d e ^e f g ^g h A B C D E F G H", SOUTHS),
    ("wrong-way", "e", 1, MIDDLE, "^e d c b a H G ^G H a b ^b c d e f g ^g h A B C D E F G", SOUTHS),
    ("stopped-short", "e", 1, MIDDLE, "^b c d e", SOUTHS),
    ("ran-on", "C", 1, MIDDLE, "^e f g h A B C ^C D ^D E F", SOUTHS),
    ("short-capture", "E", 1, MIDDLE, "^c d", SOUTHS),
    ("bull-missed", "G", 1, "0,3,1,4,0,0,0,2/1,4,1,1,0,0,0,3 N 26-2 ply=11", "^F G ^G H a b c ^c d e", NORTHS),
    ("palmed", "e", 1, MIDDLE, "^e ~-1 f g h A B ^B C D E ^E F G H ^H a b c d e xeD", SOUTHS),
    ("smuggled", "e", 1, MIDDLE, "^e ~+1 f g h A B C D ^D E F", SOUTHS),
    ("wrong-side", "E", 1, MIDDLE, "^E F G ^G H a b", SOUTHS),
    ("bull-lifted", "h", 1, "1,6n,0,0,0,0,0,2/1,0,2,0,2,0,2,4s S 26-2 ply=16", "^h A B C D", SOUTHS),
    ("out-of-turn", "D", 0, MIDDLE, "^D E ^E F G H ^H a b c d e ^e f g h A B C D", NORTHS),
    ("double-move", "e", 0, MIDDLE, "^c d xdE ^e f g h A B C", SOUTHS),
]


@pytest.mark.parametrize(("code", "pit", "lap", "line", "play", "hands"), FAULTS, ids=[f[0] for f in FAULTS])
def test_the_judge_names_code_pit_and_lap(
    code: str, pit: str, lap: int, line: str, play: str, hands: tuple[float, float]
) -> None:
    before, after = Position.parse(line), by_hand(line, play)
    v = judge(ruleset("enkeshui"), before, seen(after.counts, hands))
    assert v.kind == "illegal", v.best
    fault = v.faults[0]
    assert (fault.code, before.board.name(fault.pit or 0), fault.lap) == (code, pit, lap)
    assert v.position.counts == after.counts
    assert v.position.total == before.total  # what vanished is the captor's
    assert v.player is not None
    assert v.position.to_move is v.player.other
    assert apply(before, v.trace, v.player).counts == after.counts
    assert sum(s.wrong for s in steps(before.board, v.trace, v.faults)) == 1
    assert v.player.title in sentence(v)
    assert v.confidence >= 0.99
    assert v.margin > 9


def test_a_capture_after_a_relay_is_false_under_wikipedia_and_due_under_driedger() -> None:
    line = "3,1,0,5,0,2,0,1/1,1,0,0,4,0,0,2 S 14-14 ply=12"
    after = by_hand(line, "^a b ^b c d xdE")
    v = judge(ruleset("enkeshui", "wikipedia"), Position.parse(line), seen(after.counts, SOUTHS))
    assert (v.kind, v.faults[0].code, v.before.board.name(v.faults[0].pit or 0), v.faults[0].n) == (
        "illegal", "false-capture", "E", 5,
    )
    assert v.captured == 6
    assert judge(ruleset("enkeshui"), Position.parse(line), seen(after.counts, SOUTHS)).kind == "legal"


def test_a_bull_captured_from_is_bull_lifted() -> None:
    line = "3,1,0,5n,0,2,0,1/0,0,1,0,4,0,0,2 S 14-15 ply=12"
    v = judge(ruleset("enkeshui"), Position.parse(line), seen(by_hand(line, "^c d xdE").counts, SOUTHS))
    assert (v.kind, v.faults[0].code, v.before.board.name(v.faults[0].pit or 0)) == ("illegal", "bull-lifted", "E")
    assert v.expected is not None
    assert v.expected.bulls[v.before.board.pit("E")] is Side.NORTH
    assert v.position.bulls[v.before.board.pit("E")] is None


def test_what_should_lie_there_is_the_legal_end_of_the_pit_played() -> None:
    before = Position.parse(MIDDLE)
    rules = ruleset("enkeshui")
    v = judge(rules, before, seen(by_hand(MIDDLE, "^e f h A B C D ^D E F").counts, SOUTHS))
    assert v.expected == rules.play(before, "e").position
    wrong = judge(rules, before, seen(by_hand(MIDDLE, "^E F G ^G H a b").counts, SOUTHS))
    assert wrong.expected == before


def test_a_lone_seed_two_pits_on_has_run_on_and_of_many_one_was_skipped() -> None:
    """The same seeds lie there whether it passed the pit by or was lifted from it again."""
    line = "1,1,3,0,0,10,4,4/0,1,1,0,1,0,1,0 S 14-7 ply=7"
    v = judge(ruleset("enkeshui"), Position.parse(line), seen(by_hand(line, "^c e ^e f g ^g h A ^A B C D E F").counts,
                                                              SOUTHS))
    assert (v.kind, v.faults) == ("illegal", (Fault("ran-on", 3, 1),))
    longer = judge(ruleset("enkeshui"), Position.parse(MIDDLE), seen(by_hand(MIDDLE, "^e f h A B C D ^D E F").counts,
                                                                    SOUTHS))
    assert longer.faults == (Fault("skip", 6, 1, 1),)


def test_whose_hand_it_was_tells_a_pit_of_the_wrong_side_from_a_move_out_of_turn() -> None:
    before, after = Position.parse(MIDDLE), by_hand(MIDDLE, "^E F G ^G H a b")
    rules = ruleset("enkeshui")
    south = judge(rules, before, seen(after.counts, SOUTHS))
    north = judge(rules, before, seen(after.counts, NORTHS))
    assert (south.faults[0].code, south.player) == ("wrong-side", Side.SOUTH)
    assert (north.faults[0].code, north.player) == ("out-of-turn", Side.NORTH)


# ---- what is no fault --------------------------------------------------------------------------------------


def games(seed: int, n: int) -> list[tuple[str, Position]]:
    rng, found = random.Random(seed), []
    for game, rules in (("enkeshui", "driedger"), ("enkeshui", "wikipedia"), ("endodoi", "merker")):
        position = ruleset(game, rules).setup()
        for _ in range(n):
            moves = ruleset(game, rules).moves(position).moves
            if not moves:
                break
            found.append((rules, position))
            position = rng.choice(moves).position
    return found


@pytest.mark.parametrize(("name", "before"), games(3, 9))
def test_every_legal_move_is_called_legal(name: str, before: Position) -> None:
    rules = ruleset("endodoi" if name == "merker" else "enkeshui", name)
    hands = SOUTHS if before.to_move is Side.SOUTH else NORTHS
    for move in rules.moves(before).moves:
        v = judge(rules, before, seen(move.position.counts, hands))
        assert (v.kind, v.position.counts) == ("legal", move.position.counts)
        assert v.confidence > 0.95
        assert v.faults == ()
        assert (v.move, v.captured, v.trace) == (move.name, move.captured, move.trace) or v.move != move.name


@pytest.mark.parametrize("pit", range(16))
@pytest.mark.parametrize("off", [-1, 1, 4])
def test_one_misread_pit_accuses_nobody(pit: int, off: int) -> None:
    before = Position.parse(MIDDLE)
    rules = ruleset("enkeshui")
    after = rules.play(before, "e").position
    count = max(0, after.counts[pit] + off)
    evidence = seen(after.counts, SOUTHS)
    misread(evidence, pit, count, 0.9999)
    v = judge(rules, before, evidence)
    assert v.kind == ("legal" if count == after.counts[pit] else "not-sure")
    assert v.pits == (() if v.kind == "legal" else (pit,))


def test_a_doubtful_pit_is_decided_by_the_rules() -> None:
    before = Position.parse(MIDDLE)
    rules = ruleset("enkeshui")
    after = rules.play(before, "e").position
    evidence = seen(after.counts, SOUTHS)
    evidence.loglik[6, :] = -9.0
    evidence.loglik[6, 7:10] = (-0.5, -1.5, -1.4)  # 7 likelier than 8, which the move leaves
    v = judge(rules, before, evidence)
    assert (v.kind, v.move, v.position) == ("legal", "e", after)


def test_a_pit_that_is_in_doubt_among_other_counts_denies_no_legal_move_and_backs_no_accusation() -> None:
    """Three or four are read where the move leaves five: that is no plain three."""
    before, rules = Position.parse(MIDDLE), ruleset("enkeshui")
    after = rules.play(before, "e").position
    pit = before.board.pit("d")
    lies = after.counts[pit]
    evidence = seen(after.counts, SOUTHS)
    evidence.loglik[pit] = np.log(1e-6)
    evidence.loglik[pit, [lies + 2, lies + 1, lies]] = np.log((0.62, 0.374, 0.006))
    likelihood = BoardLikelihood(evidence)
    assert (likelihood.denying_pits(after.counts), likelihood.denying_pits(after.counts, plainly=True)) == ([pit], [])
    v = judge(rules, before, evidence)
    assert (v.kind, v.position) == ("legal", after)
    misread(evidence, pit, lies + 2, 0.99)
    assert judge(rules, before, evidence).kind == "not-sure"


def test_a_legal_move_against_which_a_pit_speaks_is_looked_at() -> None:
    """One seed less is read, at 99 to 1: that people play fairly is no reason to say nothing of it."""
    before, rules = Position.parse(MIDDLE), ruleset("enkeshui")
    after = rules.play(before, "e").position
    pit = before.board.pit("b")
    evidence = seen(after.counts, SOUTHS)
    evidence.loglik[pit] = np.log(1e-6)
    evidence.loglik[pit, [after.counts[pit] - 1, after.counts[pit]]] = np.log((0.99, 0.01))
    v = judge(rules, before, evidence)
    assert (v.kind, v.pits) == ("not-sure", (pit,))
    assert 0.95 < v.confidence < BOUNDS.legal
    evidence.loglik[pit, [after.counts[pit] - 1, after.counts[pit]]] = np.log((0.6, 0.4))
    assert judge(rules, before, evidence).kind == "legal"


def test_a_heap_is_not_misread_as_nothing() -> None:
    """South's last seed sleeps, and ten of North's seeds are gone."""
    before = Position.parse("0,0,0,0,10,0,0,3/0,3,1,0,6,0,7,1 S 17-0 ply=8")
    rules = ruleset("enkeshui")
    after = list(rules.play(before, "c").position.counts)
    pit = before.board.pit("D")
    assert after[pit] == 10
    after[pit] = 0
    v = judge(rules, before, seen(tuple(after), SOUTHS, 1 - 1e-7))
    assert (v.kind, v.faults[0].pit) == ("illegal", pit)
    counts = list(rules.play(before, "c").position.counts)
    likelihood = BoardLikelihood(seen(tuple(after), SOUTHS, 1 - 1e-7))
    assert likelihood.per_pit(counts)[pit] < math.log(READING.misread_anyhow / 10)


def test_three_seeds_laid_from_one_pit_into_another_are_tampering() -> None:
    before = Position.parse(MIDDLE)
    counts = list(before.counts)
    counts[4], counts[8] = counts[4] - 3, counts[8] + 3
    v = judge(ruleset("enkeshui"), before, seen(tuple(counts), SOUTHS))
    assert (v.kind, v.position.counts) == ("tampered", tuple(counts))


def test_a_pit_that_nobody_saw_is_decided_by_the_others() -> None:
    before = Position.parse(MIDDLE)
    rules = ruleset("enkeshui")
    after = rules.play(before, "g").position
    evidence = seen(after.counts, SOUTHS)
    evidence.seen[[3, 9]] = False
    v = judge(rules, before, evidence)
    assert (v.kind, v.move, v.position) == ("legal", "g", after)


def test_where_nothing_was_seen_nothing_is_said() -> None:
    before = Position.parse(MIDDLE)
    evidence = seen(before.counts)
    evidence.seen[:] = False
    v = judge(ruleset("enkeshui"), before, evidence)
    assert v.kind == "not-sure"
    assert v.position == before
    assert v.pits


def test_a_board_that_cannot_be_explained_is_not_sure() -> None:
    before = Position.parse(MIDDLE)
    scrambled = tuple(random.Random(1).sample(before.counts, len(before.counts)))
    v = judge(ruleset("enkeshui"), before, seen(scrambled, SOUTHS))
    assert v.kind == "not-sure"
    assert any(e.kind == "else" for e in v.best)
    assert "Something may have happened that the rules do not explain" in sentence(v)
    assert v.misfit == 0 and v.else_nats > 5, "as something else it fits as it is read"


def test_how_badly_the_board_of_a_move_was_read_is_told_apart_from_how_likely_the_move_is() -> None:
    before = Position.parse(MIDDLE)
    rules = ruleset("enkeshui")
    after = rules.play(before, "e").position
    clear, doubtful = seen(after.counts, SOUTHS), seen(after.counts, SOUTHS)
    misread(doubtful, 7, after.counts[7] + 1, 0.9)
    one, other = judge(rules, before, clear), judge(rules, before, doubtful)
    assert one.misfit < 0.1 < 1 < other.misfit and one.else_nats < 0.01
    assert one.evidence == pytest.approx(other.evidence + other.misfit, abs=0.5)


def test_the_boards_that_may_lie_there_beside_the_one_of_the_verdict_are_named() -> None:
    """A seed more, or one less, in a pit that is read with doubt."""
    before = Position.parse(MIDDLE)
    rules = ruleset("enkeshui")
    after = rules.play(before, "e").position
    evidence = seen(after.counts, SOUTHS)
    misread(evidence, 7, after.counts[7] + 1, 0.9)
    v = judge(rules, before, evidence)
    assert v.kind == "legal" and 0 < len(v.others) <= EFFORT.other_boards
    assert all(lies.counts != after.counts for lies, _ in v.others)
    assert v.others[0][0].counts == tuple(n + (p == 7) for p, n in enumerate(after.counts))
    assert 0 < v.others[0][1] < 0.1 and [odds for _, odds in v.others] == sorted((o for _, o in v.others), reverse=True)


def test_a_move_taken_back_is_withdrawn() -> None:
    rules, first = ruleset("enkeshui"), Position.parse(MIDDLE)
    second = rules.play(first, "e").position
    third = rules.play(second, "C").position
    v = judge(rules, third, seen(second.counts), history=[first, second])
    assert (v.kind, v.position, v.player) == ("withdrawn", second, Side.NORTH)
    further = judge(rules, third, seen(first.counts), history=[first, second])
    assert (further.kind, further.position) == ("withdrawn", first)
    assert sentence(v) == "North's move was taken back. It is North's turn."


def test_a_nudge_that_changes_no_count_is_nothing() -> None:
    before = Position.parse(MIDDLE)
    v = judge(ruleset("enkeshui"), before, seen(before.counts, SOUTHS))
    assert (v.kind, v.position, v.faults) == ("unchanged", before, ())


def test_seeds_changed_with_no_move_are_tampering() -> None:
    before = Position.parse(MIDDLE)
    counts = list(before.counts)
    counts[1], counts[14] = 5, 0
    v = judge(ruleset("enkeshui"), before, seen(tuple(counts)))
    assert (v.kind, v.expected) == ("tampered", before)
    assert v.position.counts == tuple(counts)
    assert v.position.to_move is before.to_move
    assert sentence(v) == "The board was changed without a move: b holds 5 instead of 3 and G holds 0 instead of 2."


def test_two_legal_moves_with_no_pause_are_legal() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    after = rules.play(rules.play(before, "e").position, "C").position
    v = judge(rules, before, seen(after.counts, (0.3, 0.3)))
    assert (v.kind, v.move, v.then, v.position) == ("legal", "e", (Side.NORTH, "C"), after)
    assert apply(before, v.trace[: len(rules.play(before, "e").trace)]) == rules.play(before, "e").position
    assert "no pause" in sentence(v)


def test_running_on_into_the_opponents_row_is_not_taken_for_his_answer() -> None:
    """South's last seed falls into North's empty pit and is sown on: the board that North's answer would leave."""
    line = "0,2,13s,0,1,0,1,0/6n,0,0,6s,9,12s,2,0 S 0-0 ply=18"
    before, rules = Position.parse(line), ruleset("enkeshui", "wikipedia")
    answered = rules.play(rules.play(before, "g").position, "A").position
    one = judge(rules, before, seen(answered.counts, SOUTHS))
    both = judge(rules, before, seen(answered.counts, (0.3, 0.25)))
    nobody = judge(rules, before, seen(answered.counts))
    assert (one.kind, one.faults[0].code, before.board.name(one.faults[0].pit or 0)) == ("illegal", "ran-on", "A")
    for doubtful in (both, nobody):
        assert doubtful.kind == "not-sure"
        assert {(e.kind, e.then is None) for e in doubtful.best} == {("illegal", True), ("legal", False)}
        assert doubtful.pits == ()  # every pit is as it should be: no look at one decides
        assert "South may have played g and then North A, both legally" in sentence(doubtful)
    assert both.best[0].kind == "legal"


@pytest.mark.parametrize(("hands", "least", "most"), [
    ((0.3, 0.0), 150, 250),
    ((0.05, 0.002), 150, 250),  # a cuff on the wrong side is no hand
    ((0.01, 0.0), 30, 90),  # South's, too, was hardly seen
    ((0.3, 0.05), 1.5, 8),
    ((0.3, 0.02), 150, 250),  # with so little of a hand nobody sows
    ((0.04, 0.03), 0.9, 1.1),  # both are small: a camera far up
    ((0.2, 0.2), 0.9, 1.1),
    ((0.0, 0.0), 1, 1),
])
def test_a_hand_that_was_never_seen_weighs_as_much_as_the_other_was_plain(
    hands: tuple[float, float], least: float, most: float
) -> None:
    south, north, both = (BoardLikelihood(seen((4,) * 12, h)) for h in (hands, hands[::-1], hands))
    assert south.of_hand(Side.NORTH) == north.of_hand(Side.SOUTH)
    assert least <= math.exp(-both.both_hands) <= most
    assert south.of_hand(Side.SOUTH) >= south.of_hand(Side.NORTH)


def test_a_palmed_seed_in_one_pit_is_asked_about() -> None:
    """One pit that is one seed short may as well be misread: the judge names the pit and accuses nobody."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    counts = list(rules.play(before, "e").position.counts)
    counts[before.board.pit("b")] -= 1
    v = judge(rules, before, seen(tuple(counts), SOUTHS))
    assert (v.kind, v.pits) == ("not-sure", (1,))
    assert {e.kind for e in v.best} == {"legal", "illegal"}
    assert "Please count b:" in sentence(v)


def sharp(counts: Sequence[int], hands: tuple[float, float] = SOUTHS) -> Evidence:
    """The sharpest reading that there is."""
    loglik = np.full((len(counts), COUNTS), -16.0)
    loglik[np.arange(len(counts)), counts] = 0.0
    return Evidence(loglik, np.ones(len(counts), bool), 9, hands)


def test_no_picture_is_so_sharp_that_one_seed_in_one_pit_accuses() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    for move in rules.moves(before).moves:
        for pit, seeds in enumerate(move.position.counts):
            counts = [*move.position.counts[:pit], seeds - 1, *move.position.counts[pit + 1 :]]
            if seeds:
                assert judge(rules, before, sharp(counts)).kind == "not-sure"


def test_many_seeds_left_that_were_due_accuse_and_a_lone_one_does_not() -> None:
    """The facing pit's seeds, or the capturing one, are all that lies otherwise: one pit."""
    line, rules = "3,1,0,5,0,2,0,1/0,2,0,0,4,0,0,2 S 14-14 ply=12", ruleset("enkeshui")
    facing = judge(rules, Position.parse(line), sharp(by_hand(line, "^b c d xd").counts))
    lone = judge(rules, Position.parse(line), sharp(by_hand(line, "^b c d xE").counts))
    assert (facing.kind, facing.faults[0].code, facing.faults[0].n) == ("illegal", "short-capture", 5)
    assert (lone.kind, lone.pits) == ("not-sure", (3,))


def test_a_lone_seed_that_is_gone_may_still_lie_where_it_lay() -> None:
    """Lifted, sown and taken away again it leaves a board that differs in one pit from the one before: people look."""
    line = "3,1,0,5,0,2,0,1/0,0,1,0,4,0,0,2 S 14-15 ply=12"
    v = judge(ruleset("enkeshui"), Position.parse(line), sharp(by_hand(line, "^c d xd").counts))
    assert (v.kind, v.pits) == ("not-sure", (2,))


def test_misreadings_are_allowed_for_however_sharp_the_eye_and_more_where_it_is_soft_or_the_heap_is_large() -> None:
    def wrong(n: int, lead: float) -> float:
        """How often a pit of n seeds is read as another count, for all that the eye says."""
        loglik = np.full((COUNTS, COUNTS), -lead)
        loglik[range(COUNTS), range(COUNTS)] = 0.0
        table = np.exp(BoardLikelihood(Evidence(loglik, np.ones(COUNTS, bool))).table)
        return float(table[:, n].sum() - table[n, n])

    for most, just, sure in READING.misread:
        assert wrong(most, 60.0) == pytest.approx(sure, rel=1e-6)
        assert wrong(most, 10.0) > sure
        assert wrong(most, 5.0) > just > sure
    assert [m[0] for m in READING.misread][-1] >= COUNTS - 1
    assert [m[0] for m in READING.misread_by][-1] >= COUNTS - 1
    assert min(sure for _, _, sure in READING.misread) > READING.misread_anyhow


def test_seeds_hide_oftener_than_they_are_seen_where_there_are_none() -> None:
    """Of three seeds two are read rather than four, and four rather than five; three out of none is next to nothing."""
    few, many = BoardLikelihood(sharp((2, 12))).table
    assert few[3] > few[1] + 0.5 > few[0] + 1  # of three seeds one hid; of one, one came; of none, two
    assert many[14] - many[13] > few[4] - few[3] + 0.5  # a heap is rather misread by two than a few seeds are


@pytest.mark.parametrize(("game", "line"), [
    ("enkeshui", "0,0,0,0,4n,0,0,0/0,1,0,0,0,0,0,2 S 21-20 ply=30"), ("endodoi", "0,0,0,0,0,0/0,1,0,0,0,2 S 25-20"),
])
def test_a_legal_move_that_ends_the_game_is_a_legal_move(game: str, line: str) -> None:
    rules, before = ruleset(game), Position.parse(line)
    move = rules.play(before, "b")
    v = judge(rules, before, seen(move.position.counts, SOUTHS), history=[before])
    assert (v.kind, v.move, v.position, v.then) == ("legal", "b", move.position, None)
    assert rules.over(v.position) is not None
    assert sentence(v) == "South sowed b in one lap and slept."
    still = judge(rules, v.position, seen(v.position.counts, NORTHS), history=[before])
    assert (still.kind, still.position) == ("unchanged", v.position)


# ---- what the judge asks for -------------------------------------------------------------------------------


def test_evidence_has_to_fit() -> None:
    with pytest.raises(ValueError, match="shapes"):
        Evidence(np.zeros((16, 25)), np.ones(16, bool))
    with pytest.raises(ValueError, match="finite"):
        Evidence(np.full((16, COUNTS), np.nan), np.ones(16, bool))
    with pytest.raises(ValueError, match="evidence of 12 pits for a board of 16"):
        judge(ruleset("enkeshui"), Position.parse(MIDDLE), seen((4,) * 12))


def test_the_same_evidence_gets_the_same_verdict_and_less_work_never_accuses_more() -> None:
    before, rules = Position.parse(MIDDLE), ruleset("enkeshui")
    evidence = seen(by_hand(MIDDLE, "^e f f g h A B ^B C D E ^E F G H ^H a b c d e xeD").counts, SOUTHS)

    def said(work: int) -> tuple[str, tuple[int, ...]]:
        v: Verdict = judge(rules, before, evidence, work=work)
        return v.kind, v.pits

    assert said(60_000) == said(60_000)
    assert said(0)[0] == "not-sure"


@pytest.mark.parametrize(("hands", "spared"), [((0.2, 0.2), True), ((0.2, 0.0), False)])
def test_nobody_is_accused_where_both_hands_were_seen_and_two_legal_moves_leave_the_board(
    hands: tuple[float, float], spared: bool
) -> None:
    """Whatever the drops that were read meanwhile seem to say of the two moves."""
    before = Position.parse("0,2,13s,0,1,0,1,0/6n,0,0,6s,9,12s,2,0 S 0-0 ply=18")
    rules = ruleset("enkeshui", "wikipedia")
    counts = rules.play(rules.play(before, "g").position, "A").position.counts
    answer = next(c for c in search.answered_moves(rules, search.legal_moves(rules, before)) if c.counts == counts)
    ran_on = next(c for c in search.faulty_moves(rules, before, Work(EFFORT.fault_laps)) if c.counts == counts)
    accused = Scored(ran_on, -0.001, 0.0)
    scored = [accused, Scored(answer, -7.0, 0.0)]
    assert bool(doubts(Case(BoardLikelihood(sharp(counts, hands)), scored, accused, 0.999))) == spared


@pytest.mark.parametrize(("hands", "kind"), [(NORTHS, "illegal"), (SOUTHS, "not-sure"), ((0.0, 0.0), "illegal")])
def test_nobody_is_accused_whose_hand_was_not_there_though_the_others_was(
    hands: tuple[float, float], kind: str
) -> None:
    """South's move out of turn, between two laps: it lies as after a move of North's from the wrong side."""
    before = Position.parse("0,0,5,5,0,5,1,1/0,0,4,4,4,4,4,0 N 11-0 ply=1")
    lies = Position.parse("1,1,6,6,1,0,2,0/1,0,4,4,0,5,5,1 S 11-0 ply=2")
    verdict = judge(ruleset("enkeshui", "driedger"), before, sharp(lies.counts, hands))
    assert verdict.kind == kind
    kinds = {e.kind for e in verdict.best} if kind == "not-sure" else set()
    assert "illegal" not in kinds, "what North did not do is no explanation, nor is it South's turn after it"


@pytest.mark.parametrize(("line", "lies"), [
    ("7,2,1,1,0,0,2,2/3,0,1,0,7,0,7,2 N 13-0 ply=3", (4, 0, 2, 1, 0, 3, 10, 1, 3, 3, 1, 1, 1, 0, 3, 0)),
    ("0,3,0,2,1,2,1,3/4,1,2,1,1,1,1,4s N 13-8 ply=5", (4, 0, 2, 1, 1, 1, 1, 4, 0, 2, 3, 0, 3, 0, 3, 0)),
])
def test_whose_hand_was_not_there_counts_against_two_legal_moves_that_nearly_leave_the_board(
    line: str, lies: tuple[int, ...],
) -> None:
    """North took a seed of b that was not his. Or South had answered, and in c one seed is misread."""
    rules, before = ruleset("enkeshui", "driedger"), Position.parse(line)
    evidence = seen(lies, (0.01, 0.3), 0.99999)
    evidence.loglik[2, [lies[2], lies[2] - 1]] = np.log((0.998, 0.002))
    said = judge(rules, before, evidence)
    assert (said.kind, [(f.code, f.pit) for f in said.faults]) == ("illegal", [("false-capture", 1)])
    assert judge(rules, before, replace(evidence, hands=(0.3, 0.3))).kind == "not-sure"
