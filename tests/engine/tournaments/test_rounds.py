"""Rounds: who meets whom, on which side, at which table, and what a round may not be."""

from dataclasses import replace

import pytest

from engine.tournaments import (
    How,
    Moved,
    Paired,
    PairingPlace,
    Reported,
    Result,
    RoundMade,
    TablesNamed,
    TournamentError,
    TournamentState,
    Withdrew,
    after,
    next_round,
)
from engine.tournaments.bracket import seeds
from tests.engine.tournaments.shorthand import ALL, CUP, N, S, all_paired, begun, of, on, paired, place, told

THIRD = replace(CUP, third_place=True)


def met(state: TournamentState, round: int) -> list[tuple[str, ...]]:
    """A round's pairings by name."""
    return [tuple(state.name(n) for n in one.paired.entries) for one in state.rounds[round - 1].pairings]


def refused(state: TournamentState, made: RoundMade) -> str:
    with pytest.raises(TournamentError) as why:
        after(state, made)
    return str(why.value)


# ---- round robin

def test_four_meet_in_three_rounds() -> None:
    state = all_paired(begun(4))
    assert [met(state, n) for n in (1, 2, 3)] == [
        [("Ole", "Kip"), ("Naisiae", "Sironka")],
        [("Kip", "Naisiae"), ("Sironka", "Ole")],
        [("Sironka", "Kip"), ("Ole", "Naisiae")]]


def test_of_an_odd_number_one_has_a_bye_in_each_round() -> None:
    state = all_paired(begun(5))
    byes = [one.paired.entries for one in state.pairings if not one.both]
    assert len(state.rounds) == 5 and sorted(byes) == [(n,) for n in sorted(state.drawn)]


def test_on_a_second_time_round_the_sides_are_exchanged() -> None:
    state = all_paired(begun(4, replace(ALL, cycles=2)))
    assert [met(state, n + 3) for n in (1, 2, 3)] == [[pair[::-1] for pair in met(state, n)] for n in (1, 2, 3)]


def test_when_all_rounds_are_made_there_is_no_further() -> None:
    with pytest.raises(TournamentError, match=r"^all 3 rounds are made$"):
        next_round(all_paired(begun(4)))
    with pytest.raises(TournamentError, match=r"^the only round is made$"):
        next_round(all_paired(begun(2)))
    with pytest.raises(TournamentError, match=r"^no round can be made of one entry: two at the least$"):
        next_round(begun(1))
    with pytest.raises(TournamentError, match=r"^no round can be made of 0 entries: two at the least$"):
        next_round(begun(0, CUP))


def test_rounds_of_a_round_robin_wait_for_no_result() -> None:
    assert len(all_paired(begun(6)).rounds) == 5


# ---- knock-out

def test_the_first_seeds_are_furthest_apart() -> None:
    assert seeds(0) == [0]
    assert seeds(3) == [0, 7, 3, 4, 1, 6, 2, 5]


def test_the_first_seeds_have_the_byes() -> None:
    state = paired(begun(5, CUP))
    assert met(state, 1) == [("Ole",), ("Kip", "Nakato"), ("Naisiae",), ("Sironka",)]
    assert state.last == 3


def test_winners_meet_and_losers_are_out() -> None:
    state = told(paired(begun(4, CUP)), ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 0, 3))
    assert met(paired(state), 2) == [("Sironka", "Ole")], "who sat North before sits South"


def test_who_sat_south_less_often_sits_there_now() -> None:
    """Ole had a bye and then sat South; Sironka sat South, and then North."""
    state = told(paired(begun(7, CUP)), ("Kip", "Nakato", 2, 1), ("Naisiae", "Kato", 2, 1), ("Sironka", "Wasswa", 2, 1))
    state = paired(state)
    assert met(state, 2) == [("Ole", "Kip"), ("Naisiae", "Sironka")]
    state = paired(told(state, ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 1, 2)))
    assert met(state, 3) == [("Sironka", "Ole")]


def test_the_next_round_waits_for_every_winner() -> None:
    state = told(paired(begun(4, CUP)), ("Ole", "Kip", 2, 1))
    why = "round 2 cannot be made: Naisiae and Sironka have no winner in round 1"
    with pytest.raises(TournamentError, match=why):
        next_round(state)
    drawn = told(state, ("Naisiae", "Sironka", 1, 1))
    with pytest.raises(TournamentError, match=why):
        next_round(drawn)
    lot = Reported(place(drawn, "Naisiae", "Sironka"), Result((1, 1), (1, 1), winner=N, how=How.LOT))
    assert met(paired(after(drawn, lot)), 2) == [("Sironka", "Ole")]


