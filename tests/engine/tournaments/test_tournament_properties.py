"""What holds in every tournament, whatever happens in it: random events, possible ones and impossible ones."""

import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.tournaments import (
    Corrected,
    Entered,
    How,
    Moved,
    Paired,
    PairingPlace,
    RankedBy,
    Renamed,
    Reported,
    Result,
    Round,
    RoundMade,
    System,
    TablesNamed,
    TournamentBegun,
    TournamentError,
    TournamentEvent,
    TournamentState,
    Undone,
    Withdrew,
    after,
    exported,
    fold,
    next_round,
    stale,
    standings,
)
from engine.tournaments.standings import _Ranking
from tests.engine.tournaments.shorthand import ALL, CUP, PEOPLE, N, S, all_paired, begun, paired
from tests.examples import examples

SOME = settings(max_examples=examples(20), deadline=None)
FEW = settings(max_examples=examples(10), deadline=None)
SYSTEMS = [ALL, replace(ALL, cycles=2), replace(ALL, counts=RankedBy.SCORE), CUP, replace(CUP, third_place=True)]


def some_result(rng: random.Random, lots: bool = False) -> Result:
    """Any result that a match may have."""
    won = (rng.randint(0, 3), rng.randint(0, 3))
    played = Result.played(*won)
    score = (won[0] * rng.choice([1, 3]), won[1])
    more = None if score[0] == score[1] else S if score[0] > score[1] else N
    return rng.choice([
        played, played, Result(score, won, rng.randint(0, 1), more), Result.walkover(rng.choice([S, N, None])),
        Result(won, won, winner=rng.choice([S, N]), how=How.FORFEIT),
        *([Result((1, 1), (1, 1), winner=rng.choice([S, N]), how=How.LOT)] if lots else [])])


def decided(rng: random.Random) -> Result:
    """A result with a winner."""
    return Result.played(*rng.choice([(2, 1), (1, 2), (3, 0), (0, 3)]))


def there(made: Round) -> list[int]:
    """Everybody who is in a round, as often as he is."""
    return [one for pairing in made.pairings for one in pairing.paired.entries]


# ---- who meets whom

@SOME
@given(st.integers(2, 24), st.integers(1, 3))
def test_every_pair_meets_exactly_as_often_as_agreed_and_nobody_plays_twice_in_a_round(n: int, cycles: int) -> None:
    state = all_paired(begun(n, replace(ALL, cycles=cycles)))
    met = Counter(frozenset(one.paired.entries) for one in state.pairings if one.both)
    assert met == {frozenset(two): cycles for two in combinations(state.drawn, 2)}
    assert all(sorted(there(made)) == sorted(state.drawn) for made in state.rounds)


@SOME
@given(st.integers(2, 24), st.integers(1, 5))
def test_no_table_is_given_twice_in_a_sitting_and_no_sitting_is_begun_too_early(n: int, tables: int) -> None:
    for made in all_paired(begun(n, tables=tables)).rounds:
        seats = [(one.paired.sitting, one.paired.table) for one in made.pairings if one.both]
        assert len(set(seats)) == len(seats) == n // 2
        full = Counter(sitting for sitting, _ in seats)
        assert sorted(full) == list(range(1, len(full) + 1))
        assert all(full[sitting] == tables for sitting in range(1, len(full)))


@SOME
@given(st.integers(2, 24), st.integers(1, 3))
def test_sides_alternate(n: int, cycles: int) -> None:
    """Everybody sits South as often as North, but for one match where the number is odd, and never four times running;
    where every two meet once, never three times."""
    state = all_paired(begun(n, replace(ALL, cycles=cycles)))
    for one in state.drawn:
        sides = "".join("S" if pairing.paired.south == one else "N" for pairing in state.pairings
                        if pairing.both and one in pairing.paired.entries)
        assert abs(sides.count("S") - sides.count("N")) == len(sides) % 2
        running = 3 if cycles == 1 else 4
        assert "S" * running not in sides and "N" * running not in sides


