"""What the sources say of how Enkeshui begins: from which pits a race is run, who wins it, and what is re-laid."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache

import pytest

from engine.board import Side
from engine.games import race
from engine.games.base import Rules
from engine.games.rearranging import rearrange, relaid
from engine.matches import GameBegun, MatchBegun, MatchError, MatchState, Rearranged, Sticks, after, fold
from engine.position import Position
from engine.records.record import Item, Record
from engine.records.replay import replay
from engine.referee.observation import Observation
from engine.rules import ruleset
from engine.verdict import Verdict
from tests.engine.referee.by_hand import judged
from tests.engine.referee.by_hand import seen as read

S, N = Side
RULES = ruleset("enkeshui")
FARTHEST = ruleset("enkeshui", None, {"race_winner": "went_farthest"})
SETUP = RULES.setup()
BOTH = (0.2, 0.2)


def seen(counts: Sequence[int], together: float = 0.0, earlier: float = 0.0, hands: tuple[float, float] = BOTH,
         ) -> Observation:
    """A board that is plainly read."""
    return replace(read(counts, hands, 0.9999), together=together, earlier_s=earlier)


# ---- from where a race is run


def test_a_race_begins_from_the_rightmost_occupied_pit_of_each_side() -> None:
    left = RULES.setup("2x8-left")
    assert tuple(map(left.board.name, race.custom(left))) == ("f", "F")
    uneven = Position.parse("4,4,4,4,4,4,0,0/4,4,4,4,4,4,0,0 S 0-0")
    assert tuple(map(uneven.board.name, race.custom(uneven))) == ("f", "H")
    assert tuple(map(SETUP.board.name, race.custom(SETUP))) == ("h", "H")


def test_the_judge_knows_a_race_from_there() -> None:
    left = RULES.setup("2x8-left")
    starts = tuple(left.board.pit(name) for name in "fF")
    found = 0
    for outcome in race.outcomes(RULES, left, (starts[0], starts[1])):
        best = None if outcome is None else race.explain(RULES, left, (starts[0], starts[1]), outcome.counts).outcome
        if best is not None and len(best.first) == 1:
            found += 1
            if found > 4:
                break
            verdict = judged(RULES, left, seen(best.counts, together=0.8))
            assert (verdict.kind, verdict.player) == ("race", next(iter(best.first)))
    assert found


# ---- who wins it


@cache
def went(rules: Rules) -> tuple[race.RaceOutcome, Side]:
    """A race in which one slept first and the other went farthest, which its board shows plainly."""
    for outcome in race.outcomes(rules, SETUP, race.custom(SETUP)):
        best = None if outcome is None else race.explain(rules, SETUP, race.custom(SETUP), outcome.counts).outcome
        if best is not None and len(best.finishes) == 1:
            finish = next(iter(best.finishes))
            if finish.winner is not None and finish.winner is not finish.first:
                return best, finish.winner
    raise AssertionError("there is none")


def test_who_went_farthest_wins_where_that_was_chosen() -> None:
    outcome, winner = went(FARTHEST)
    verdict = judged(FARTHEST, SETUP, seen(outcome.counts, together=0.8))
    assert (verdict.kind, verdict.player, verdict.position.to_move) == ("race", winner, winner)
    first = judged(RULES, SETUP, seen(outcome.counts, together=0.8))
    assert (first.kind, first.player) == ("race", winner.other)


def test_whose_hand_left_first_did_not_thereby_go_farthest() -> None:
    outcome, winner = went(FARTHEST)
    sooner = 1.0 if winner is N else -1.0  # who did not go farthest slept first, and that was seen
    assert judged(FARTHEST, SETUP, seen(outcome.counts, together=0.8, earlier=sooner)).player is winner
    assert judged(FARTHEST, SETUP, seen(outcome.counts, together=0.8, earlier=-sooner)).player is not winner


def test_where_both_went_as_far_nobody_is_told_to_begin() -> None:
    for outcome in race.outcomes(FARTHEST, SETUP, race.custom(SETUP)):
        if outcome is not None and outcome.finishes and all(f.winner is None for f in outcome.finishes):
            assert judged(FARTHEST, SETUP, seen(outcome.counts, together=0.8)).player is None
            return
    raise AssertionError("there is none")


def test_the_drops_of_each_are_counted_to_the_end() -> None:
    """Against the race run drop by drop: every outcome has a race behind it that ends so."""
    small = Position.parse("0,0,1,0,0,0,0,3/0,1,0,0,0,0,0,2 S 0-0")
    starts = race.custom(small)
    found = {(o.counts, f) for o in race.outcomes(FARTHEST, small, starts) if o is not None for f in o.finishes}
    assert {f for _, f in found} == {f for _, f in by_hand(small, starts)}
    assert found <= by_hand(small, starts)


@dataclass
class Run:
    """A race under way: the board, and of South and North the pit where each stands, the seeds in his hand and how many
    he has dropped; and who sleeps, in that order."""

    counts: list[int]
    at: list[int]
    hand: list[int] = field(default_factory=lambda: [0, 0])
    drops: list[int] = field(default_factory=lambda: [0, 0])
    slept: list[int] = field(default_factory=list)

    def after(self, who: int) -> Run:
        """A copy in which one of them has lifted, or dropped a seed."""
        run = deepcopy(self)
        if not run.hand[who]:
            run.hand[who], run.counts[run.at[who]] = run.counts[run.at[who]], 0
            sleeps = not run.hand[who]
        else:
            run.at[who] = (run.at[who] + 1) % len(run.counts)
            run.counts[run.at[who]] += 1
            run.hand[who] -= 1
            run.drops[who] += 1
            sleeps = not run.hand[who] and run.counts[run.at[who]] == 1
        run.slept += [who] * sleeps
        return run

    def finish(self) -> race.Finish:
        """Who slept first and who went farther, when both sleep."""
        south, north = self.drops
        return race.Finish(Side(self.slept[0]), None if south == north else Side(int(north > south)))


def by_hand(before: Position, starts: tuple[int, int]) -> set[tuple[tuple[int, ...], race.Finish]]:
    """Every interleaving, on plain lists: (counts, who slept first and who went farther)."""
    found, runs = set(), [Run(list(before.counts), list(starts))]
    while runs:
        run = runs.pop()
        if sum(run.drops) > 40:
            continue  # such a race never ends
        if len(run.slept) == 2:
            found.add((tuple(run.counts), run.finish()))
        runs += [run.after(who) for who in (0, 1) if who not in run.slept]
    return found


# ---- what is re-laid before the first move

TWO = "cd=4,4,0,0,4,4,4,4"
NORTHS = "CD=8,0,0,0,4,4,4,4"


def begun() -> MatchState:
    return fold([MatchBegun("enkeshui", Sticks(3)), GameBegun(1, S)])


def four() -> tuple[Position, Position, Position]:
    """South has re-laid c and d, and then e and f as well."""
    one = rearrange(RULES, SETUP, TWO).position
    own = one.counts[:8]
    row = [own[0], own[1], own[2] + 8, own[3], 0, 0, own[6], own[7]]
    two = rearrange(RULES, one, f"ef={','.join(map(str, row))}").position
    return SETUP, one, two


def verdict_of(before: Position, after: Position, history: Sequence[Position] = ()) -> Verdict:
    return judged(RULES, before, seen(after.counts, hands=(0.2, 0.0)), history)


def test_two_pits_are_relaid_once_a_side_says_the_judge() -> None:
    start, one, two = four()
    assert verdict_of(start, one).kind == "rearranged"
    assert verdict_of(one, two, [start]).kind not in ("rearranged", "legal")
    norths = rearrange(RULES, one, NORTHS).position
    assert judged(RULES, one, seen(norths.counts, hands=(0.0, 0.2)), [start]).kind == "rearranged"


def test_one_rearranging_in_two_visits_of_the_hand_is_one() -> None:
    """c is lifted and laid out, the hand goes, and then d."""
    first = SETUP.with_counts((2, 2, 0, *SETUP.counts[3:]))
    assert verdict_of(SETUP, first).kind == "rearranged"
    second = SETUP.with_counts((4, 4, 0, 0, *SETUP.counts[4:]))
    assert verdict_of(first, second, [SETUP]).kind == "rearranged"


def test_of_a_side_that_was_misread_the_row_that_people_told_counts() -> None:
    misread = SETUP.with_counts((*SETUP.counts[:7], 3, *SETUP.counts[8:]))
    assert verdict_of(SETUP, four()[1], [misread]).kind == "rearranged"


def test_the_match_says_the_same() -> None:
    start, one, two = four()
    s = after(begun(), Rearranged(1, one))
    with pytest.raises(MatchError, match="more than two of South's pits"):
        after(s, Rearranged(1, two))
    assert after(s, Rearranged(1, rearrange(RULES, one, NORTHS).position)).position is not None
    with pytest.raises(MatchError, match="more than two of South's pits"):
        fold([MatchBegun("enkeshui", Sticks(3)), GameBegun(1, S, two)])
    assert fold([MatchBegun("enkeshui", Sticks(3)), GameBegun(1, S, one)]).position == one
    with pytest.raises(MatchError, match="more than two of South's pits"):
        fold([MatchBegun("enkeshui", Sticks(3)), GameBegun(1, S, one), Rearranged(1, two)])
    assert start == SETUP


def test_the_record_says_the_same() -> None:
    start, one, two = four()
    for laid, right in (([one], True), ([one, two], False)):
        names, before = [], start
        for later in laid:
            row = ",".join(map(str, later.counts[:8]))
            pits = "cd" if before is start else "ef"
            names.append(Item(f"{pits}={row}"))
            before = later
        assert (replay(Record.of(RULES, start, names)).wrong is None) is right


def test_six_pits_are_too_many_and_two_sides_are_two() -> None:
    start, one, two = four()
    assert relaid(RULES, start, one.counts, S)
    assert relaid(RULES, start, one.counts, N)
    assert not relaid(RULES, start, two.counts, S)