def test_the_losers_of_the_semi_finals_play_for_the_third_place() -> None:
    state = told(paired(begun(4, THIRD)), ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 2, 1))
    state = paired(state)
    assert met(state, 2) == [("Ole", "Naisiae"), ("Kip", "Sironka")]
    assert [one.paired.third for one in state.rounds[1].pairings] == [False, True]


def test_of_three_who_lost_the_only_semi_final_is_third_without_a_match() -> None:
    state = paired(told(paired(begun(3, THIRD)), ("Naisiae", "Sironka", 2, 1)))
    assert met(state, 2) == [("Ole", "Naisiae"), ("Sironka",)]
    assert state.winner(state.rounds[1].pairings[1]) == state.entries[2].number


def test_two_play_no_match_for_the_third_place() -> None:
    assert met(paired(begun(2, THIRD)), 1) == [("Ole", "Naisiae")]


def test_where_neither_came_the_next_has_a_bye() -> None:
    state = told(paired(begun(4, CUP)), ("Ole", "Kip", 2, 1))
    state = paired(after(state, Reported(place(state, "Naisiae", "Sironka"), Result.walkover(None))))
    assert met(state, 2) == [("Ole",)]
    assert state.winner(state.rounds[1].pairings[0]) == state.entries[0].number


def test_where_nobody_comes_a_place_of_the_bracket_stays_empty() -> None:
    state = paired(begun(8, CUP))
    for pairing in state.rounds[0].pairings[:2]:
        state = after(state, Reported(pairing.place, Result.walkover(None)))
    for pairing in state.rounds[0].pairings[2:]:
        state = after(state, Reported(pairing.place, Result.walkover(S)))
    state = paired(state)
    assert met(state, 2) == [(), ("Naisiae", "Sironka")]
    with pytest.raises(TournamentError, match=r"^- has no opponent in round 2, so there is no result$"):
        after(state, Reported(state.rounds[1].pairings[0].place, Result.walkover(S)))
    state = paired(told(state, ("Naisiae", "Sironka", 2, 1)))
    assert met(state, 3) == [("Naisiae",)]


# ---- withdrawals

def test_who_withdraws_from_a_knock_out_leaves_the_way_free() -> None:
    state = told(paired(begun(4, CUP)), ("Ole", "Kip", 2, 1))
    state = after(state, Withdrew(of(state, "Naisiae", "Sironka").paired.entries[0]))
    assert met(paired(state), 2) == [("Sironka", "Ole")]


def test_no_round_is_made_of_nobody() -> None:
    state = paired(begun(4, CUP))
    state = on(state, *(Withdrew(one.number) for one in state.entries))
    with pytest.raises(TournamentError, match="round 2 cannot be made: all who were left have withdrawn"):
        next_round(state)


def test_who_withdrew_loses_by_walkover_what_he_has_not_played() -> None:
    state = told(all_paired(begun(4)), ("Ole", "Kip", 2, 1), ("Ole", "Sironka", 1, 2))
    state = after(state, Withdrew(state.entries[0].number))
    left = state.result(of(state, "Ole", "Naisiae"))
    assert left is not None and (left.how, left.winner) == (How.WALKOVER, N)
    both = after(state, Withdrew(state.entries[1].number)).result(of(state, "Ole", "Naisiae"))
    assert both is not None and both.how is How.NEITHER


# ---- tables

def test_pairings_go_to_tables_and_those_that_are_too_many_wait() -> None:
    made = next_round(begun(8, tables=3)).pairings
    assert [(one.table, one.sitting) for one in made] == [("1", 1), ("2", 1), ("3", 1), ("1", 2)]


def test_who_has_a_bye_has_no_table() -> None:
    made = next_round(begun(3, tables=1)).pairings
    assert [(one.entries, one.table) for one in made] == [((3, 4), "1"), ((2,), "")]


