"""What people say goes before what a table says; nothing is deleted, and what is undone comes back as it was."""

from dataclasses import replace

import pytest

from engine.tournaments import (
    Corrected,
    Entered,
    How,
    Moved,
    PairingPlace,
    Renamed,
    Reported,
    Result,
    RoundMade,
    TournamentError,
    TournamentEvent,
    TournamentState,
    Undone,
    Withdrew,
    after,
    fold,
    next_round,
    stale,
    standings,
)
from tests.engine.tournaments.shorthand import ALL, CUP, begun, on, order, paired, place, told


def refused(state: TournamentState, event: TournamentEvent) -> str:
    with pytest.raises(TournamentError) as why:
        after(state, event)
    return str(why.value)


def ruled(state: TournamentState, one: str, other: str, south: int, north: int) -> Corrected:
    """A correction that says who made it and why."""
    return Corrected(place(state, one, other), Result.played(south, north), "a ruling", by="Resiato")


def last(state: TournamentState) -> int:
    return len(state.log)


def test_a_correction_says_who_and_why() -> None:
    state = told(paired(begun(2)), ("Ole", "Naisiae", 2, 1))
    at = place(state, "Ole", "Naisiae")
    assert refused(state, Corrected(at, Result.played(1, 2), "a ruling")) == "a correction says who made it"
    assert refused(state, Corrected(at, Result.played(1, 2), " ", by="Resiato")) == "a correction says why"
    assert "cannot be printed" in refused(state, Corrected(at, Result.played(1, 2), "x\ny", by="Resiato"))
    assert "printable characters" in refused(state, Corrected(at, Result.played(1, 2), "so", by="x\ny"))


def test_a_correction_goes_before_what_the_table_says_before_and_after_it() -> None:
    state = told(paired(begun(2)), ("Ole", "Naisiae", 2, 1))
    state = after(state, ruled(state, "Ole", "Naisiae", 1, 2))
    state = told(state, ("Ole", "Naisiae", 3, 0))
    pairing = state.pairing(place(state, "Ole", "Naisiae"))
    assert pairing.result == Result.played(1, 2)
    assert pairing.trace == (5, 6, 7), "all that was said of it"
    assert [type(state.log[number - 1].event) for number in pairing.trace] == [Reported, Corrected, Reported]


def test_a_table_may_say_otherwise_later_and_take_it_back() -> None:
    state = told(told(paired(begun(2)), ("Ole", "Naisiae", 2, 1)), ("Ole", "Naisiae", 1, 2))
    assert order(state) == ["Naisiae", "Ole"]
    state = after(state, Reported(place(state, "Ole", "Naisiae"), None, "event 40 was undone"))
    assert [row.sums.met for row in standings(state)] == [0, 0]


def test_a_match_that_is_to_be_played_again_is_open_and_then_counts_as_it_is_played() -> None:
    state = told(paired(begun(2, CUP)), ("Ole", "Naisiae", 2, 1))
    state = after(state, Corrected(place(state, "Ole", "Naisiae"), None, "the lamp went out", by="Resiato"))
    assert [row.sums.met for row in standings(state)] == [0, 0]
    assert state.open(next(state.pairings))
    assert order(told(state, ("Ole", "Naisiae", 0, 1))) == ["Naisiae", "Ole"]


def test_a_correction_undone_is_as_if_it_had_not_been_and_stays_to_be_read() -> None:
    before = told(paired(begun(3)), ("Naisiae", "Sironka", 2, 1))
    state = after(before, ruled(before, "Naisiae", "Sironka", 0, 3))
    assert standings(state) != standings(before)
    undone = after(state, Undone(last(state), by="Resiato"))
    assert standings(undone) == standings(before)
    assert [type(one.event) for one in undone.log[-2:]] == [Corrected, Undone]
    assert str(undone.log[-2].skipped) == f"undone by event {last(undone)}"
    again = after(undone, Undone(last(undone)))
    assert standings(again) == standings(state)


def test_undoing_a_round_takes_what_was_said_of_it_along_and_brings_it_back() -> None:
    state = on(paired(begun(4, tables=2)))
    state = told(state, ("Ole", "Kip", 2, 1))
    state = after(state, Moved(place(state, "Naisiae", "Sironka"), "yard"))
    undone = after(state, Undone(7))
    assert undone.rounds == () and undone.drawn == ()
    assert [str(one.skipped) for one in undone.log[6:9]] == ["undone by event 10", "its round no longer counts",
                                                             "its round no longer counts"]
    again = after(undone, Undone(10))
    assert replace(again, log=()) == replace(state, log=())


