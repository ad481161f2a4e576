"""What holds in every match, whatever happens in it: random events, possible ones and impossible ones."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import Board, Direction, Side
from engine.matches import (
    Annulled,
    BoardSet,
    EventUndone,
    Forfeited,
    GameBegun,
    GameEnded,
    GameScored,
    Joined,
    Left,
    MatchBegun,
    MatchError,
    MatchEvent,
    MatchState,
    MoveMade,
    OlAlai,
    Points,
    Retracted,
    Sticks,
    Surplus,
    after,
    fold,
)
from engine.matches.forms import filled, laid
from engine.position import Position
from engine.rules import games, ruleset
from tests.engine.matches.shorthand import ENDODOI, ENKESHUI, OMWESO, SURPLUS, N, S, won

FEW = settings(max_examples=25, deadline=None)
FORMS = [ENKESHUI, SURPLUS, ENDODOI, OMWESO, MatchBegun("omweso", Points(points=4), rules="igisoro")]
NAMES = ["Ole", "Naisiae", "Kip", "Sekenani", "Nakato", "Wasswa", "Kato", "Babirye", "Ssali", "Mzungu", "", " "]


def some_event(rng: random.Random, s: MatchState) -> MatchEvent:
    """Anything that might be told next, possible or not."""
    side = rng.choice([S, N])
    moves = [m.number for m in s.game.moves[-2:]] if s.game is not None else []
    by, number = rng.choice(NAMES), rng.choice([*moves * 3, rng.randint(1, len(s.log) + 2)])
    game = len([g for g in s.games if g.scored is not None]) + rng.choice([1, 1, 1, 1, 1, 2])
    south = rng.randint(0, 48)
    result = rng.choice([None, (south, 48 - south), (south, 48 - south), (south, 47 - south)])
    winner = side if result is None else None if result[0] == result[1] else S if result[0] > result[1] else N
    begin = [GameBegun(game, side)] * (3 if s.game is None else 1)
    return rng.choice([
        *begin, *[some_move(rng, s, game)] * 6,
        Joined(side, by), Left(side, by), GameEnded(game), GameScored(game, winner, result), end_or_set(rng, s, game),
        stop(rng, side, game), *[Retracted(number)] * 2,
        EventUndone(rng.randint(1, len(s.log) + 2)),
    ])


def end_or_set(rng: random.Random, s: MatchState, game: int) -> MatchEvent:
    """The board laid anew, with all seeds on it or with none."""
    position = s.due
    if rng.random() < 0.6 and s.rules.game != "omweso":
        south = rng.randint(0, position.total)
        position = replace(position, counts=(0,) * position.board.pits, captured=(south, position.total - south))
    elif rng.random() < 0.6:
        half = position.board.half
        position = replace(position, counts=(2,) * half + (0,) * half, to_move=N)
    return BoardSet(game, position)


def stop(rng: random.Random, side: Side, game: int) -> MatchEvent:
    """A forfeit or a game annulled; seldom, so that games go on."""
    if rng.random() < 0.6:
        return Joined(side, rng.choice(NAMES))
    return rng.choice([Forfeited(side), Annulled(game)])


def some_move(rng: random.Random, s: MatchState, game: int) -> MatchEvent:
    """A sowing of one lap, lawful or not: the fold judges no moves."""
    if s.position is None:
        return GameBegun(game, S)
    if not any(s.position.counts):
        return GameEnded(game)
    before = s.position
    side = before.to_move if rng.random() < 0.9 else before.to_move.other
    pits = [p for p in range(before.board.pits) if before.counts[p]]
    counts, pit = list(before.counts), rng.choice(pits)
    hand, counts[pit] = counts[pit], 0
    while hand:
        pit = before.board.step(Direction.CCW)[pit]
        counts[pit], hand = counts[pit] + 1, hand - 1
    after = replace(before, counts=tuple(counts), to_move=side.other, ply=before.ply + 1)
    return MoveMade(game, side, after)


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[MatchEvent], list[MatchState]]:
    """Events that were all taken, and the state after each; those refused left the state as it was."""
    rng = random.Random(draw(st.integers(0, 1_000_000)))
    state = MatchState()
    events: list[MatchEvent] = [draw(st.sampled_from(FORMS))]
    states = [state := after(state, events[0])]
    for _ in range(draw(st.integers(0, 60))):
        event = some_event(rng, state)
        log = state.log
        try:
            new = after(state, event)
        except MatchError as e:
            assert state.log is log
            assert "\n" not in str(e) and str(e).startswith(f"event {len(log) + 1}, {type(event).__name__}: ")
            continue
        state = new
        events.append(event)
        states.append(state)
    return events, states


@FEW
@given(matches())
def test_replaying_the_same_events_gives_the_same_state_after_every_one(
    case: tuple[list[MatchEvent], list[MatchState]]
) -> None:
    events, states = case
    assert fold(events) == states[-1]
    for n in range(0, len(events), 7):
        assert fold(events[: n + 1]) == states[n]
    assert fold([]) == MatchState()


@FEW
@given(matches())
def test_sticks_awarded_are_games_won(case: tuple[list[MatchEvent], list[MatchState]]) -> None:
    for s in case[1]:
        tally = s.tally
        counted = [g.scored for g in s.games if g.scored is not None]
        assert tally.games == tuple(sum(g.winner is side for g in counted) for side in Side)
        assert sum(tally.games) + tally.drawn == len(counted)
        assert tally.unit not in ("inkeek", "ol alai") or tally.score == tally.games
        assert tally.unit != "points" or sum(tally.score) == sum(g.points for g in counted)


@FEW
@given(matches())
def test_what_is_in_the_state_can_have_been(case: tuple[list[MatchEvent], list[MatchState]]) -> None:
    for s in case[1]:
        assert all(len(t.members) <= 5 for t in s.teams)
        assert not set(s.teams[S].members) & set(s.teams[N].members)
        assert all(not g.running for g in s.games[:-1])
        assert s.game is None or s.outcome is None
        assert_seeds_fit(s)
        assert all((game.ended is None) == game.running for game in s.games)
        moves = [move for game in s.games for move in game.moves]
        assert all(isinstance(s.log[move.number - 1].event, MoveMade) for move in moves)


def assert_seeds_fit(s: MatchState) -> None:
    """In a match that goes on all seeds are accounted for."""
    if s.outcome is None:
        assert s.rules.problem_sentences(s.due) == []
        assert sum(s.due.counts) + sum(s.due.captured) == s.due.total == s.rules.seeds(s.due.board)


@FEW
@given(matches(), st.integers(0, 1_000_000))
def test_undo_deletes_nothing_and_can_be_undone(case: tuple[list[MatchEvent], list[MatchState]], seed: int) -> None:
    events, states = case
    s = states[-1]
    can = [n for n, e in enumerate(s.log, 1) if not e.skipped and not isinstance(e.event, MatchBegun)]
    if not can:
        return
    n = random.Random(seed).choice(can)
    undone = after(s, EventUndone(n))
    assert [e.event for e in undone.log] == [*events, EventUndone(n)]
    assert undone.log[n - 1].skipped == f"undone by event {len(events) + 1}"
    again = after(undone, EventUndone(len(events) + 1))
    assert replace(again, log=()) == replace(s, log=())
    assert [e.skipped for e in again.log[: len(events)]] == [e.skipped for e in s.log]
    if n == len(s.log) and not isinstance(events[-1], EventUndone):
        assert replace(undone, log=()) == replace(states[-2], log=())


@FEW
@given(st.sampled_from(["2x8-right", "2x8-left", "2x12"]), st.lists(st.integers(0, 48), max_size=12))
def test_seeds_out_of_play_and_on_the_board_are_48(setup: str, souths: list[int]) -> None:
    rules = ruleset("enkeshui")
    s = fold([MatchBegun("enkeshui", Surplus(), setup=rules.setup(setup))])
    for south in souths:
        if s.outcome is not None:
            assert min(s.tally.score) < filled(rules.setup(setup), S)[0][1]
            break
        s = won(s, None if south == 24 else S if south > 24 else N, (south, 48 - south))
        assert sum(s.due.counts) + sum(s.due.captured) == 48
        assert rules.problem_sentences(s.due) == []
        assert s.tally.score == (south, 48 - south)
        for side in Side:
            filled_from_the_right(rules.setup(setup), s, side)


def filled_from_the_right(begun: Position, s: MatchState, side: Side) -> None:
    """A side lays as many seeds as it has, 24 at the most: the holes at its left are short or empty."""
    has = s.tally.score[side]
    assert laid(s.due, side) == min(24, has)
    assert s.due.captured[side] == max(0, has - 24)
    holes = [s.due.counts[p] for p, _ in filled(begun, side)]
    full = [n for _, n in filled(begun, side)]
    short = [i for i, (n, due) in enumerate(zip(holes, full, strict=True)) if n < due]
    assert all(n == 0 for n in holes[short[0] + 1:]) if short else holes == full


@pytest.mark.parametrize("form", [Sticks(1), OlAlai(2), Points(games=2)])
def test_a_long_match_is_folded_in_moderate_time(form: Sticks | OlAlai | Points) -> None:
    begun = MatchBegun(next(game for game in games() if form.name in ruleset(game).forms), form)
    events: list[MatchEvent] = [begun, GameBegun(1, S)]
    s = fold(events)
    assert s.position is not None
    for n in range(600):
        position = replace(s.position, to_move=Side((n + 1) % 2), ply=n + 1)
        events.append(MoveMade(1, Side(n % 2), position))
    s = fold(events)
    assert s.game is not None and len(s.game.moves) == 600
    assert after(s, EventUndone(300)).game is not None


def test_the_board_of_another_game_is_never_due() -> None:
    for begun in FORMS:
        s = fold([begun])
        assert s.due.board in s.rules.boards
        assert s.due.board == (Board(4, 8) if begun.game == "omweso" else s.due.board)
