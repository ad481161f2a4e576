"""Who stands ahead of whom, by which criterion, and that in words."""

from dataclasses import replace

import pytest

from engine.tournaments import (
    ORDERS,
    Corrected,
    Criterion,
    How,
    RankedBy,
    Reported,
    Result,
    TournamentState,
    Withdrew,
    after,
    standings,
)
from tests.engine.tournaments.shorthand import (
    ALL,
    CUP,
    N,
    S,
    all_paired,
    begun,
    of,
    order,
    paired,
    place,
    told,
    words,
)

TWICE = replace(ALL, cycles=2)
BY_SCORE = replace(ALL, counts=RankedBy.SCORE)


def league(n: int, *scores: tuple[str, str, int, int], how: object = ALL) -> TournamentState:
    """A round robin of so many, all rounds made, with these results."""
    return told(all_paired(begun(n, ALL if how is ALL else BY_SCORE)), *scores)


def points(state: TournamentState) -> dict[str, int]:
    return {row.name: row.sums.points for row in standings(state)}


def test_the_order_of_the_criteria_is_stated() -> None:
    assert {how: [one.value for one in order] for how, order in ORDERS.items() if how[1] is RankedBy.MATCHES} == {
        (ALL.system, RankedBy.MATCHES): ["points", "direct", "difference", "score", "games", "seed"],
        (CUP.system, RankedBy.MATCHES): ["reached", "third", "difference", "score", "games", "seed"]}
    assert [one.value for one in ORDERS[ALL.system, RankedBy.SCORE]] == [
        "score", "direct", "points", "difference", "games", "seed"]
    assert all(order[-1] is Criterion.SEED for order in ORDERS.values()), "the order is total"


# ---- round robin

def test_a_won_match_is_two_points_a_drawn_one_is_one() -> None:
    state = league(3, ("Ole", "Naisiae", 2, 1), ("Naisiae", "Sironka", 1, 1))
    assert points(state) == {"Ole": 2, "Naisiae": 1, "Sironka": 1}
    row = next(row for row in standings(state) if row.name == "Naisiae")
    assert (row.sums.met, row.sums.won, row.sums.drawn, row.sums.lost) == (2, 0, 1, 1)
    assert (row.sums.score, row.sums.games) == ((2, 3), (2, 3))


def test_where_neither_came_neither_has_a_point() -> None:
    state = league(2)
    state = after(state, Reported(place(state, "Ole", "Naisiae"), Result.walkover(None)))
    assert points(state) == {"Ole": 0, "Naisiae": 0}
    assert [(row.sums.met, row.sums.lost) for row in standings(state)] == [(1, 1), (1, 1)]


def test_more_match_points_need_no_words() -> None:
    state = league(3, ("Sironka", "Ole", 2, 1), ("Sironka", "Naisiae", 2, 1), ("Naisiae", "Ole", 2, 1))
    assert order(state) == ["Sironka", "Naisiae", "Ole"] and words(state) == {}


def test_two_who_are_level_are_told_apart_by_their_match() -> None:
    state = league(4, ("Naisiae", "Sironka", 2, 1), ("Sironka", "Ole", 3, 0), ("Kip", "Naisiae", 2, 1))
    assert points(state) == {"Kip": 2, "Naisiae": 2, "Sironka": 2, "Ole": 0}
    state = told(state, ("Ole", "Kip", 2, 1), ("Naisiae", "Ole", 2, 1), ("Sironka", "Kip", 2, 1))
    assert order(state) == ["Naisiae", "Sironka", "Ole", "Kip"], "though Sironka's score is better"
    assert words(state) == {"Naisiae": "ahead of Sironka: won their match against each other",
                            "Ole": "ahead of Kip: won their match against each other"}


def test_two_who_met_twice_are_told_apart_by_both_matches() -> None:
    state = all_paired(begun(2, TWICE))
    first, second = (one.place for one in state.pairings)
    state = after(after(state, Reported(first, Result.played(0, 2))), Reported(second, Result.played(1, 1)))
    assert order(state) == ["Naisiae", "Ole"] and words(state) == {}
    three = all_paired(begun(3, TWICE))
    made = [one.place for one in three.pairings if {three.name(n) for n in one.paired.entries} == {"Ole", "Naisiae"}]
    three = after(after(three, Reported(made[0], Result.played(0, 2))), Reported(made[1], Result.played(1, 1)))
    three = told(three, ("Ole", "Sironka", 2, 1))
    assert points(three) == {"Naisiae": 3, "Ole": 3, "Sironka": 0}
    assert words(three)["Naisiae"] == "ahead of Ole: 3 match points to 1 in their matches against each other"


