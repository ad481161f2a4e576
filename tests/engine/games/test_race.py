"""The race (engine/games/enkeshui.md, "The race"), held against a walk through every interleaving; and what it
refuses, word for word.

In a line the upper row reads H G F E D C B A, the lower one a b c d e f g h.
"""

from collections import deque
from dataclasses import replace

import pytest

from engine.board import Side
from engine.games import race
from engine.games.race import Chance, Finish, RaceExplanation, RaceOutcome
from engine.position import Position
from engine.rules import MoveError, Rules, ruleset

S, N = Side
RULES = ruleset("enkeshui")
SKIP = ruleset("enkeshui", None, {"skip_origin": "true"})
SETUP = RULES.setup("2x8-right")
EMPTY = "0,0,0,0,0,0,0,0"
Runner = tuple[int, int, int] | None
State = tuple[tuple[int, ...], Runner, Runner, int, Side | None]


def at(line: str) -> Position:
    return Position.parse(f"{line} S 0-0")


TWO = at(f"0,0,0,0,0,0,0,2/{EMPTY[:-1]}2")
SMALL = [
    (TWO, (7, 8)),
    (at("0,0,0,0,0,0,1,3/0,0,0,0,0,1,2,2"), (6, 8)),
    (at("1,0,0,0,0,0,0,1/2,0,0,0,0,0,1,3"), (7, 15)),
    (at("0,0,0,0,0,0,0,4/0,0,0,0,0,0,0,1"), (7, 8)),
    (at("3,0,0,0,0,0,0,0/2,1,0,0,0,0,0,0"), (0, 15)),
    (at("0,0,0,0,0,0,0,1/0,0,0,0,0,0,0,3"), (7, 8)),  # South passes A before North has lifted it, or after
]


# ---- every interleaving ------------------------------------------------------------------------------------


def steps(rules: Rules, state: State) -> list[State]:
    """What may come next: either player's lifting or drop. A runner is the pit he stands at, the seeds in his hand (-1
    where the pit is to be lifted yet) and the pit that he passes by, if any."""
    counts, south, north, lead, first = state
    found: list[State] = []
    for side, runner in ((S, south), (N, north)):
        if runner is None:
            continue
        now, moved, dropped = _moved(rules, counts, runner)
        slept = first if first is not None or moved is not None else side
        ahead = 0 if slept is not None else lead + (dropped if side is S else -dropped)
        south_now, north_now = (moved, north) if side is S else (south, moved)
        found.append((now, south_now, north_now, ahead, slept))
    return found


def _moved(
    rules: Rules, counts: tuple[int, ...], runner: tuple[int, int, int]
) -> tuple[tuple[int, ...], Runner, int]:
    """A runner's lifting or drop: the board, where he stands then, None where he sleeps, and how many he dropped."""
    pit, hand, origin = runner
    now = list(counts)
    if hand < 0:
        lifted, now[pit] = now[pit], 0
        return tuple(now), (pit, lifted, pit if rules.skip_origin else -1) if lifted else None, 0
    pit = (pit + 1) % len(now)
    if rules.skip_origin and pit == origin:
        pit = (pit + 1) % len(now)
    now[pit] += 1
    if hand > 1:
        return tuple(now), (pit, hand - 1, origin), 1
    return tuple(now), None if now[pit] == 1 else (pit, -1, -1), 1


Ends = dict[tuple[tuple[int, ...], Side], int]
"""By board and who slept first: how many drops one was ahead of the other at the most, in the most even race."""


def every(rules: Rules, before: Position, starts: tuple[int, int]) -> tuple[Ends, int]:
    """All that a race can lead to, and how many states there are on the way."""
    begin: State = (before.counts, (starts[0], -1, -1), (starts[1], -1, -1), 0, None)
    best, queue = {begin: 0}, deque([begin])
    while queue:
        state = queue.popleft()
        for later in steps(rules, state):
            apart = max(best[state], abs(later[3]))
            if apart < best.get(later, 1000):
                best[later] = apart
                queue.append(later)
    ends = {(s[0], s[4]): apart for s, apart in best.items() if s[1] is None and s[2] is None and s[4] is not None}
    return ends, len(best)


@pytest.mark.parametrize(("before", "starts"), SMALL)
def test_all_boards_that_a_race_can_leave_are_found_with_who_slept_first(
    before: Position, starts: tuple[int, int]
) -> None:
    ends, states = every(RULES, before, starts)
    found = list(race.outcomes(RULES, before, starts, states))
    assert None not in found
    assert {(o.counts, side): o.apart for o in found if o is not None for side in o.first} == ends
    assert [o.apart for o in found if o is not None] == sorted(o.apart for o in found if o is not None)
    assert list(race.outcomes(RULES, before, starts, states - 1))[-1] is None
    assert list(race.outcomes(RULES, before, starts, 0)) == [None]


@pytest.mark.parametrize(("before", "starts"), SMALL[:3])
def test_the_most_even_race_to_a_board_explains_it(before: Position, starts: tuple[int, int]) -> None:
    ends, _ = every(RULES, before, starts)
    for counts in {c for c, _ in ends}:
        apart = min(a for (c, _), a in ends.items() if c == counts)
        first = frozenset(side for (c, side), a in ends.items() if c == counts and a == apart)
        found = race.explain(RULES, before, starts, counts)
        finishes = frozenset(Finish(side, side) for side in first)
        assert found == RaceExplanation(Chance.POSSIBLE, RaceOutcome(counts, finishes, apart))