def test_what_a_round_rests_on_cannot_be_undone_under_it() -> None:
    state = paired(begun(4))
    assert refused(state, Undone(3)) == "event 3 cannot be undone: event 6, RoundMade, rests on it"
    state = paired(state)
    assert refused(state, Undone(6)) == "event 6 cannot be undone: event 7, RoundMade, rests on it"
    free = after(after(state, Undone(7)), Undone(6))
    assert [one.name for one in after(free, Undone(3)).entries] == ["Ole", "Sironka", "Kip"]
    named = after(begun(2), Renamed(3, "Naisiae Ole Kina"))
    assert refused(named, Undone(3)) == "event 3 cannot be undone: event 4, Renamed, rests on it"


def test_a_withdrawal_before_the_draw_cannot_be_undone_under_the_rounds_but_one_after_it_can() -> None:
    state = paired(on(begun(4), Withdrew(3)))
    assert refused(state, Undone(6)) == "event 6 cannot be undone: event 7, RoundMade, rests on it"
    state = paired(begun(4))
    gone = after(state, Withdrew(3))
    assert replace(after(gone, Undone(7)), log=()) == replace(state, log=())


def test_what_came_back_must_fit_what_was_made_in_its_place() -> None:
    state = paired(after(paired(begun(4)), Undone(6)))
    assert refused(state, Undone(7)) == "event 7 cannot be undone: event 8, RoundMade, rests on it"


def test_what_was_said_of_a_round_means_no_other() -> None:
    state = told(paired(begun(4)), ("Ole", "Kip", 2, 1))
    state = paired(after(state, Undone(6)))
    assert all(one.result is None for one in state.pairings)
    assert refused(state, Reported(PairingPlace(6, 1), Result.played(1, 0))) == (
        "there is no pairing 1 in the round that event 6 made")


@pytest.mark.parametrize(("event", "why"), [
    (Undone(0), "there is no event 0 to undo: the tournament has 3"),
    (Undone(4), "there is no event 4 to undo: the tournament has 3"),
    (Undone(1), "event 1 cannot be undone: it began the tournament"),
    (Undone(3, by="\n"), "the name of who ruled is '\\n': 1 to 40 printable characters, no space around them"),
])
def test_an_undoing_that_cannot_be_is_refused(event: Undone, why: str) -> None:
    assert refused(begun(2), event) == why


def test_nothing_is_undone_twice() -> None:
    state = after(begun(2), Undone(3))
    assert refused(state, Undone(3)) == "event 3 no longer counts: undone by event 4"


def test_a_correction_that_another_round_rests_on_is_taken_and_the_round_is_said_to_be_wrong() -> None:
    state = paired(told(paired(begun(4, CUP)), ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 2, 1)))
    assert list(stale(state)) == []
    state = after(state, ruled(state, "Ole", "Kip", 1, 2))
    wrong = ("the result of round 1 has changed, so Ole no longer belongs where it is in round 2: undo round 2 "
             "and make it again")
    assert [str(one) for one in stale(state)] == [wrong]
    assert order(state)[:2] == ["Naisiae", "Kip"]
    state = paired(after(state, Undone(last(state) - 1)))
    assert list(stale(state)) == []
    assert {state.name(n) for n in state.rounds[1].pairings[0].paired.entries} == {"Naisiae", "Kip"}


def test_no_round_is_made_on_one_that_is_wrong() -> None:
    state = told(paired(begun(8, CUP)), ("Ole", "Babirye", 2, 0), ("Kip", "Nakato", 2, 0), ("Naisiae", "Kato", 2, 0),
                 ("Sironka", "Wasswa", 2, 0))
    state = told(paired(state), ("Ole", "Kip", 2, 0), ("Naisiae", "Sironka", 2, 0))
    fine = next_round(state)
    state = after(state, Corrected(place(state, "Kip", "Nakato"), Result.walkover(None), "neither came", by="Resiato"))
    with pytest.raises(TournamentError, match=r"^round 3 cannot be made: the result of round 1 has changed, so Kip"):
        next_round(state)
    assert "has changed, so" in refused(state, fine)


def test_a_refused_event_changes_nothing() -> None:
    state = begun(3)
    for event in (Entered("Ole"), Undone(9), RoundMade(1, ())):
        log = state.log
        with pytest.raises(TournamentError):
            after(state, event)
        assert state.log is log and state == begun(3)


def test_an_impossible_log_is_refused_at_its_first_impossible_event() -> None:
    with pytest.raises(TournamentError, match=r"^Ole is entered already$"):
        fold([ALL, Entered("Ole"), Entered("Ole"), Entered("")])


def test_a_walkover_that_was_said_is_a_result_like_any_other() -> None:
    state = paired(begun(2))
    state = after(state, Reported(place(state, "Ole", "Naisiae"), Result.walkover(None)))
    state = after(state, ruled(state, "Ole", "Naisiae", 0, 1))
    result = state.result(next(state.pairings))
    assert result is not None and result.how is How.PLAYED