@SOME
@given(st.integers(2, 40), st.booleans(), st.integers(0, 1_000_000))
def test_a_knock_out_ends_with_one_winner_and_nobody_plays_on_who_lost(n: int, third: bool, seed: int) -> None:
    rng = random.Random(seed)
    state = begun(n, replace(CUP, third_place=third), tables=4)
    lost: set[int] = set()
    while len(state.rounds) < state.last:
        state = paired(state)
        assert len(set(there(state.rounds[-1]))) == len(there(state.rounds[-1]))
        for pairing in state.rounds[-1].pairings:
            assert pairing.paired.third or not lost.intersection(pairing.paired.entries)
            if pairing.both:
                state = after(state, Reported(pairing.place, decided(rng)))
                loser = state.loser(state.pairing(pairing.place))
                assert loser is not None
                lost.add(loser)
    rows = standings(state)
    played = sum(pairing.both for pairing in state.pairings if not pairing.paired.third)
    assert len(lost) == n - 1 == played and rows[0].entry not in lost
    assert rows[0].sums.lost == 0 and list(stale(state)) == []


@SOME
@given(st.integers(2, 40))
def test_where_nobody_surprises_the_better_seed_stands_ahead_in_the_final_and_before(n: int) -> None:
    state = begun(n, CUP)
    seeds = {one.number: place for place, one in enumerate(state.entries)}
    while len(state.rounds) < state.last:
        state = paired(state)
        for pairing in state.rounds[-1].pairings:
            if pairing.both:
                south, north = pairing.paired.entries
                state = after(state, Reported(pairing.place, Result.walkover(S if seeds[south] < seeds[north] else N)))
    last = state.rounds[-1].pairings[0]
    assert {seeds[one] for one in last.paired.entries} == {0, 1}


# ---- standings

@st.composite
def results(draw: st.DrawFn) -> tuple[TournamentState, list[TournamentEvent]]:
    """A round robin with all rounds made, and what may be told of it in any order: of a match that is corrected the
    correction alone counts, whether it comes before or after what the table says."""
    rng = random.Random(draw(st.integers(0, 1_000_000)))
    state = all_paired(begun(draw(st.integers(2, 9)), draw(st.sampled_from(SYSTEMS[:3]))))
    events: list[TournamentEvent] = []
    for pairing in state.pairings:
        if pairing.both and rng.random() < 0.8:
            events.append(Reported(pairing.place, some_result(rng)))
        if pairing.both and rng.random() < 0.1:
            events.append(Corrected(pairing.place, some_result(rng), "a ruling", by="Resiato"))
    events += [Withdrew(one.number) for one in state.entries if rng.random() < 0.1]
    return state, events


@SOME
@given(results(), st.randoms(use_true_random=False))
def test_standings_do_not_depend_on_the_order_of_results(
    case: tuple[TournamentState, list[TournamentEvent]], rng: random.Random
) -> None:
    state, events = case
    shuffled = list(events)
    rng.shuffle(shuffled)
    one, other = state, state
    for event in events:
        one = after(one, event)
    for event in shuffled:
        other = after(other, event)
    assert standings(one) == standings(other)


@SOME
@given(results())
def test_standings_are_a_total_order_and_say_why(case: tuple[TournamentState, list[TournamentEvent]]) -> None:
    state, events = case
    for event in events:
        state = after(state, event)
    rows = standings(state)
    ranked = [row for row in rows if row.place is not None]
    assert sorted(row.entry for row in rows) == sorted(state.drawn)
    assert [row.place for row in ranked] == list(range(1, len(ranked) + 1))
    assert all(row.withdrawn for row in rows[len(ranked):])
    by_score = state.agreed.counts is RankedBy.SCORE
    for row, following in pairwise(ranked):
        mine, theirs = (one.sums.score[0] if by_score else one.sums.points for one in (row, following))
        assert mine >= theirs
        assert (row.ahead is None) == (mine > theirs)
        assert row.ahead is None or following.name in str(row.ahead)
    assert not ranked or ranked[-1].ahead is None


