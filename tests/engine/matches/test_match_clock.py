"""Clocks as events, point by point (engine/games/omweso.md, "Clocks"). Times are nanoseconds; seconds here."""

from __future__ import annotations

import pytest

from engine.board import Side
from engine.matches import (
    Annulled,
    Annulment,
    ClockRules,
    Counted,
    GameBegun,
    Joined,
    Late,
    MatchBegun,
    MatchError,
    MatchEvent,
    MatchState,
    Points,
    Retracted,
    Sticks,
    Stolen,
    TimedTurn,
    TurnBegun,
    TurnDue,
    Why,
    after,
    fold,
)
from tests.engine.matches.shorthand import ENKESHUI, OMWESO, SECOND, N, S, last, move, on, playing


def s_(seconds: float) -> int:
    return round(seconds * SECOND)


def timed() -> MatchState:
    """A game of Omweso; South's turn is due at 100 s."""
    return on(playing(OMWESO), TurnDue(1, S, at=s_(100)))


def now(s: MatchState) -> TimedTurn:
    assert s.turn is not None
    return s.turn


BEGIN_LATE, MOVE_LATE = "begin_seconds", "move_seconds"


# ---- three seconds to begin


@pytest.mark.parametrize(("after", "late"), [(0.0, False), (3.0, False), (3.1, True)])
def test_three_seconds_to_begin_a_turn(after: float, late: bool) -> None:
    s = on(timed(), TurnBegun(1, S, at=s_(100 + after)))
    found = s.late(s_(103))
    assert found == ((Late(BEGIN_LATE, s_(3), s_(after)),) if late else ())


def test_a_turn_not_begun_is_late_by_the_time_that_is_told() -> None:
    assert timed().late(s_(103)) == ()
    assert [x.field for x in timed().late(s_(104.2))] == [BEGIN_LATE]
    assert str(timed().late(s_(104.2))[0]) == "started after 4.2 s; the limit is 3 s"


def test_the_turn_is_due_when_the_other_has_moved() -> None:
    s = on(timed(), TurnBegun(1, S, at=s_(101)))
    s = on(s, move(s, at=s_(120)))
    assert now(s) == TimedTurn(N, s_(120))
    s = on(s, TurnBegun(1, N, at=s_(125)))
    s = on(s, move(s, at=s_(130)))
    made = s.move(last(s))
    assert (made.began, made.ended) == (s_(125), s_(130))
    assert made.late == (Late(BEGIN_LATE, s_(3), s_(5)),)


def test_the_seconds_do_not_run_before_the_turn_is_known_to_be_due() -> None:
    s = on(playing(OMWESO), TurnBegun(1, S, at=s_(500)))
    assert s.late(s_(501)) == ()
    s = on(s, move(s, at=s_(510)))
    s = on(s, Retracted(last(s), S, Why.NO_AGREEMENT, at=s_(520)))
    assert now(s) == TimedTurn(S), "the board has to be laid again first"


# ---- the count


def test_omu_and_ebiri_are_counted_aloud_in_order() -> None:
    s = on(timed(), Counted(1, "omu", at=s_(101)), Counted(1, "ebiri", at=s_(102)))
    assert now(s).counted == ("omu", "ebiri")
    assert now(on(s, TurnDue(1, S, at=s_(103)))).counted == ()


@pytest.mark.parametrize(("before", "word", "said"), [
    ((), "ebiri", '"ebiri" cannot be counted against South: nothing has been counted'),
    (("omu",), "omu", '"omu" cannot be counted against South: omu has been counted'),
    (("omu", "ebiri"), "omu", "omu and ebiri has been counted"),
    ((), "ssatu", "'ssatu' is not counted: omu and ebiri are"),
])
def test_a_wrong_count_is_refused(before: tuple[str, ...], word: str, said: str) -> None:
    s = on(timed(), *(Counted(1, w) for w in before))
    with pytest.raises(MatchError, match=said):
        after(s, Counted(1, word))


# ---- stealing


def test_the_other_player_may_steal_the_turn() -> None:
    s = timed()
    assert (s.may_steal(s_(103)), s.may_steal(s_(103.5))) == (False, True)
    board = s.position
    s = on(s, Stolen(1, N, at=s_(103.5)))
    assert board is not None and s.position is not None
    assert (s.position.counts, s.position.to_move, s.position.ply) == (board.counts, N, board.ply)
    assert now(s) == TimedTurn(N, s_(103.5), stolen=True)
    s = on(s, move(s))
    assert s.contested == ()


def test_he_need_not() -> None:
    s = on(timed(), TurnBegun(1, S, at=s_(110)))
    s = on(s, move(s, at=s_(120)))
    made = s.move(last(s))
    assert ([x.field for x in made.late], made.contested) == ([BEGIN_LATE], ())
    assert now(s).side is N


@pytest.mark.parametrize(("events", "theft", "said"), [
    ((), Stolen(1, N, at=s_(102)), "North cannot steal the turn in game 1: South's turn is 2 s old, begin_seconds"),
    ((), Stolen(1, S, at=s_(110)), "South cannot steal the turn in game 1: it is South's own"),
    ((TurnBegun(1, S, at=s_(105)),), Stolen(1, N, at=s_(106)), "South's turn has begun"),
    ((), Stolen(2, N, at=s_(106)), "game 2 is not being played"),
])
def test_a_theft_too_early_or_too_late_is_refused(events: tuple[MatchEvent, ...], theft: Stolen, said: str) -> None:
    s = on(timed(), *events)
    with pytest.raises(MatchError, match=said):
        after(s, theft)


