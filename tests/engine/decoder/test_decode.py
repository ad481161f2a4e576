"""Which legal move the looks show, whether it is at its end, and where the next one begins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.board import Side
from engine.decoder import Decoded, decode
from engine.judge.timeline_likelihood import boards_passed
from engine.position import Position
from engine.rules import Move
from tests.engine.decoder.sown import NOBODYS, NORTHS, RULES, SOUTHS, Eye, position

BEFORE = position()
MOVES = RULES.moves(BEFORE).moves
NUMBERED = pytest.mark.parametrize("number", range(len(MOVES)))
AFTER = 8
"""Looks that follow a move: a second."""


def decoded(eye: Eye, *befores: Position) -> Decoded:
    """What was played from one of these positions, all alike, or from the usual one."""
    positions = befores or (BEFORE,)
    found = decode(RULES, [(one, 1 / len(positions)) for one in positions], eye.looks())
    assert found is not None
    return found


def begun() -> Eye:
    """The board has lain still for a while."""
    eye = Eye(BEFORE.counts)
    eye.look(times=3)
    return eye


def answer(move: Move) -> Move:
    """What North plays then: the longest that there is."""
    return max(RULES.moves(move.position).moves, key=lambda one: len(one.trace))


@NUMBERED
def test_a_move_that_was_seen_whole_is_decoded(number: int) -> None:
    eye = begun()
    eye.sown(MOVES[number], SOUTHS)
    eye.look(times=AFTER)
    found = decoded(eye)
    assert (found.before, found.move.position) == (BEFORE, MOVES[number].position)
    assert found.p > 0.99 and not (found.begun or found.answered)
    assert (found.until == len(eye.boards)).all(), "nothing touched the board since"


@NUMBERED
def test_each_pit_lies_as_the_move_left_it_since_it_was_touched_last(number: int) -> None:
    eye = begun()
    eye.sown(MOVES[number], SOUTHS)
    eye.look(times=AFTER)
    last = np.zeros(len(BEFORE.counts), np.int64)
    for look, (was, now) in enumerate(zip(eye.boards, eye.boards[1:], strict=False)):
        last[np.array(was) != np.array(now)] = look + 1
    # A step whose pit a hand hides may have been made at any of the looks for which it does.
    assert (np.abs(decoded(eye).since - last) <= 1).all()


@NUMBERED
@pytest.mark.parametrize("hands", [SOUTHS, NOBODYS], ids=["hand there", "hand away"])
def test_the_middle_of_a_move_is_none(number: int, hands: tuple[bool, bool]) -> None:
    steps = len(boards_passed(BEFORE.counts, MOVES[number].trace)) // 2
    eye = begun()
    eye.sown(MOVES[number], SOUTHS, steps=steps)
    assert eye.counts not in [move.position.counts for move in MOVES]
    eye.look(hands, times=AFTER)
    assert decoded(eye).p < 0.5


def test_nothing_was_played_where_the_board_lies_as_before() -> None:
    eye = begun()
    eye.look(SOUTHS, hidden=(3, 4), times=AFTER)
    eye.look(times=AFTER)
    assert decoded(eye).p < 0.01


@NUMBERED
def test_a_move_whose_next_one_has_begun_is_decoded_and_what_that_touched_is_known(number: int) -> None:
    eye = begun()
    eye.sown(MOVES[number], SOUTHS)
    eye.look(NORTHS, times=2)
    end = len(eye.boards)
    touched = eye.sown(answer(MOVES[number]), NORTHS, steps=2)
    eye.look(NORTHS)
    found = decoded(eye)
    assert found.move.position == MOVES[number].position and found.p > 0.95
    assert found.begun and not found.answered
    assert set(np.flatnonzero(found.until < len(eye.boards))) == set(touched)
    assert found.until.min() in (end, end + 1) and (found.since <= found.until).all()


def test_the_next_move_may_begin_while_the_movers_hand_is_still_there() -> None:
    eye = begun()
    eye.sown(MOVES[0], SOUTHS)
    touched = eye.sown(answer(MOVES[0]), (True, True), steps=3)
    eye.look((True, True))
    found = decoded(eye)
    assert found.move.position == MOVES[0].position and found.p > 0.95 and found.begun
    assert set(np.flatnonzero(found.until < len(eye.boards))) == set(touched)


@NUMBERED
def test_an_answer_that_was_played_to_its_end_is_known_to_be_so(number: int) -> None:
    eye = begun()
    eye.sown(MOVES[number], SOUTHS)
    touched = eye.sown(answer(MOVES[number]), NORTHS)
    eye.look(times=AFTER)
    found = decoded(eye)
    assert found.move.position == MOVES[number].position and found.p > 0.95 and found.begun and found.answered
    assert set(np.flatnonzero(found.until < len(eye.boards))) == set(touched)


@NUMBERED
def test_whatever_follows_the_answer_is_no_evidence_against_the_first_move(number: int) -> None:
    second = answer(MOVES[number])
    third = RULES.moves(second.position).moves
    if not third:
        return
    eye = begun()
    eye.sown(MOVES[number], SOUTHS)
    eye.sown(second, NORTHS)
    before = decoded(eye).until
    eye.sown(max(third, key=lambda one: len(one.trace)), SOUTHS, steps=6)
    eye.look(SOUTHS)
    found = decoded(eye)
    assert found.move.position == MOVES[number].position and found.p > 0.95
    assert found.begun and found.answered and (found.until[before < before.max()] <= before.max()).all()


def test_a_step_with_no_hand_of_the_movers_there_is_next_to_impossible() -> None:
    def shown(hands: tuple[bool, bool]) -> float:
        eye = begun()
        eye.sown(MOVES[0], hands)
        eye.look(times=AFTER)
        return decoded(eye).p

    assert shown(SOUTHS) > 0.99 and shown(NORTHS) < 0.5 and shown(NOBODYS) < 0.5


def test_one_pit_that_is_misread_for_a_while_makes_no_other_move_of_it() -> None:
    eye = begun()
    eye.sown(MOVES[0], SOUTHS)
    board = eye.counts
    eye.counts = tuple(n + (pit == 9) for pit, n in enumerate(board))
    eye.look(times=3)
    eye.counts = board
    eye.look(times=AFTER)
    assert decoded(eye).move.position == MOVES[0].position


def one_seed_more(pit: int) -> Position:
    """The position, with one seed more in a pit."""
    return replace(BEFORE, counts=tuple(n + (p == pit) for p, n in enumerate(BEFORE.counts)))


def test_of_several_positions_the_one_is_found_that_the_looks_fit() -> None:
    for truth, other in ((BEFORE, one_seed_more(2)), (one_seed_more(2), BEFORE)):
        move = next(m for m in RULES.moves(truth).moves if m.pit == 2)
        eye = Eye(truth.counts, known=False)
        eye.look(times=3)
        eye.sown(move, SOUTHS)
        eye.look(times=AFTER)
        found = decoded(eye, other, truth)
        assert (found.before, found.move.position) == (truth, move.position) and found.p > 0.95


@pytest.mark.parametrize("odds", [(0.9, 0.1), (0.1, 0.9)])
def test_where_the_looks_fit_both_the_likelier_one_is_taken(odds: tuple[float, float]) -> None:
    """The pit that tells them apart is hidden all the time."""
    befores = BEFORE, one_seed_more(1)
    move = next(m for m in MOVES if 1 not in np.flatnonzero(np.array(m.position.counts) != BEFORE.counts))
    eye = Eye(BEFORE.counts)
    eye.look(hidden=(1,), times=3)
    eye.sown(move, SOUTHS)
    eye.look(hidden=(1,), times=AFTER)
    looks = eye.looks()
    looks.seen[:, 1] = False
    found = decode(RULES, list(zip(befores, odds, strict=True)), looks)
    assert found is not None and found.before == befores[int(np.argmax(odds))]
    assert found.p == pytest.approx(0.9, abs=0.05), "the other one is as likely as its odds"


def test_without_a_position_there_is_nothing_to_decode_from() -> None:
    with pytest.raises(ValueError, match="no position"):
        decode(RULES, [], begun().looks())


def test_where_nobody_can_move_or_nothing_was_seen_there_is_no_move() -> None:
    ended = Position(BEFORE.board, (0,) * 8 + (1,) * 8, captured=(24, 16), ply=9)
    assert ended.to_move is Side.SOUTH and not RULES.moves(ended).moves
    eye = Eye(ended.counts)
    eye.look(times=3)
    assert decode(RULES, [(ended, 1.0)], eye.looks()) is None
    empty = begun().looks()
    nothing = replace(empty, times=empty.times[:0], loglik=empty.loglik[:0], seen=empty.seen[:0],
                      stays=empty.stays[:0], hands=empty.hands[:0])
    assert decode(RULES, [(BEFORE, 1.0)], nothing) is None


def test_a_position_in_which_nobody_can_move_takes_nothing_from_the_others() -> None:
    ended = Position(BEFORE.board, (0,) * 8 + (1,) * 8, captured=(24, 16), ply=9)
    eye = begun()
    eye.sown(MOVES[0], SOUTHS)
    eye.look(times=AFTER)
    assert decoded(eye, ended, BEFORE).move.position == MOVES[0].position


def test_after_a_move_that_ends_the_game_none_begins() -> None:
    before = Position(BEFORE.board, (1,) + (0,) * 15, captured=(24, 15), ply=9)
    move, = RULES.moves(before).moves
    assert RULES.over(move.position) is not None
    eye = Eye(before.counts)
    eye.look(times=3)
    eye.sown(move, SOUTHS)
    eye.look(NORTHS, hidden=(8, 9), times=AFTER)
    found = decoded(eye, before)
    assert found.p > 0.95 and not (found.begun or found.answered)
