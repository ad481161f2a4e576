"""Who may take part, under which name, and at which tables."""

import pytest

from engine.matches import MatchError
from engine.tournaments import (
    Entered,
    RankedBy,
    Renamed,
    System,
    TablesNamed,
    TournamentBegun,
    TournamentError,
    TournamentEvent,
    TournamentState,
    Withdrew,
    after,
    fold,
)
from tests.engine.tournaments.shorthand import ALL, begun, on, order, paired


def refused(state: TournamentState, event: TournamentEvent) -> str:
    """Why an event is refused, which changes nothing."""
    with pytest.raises(TournamentError) as told:
        after(state, event)
    assert "\n" not in str(told.value) and "{" not in str(told.value)
    return str(told.value)


def test_teams_and_players_enter_and_are_numbered_by_their_event() -> None:
    state = fold([ALL, Entered("Ole"), Entered("Herons", ("Nakato", "Wasswa"))])
    assert [(one.number, one.name, one.members) for one in state.entries] == [
        (2, "Ole", ()), (3, "Herons", ("Nakato", "Wasswa"))]


@pytest.mark.parametrize(("event", "why"), [
    (Entered("ole"), "ole is entered already"),
    (Entered("Lions", ("wasswa",)), "wasswa plays for Herons already"),
    (Entered("Lions", ("Kip", "KIP")), "KIP plays for Lions already"),
    (Entered(""), "the name of an entry is '': 1 to 40 printable characters, no space around them"),
    (Entered("a\nb"), "the name of an entry is 'a\\nb': 1 to 40 printable characters, no space around them"),
    (Entered("Lions", (" Kip",)), "the name of a member of Lions is ' Kip': 1 to 40 printable characters, no space "
                                  "around them"),
    (Entered("Lions", tuple(f"p{i}" for i in range(21))), "Lions has 21 members: 20 at the most"),
    (Renamed(99, "Kip"), "no entry has the number 99"),
    (Renamed(2, "HERONS"), "HERONS is entered already"),
    (Withdrew(4), "no entry has the number 4"),
    (Withdrew(2, why="x" * 201), f"{'x' * 40 + '…'!r} is longer than 200 characters, or cannot be printed"),
    (TablesNamed(("1", "2", "1")), "table 1 is named twice"),
    (TablesNamed(("1", "")), "the name of a table is '': 1 to 40 printable characters, no space around them"),
    (TablesNamed(tuple(str(i) for i in range(129))), "129 tables are named: 128 at the most"),
    (ALL, "the tournament has begun already: Narok cup"),
    (Entered("Kip", by=" "), "the name of who ruled is ' ': 1 to 40 printable characters, no space around them"),
    (TournamentEvent(), "TournamentEvent is no event of a tournament"),
])
def test_what_cannot_be_is_refused_in_a_sentence(event: TournamentEvent, why: str) -> None:
    state = fold([ALL, Entered("Ole"), Entered("Herons", ("Nakato", "Wasswa"))])
    assert refused(state, event) == why


@pytest.mark.parametrize(("event", "why"), [
    (TournamentBegun("", System.ROUND_ROBIN), "the tournament's name is '': 1 to 40 printable characters, no space "
                                              "around them"),
    (TournamentBegun("Cup", System.ROUND_ROBIN, cycles=0), "how often every two meet is 0: a whole number from 1"),
    (TournamentBegun("Cup", System.ROUND_ROBIN, cycles=5), "every two meet 5 times: 4 times at the most"),
    (TournamentBegun("Cup", System.ROUND_ROBIN, third_place=True), "only a knock-out has a match for the third place"),
    (TournamentBegun("Cup", System.KNOCK_OUT, cycles=2), "only in a round robin do two meet more than once"),
    (TournamentBegun("Cup", System.KNOCK_OUT, RankedBy.SCORE), "only a round robin is won by the score of all matches"),
    (Entered("Ole"), "no tournament has begun"),
])
def test_a_tournament_begins_as_it_can_be_played(event: TournamentEvent, why: str) -> None:
    assert refused(TournamentState(), event) == why


def test_all_that_is_asked_before_it_has_begun_is_refused() -> None:
    with pytest.raises(MatchError, match="no tournament has begun"):
        order(TournamentState())


def test_no_more_than_128_take_part() -> None:
    assert refused(begun(128), Entered("Kiptoo")) == "Kiptoo cannot enter: there are 128 entries already"


def test_a_name_written_wrong_is_put_right_at_any_time() -> None:
    state = after(paired(begun(3)), Renamed(3, "Naisiae Ole Kina", ("Naisiae",)))
    assert state.name(3) == "Naisiae Ole Kina" and state.entry(3).members == ("Naisiae",)
    assert after(state, Renamed(3, "naisiae ole kina")).name(3) == "naisiae ole kina", "its own name is no other's"


def test_after_the_first_round_nobody_enters() -> None:
    state = paired(begun(4))
    assert refused(state, Entered("Resiato")) == "Resiato cannot enter: the first round is made"


def test_who_withdraws_before_the_first_round_is_not_drawn() -> None:
    state = on(begun(4), Withdrew(3, "ill"))
    assert refused(state, Withdrew(3)) == "Naisiae has withdrawn already"
    assert order(state) == ["Ole", "Sironka", "Kip"]
    assert paired(state).drawn == (2, 4, 5) and paired(state).last == 3