def test_everybody_comes_to_every_table() -> None:
    state = all_paired(begun(4, replace(ALL, cycles=2), tables=2))
    for one in state.drawn:
        at = [pairing.paired.table for pairing in state.pairings if one in pairing.paired.entries]
        assert sorted((at.count("1"), at.count("2"))) in ([3, 3], [2, 4]), at


def test_a_match_moves_to_a_table_that_is_free() -> None:
    state = paired(begun(4, tables=2))
    first, second = (one.place for one in state.rounds[0].pairings)
    with pytest.raises(TournamentError, match=r"^table 2 is taken in round 1, sitting 1$"):
        after(state, Moved(first, "2"))
    with pytest.raises(TournamentError, match="the name of a table is ''"):
        after(state, Moved(first, ""))
    assert after(state, Moved(first, "2", 2)).pairing(first).paired.sitting == 2
    assert after(state, Moved(first, "yard")).pairing(first).paired.table == "yard"
    free = after(state, Reported(second, Result.played(2, 1)))
    assert after(free, Moved(first, "2")).pairing(first).paired.table == "2", "where a match is over, the table is free"


def test_new_tables_are_for_the_rounds_to_come() -> None:
    state = paired(on(paired(begun(4, tables=2)), TablesNamed(("a", "b"))))
    assert [one.paired.table for one in state.pairings] == ["1", "2", "a", "b"]


# ---- what a round may not be

def with_pairs(*pairs: tuple[int | None, int | None], number: int = 1, table: str = "") -> RoundMade:
    return RoundMade(number, tuple(Paired(south, north, table) for south, north in pairs))


@pytest.mark.parametrize(("made", "why"), [
    (with_pairs((2, 3), (4, 5), number=2), "round 2 cannot be made: the next is round 1"),
    (with_pairs((2, 3), (4, 3)), "Naisiae is paired twice in round 1"),
    (with_pairs((2, 2), (4, 5)), "Ole is paired with itself in round 1"),
    (with_pairs((2, 3), (4, 9)), "no entry has the number 9"),
    (with_pairs((2, 3), (4, None)), "Kip is not paired in round 1"),
    (with_pairs((2, 3), (4, None), (5, None)), "round 1 has 3 pairings: 2 are due"),
    (with_pairs((2, 3), (4, 5), table="1"), "table 1 is taken in round 1, sitting 1"),
    (RoundMade(1, (Paired(2, 3), Paired(4, 5, third=True))), "round 1 has 2 pairings: 2 are due"),
    (RoundMade(1, (Paired(2, 3), Paired(4, 5, "1", 0))), "the number of the sitting is 0: a whole number from 1"),
])
@pytest.mark.parametrize("how", [ALL, CUP])
def test_a_round_that_cannot_be_is_refused(made: RoundMade, why: str, how: object) -> None:
    assert refused(begun(4, ALL if how is ALL else CUP), made) == why


def test_nobody_meets_another_more_often_than_agreed() -> None:
    state = paired(begun(4))
    again = with_pairs((5, 2), (3, 4), number=2)
    assert refused(state, again) == "Kip and Ole meet more often than agreed if they are paired in round 2"
    assert after(paired(begun(4, replace(ALL, cycles=2))), again).last == 6


def test_a_round_of_a_knock_out_follows_from_the_results() -> None:
    state = told(paired(begun(4, CUP)), ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 0, 3))
    wrong = refused(state, with_pairs((2, 3), number=2))
    assert wrong == ("the result of round 1 has changed, so Naisiae no longer belongs where it is in round 2: undo "
                     "round 2 and make it again")
    alone = refused(state, with_pairs((2, None), number=2))
    assert alone == ("the result of round 1 has changed, so Sironka is missing in round 2: undo round 2 and make it "
                     "again")


def test_a_result_is_of_a_pairing_that_there_is() -> None:
    state = paired(begun(3))
    with pytest.raises(TournamentError, match=r"^there is no pairing 3 in the round that event 5 made$"):
        after(state, Reported(PairingPlace(5, 3), Result.played(1, 0)))
    with pytest.raises(TournamentError, match=r"^there is no pairing 0 in the round that event 5 made$"):
        after(state, Reported(PairingPlace(5, 0), Result.played(1, 0)))
    with pytest.raises(TournamentError, match=r"^Ole has no opponent in round 1, so there is no result$"):
        after(state, Reported(PairingPlace(5, 2), Result.played(1, 0)))
