"""Teams, moves and boards that were set, point by point (engine/games/enkeshui.md, "Teams")."""

from dataclasses import replace

import pytest

from engine.matches import (
    Annulled,
    BoardSet,
    Joined,
    Left,
    MatchError,
    MatchEvent,
    MatchState,
    MoveCorrected,
    MoveMade,
    Retracted,
    after,
)
from engine.position import Position
from engine.rules import ruleset
from tests.engine.matches.shorthand import ENKESHUI, N, S, last, move, on, playing, turned


def teams() -> MatchState:
    return on(playing(), Joined(S, "Ole"), Joined(S, "Naisiae"), Joined(N, "Kip"))


def illegal(s: MatchState) -> MoveMade:
    """The first legal move, spoilt: one seed lies a pit further."""
    made = move(s)
    counts = list(made.position.counts)
    pit = next(p for p in range(15) if counts[p])
    counts[pit] -= 1
    counts[pit + 1] += 1
    return replace(made, position=replace(made.position, counts=tuple(counts)))


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


# ---- moves


def test_a_retracted_move_is_replaced_by_another() -> None:
    s = on(playing(), illegal(playing()))
    wrong = last(s)
    s = on(s, Retracted(wrong))
    assert s.position == playing().position, "the board is as it was"
    assert s.move(wrong).retracted
    s = on(s, move(s, "d"))
    assert not s.move(last(s)).retracted and s.position != playing().position


def test_a_move_not_as_seen_is_corrected() -> None:
    s = playing()
    right = move(s)
    s = on(s, illegal(s))
    number = last(s)
    s = on(s, MoveCorrected(number, right.position))
    assert (s.position, s.move(number).position) == (right.position, right.position)
    assert on(s, Retracted(number)).position == s.rules.setup()


def test_the_game_goes_on_from_a_board_that_was_set() -> None:
    s = on(playing(), Joined(S, "Ole"))
    assert s.position is not None
    raced = replace(s.position, ply=2, to_move=N)
    s = on(s, BoardSet(1, raced))
    assert s.position == raced
    s = on(s, move(s))
    number = last(s)
    s = on(s, BoardSet(1, turned(raced)))
    with pytest.raises(MatchError, match=f"move {number} cannot be retracted: event {number + 1} has changed"):
        after(s, Retracted(number))


def test_only_the_last_move_can_be_retracted() -> None:
    s = on(playing(), move(playing()))
    first = last(s)
    s = on(s, move(s))
    with pytest.raises(MatchError, match=f"move {first} cannot be retracted: move {last(s)} was made after it"):
        after(s, Retracted(first))
    s = on(s, Retracted(last(s)))
    with pytest.raises(MatchError, match=f"move {last(s) - 1} cannot be retracted: it was retracted"):
        after(s, Retracted(last(s) - 1))


# ---- what is refused


def after_one() -> MatchState:
    s = teams()
    return on(s, move(s, "c"))


BEFORE = ruleset("enkeshui").setup()


@pytest.mark.parametrize(("event", "said"), [
    (Retracted(99), "there is no move 99"),
    (Retracted(3), "there is no move 3: no MoveMade of that number counts"),
    (MoveCorrected(6, BEFORE), "the corrected board of move 6 has South to move"),
    (MoveCorrected(6, ruleset("endodoi").setup()), "the corrected board of move 6 is of 2x6"),
    (MoveMade(2, N, BEFORE), "game 2 is not being played: game 1 is"),
    (MoveMade(1, N, turned(BEFORE)), "the board after North's move has North to move"),
    (MoveMade(1, N, ruleset("endodoi").setup()), "the board after North's move is of 2x6"),
    (MoveMade(1, N, replace(BEFORE, captured=(0, -1))), "fewer than no seeds in the captured seeds"),
    (BoardSet(1, replace(BEFORE, counts=(-1, *BEFORE.counts[1:]))), "the new board of game 1 has fewer than no"),
])
def test_an_impossible_event_is_refused_and_leaves_the_state_as_it_was(event: MatchEvent, said: str) -> None:
    s = after_one()
    with pytest.raises(MatchError, match=f"event 7, {type(event).__name__}: .*{said}"):
        after(s, event)
    assert s == after_one()


def test_no_move_of_a_game_that_is_over_is_retracted() -> None:
    s = on(after_one(), Annulled(1))
    with pytest.raises(MatchError, match="move 6 cannot be retracted: game 1 has ended"):
        after(s, Retracted(6))


def test_a_faulty_board_is_taken_as_it_lies() -> None:
    s = playing(ENKESHUI)
    assert s.position is not None
    short = replace(turned(s.position), counts=(0, 0, 3, *s.position.counts[3:]), ply=1)
    s = on(s, MoveMade(1, S, short))
    assert isinstance(s.position, Position) and s.position.total == 47