def test_an_origin_is_passed_by_where_the_rules_say_so() -> None:
    before = at("0,0,0,0,0,0,0,1/0,0,0,0,0,0,0,16")  # South's last seed comes round to h, or passes it by
    round_ = (*[1] * 8, 1, 2, *[1] * 6)
    assert race.explain(RULES, before, (7, 8), round_).chance is Chance.POSSIBLE
    assert race.explain(SKIP, before, (7, 8), round_).chance is not Chance.POSSIBLE


def test_a_board_is_not_explained_or_left_open() -> None:
    none = race.explain(RULES, TWO, (7, 8), (4, *[0] * 15))
    assert none == RaceExplanation(Chance.NOT_EXPLAINED, None, "every state that the race can come to was looked at")
    few = race.explain(RULES, TWO, (7, 8), (3, *[0] * 15))
    assert few == RaceExplanation(Chance.NOT_EXPLAINED, None, "3 seeds in 16 pits, 4 in 16 before the race")
    short = race.explain(RULES, TWO, (7, 8), (4, 0))
    assert short == RaceExplanation(Chance.NOT_EXPLAINED, None, "4 seeds in 2 pits, 4 in 16 before the race")
    cut = race.explain(RULES, TWO, (7, 8), (4, *[0] * 15), 5)
    assert cut == RaceExplanation(Chance.OPEN, None, "5 states were looked at")


def test_a_board_found_before_the_search_was_cut_off_is_possible() -> None:
    ends, states = every(RULES, TWO, (7, 8))
    boards = {counts for counts, _ in ends}
    found = [race.explain(RULES, TWO, (7, 8), counts, states - 1).chance for counts in boards]
    assert set(found) == {Chance.POSSIBLE, Chance.OPEN}
    assert found.count(Chance.OPEN) == 1  # the last


# ---- what is refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "before", "starts", "said"), [
    (RULES, SETUP, (8, 15), "South races from a pit of his own, not from A"),
    (RULES, SETUP, (7, 0), "North races from a pit of his own, not from a"),
    (RULES, SETUP, (0, 15), "South cannot race from pit a: it is empty"),
    (RULES, SETUP, (7, 8), "North cannot race from pit A: it is empty"),
    (RULES, replace(SETUP, ply=1), (7, 15), "the race comes before the first move, and 1 was made"),
    (RULES, replace(SETUP, ply=2), (7, 15), "the race comes before the first move, and 2 were made"),
    (ruleset("enkeshui", None, {"first_mover": "agreement"}), SETUP, (7, 15),
     "Enkeshui is begun here without a race: first_mover is agreement"),
    (ruleset("endodoi"), ruleset("endodoi").setup(), (5, 11),
     "En Dodoi is begun here without a race: first_mover is no field of these rules"),
])
def test_a_race_that_cannot_be_run_is_refused(
    rules: Rules, before: Position, starts: tuple[int, int], said: str
) -> None:
    counts = before.counts
    for ask in (lambda: race.check(rules, before, starts),
                lambda: next(race.outcomes(rules, before, starts)),
                lambda: race.explain(rules, before, starts, counts)):
        with pytest.raises(MoveError) as e:
            ask()
        assert str(e.value) == said


def test_after_a_race_play_goes_on_from_the_board_as_it_lies() -> None:
    lies = (1, 2, 0, 1, 6, 6, 6, 2) * 2
    assert race.after(SETUP, list(lies), N) == Position(SETUP.board, lies, (), N, (0, 0), 2)
    surplus = replace(SETUP, captured=(0, 4), counts=(0, 0, *SETUP.counts[2:15], 0))
    assert race.after(surplus, lies, S).captured == (0, 4)


def test_all_that_is_wrong_after_a_race_is_said_a_sentence_each() -> None:
    after = race.after(SETUP, (1, 2, 0, 1, 6, 6, 6, 2) * 2, N)
    assert race.problems(RULES, SETUP, after) == []
    bad = replace(after, counts=(0, *after.counts[1:]), bulls=(None, S, *[None] * 14), captured=(1, 2), ply=1)
    assert race.problems(RULES, SETUP, bad) == [
        "47 seeds lie on the board after the race, 48 lay there before",
        "pit b is marked as a bull, and no bulls are made in the race",
        "captured seeds are 1-2, and nothing is captured in the race",
        "ply is 1: the race counts as each player's first move, which makes 2",
    ]
    assert race.problems(RULES, RULES.setup("2x12"), after) == [
        "the race was run on 2x12, the position after it is one of 2x8"]
    assert race.problems(RULES, SETUP, replace(after, won=N)) == [
        "won=N is not possible: Enkeshui is not won in the middle of a move"]


def test_everyones_far_right_pit_by_custom() -> None:
    assert race.custom(SETUP) == (7, 15)
    assert race.custom(RULES.setup("2x12")) == (11, 23)
