"""The referee's parts: what a stay and a touch weigh, what a look under hands says, where pictures become nats."""

import ast
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.board import Side
from engine.games.base import Move
from engine.position import Position
from engine.referee.account import Account, Happening
from engine.referee.alignment import Looks, align
from engine.referee.belief import Belief
from engine.referee.decide import Referee
from engine.referee.emission import Emission, Memory, count_nats, touch_nats
from engine.referee.grammar import branches
from engine.referee.observation import COUNTS, LookUnderHands, Mask
from engine.referee.search import continuations
from engine.rules import ruleset
from tests.engine.referee.observed import ByHand, loglik_of

ROOT = Path(__file__).parents[3]
RULES = ruleset("enkeshui")
START = RULES.setup()
PITS = START.board.pits


def nats_of(emission: Emission, before: tuple[int, ...], board: tuple[int, ...], touched: Mask | None = None) -> float:
    """The nats of one board."""
    return float(emission.of_boards(before, np.array([board]), None if touched is None else touched[None])[0])


def test_a_stay_that_is_surely_misread_vetoes_nothing() -> None:
    """However sure the eye is of four seeds, five keep more than one chance in a million; a pit that nobody saw says
    nothing."""
    nats = count_nats(loglik_of([4, 4], {}), np.array([True, False]))
    assert nats[0].argmax() == 4
    assert -14 < nats[0, 5] < -3
    assert not nats[1].any()


def test_a_larger_heap_is_misread_more_readily() -> None:
    """Read as one seed fewer, as surely as a smaller one, it keeps more of its probability."""
    read = count_nats(loglik_of([n - 1 for n in range(1, COUNTS)], {}), np.ones(COUNTS - 1, np.bool_))
    kept = [float(read[n - 1, n]) for n in range(1, COUNTS)]
    assert kept == sorted(kept) and kept[0] < kept[-1] - 2


def test_a_board_that_was_misread_is_believed_less() -> None:
    """Where half of the pits were read as anything, a pit that is read otherwise hardly says that seeds are gone; where
    they were read rightly, it does."""
    odds = []
    for wrong in (9, 4):
        board, four = ByHand(PITS), Position(START.board, (4,) * PITS)
        misread = {pit: {wrong: 0.9, 12: 0.1} for pit in range(0, PITS, 2)} if wrong != 4 else {}
        belief = Belief.of_start(RULES, four).with_pits_as_now(board.shows(four.counts, t=1.0, read=misread))
        again = board.shows(four.counts, t=2.0, read={**misread, 1: {1: 0.99, 4: 0.001}}, touched=[1])
        gone = (four.counts[0], 1, *four.counts[2:])
        emission = Emission(belief.memory, again)
        odds.append(nats_of(emission, four.counts, gone) - nats_of(emission, four.counts, four.counts))
    assert odds[0] < odds[1] - 2


def test_a_touch_that_does_not_show_is_likelier_in_a_heap() -> None:
    """A pit that looks as before was hardly touched, a lone seed still less than a heap; one that looks otherwise
    was hardly left alone."""
    yes, no = touch_nats(np.array([-7.0, -7.0, 7.0]), np.array([1, 12, 4]))
    assert yes[0] < yes[1] < -3
    assert no[2] < -3 < yes[2]


def test_a_stay_counts_once() -> None:
    """Looking again at the same board says nothing new of it."""
    board = ByHand(PITS)
    memory = Emission(Memory.unseen(PITS), board.shows(START.counts, t=1.0)).memory
    again = Emission(memory, board.shows(START.counts, t=2.0))
    assert nats_of(again, START.counts, START.counts) == pytest.approx(0.0, abs=0.2)


