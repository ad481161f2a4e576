"""A match's result is taken as the match weighs it: games, akawumbi, forfeits, seeds."""

import pytest

from engine.board import Side
from engine.matches import Forfeited, GameBegun, GameScored, MatchBegun, OlAlai, Points, Sticks, Surplus, after, fold
from engine.tournaments import How, Result, TournamentError
from tests.engine.matches.shorthand import ENKESHUI, OMWESO, akawumbi, won
from tests.engine.tournaments.shorthand import N, S


def test_sticks_are_the_score() -> None:
    match = won(won(won(fold([ENKESHUI]), S), N), N)
    assert Result.of(match) == Result((1, 2), (1, 2), 0, N)


def test_a_win_by_akawumbi_weighs_more() -> None:
    match = won(won(akawumbi(fold([OMWESO]), S), N), N)
    assert Result.of(match) == Result((3, 2), (1, 2), 0, S), "three points for one game, and so South has won"


def test_a_drawn_match_has_no_winner() -> None:
    match = won(won(fold([MatchBegun("enkeshui", Sticks(2))]), S), N)
    assert Result.of(match) == Result((1, 1), (1, 1), 0, None)
    match = won(won(fold([MatchBegun("enkeshui", Sticks(2))]), None, (24, 24)), S)
    assert Result.of(match) == Result((1, 0), (1, 0), 1, S), "a drawn game is nobody's"


def test_a_forfeited_game_is_won_as_any_other() -> None:
    state = fold([OMWESO])
    for number in (1, 2, 3):
        state = after(after(state, GameBegun(number, S)), Forfeited(S))
    assert Result.of(state) == Result((0, 3), (0, 3), 0, N)


def test_seeds_are_the_score_of_a_match_for_the_surplus() -> None:
    match = won(fold([MatchBegun("enkeshui", Surplus())]), S, (46, 2))
    assert Result.of(match) == Result((46, 2), (1, 0), 0, S)


@pytest.mark.parametrize("begun", [ENKESHUI, OMWESO, MatchBegun("endodoi", OlAlai(2)),
                                   MatchBegun("omweso", Points(points=4))])
def test_a_match_that_goes_on_has_no_result(begun: MatchBegun) -> None:
    for match in (fold([begun]), fold([begun, GameBegun(1, S)]), fold([begun, GameBegun(1, S), GameScored(1, S)])):
        with pytest.raises(TournamentError, match=r"^the match is not over$"):
            Result.of(match)


def test_who_sat_the_other_way_round_has_the_same_result_turned() -> None:
    result = Result((3, 2), (1, 2), 1, S, How.PLAYED)
    assert result.turned == Result((2, 3), (2, 1), 1, N)
    assert result.turned.turned == result
    assert Result.played(1, 1).turned == Result.played(1, 1)


@pytest.mark.parametrize(("result", "why"), [
    (Result((-1, 0)), "the score is -1: a whole number from 0"),
    (Result((1, 0), (0, -2), winner=S), "the number of games won is -2: a whole number from 0"),
    (Result((1, 0), drawn=-1, winner=S), "the number of drawn games is -1: a whole number from 0"),
    (Result((1, 2), winner=S), "the winner does not fit the score of 1-2"),
    (Result((1, 2)), "the winner does not fit the score of 1-2"),
    (Result((1, 1), winner=S), "the winner does not fit the score of 1-1"),
    (Result((1, 1), how=How.FORFEIT), "a match that ended by forfeit has a winner"),
    (Result((0, 0), how=How.WALKOVER), "a match that ended by walkover has a winner"),
    (Result((0, 0), winner=S, how=How.NEITHER), "a match that nobody came to has no winner"),
    (Result((1, 0), winner=S, how=How.WALKOVER), "a match that nobody played has the score 0-0"),
    (Result((0, 0), (0, 1), how=How.NEITHER), "a match that nobody played has the score 0-0"),
    (Result((2, 1), winner=S, how=How.LOT), "a lot decides a level score only, and only in a knock-out"),
])
def test_a_result_that_cannot_be_is_refused(result: Result, why: str) -> None:
    with pytest.raises(ValueError) as told:
        result.check(lots=True)
    assert str(told.value) == why


def test_a_lot_decides_in_a_knock_out_alone() -> None:
    lot = Result((1, 1), (1, 1), winner=N, how=How.LOT)
    assert lot.check(lots=True) is lot
    with pytest.raises(TournamentError, match="only in a knock-out"):
        lot.check(lots=False)


def test_nobody_came() -> None:
    assert Result.walkover(None).check(lots=False).how is How.NEITHER
    assert {Result.walkover(side).check(lots=False).winner for side in Side} == {S, N}
