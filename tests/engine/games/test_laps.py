"""The graph of one move's laps: where the search stops, and what it says of that (engine/games/README.md)."""

from collections import deque

import pytest

from engine.board import Board, Direction
from engine.games import laps
from engine.position import Position
from engine.rules import ruleset

ENKESHUI, ENDODOI, OMWESO = ruleset("enkeshui"), ruleset("endodoi"), ruleset("omweso")
ROUND = Position.parse("1,0,0,0,0,0,0,0/0,0,0,0,0,0,0,8 S 0-0 ply=10")
"""One lap from h, then a choice: one lap more anticlockwise, two clockwise."""
TWO_LAPS = Position.parse("0,0,0,0,1/0,0,0,1,1 S 0-0")
"""d relays once, in e, and ends in the empty B."""


def search(budget: int | None) -> laps.Reached:
    sowing = ENKESHUI.begin(ROUND)
    return laps.resume(ENKESHUI, deque(laps.opening(ENKESHUI, sowing, 7)), budget)


@pytest.mark.parametrize(("budget", "choices", "cut"), [
    (0, [], True), (1, [], True), (2, [">"], True), (3, [">", "<"], False), (4, [">", "<"], False),
    (None, [">", "<"], False),
])
def test_a_search_that_runs_out_of_laps_keeps_what_it_reached_and_says_so(
    budget: int | None, choices: list[str], cut: bool
) -> None:
    found = search(budget)
    assert [end.choices for end in found.ends] == choices
    assert found.cut is cut


def test_the_laps_of_a_whole_search_are_so_many_times_those_of_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    assert laps.BREADTH == 20
    monkeypatch.setattr(laps, "BREADTH", 2)
    rules = ruleset("enkeshui", None, {"max_laps": "1"})  # two in all: to the choice, and anticlockwise
    found = laps.explore(rules, rules.begin(ROUND), 7)
    assert ([end.choices for end in found.ends], found.cut) == ([">"], True)


@pytest.mark.parametrize(("deepest", "ends"), [(1, 0), (2, 1), (ENDODOI.max_laps, 1)])
def test_how_deep_one_move_is_followed_may_be_said(deepest: int, ends: int) -> None:
    queue = deque(laps.opening(ENDODOI, ENDODOI.begin(TWO_LAPS), 3))
    found = laps.resume(ENDODOI, queue, None, deepest)
    assert (len(found.ends), found.cut) == (ends, not ends)
    stop = laps.chain(ENDODOI, ENDODOI.begin(TWO_LAPS), 3, Direction.CCW, deepest)
    assert (stop is laps.Stop.DEEP) == (not ends)


def test_a_move_is_not_cut_off_with_captured_seeds_in_the_hand() -> None:
    board = Board(4, 8)
    counts = [0] * 32
    for name, seeds in {"p": 2, "g": 1, "B": 3, "J": 2}.items():
        counts[board.pit(name)] = seeds
    sowing = OMWESO.begin(Position(board, tuple(counts), ply=30))
    decision = laps.chain(OMWESO, sowing, board.pit("p"), Direction.CCW, 1)
    assert (decision, sowing.laps, sowing.hand) == (OMWESO.decide(sowing), 2, 0)


def test_choices_that_are_too_few_stop_at_the_choice() -> None:
    assert laps.follow(ENKESHUI, ENKESHUI.begin(ROUND), 7, "") is laps.Stop.CHOICE
    end = laps.follow(ENKESHUI, ENKESHUI.begin(ROUND), 7, "<>><")
    assert isinstance(end, laps.Ending)
    assert (end.choices, end.ends, end.sowing.laps) == ("<", "sleeps", 3)


def test_a_state_with_a_choice_is_visited_once() -> None:
    queue = laps.opening(ENKESHUI, ENKESHUI.begin(ROUND), 7)
    twice = [(s.copy(), c + "x", p, d) for s, c, p, d in queue] + queue
    found = laps.resume(ENKESHUI, deque(twice))
    assert [end.choices for end in found.ends] == ["x>", "x<"]


def test_a_chain_that_ran_deep_goes_no_further_and_the_others_do() -> None:
    rules = ruleset("endodoi", None, {"max_laps": "1"})
    deep, short = rules.begin(TWO_LAPS), rules.begin(Position.parse("0,0,0,0,0/1,0,0,0,0 S 0-0"))
    queue = deque([*laps.opening(rules, deep, 3), *laps.opening(rules, short, 0)])
    found = laps.resume(rules, queue)
    assert ([end.ends for end in found.ends], found.cut) == (["sleeps"], True)
