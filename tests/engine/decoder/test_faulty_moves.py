"""Moves with a fault, told from what the looks show before and after the next hand has come."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board import Side
from engine.decoder import Decoded, decode
from engine.decoder.first_moves import faulty_moves, moves_by_rule, shown_fits
from engine.decoder.parameters import BEAM, OTHERWISE
from engine.judge.hypotheses import continuations
from engine.judge.parameters import EFFORT
from engine.judge.search import Hypothesis
from engine.judge.timeline_likelihood import boards_passed
from engine.position import Position
from engine.rules import Move
from tests.engine.decoder.sown import NORTHS, RULES, SOUTHS, Eye, position

BEFORE = position()
LAWFUL = {move.position.counts for move in RULES.moves(BEFORE).moves}
CODES = ("skip", "double", "left-seed", "wrong-side", "stopped-short", "wrong-pit")


def begun() -> Eye:
    """The board has lain still for a while."""
    eye = Eye(BEFORE.counts)
    eye.look(times=3)
    return eye


def decoded(eye: Eye) -> Decoded:
    """What was played."""
    found = decode(RULES, [(BEFORE, 1.0)], eye.looks())
    assert found is not None
    return found


def fault(code: str) -> tuple[Hypothesis, np.ndarray[tuple[int, ...], np.dtype[np.int64]], Position]:
    """A move of South's with that fault which changes pits as no legal move does, the boards that it passes through,
    and the position that it leaves."""
    following = continuations(RULES, BEFORE)
    for h in following.one_fault(EFFORT.fault_laps)[0].listed:
        if h.fault is not None and h.fault.code == code and h.player is Side.SOUTH and h.counts not in LAWFUL:
            trace = following.trace(h)
            assert trace
            boards = boards_passed(BEFORE.counts, trace)
            if 4 <= len(boards) <= 20:
                return h, boards, h.position_after(BEFORE)
    raise LookupError(code)


def answer(after: Position) -> Move:
    """What North plays then: the longest that there is."""
    return max(RULES.moves(after, Side.NORTH).moves, key=lambda one: len(one.trace))


def test_a_move_out_of_turn_is_told_while_its_hand_is_there() -> None:
    """As a legal move is, and once its hand has left."""
    move = max(RULES.moves(BEFORE, Side.NORTH).moves, key=lambda one: len(one.trace))
    eye = begun()
    eye.sown(move, NORTHS)
    eye.look(times=8)
    found = decoded(eye)
    assert found.move.player is Side.NORTH and not found.move.legal
    assert found.move.position.counts == move.position.counts and found.p > BEAM.agreed


@pytest.mark.parametrize("code", CODES)
def test_a_fault_is_told_once_the_next_move_has_begun(code: str) -> None:
    h, boards, after = fault(code)
    eye = begun()
    eye.made(boards[1:].tolist(), SOUTHS)
    done = len(eye.boards)
    eye.look(times=2)
    eye.sown(answer(after), NORTHS)
    eye.look(times=4)
    found = decoded(eye)
    assert found.begun and found.p > BEAM.agreed
    assert (found.move.player, found.move.legal) == (Side.SOUTH, False)
    assert found.move.position.counts == h.counts, "it may have come about in several ways"
    assert (found.since <= done).all() and (found.until >= done).all()


def test_a_legal_move_is_told_though_what_follows_is_none() -> None:
    """The other hand takes the seeds out of two pits."""
    move = max(RULES.moves(BEFORE).moves, key=lambda one: len(one.trace))
    eye = begun()
    eye.sown(move, SOUTHS)
    done = len(eye.boards)
    eye.look(times=2)
    robbed = [pit for pit, n in enumerate(move.position.counts) if n][:2]
    for pit in robbed:
        eye.made([[0 if p == pit else n for p, n in enumerate(eye.counts)]], NORTHS)
    eye.look(NORTHS, times=4)
    found = decoded(eye)
    assert found.move.position == move.position and found.p > BEAM.agreed
    assert found.begun and not found.answered
    touched = np.flatnonzero(found.until < len(eye.boards)).tolist()
    assert touched == robbed and (found.until[robbed] > done).all()


def test_what_only_the_movers_own_hand_did_is_nobody_elses() -> None:
    """The same with the mover's hand: nothing of the other side's has begun."""
    move = max(RULES.moves(BEFORE).moves, key=lambda one: len(one.trace))
    eye = begun()
    eye.sown(move, SOUTHS)
    eye.look(times=2)
    pit = next(pit for pit, n in enumerate(move.position.counts) if n)
    eye.made([[0 if p == pit else n for p, n in enumerate(eye.counts)]], SOUTHS)
    eye.look(times=4)
    found = decoded(eye)
    assert not (found.begun and found.p > BEAM.agreed and found.move.legal)


def test_moves_of_the_other_side_are_out_of_turn_and_there_are_none_where_nobody_can_move() -> None:
    moves = moves_by_rule(RULES, BEFORE)
    assert {(move.player, move.legal) for move in moves} == {(Side.SOUTH, True), (Side.NORTH, False)}
    assert len({move.prior for move in moves if move.legal}) == 1
    assert max(m.prior for m in moves if not m.legal) < min(m.prior for m in moves if m.legal)
    ended = Position(BEFORE.board, (0,) * 8 + (1,) * 8, captured=(24, 16), ply=9)
    assert not moves_by_rule(RULES, ended)


def test_no_faulty_move_leaves_what_a_legal_one_does_and_their_number_is_bounded() -> None:
    h, boards, _ = fault("skip")
    eye = begun()
    eye.made(boards[1:].tolist(), SOUTHS)
    eye.look(times=4)
    moves = faulty_moves(RULES, BEFORE, eye.looks())
    assert 0 < len(moves) <= BEAM.faulty
    assert h.counts in {move.position.counts for move in moves}
    assert not LAWFUL & {move.position.counts for move in moves}
    assert all((move.boards[0] == BEFORE.counts).all() for move in moves)
    assert all(tuple(move.boards[-1].tolist()) == move.position.counts for move in moves)


def test_the_pits_show_best_what_lies_there() -> None:
    h, boards, _ = fault("skip")
    eye = begun()
    eye.made(boards[1:].tolist(), SOUTHS)
    eye.look(times=4)
    fits = shown_fits(eye.looks(), BEFORE, Side.SOUTH, np.array([h.counts, BEFORE.counts]))
    assert fits[0] > -0.5 and fits[1] < -5


def test_each_new_stay_is_left_unexplained_unless_it_holds_what_the_pit_held() -> None:
    counts = np.array(BEFORE.counts)
    eye = begun()
    assert eye.looks().unexplained(counts).sum() < 0.1 and not eye.looks().begins.any()
    eye.made([[n + (p == 0) for p, n in enumerate(BEFORE.counts)], BEFORE.counts], SOUTHS)
    eye.look(SOUTHS, times=2)
    assert eye.looks().unexplained(counts).sum() < 0.1, "a pit that was touched, and holds what it held"
    for pit in (1, 2):
        eye.made([[n + (p == pit) for p, n in enumerate(eye.counts)]], SOUTHS)
        eye.look(SOUTHS, times=2)
    eye.look(times=2)
    looks = eye.looks()
    assert looks.unexplained(counts).sum() == pytest.approx(2 * OTHERWISE.stay_nats, abs=0.2)
    looks_of, pits = np.nonzero(looks.begins)
    assert sorted(pits.tolist()) == [0, 1, 2]
    after = looks.anything_after(Side.SOUTH, counts)
    assert after[int(looks_of[-1]) - 1] > after[0] + 1, "what was seen before is none of it"
    assert np.isneginf(after[-1]), "nothing begins after the last look"
    assert looks.anything_after(Side.NORTH, counts)[0] < after[0] - 5, "no hand of North's was there"