def test_three_who_are_level_are_told_apart_by_the_matches_among_them() -> None:
    state = league(5, ("Sironka", "Naisiae", 2, 1), ("Sironka", "Ole", 1, 1), ("Naisiae", "Ole", 1, 1),
                   ("Ole", "Kip", 5, 0), ("Ole", "Nakato", 1, 1), ("Naisiae", "Kip", 5, 0), ("Naisiae", "Nakato", 5, 0),
                   ("Nakato", "Sironka", 2, 1), ("Sironka", "Kip", 2, 1))
    assert points(state) == {"Sironka": 5, "Ole": 5, "Naisiae": 5, "Nakato": 3, "Kip": 0}
    assert order(state)[:3] == ["Sironka", "Ole", "Naisiae"]
    assert words(state) == {
        "Sironka": "ahead of Ole: 3 match points to 2 in the matches among the 3 who are level",
        "Ole": "ahead of Naisiae: 2 match points to 1 in the matches among the 3 who are level"}


def test_a_ring_of_three_goes_to_the_next_criterion() -> None:
    state = league(3, ("Ole", "Naisiae", 2, 1), ("Naisiae", "Sironka", 3, 0), ("Sironka", "Ole", 2, 1))
    assert order(state) == ["Naisiae", "Ole", "Sironka"]
    assert words(state) == {"Naisiae": "ahead of Ole: the difference of the scores is +2 to 0",
                            "Ole": "ahead of Sironka: the difference of the scores is 0 to -2"}


def test_matches_against_each_other_count_only_once_all_who_are_level_have_met() -> None:
    state = league(4, ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 3, 0))
    assert order(state)[:2] == ["Naisiae", "Ole"]
    assert words(state)["Naisiae"] == "ahead of Ole: the difference of the scores is +3 to +1"


def test_those_still_level_among_the_level_are_told_apart_by_their_own_match() -> None:
    """Four are level; among them two and two; of each two one won."""
    beaten = [("Naisiae", "Ole"), ("Naisiae", "Kip"), ("Ole", "Kip"), ("Ole", "Sironka"), ("Kip", "Sironka"),
              ("Sironka", "Naisiae")]
    outside = [("Nakato", "Naisiae"), ("Nakato", "Ole"), ("Kip", "Nakato"), ("Sironka", "Nakato"), ("Nakato", "Wasswa"),
               *(("Wasswa", name) for name in ("Naisiae", "Ole", "Kip", "Sironka"))]
    state = league(6, *((one, other, 2, 1) for one, other in beaten + outside))
    assert points(state) == {"Wasswa": 8, "Nakato": 6, "Naisiae": 4, "Ole": 4, "Kip": 4, "Sironka": 4}
    assert order(state)[2:] == ["Naisiae", "Ole", "Kip", "Sironka"]
    assert words(state) == {
        "Naisiae": "ahead of Ole: won their match against each other",
        "Ole": "ahead of Kip: 4 match points to 2 in the matches among the 4 who are level",
        "Kip": "ahead of Sironka: won their match against each other"}


@pytest.mark.parametrize(("results", "why"), [
    ((Result((3, 1), (3, 1), winner=S), Result((4, 2), (4, 2), winner=S)), "a score of 4 to 3"),
    ((Result((3, 1), (1, 1), winner=S), Result((3, 1), (2, 1), winner=S)), "2 games won to 1"),
    ((Result((3, 1), (2, 1), winner=S), Result((3, 1), (2, 1), winner=S)),
     "level by every criterion, and higher in the seeding"),
])
def test_the_later_criteria_one_after_another(results: tuple[Result, Result], why: str) -> None:
    state = league(4)
    for (one, other), result in zip((("Ole", "Kip"), ("Naisiae", "Sironka")), results, strict=True):
        pairing = of(state, one, other)
        assert state.name(pairing.paired.entries[0]) == one
        state = after(state, Reported(pairing.place, result))
    first = next(row for row in standings(state))
    assert str(first.ahead).endswith(f": {why}"), first.ahead


