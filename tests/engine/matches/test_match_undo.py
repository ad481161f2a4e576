"""Undo: nothing is deleted; what is undone is skipped, and what rested on it."""

from dataclasses import replace

import pytest

from engine.matches import (
    EventUndone,
    Forfeited,
    GameBegun,
    GameScored,
    Joined,
    MatchError,
    MatchEvent,
    MatchState,
    Retracted,
    after,
    fold,
)
from tests.engine.matches.shorthand import ENKESHUI, N, S, last, move, on, playing, won


def skipped(s: MatchState) -> list[int]:
    """The numbers of the events that count no more."""
    return [n for n, entry in enumerate(s.log, 1) if entry.skipped]


def same(a: MatchState, b: MatchState) -> bool:
    """Whether two states differ only in what was told of them."""
    return replace(a, log=()) == replace(b, log=())


def moved(s: MatchState, times: int) -> MatchState:
    for _ in range(times):
        s = on(s, move(s))
    return s


def test_undoing_the_last_event_brings_back_the_state_before_it() -> None:
    s = moved(playing(), 3)
    events: list[MatchEvent] = [move(s), GameScored(1, N), Forfeited(S), Joined(S, "Ole"), Retracted(5)]
    for event in events:
        undone = on(s, event, EventUndone(6))
        assert same(undone, s), event
        assert len(undone.log) == 7
        assert undone.log[5].event == event
        assert undone.log[5].skipped == "undone by event 7"


def test_later_moves_rested_on_the_move_that_is_undone() -> None:
    s = moved(playing(), 4)
    undone = on(s, EventUndone(4))
    assert skipped(undone) == [4, 5, 6]
    assert undone.log[4].skipped == "what it was based on no longer counts"
    assert same(undone, moved(playing(), 1))


def test_undoing_a_retraction_lets_the_move_count_again_and_its_replacement_no_more() -> None:
    s = on(playing(), move(playing(), "c"))
    s = on(s, Retracted(3))
    s = on(s, move(s, "d"))
    s = on(s, EventUndone(4))
    assert skipped(s) == [4, 5]
    assert not s.move(3).retracted
    assert s.position == s.move(3).position


def test_later_games_rested_on_the_end_of_the_game_before() -> None:
    s = won(won(fold([ENKESHUI]), S), N)
    s = on(s, EventUndone(3))
    assert skipped(s) == [3, 4, 5]
    assert s.tally.score == (0, 0)
    assert s.game is not None and s.game.number == 1


def test_what_does_not_rest_on_it_stays() -> None:
    s = on(moved(playing(), 2), Joined(N, "Kip"), EventUndone(3))
    assert skipped(s) == [3, 4]
    assert s.teams[N].members == ("Kip",)


def test_an_undoing_can_be_undone_and_what_was_built_in_its_place_counts_no_more() -> None:
    s = moved(playing(), 2)
    again = on(s, EventUndone(3), EventUndone(5))
    assert same(again, s)
    assert skipped(again) == [5]
    s = on(s, EventUndone(3))
    s = on(s, move(s, "d"))
    s = on(s, EventUndone(5))
    assert skipped(s) == [5, 6]
    assert s.game is not None
    assert [m.number for m in s.game.moves] == [3, 4]
    thrice = on(s, EventUndone(7))
    assert thrice.game is not None
    assert [m.number for m in thrice.game.moves] == [6]


def test_a_match_that_is_over_goes_on_when_its_last_game_is_undone() -> None:
    s = won(won(won(fold([ENKESHUI]), S), S), N)
    assert s.outcome is not None
    s = on(s, EventUndone(last(s)), GameScored(3, S))
    assert s.tally.score == (3, 0)


@pytest.mark.parametrize(("events", "undone", "said"), [
    ([], EventUndone(0), "there is no event 0 to undo: the match has 3"),
    ([], EventUndone(4), "there is no event 4 to undo: the match has 3"),
    ([], EventUndone(5), "there is no event 5 to undo"),
    ([], EventUndone(1), "event 1 cannot be undone: it began the match"),
    ([EventUndone(3)], EventUndone(3), "event 3 no longer counts: undone by event 4"),
    ([EventUndone(3), EventUndone(4)], EventUndone(4), "event 4 no longer counts: undone by event 5"),
])
def test_what_cannot_be_undone_is_refused(events: list[MatchEvent], undone: EventUndone, said: str) -> None:
    s = on(moved(playing(), 1), *events)
    with pytest.raises(MatchError, match=f"event {len(s.log) + 1}, EventUndone: {said}"):
        after(s, undone)
    assert s == on(moved(playing(), 1), *events)


def test_nothing_is_undone_before_the_match() -> None:
    with pytest.raises(MatchError, match="there is no event 1 to undo: the match has 0"):
        fold([EventUndone(1)])
    assert same(on(playing(), GameScored(1, S), EventUndone(2)), fold([ENKESHUI]))
    assert on(playing(), EventUndone(2), GameBegun(1, N)).game is not None