@SOME
@given(results())
def test_what_one_wins_the_other_loses(case: tuple[TournamentState, list[TournamentEvent]]) -> None:
    state, events = case
    for event in events:
        state = after(state, event)
    sums = [row.sums for row in standings(state)]
    assert sum(one.won for one in sums) <= sum(one.lost for one in sums), "both lose where neither came"
    assert sum(one.drawn for one in sums) % 2 == 0
    for numbers in ([one.score for one in sums], [one.games for one in sums]):
        assert sum(mine for mine, _ in numbers) == sum(theirs for _, theirs in numbers)
    assert all(one.met == one.won + one.drawn + one.lost for one in sums)


@SOME
@given(results(), st.integers(0, 1_000_000))
def test_a_correction_undone_gives_the_standings_of_before(
    case: tuple[TournamentState, list[TournamentEvent]], seed: int
) -> None:
    rng = random.Random(seed)
    state, events = case
    for event in events:
        state = after(state, event)
    pairing = rng.choice([one for one in state.pairings if one.both])
    result = rng.choice([None, some_result(rng)])
    corrected = after(state, Corrected(pairing.place, result, "a ruling", by="Resiato"))
    undone = after(corrected, Undone(len(corrected.log), by="Resiato"))
    assert standings(undone) == standings(state)
    assert replace(undone, log=()) == replace(state, log=())
    again = after(undone, Undone(len(undone.log)))
    assert standings(again) == standings(corrected)


# ---- any events at all

def some_event(rng: random.Random, s: TournamentState) -> TournamentEvent:
    """Anything that might be told next, possible or not."""
    number, name = rng.randint(1, len(s.log) + 2), rng.choice([*PEOPLE, "", "=1+1"])
    made = rng.choice(s.rounds).made if s.rounds and rng.random() < 0.9 else number
    at = PairingPlace(made, rng.randint(1, 3))
    numbers = [one.number for one in s.entries]
    result = rng.choice([None, *[some_result(rng, lots=True)] * 4])
    anybody = [*numbers, None, number]
    paired = tuple(Paired(rng.choice(anybody), rng.choice(anybody)) for _ in range(rng.randint(0, 3)))
    entering = 6 if not s.rounds else 1
    return rng.choice([
        *[Entered(name, tuple(rng.sample(PEOPLE, rng.randint(0, 2))))] * entering, Renamed(number, name),
        TablesNamed(tuple(rng.sample(["1", "2", "yard", ""], 2))), Withdrew(number),
        *[due(s, RoundMade(len(s.rounds) + 1, paired))] * 3, RoundMade(number, paired), Moved(at, "2", number),
        *[Reported(at, result)] * 6, *[Corrected(at, result, "a ruling", by="Resiato")] * 2, *[Undone(number)] * 2])


def due(s: TournamentState, other: RoundMade) -> RoundMade:
    """The round that is due; where none is, another."""
    try:
        return next_round(s)
    except TournamentError:
        return other


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[list[TournamentEvent], list[TournamentState]]:
    """Events that were all taken, and the state after each; those refused left the state as it was."""
    rng = random.Random(draw(st.integers(0, 1_000_000)))
    events: list[TournamentEvent] = [draw(st.sampled_from(SYSTEMS))]
    states = [state := fold(events)]
    for _ in range(draw(st.integers(0, 80))):
        event, log = some_event(rng, state), state.log
        try:
            new = after(state, event)
        except TournamentError as e:
            assert state.log is log and "\n" not in str(e) and str(e)
            continue
        state = new
        events.append(event)
        states.append(state)
    return events, states


@FEW
@given(tournaments())
def test_the_same_events_give_the_same_state(case: tuple[list[TournamentEvent], list[TournamentState]]) -> None:
    events, states = case
    assert fold(events) == states[-1]
    assert [logged.event for logged in states[-1].log] == events