def test_heaps_of_one_board_are_read_short_together() -> None:
    """Where seven of eight heaps of eight were read as seven, the eighth that is read so hardly says that a seed is
    gone; where they were read rightly, it does."""
    odds = []
    for fewer in (1, 0):
        board, heaps = ByHand(PITS), Position(START.board, (8,) * PITS)
        misread = {pit: {8 - fewer: 0.7, 7 + fewer: 0.3} for pit in range(7)}
        belief = Belief.of_start(RULES, heaps).with_pits_as_now(board.shows(heaps.counts, t=1.0, read=misread))
        again = board.shows(heaps.counts, t=2.0, read={**misread, 7: {7: 0.7, 8: 0.3}}, touched=[7])
        gone = (*heaps.counts[:7], 7, *heaps.counts[8:])
        emission = Emission(belief.memory, again)
        odds.append(nats_of(emission, heaps.counts, gone) - nats_of(emission, heaps.counts, heaps.counts))
    assert odds[0] < odds[1] - 0.2


def test_many_pits_that_look_touched_are_a_board_that_was_pushed() -> None:
    """Each pit that a sleeve shifted costs, but all of them together no more than a push."""
    board = ByHand(PITS)
    memory = Emission(Memory.unseen(PITS), board.shows(START.counts, t=1.0)).memory
    pushed = Emission(memory, board.shows(START.counts, t=2.0, touched=range(PITS)))
    untouched = np.zeros(PITS, np.bool_)
    assert -12 < nats_of(pushed, START.counts, START.counts, untouched) < -3


def test_moves_go_on_from_a_board_in_their_middle() -> None:
    """From a board that a move passes through that move can go on, and what it still has to touch is less."""
    tree = branches(RULES, START)
    k = max(range(len(tree.moves)), key=lambda m: len(tree.passed[m]))
    onward = tree.onward(tuple(int(n) for n in tree.passed[k][5]))
    assert tree.moves[k].move in [h.move for h in onward.moves]
    assert len(onward.passed[0]) < len(tree.passed[k])


def test_a_middle_has_touched_the_pits_that_changed_on_its_way() -> None:
    """Of a capture that is carried off pit by pit only those that are empty already."""
    rules = ruleset("omweso")
    middles = branches(rules, rules.setup("4x8-twos")).middles
    assert middles.touched is not None
    for k in range(0, len(middles.boards), 9):
        boards, touched = middles.way(k).passed, middles.touched[k]
        assert boards is not None and (touched == (boards != boards[0]).any(axis=0)).all()


@pytest.mark.parametrize("hand", [(True, False), (False, True)])
def test_looks_tell_who_sowed(hand: tuple[bool, bool]) -> None:
    """Looks in which only the other side's hand was there speak against a move; those under the mover's do not."""
    nats = _aligned(RULES.moves(START).moves[2], hand)
    assert nats == pytest.approx(0.0, abs=0.1) if hand[0] else nats < -8


def test_a_stay_under_hands_counts_once() -> None:
    """However often a pit is looked at in the middle of a long move, its misread stays weigh the same."""
    longest = max(RULES.moves(START).moves, key=lambda move: len(move.trace))
    once, thrice = (_aligned(longest, (True, False), times, misread=True) for times in (1, 3))
    assert once == pytest.approx(thrice, abs=1.0) and once < -100


def test_a_rest_in_the_middle_of_an_unknown_move_tells_whose_hand_was_there() -> None:
    """It is kept as a look, with that side's hand alone."""
    seen = ByHand(PITS).shows(START.counts, t=1.0, hands=(0.2, 0.0))
    assert Memory.unseen(PITS).with_unread(seen).looks[-1].hands == (True, False)


def _aligned(move: Move, hand: tuple[bool, bool], times: int = 1, *, misread: bool = False) -> float:
    """Nats of the looks along South's move under this hand, each `times` over; misread: all pits are read as nine."""
    tree = branches(RULES, START)
    boards = next(b for h, b in zip(tree.moves, tree.passed, strict=True) if h.move == move.name)
    looks = [replace(look, loglik=loglik_of([9] * PITS, {})) if misread else look
             for look in _looks_along(boards, hand) for _ in range(times)]
    after = ByHand(PITS)
    after.shows(START.counts, t=0.0)
    seen = after.shows(move.position.counts, t=9.0)
    since = replace(Memory.unseen(PITS), stays=np.zeros(PITS, np.int64))
    laid = Looks(Emission(since, replace(seen, looks=tuple(looks))), START.counts)
    players: tuple[Side | None, ...] = (Side.SOUTH,) * (len(boards) - 1)
    return float(align(laid, [boards], [players])[0])


