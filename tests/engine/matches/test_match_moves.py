"""Teams, trial moves and rulings, point by point (engine/games/enkeshui.md, "Teams")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board import Side
from engine.matches import (
    Annulled,
    Annulment,
    BoardSet,
    GameScored,
    Joined,
    Left,
    MatchError,
    MatchEvent,
    MatchState,
    MoveCorrected,
    MoveLetStand,
    MoveMade,
    MoveVerdict,
    Retracted,
    Status,
    VerdictRevised,
    Why,
    after,
)
from engine.position import Position
from engine.rules import ruleset
from tests.engine.matches.shorthand import ENKESHUI, LEGAL, N, S, last, move, on, playing, turned

CHEAT = MoveVerdict("illegal", 0.97)


def teams() -> MatchState:
    return on(playing(), Joined(S, "Ole"), Joined(S, "Naisiae"), Joined(N, "Kip"))


def illegal(s: MatchState, by: str = "", side: Side | None = None) -> MoveMade:
    """The first legal move, spoilt: one seed lies a pit further, and the judge says so."""
    made = move(s, by=by)
    counts = list(made.position.counts)
    pit = next(p for p in range(15) if counts[p])
    counts[pit] -= 1
    counts[pit + 1] += 1
    position = replace(made.position, counts=tuple(counts))
    return replace(made, position=position, verdict=CHEAT)


# ---- teams


def test_up_to_five_members_a_side() -> None:
    s = playing()
    for name in ("A", "B", "C", "D", "E"):
        s = on(s, Joined(S, name))
    with pytest.raises(MatchError, match="F cannot join South: its team has 5 members, A, B, C, D, E"):
        after(s, Joined(S, "F"))
    assert s.teams[S].members == ("A", "B", "C", "D", "E")
    assert on(s, Joined(N, "F")).teams[N].members == ("F",)
    assert on(s, Left(S, "B"), Joined(S, "F")).teams[S].members == ("A", "C", "D", "E", "F")


def test_members_join_and_leave_during_a_game() -> None:
    s = teams()
    s = on(s, move(s, by="Ole"), Left(S, "Ole"))
    s = on(s, move(s, by="Kip"), Joined(S, "Sekenani"))
    s = on(s, move(s, by="Sekenani"))
    assert s.game is not None
    assert [m.by for m in s.game.moves] == ["Ole", "Kip", "Sekenani"]
    assert s.contested == ()


@pytest.mark.parametrize(("event", "said"), [
    (Joined(S, "Ole"), "Ole cannot join South: he plays for South already"),
    (Joined(N, "Ole"), "Ole cannot join North: he plays for South already"),
    (Left(N, "Ole"), "Ole cannot leave North: he is not in its team"),
    (Joined(S, ""), "the name of South's new member is ''"),
    (Joined(S, " Ole"), "no space around them"),
    (Joined(S, "O\nle"), r"is 'O\\nle'"),
    (Joined(S, "x" * 41), "1 to 40 printable characters"),
])
def test_a_member_that_cannot_come_or_go_is_refused(event: MatchEvent, said: str) -> None:
    s = teams()
    with pytest.raises(MatchError, match=said):
        after(s, event)
    assert s == teams()


# ---- who may move


@pytest.mark.parametrize(("by", "said"), [
    ("Mzungu", ("Mzungu is in neither team: spectators may not move",)),
    ("Kip", ("Kip plays for North, not for South",)),
    ("Ole", ()),
    ("", ()),
])
def test_spectators_may_not_move(by: str, said: tuple[str, ...]) -> None:
    s = teams()
    s = on(s, move(s, by=by))
    assert s.move(last(s)).contested == said
    assert len(s.contested) == len(said)


def test_a_move_out_of_turn_is_contested() -> None:
    s = on(teams(), MoveMade(1, N, "Kip", "C", replace(teams().rules.setup(), to_move=S)))
    assert s.contested[0].contested == ("it was South's turn",)


def test_a_contested_move_does_not_stand_by_play_going_on_but_when_people_let_it() -> None:
    s = teams()
    s = on(s, move(s, by="Mzungu"))
    number = last(s)
    s = on(s, move(s, by="Kip"))
    assert s.move(number).status is Status.TRIAL
    assert [m.number for m in s.contested] == [number]
    s = on(s, MoveLetStand(number, by="Elder"))
    assert s.move(number).status is Status.STANDS
    assert s.contested == ()


# ---- trial moves


def test_a_move_is_at_first_a_trial_and_stands_when_the_play_goes_on() -> None:
    s = playing()
    s = on(s, move(s))
    first = last(s)
    assert s.move(first).status is Status.TRIAL
    s = on(s, move(s))
    assert s.move(first).status is Status.STANDS
    assert s.move(last(s)).status is Status.TRIAL
    s = on(s, GameScored(1, S))
    assert s.move(last(s) - 1).status is Status.STANDS


def test_a_trial_stands_when_people_say_so() -> None:
    s = playing()
    s = on(s, illegal(s))
    lies = s.position
    s = on(s, MoveLetStand(last(s), by="Elder"))
    assert s.move(last(s) - 1).status is Status.STANDS
    assert s.position == lies
    assert (s.rulings[0].what, s.rulings[0].by, s.rulings[0].verdict) == ("stands", "Elder", CHEAT)


@pytest.mark.parametrize("side", [S, N])
@pytest.mark.parametrize("why", [why for why in Why if why is not Why.ENDLESS])
def test_a_move_is_retracted_by_its_own_team_or_by_the_opponents(side: Side, why: Why) -> None:
    s = teams()
    before = s.position
    s = on(s, illegal(s, by="Ole"))
    number = last(s)
    s = on(s, Retracted(number, side, why, by="Elder"))
    assert s.position == before, "the board is as it was"
    assert s.position is not None and s.position.to_move is S
    assert s.move(number).status is Status.RETRACTED
    ruling = s.rulings[0]
    assert (ruling.what, ruling.move, ruling.side, ruling.why, ruling.by) == (
        "retracted", number, side, why.value, "Elder")
    assert ruling.verdict == CHEAT, "what the judge had said"


def test_a_retracted_move_is_replaced_by_another() -> None:
    s = playing()
    s = on(s, move(s, "c"))
    wrong = last(s)
    s = on(s, Retracted(wrong, S, Why.NO_AGREEMENT))
    s = on(s, move(s, "d"))
    assert s.move(last(s)).replaces == wrong
    s = on(s, move(s))
    assert s.move(last(s)).replaces is None


def test_a_ruling_keeps_what_the_judge_had_said_by_then() -> None:
    s = playing()
    s = on(s, illegal(s))
    number = last(s)
    s = on(s, MoveLetStand(number), VerdictRevised(number, MoveVerdict("not-sure", 0.5)))
    assert s.rulings[0].verdict == CHEAT
    assert s.move(number).verdict == MoveVerdict("not-sure", 0.5)


def test_a_move_not_as_seen_is_corrected() -> None:
    s = playing()
    right = move(s)
    s = on(s, illegal(s))
    number = last(s)
    s = on(s, MoveCorrected(number, right.position, by="Elder"), VerdictRevised(number, LEGAL))
    assert (s.position, s.move(number).position) == (right.position, right.position)
    assert (s.rulings[0].what, s.rulings[0].verdict) == ("corrected", CHEAT)
    s = on(s, Retracted(number, S, Why.NO_AGREEMENT))
    assert s.position == s.rules.setup()


def test_the_game_goes_on_from_a_board_that_was_set() -> None:
    s = on(playing(), Joined(S, "Ole"))
    assert s.position is not None
    raced = replace(s.position, ply=2, to_move=N)
    s = on(s, BoardSet(1, raced, "race", by="Elder"))
    assert s.position == raced and raced.to_move is N
    s = on(s, move(s))
    number = last(s)
    s = on(s, BoardSet(1, turned(raced), "rearranged"))
    assert s.move(number).status is Status.STANDS
    with pytest.raises(MatchError, match=f"move {number} cannot be retracted: event {number + 1} has changed"):
        after(s, Retracted(number, N, Why.CHEAT))


def test_only_the_last_move_can_be_retracted() -> None:
    s = playing()
    s = on(s, move(s))
    first = last(s)
    s = on(s, move(s))
    second = last(s)
    with pytest.raises(MatchError, match=f"move {first} cannot be retracted: move {second} was made after it"):
        after(s, Retracted(first, N, Why.CHEAT))


# ---- what is refused


def after_one() -> MatchState:
    s = teams()
    return on(s, move(s, "c", by="Ole"))


BEFORE = ruleset("enkeshui").setup()


@pytest.mark.parametrize(("event", "said"), [
    (MoveLetStand(99), "there is no move 99"),
    (MoveLetStand(3), "there is no move 3: no MoveMade of that number counts"),
    (Retracted(99, S, Why.CHEAT), "there is no move 99"),
    (Retracted(6, S, Why.CHEAT, by="Kip"), "move 6 cannot be retracted for South by Kip, who plays for North"),
    (VerdictRevised(99, LEGAL), "there is no move 99"),
    (VerdictRevised(6, MoveVerdict("guess")), "the verdict 'guess' on move c is unknown"),
    (VerdictRevised(6, MoveVerdict("legal", float("nan"))),
     "the confidence of the verdict on move c is nan: 0 to 1"),
    (MoveCorrected(6, BEFORE), "the corrected board of move 6 has South to move"),
    (MoveCorrected(6, ruleset("endodoi").setup()), "the corrected board of move 6 is of 2x6"),
    (MoveMade(2, N, "", "C", BEFORE), "game 2 is not being played: game 1 is"),
    (MoveMade(1, N, "", "C", turned(BEFORE)), "the board after North's move has North to move"),
    (MoveMade(1, N, "", "x", BEFORE), "the move 'x': 'x' is no pit of a 2x8 board"),
    (MoveMade(1, N, "", "C" * 401, BEFORE), "the move's notation has 401 characters"),
    (MoveMade(1, N, " ", "C", BEFORE), "the name of who moved is ' '"),
    (MoveMade(1, N, "", "C", ruleset("endodoi").setup()), "the board after North's move is of 2x6"),
    (MoveMade(1, N, "", "C", replace(BEFORE, captured=(0, -1))), "fewer than no seeds in the captured seeds"),
    (MoveMade(1, N, "", "C", replace(BEFORE, captured=(0, 1)), LEGAL), "the referee calls move C legal, .* 49 seeds"),
    (BoardSet(1, replace(BEFORE, counts=(-1, *BEFORE.counts[1:])), ""), "the new board of game 1 has fewer than no"),
    (BoardSet(1, BEFORE, "\t"), "the reason of the new board"),
])
def test_an_impossible_event_is_refused_and_leaves_the_state_as_it_was(event: MatchEvent, said: str) -> None:
    s = after_one()
    with pytest.raises(MatchError, match=f"event 7, {type(event).__name__}: .*{said}"):
        after(s, event)
    assert s == after_one()


def test_no_ruling_twice() -> None:
    s = on(after_one(), MoveLetStand(6))
    with pytest.raises(MatchError, match="move 6 stands already"):
        after(s, MoveLetStand(6))
    s = on(s, Retracted(6, S, Why.NO_AGREEMENT))
    with pytest.raises(MatchError, match="move 6 cannot stand: it was retracted"):
        after(s, MoveLetStand(6))
    with pytest.raises(MatchError, match="move 6 cannot be retracted: it was retracted"):
        after(s, Retracted(6, S, Why.CHEAT))


def test_no_move_of_a_game_that_is_over_is_retracted() -> None:
    s = on(after_one(), Annulled(1, Annulment.AGREED))
    with pytest.raises(MatchError, match="move 6 cannot be retracted: game 1 is annulled"):
        after(s, Retracted(6, S, Why.CHEAT))


def test_a_faulty_board_is_taken_as_it_lies() -> None:
    s = playing(ENKESHUI)
    assert s.position is not None
    short = replace(turned(s.position), counts=(0, 0, 3, *s.position.counts[3:]), ply=1)
    s = on(s, MoveMade(1, S, "", "c", short, MoveVerdict("illegal", 0.9)))
    assert isinstance(s.position, Position) and s.position.total == 47