@FEW
@given(tournaments())
def test_what_is_in_the_state_can_have_been(case: tuple[list[TournamentEvent], list[TournamentState]]) -> None:
    for s in case[1]:
        names = [one.name.casefold() for one in s.entries]
        assert len(set(names)) == len(names)
        assert sorted(row.entry for row in standings(s)) == sorted(s.due)
        assert all(s.log[number - 1].skipped is None for pairing in s.pairings for number in pairing.trace)
        assert_rounds_can_be(s)


def assert_rounds_can_be(s: TournamentState) -> None:
    """Nobody plays twice in a round, only who was drawn plays, and no two meet more often than agreed."""
    met = Counter(frozenset(one.paired.entries) for one in s.pairings if one.both)
    assert s.agreed.system is System.KNOCK_OUT or max(met.values(), default=0) <= s.agreed.cycles
    for made in s.rounds:
        assert len(set(there(made))) == len(there(made)) and set(there(made)) <= set(s.drawn)


@FEW
@given(tournaments(), st.integers(0, 1_000_000))
def test_what_is_undone_is_kept_and_comes_back(
    case: tuple[list[TournamentEvent], list[TournamentState]], seed: int
) -> None:
    events, states = case
    s = states[-1]
    can = [n for n, one in enumerate(s.log, 1) if one.skipped is None and n > 1]
    random.Random(seed).shuffle(can)
    for n in can[:5]:
        try:
            undone = after(s, Undone(n))
        except TournamentError as e:
            assert "rests on it" in str(e)
            continue
        assert [one.event for one in undone.log] == [*events, Undone(n)]
        if n == len(s.log) and not isinstance(events[-1], Undone):
            assert replace(undone, log=()) == replace(states[-2], log=())
        try:
            again = after(undone, Undone(len(undone.log)))
        except TournamentError as e:  # what came back has brought back a round that needs it
            assert "rests on it" in str(e) and len(undone.rounds) > len(s.rounds)
            continue
        assert replace(again, log=()) == replace(s, log=())


def test_a_round_that_came_back_is_undone_before_what_it_rests_on() -> None:
    """A round whose player is withdrawn from the log counts no longer; it counts again when he is back."""
    s = begun(2, TournamentBegun("Narok cup", System.ROUND_ROBIN))
    s = after(s, RoundMade(1, (Paired(2, 3),)))
    for n in (4, 3, 5):  # the round, then a player, then the undoing of the round
        s = after(s, Undone(n))
    assert not s.rounds
    s = after(s, Undone(6))
    assert len(s.rounds) == 1
    with pytest.raises(TournamentError, match="rests on it"):
        after(s, Undone(8))
    assert not after(s, Undone(4)).rounds


@FEW
@given(tournaments())
def test_everything_can_be_exported(case: tuple[list[TournamentEvent], list[TournamentState]]) -> None:
    state = case[1][-1]
    data = exported(state)
    assert json.loads(json.dumps(data)) == data
    assert len(data["events"]) == len(state.log) and len(data["rounds"]) == len(list(state.pairings))


def test_a_large_tournament_is_folded_in_moderate_time() -> None:
    rng = random.Random(1)
    state = all_paired(begun(40, TournamentBegun("League", System.ROUND_ROBIN), tables=20))
    for pairing in list(state.pairings):
        state = after(state, Reported(pairing.place, some_result(rng)))
    assert len(standings(state)) == 40 and len(state.log) == 1 + 40 + 1 + 39 + 780
    assert fold(logged.event for logged in state.log) == state


def test_the_work_for_a_standing_grows_with_the_pairs_and_no_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all are level each two of them are looked at once, and not once more for every place."""
    looked: list[int] = []
    direct = _Ranking.direct

    def counted(self: _Ranking, level: tuple[int, ...]) -> Mapping[int, int]:
        looked.append(len(level))
        return direct(self, level)

    monkeypatch.setattr(_Ranking, "direct", counted)
    assert len(standings(begun(128))) == 128
    assert looked == [128]