def _looks_along(boards: np.ndarray, hand: tuple[bool, bool]) -> list[LookUnderHands]:
    """A look at each board that a move passes through, the pits that it touches hidden."""
    stays, looks = np.zeros(PITS, np.int64), []
    for k in range(1, len(boards)):
        other = boards[k] != boards[k - 1]
        stays = stays + other
        looks.append(LookUnderHands(float(k), loglik_of(boards[k].tolist(), {}), ~other, stays.copy(), hand))
    return looks


def test_the_same_observations_give_the_same_belief() -> None:
    """Work is bounded by counts and no clock."""
    beliefs = []
    for _ in range(2):
        board = ByHand(PITS)
        belief = Belief.of_start(RULES, START).with_pits_as_now(board.shows(START.counts, t=1.0))
        counts = list(RULES.moves(START).moves[0].position.counts)
        counts[3] += 1
        belief = belief.advanced(board.shows(counts, t=9.0, hands=(0.2, 0.0)))
        beliefs.append([(a.position, a.middle, a.nats) for a in belief.accounts])
    assert beliefs[0] == beliefs[1]
    assert sum(np.exp(nats) for *_, nats in beliefs[0]) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(("pit", "odds", "kind"), [("c", 1e-3, "not-sure"), ("c", 1e-4, "illegal"),
                                                    ("g", 1e-2, "legal")])
def test_one_seed_too_many(pit: str, odds: float, kind: str) -> None:
    """In a pit that looks touched though the move passes it by, one seed too many is asked about, and told where it is
    surely read; in a pit that the move sows into, a doubtful one is a misreading."""
    move = next(m for m in RULES.moves(START).moves if m.name == "e")
    board, referee, at = ByHand(PITS), Referee(RULES, START), START.board.pit(pit)
    referee.observe(board.shows(START.counts, t=1.0), over=True)
    counts = list(move.position.counts)
    counts[at] += 1
    read = {at: {counts[at] - 1: odds, counts[at]: 1 - odds}}
    found = referee.observe(board.shows(counts, t=9.0, hands=(0.2, 0.0), rest_s=4.5, read=read), over=False)
    assert [f.kind for f in found] == [kind]


def test_what_was_said_holds_while_the_picture_is_spoilt() -> None:
    """After a move was told every pit shows nothing for a second, as through a lens that hunts for its focus: the next
    move is told from the board that was told."""
    first = next(m for m in RULES.moves(START).moves if m.name == "e").position
    second = next(m for m in RULES.moves(first).moves if m.name == "F").position
    board, referee, everywhere = ByHand(PITS), Referee(RULES, START), range(PITS)
    referee.observe(board.shows(START.counts, t=1.0), over=True)
    found = referee.observe(board.shows(first.counts, t=9.0, hands=(0.2, 0.0), rest_s=0.3), over=False)
    for rest_s in (0.6, 1.0, 1.4):
        spoilt = board.shows([0] * PITS, t=8.7 + rest_s, hands=(0.2, 0.0), rest_s=rest_s, touched=everywhere)
        found += referee.observe(spoilt, over=False)
    sharp = board.shows(first.counts, t=10.6, hands=(0.2, 0.0), rest_s=1.9, touched=everywhere)
    found += referee.observe(sharp, over=True)
    found += referee.hand(Side.NORTH, 11.0)
    found += referee.observe(board.shows(second.counts, t=14.0, hands=(0.0, 0.2), rest_s=1.0), over=True)
    assert [(f.kind, f.what.what.move) for f in found] == [("legal", "e"), ("legal", "F")]
    assert found[1].what.before.counts == first.counts and found[1].p > 0.99