def test_where_no_time_is_known_the_count_decides() -> None:
    s = on(playing(OMWESO), Counted(1, "omu"))
    with pytest.raises(MatchError, match='"ebiri" has not been counted against South\'s turn'):
        after(s, Stolen(1, N))
    s = on(s, Counted(1, "ebiri"), Stolen(1, N))
    assert now(s).side is N


# ---- three minutes


@pytest.mark.parametrize(("took", "late"), [(180.0, False), (180.5, True)])
def test_three_minutes_for_a_move(took: float, late: bool) -> None:
    s = on(timed(), TurnBegun(1, S, at=s_(101)))
    under_way = s.late(s_(101 + took))
    assert [x.field for x in under_way] == [MOVE_LATE] * late
    s = on(s, move(s, at=s_(101 + took)))
    assert s.move(last(s)).late == under_way


@pytest.mark.parametrize("made", [False, True])
def test_past_it_the_game_is_annulled_and_replayed(made: bool) -> None:
    s = on(timed(), TurnBegun(1, S, at=s_(101)))
    if made:
        s = on(s, move(s, at=s_(300)))
    over = Annulled(1, Annulment.OVER_TIME, at=s_(300))
    s = on(s, over, GameBegun(1, S))
    assert s.game is not None
    assert (s.game.attempt, s.tally.score) == (2, (0, 0))
    assert s.position == s.rules.setup()


def test_a_game_is_not_annulled_for_time_while_there_is_time() -> None:
    s = on(timed(), TurnBegun(1, S, at=s_(101)))
    said = r"no move is known to have taken over 180 s \(field move_seconds\)"
    with pytest.raises(MatchError, match=said):
        after(s, Annulled(1, Annulment.OVER_TIME, at=s_(281)))
    with pytest.raises(MatchError, match=said):
        after(s, Annulled(1, Annulment.OVER_TIME))


# ---- which rules say so


def test_the_limits_are_fields_of_the_rules() -> None:
    sets = (("begin_seconds", "10"), ("move_seconds", "60"))
    s = fold([MatchBegun("omweso", Points(games=1), sets=sets), GameBegun(1, S), TurnDue(1, S, at=0)])
    assert s.clock == ClockRules(True, 10, 60)
    assert s.late(s_(10)) == ()
    assert s.late(s_(11)) == (Late(BEGIN_LATE, s_(10), s_(11)),)


@pytest.mark.parametrize("begun", [ENKESHUI, MatchBegun("omweso", Points(games=1), sets=(("clocks", "false"),))])
def test_without_clocks_nothing_is_late_and_nothing_stolen(begun: MatchBegun) -> None:
    s = on(playing(begun), TurnDue(1, S, at=0))
    assert s.late(s_(1000)) == ()
    for event in (Counted(1, "omu", at=s_(900)), Stolen(1, N, at=s_(900))):
        with pytest.raises(MatchError, match=r"not timed \(field clocks\)"):
            after(s, event)
    assert on(s, TurnBegun(1, S, at=s_(900))).turn == TimedTurn(S, 0, s_(900))


def test_a_game_without_such_fields_may_be_timed_by_agreement() -> None:
    s = on(playing(MatchBegun("enkeshui", Sticks(1), clock=ClockRules(True, 5, 60))), TurnDue(1, S, at=0))
    assert s.late(s_(6)) == (Late(BEGIN_LATE, s_(5), s_(6)),)
    with pytest.raises(MatchError, match="move_seconds is 0: a whole number from 1"):
        fold([MatchBegun("enkeshui", Sticks(1), clock=ClockRules(True, 5, 0))])


# ---- what is refused


@pytest.mark.parametrize(("event", "said"), [
    (TurnBegun(1, N, at=s_(101)), "it is not North's turn in game 1: it is South's"),
    (TurnDue(1, N, at=s_(101)), "it is not North's turn"),
    (TurnBegun(1, S), "the time at is missing"),
    (TurnDue(1, S), "the time at is missing"),
    (TurnBegun(1, S, at=s_(99)), "is 99000000000 ns, before the 100000000000 ns of an earlier event"),
    (TurnBegun(1, S, at=-1), "the time at, in ns, is -1"),
    (Joined(S, "Ole", at=True), "the time at, in ns, is True"),
    (TurnBegun(3, S, at=s_(101)), "game 3 is not being played: game 1 is"),
])
def test_an_impossible_time_or_turn_is_refused(event: MatchEvent, said: str) -> None:
    s = timed()
    with pytest.raises(MatchError, match=said):
        after(s, event)
    assert s == timed()


@pytest.mark.parametrize("event", [TurnBegun(1, S, at=s_(103)), TurnDue(1, S, at=s_(103)), Counted(1, "omu")])
def test_a_turn_that_has_begun_is_not_begun_or_counted_again(event: MatchEvent) -> None:
    s = on(timed(), TurnBegun(1, S, at=s_(102)))
    with pytest.raises(MatchError, match="South's turn in game 1 has begun already"):
        after(s, event)


@pytest.mark.parametrize("side", list(Side))
def test_whose_turn_it_is(side: Side) -> None:
    s = playing(OMWESO, side)
    assert now(s).side is side
    assert s.position is not None and s.position.to_move is side
    assert now(on(s, move(s))).side is side.other