def test_by_the_score_a_lost_match_may_be_worth_more() -> None:
    state = league(3, ("Ole", "Naisiae", 5, 6), ("Naisiae", "Sironka", 0, 1), how=BY_SCORE)
    assert order(state) == ["Naisiae", "Ole", "Sironka"] and words(state) == {}
    state = told(state, ("Ole", "Sironka", 1, 2))
    assert words(state) == {"Naisiae": "ahead of Ole: won their match against each other"}
    drawn = told(state, ("Ole", "Naisiae", 5, 5), ("Naisiae", "Sironka", 1, 0))
    assert words(drawn) == {"Naisiae": "ahead of Ole: 3 match points to 1"}


def test_a_match_decided_by_forfeit_counts_as_won() -> None:
    state = league(2)
    given = Result((2, 0), (2, 0), winner=N, how=How.FORFEIT)
    assert order(after(state, Reported(of(state, "Ole", "Naisiae").place, given))) == ["Naisiae", "Ole"]


# ---- withdrawals

def test_who_withdraws_before_half_of_his_matches_is_taken_out() -> None:
    state = league(5, ("Kip", "Ole", 3, 0))
    state = after(state, Withdrew(state.entries[0].number))
    last = standings(state)[-1]
    assert (last.name, last.place, last.withdrawn, last.sums.met) == ("Ole", None, True, 0)
    assert points(state)["Kip"] == 0, "a win against who is out is none"


def test_who_withdraws_after_half_of_them_loses_the_others() -> None:
    state = league(5, ("Kip", "Ole", 3, 0), ("Ole", "Sironka", 3, 0))
    state = after(state, Withdrew(state.entries[0].number))
    assert points(state) == {"Kip": 2, "Nakato": 2, "Naisiae": 2, "Ole": 2, "Sironka": 0}
    assert next(row for row in standings(state) if row.name == "Ole").withdrawn


def test_half_is_counted_of_matches_that_were_played() -> None:
    state = league(5, ("Kip", "Ole", 3, 0))
    missed = of(state, "Ole", "Sironka")
    state = after(state, Reported(missed.place, Result.walkover(S)))
    assert standings(after(state, Withdrew(state.entries[0].number)))[-1].name == "Ole"


# ---- knock-out

def test_who_came_further_stands_ahead() -> None:
    state = told(paired(begun(4, CUP)), ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 0, 3))
    state = told(paired(state), ("Ole", "Sironka", 1, 2))
    assert order(state) == ["Sironka", "Ole", "Kip", "Naisiae"]
    assert words(state) == {"Kip": "ahead of Naisiae: the difference of the scores is -1 to -3"}


def test_nobody_is_out_by_a_drawn_match() -> None:
    state = told(paired(begun(4, CUP)), ("Ole", "Kip", 1, 1), ("Naisiae", "Sironka", 0, 3))
    assert {row.name for row in standings(state) if row.sums.reached == 3} == {"Ole", "Kip", "Sironka"}


def test_the_match_for_the_third_place_decides_it() -> None:
    state = told(paired(begun(4, replace(CUP, third_place=True))), ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 3, 0))
    state = told(paired(state), ("Kip", "Sironka", 1, 2))
    assert words(state)["Sironka"] == "ahead of Kip: won the match for the third place"
    assert order(state)[2:] == ["Sironka", "Kip"]


def test_a_round_that_rests_on_a_corrected_result_counts_for_nothing() -> None:
    state = told(paired(begun(8, CUP)), ("Ole", "Babirye", 2, 0), ("Kip", "Nakato", 2, 0), ("Naisiae", "Kato", 2, 0),
                 ("Sironka", "Wasswa", 2, 0))
    state = told(paired(state), ("Ole", "Kip", 2, 0), ("Naisiae", "Sironka", 2, 0))
    state = told(paired(state), ("Ole", "Naisiae", 2, 0))
    assert order(state)[:2] == ["Ole", "Naisiae"]
    turned = Corrected(place(state, "Ole", "Babirye"), Result.played(0, 2), "the sides were exchanged", by="Resiato")
    assert turned.result is not None
    state = after(state, replace(turned, result=turned.result if state.name(
        of(state, "Ole", "Babirye").paired.entries[0]) == "Ole" else turned.result.turned))
    out = next(row for row in standings(state) if row.name == "Ole")
    assert (out.sums.met, out.sums.reached) == (1, 1), "neither his semi-final nor his final counts"
    assert {row.name for row in standings(state) if row.sums.reached == 4} == {"Babirye", "Kip", "Naisiae"}


# ---- before and between

def test_before_the_first_round_all_stand_as_they_are_seeded() -> None:
    assert order(begun(3)) == ["Ole", "Naisiae", "Sironka"]
    assert all(row.sums.met == 0 for row in standings(begun(3)))