def test_only_one_function_makes_nats_of_a_stay_and_one_of_a_touch() -> None:
    """Likelihoods of counts are made in `emission.count_nats`, those of touches in `emission.touch_nats`, nowhere
    else: of what is read others take only the likeliest count."""
    room = ROOT / "engine" / "referee"
    allowed = re.compile(r"\.loglik\.argmax\(|\bcount_nats\(seen\.loglik, |row = self\.seen\.loglik")
    for file in room.glob("*.py"):
        if file.name != "emission.py":
            text = allowed.sub("", file.read_text("utf-8"))
            assert not re.search(r"READING\.|TOUCH\.|\.loglik", text), file.name


def test_a_fault_that_only_ends_a_move_has_no_middle_of_its_own() -> None:
    """Every board on its way is a legal move's, so a rest that could not be read does not excuse it. Seeds may go, or a
    pit be skipped, before such a rest."""
    found = continuations(RULES, START).one_fault
    own = {(h.fault.code, bool(middle)) for h, middle in zip(found.listed, found.own_middles, strict=True) if h.fault}
    assert {("stopped-short", False), ("skip", True), ("palmed", True), ("out-of-turn", False)} <= own
    assert not own & {("stopped-short", True), ("skip", False), ("palmed", False)}


def test_numbers_are_few() -> None:
    """At most 53 numbers tune the referee, bounds of the search apart."""
    parsed = ast.parse((ROOT / "engine" / "referee" / "parameters.py").read_text("utf-8"))
    tuned = [part for part in parsed.body if not (isinstance(part, ast.ClassDef) and part.name == "BeamLimits")]
    numbers = [one for part in tuned for one in ast.walk(part)
               if isinstance(one, ast.Constant) and isinstance(one.value, int | float)
               and not isinstance(one.value, bool)]
    assert 40 < len(numbers) <= 53


def test_a_move_is_one_whenever_its_hand_came_back_to_it() -> None:
    """Whether it had ended before the hand returned or only then, the same game is told."""
    legal = branches(RULES, START).moves[0]
    after = legal.position_after(START)
    alike = [Account(after, after.counts, (Happening(episode, legal, START, after),), (START,), math.log(p))
             for episode, p in ((1, 0.6), (2, 0.4))]
    belief = Belief(RULES, tuple(alike), Memory.unseen(PITS)).with_turn(START.to_move, 1e-9)
    assert belief.accounts[0].path[0].episode == 1
    assert math.exp(belief.accounts[0].nats) == pytest.approx(1.0)


def test_a_start_is_a_position() -> None:
    """The belief begins with one account that is certain."""
    belief = Belief.of_start(RULES, Position.parse(str(START)))
    assert [(a.position, a.nats) for a in belief.accounts] == [(START, 0.0)]
    assert belief.memory.nats.shape == (PITS, COUNTS)


def test_a_pit_sown_into_while_it_was_hidden_and_then_lifted_was_not_left_alone() -> None:
    """It looks as it did before both moves, when it held as little as now."""
    lines = ("1,0,6,6,1,0,1,1/1,0,4,4,0,4,0,1 N 13-5 ply=3", "2,1,0,6,1,0,2,0/2,1,5,0,1,0,1,2 S 13-11 ply=4",
             "2,1,0,6,1,0,2,1/2,0,0,1,2,1,2,3 N 13-11 ply=5")
    start, after_north, after_south = (Position.parse(line) for line in lines)
    pit, board, referee = 1, ByHand(start.board.pits), Referee(RULES, start)
    assert (start.counts[pit], after_north.counts[pit], after_south.counts[pit]) == (0, 1, 0)
    referee.observe(board.shows(start.counts, t=1.0), over=True)
    as_if_never_sown_into = [0 if p == pit else n for p, n in enumerate(after_north.counts)]
    hidden = board.shows(as_if_never_sown_into, t=5.0, hands=(0.0, 0.15))
    found = referee.observe(replace(hidden, seen=np.arange(start.board.pits) != pit), over=True)
    found += referee.observe(board.shows(after_south.counts, t=9.0, hands=(0.15, 0.0)), over=True)
    assert [(f.kind, f.what.what.move) for f in found] == [("legal", "F"), ("legal", "b")]
    assert min(f.p for f in found) > 0.98
