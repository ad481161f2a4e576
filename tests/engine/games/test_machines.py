"""Random play as a state machine, and the same rules a second time: what has to hold whatever is played.

The second time is a walk on plain lists that knows nothing of the engine's sowing, laps or choices
(`tests.engine.games.naive_two_rows`).
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.board import Board, Side
from engine.position import Position
from engine.records.reader import read
from engine.records.record import BACK, Item, Record
from engine.records.replay import replay
from engine.rules import Move, Rules, games, ruleset, rulesets
from engine.trace import Capture, Drop, Lay, Lift, MakeBull, Step
from tests.engine.games import perft
from tests.engine.games.naive_two_rows import End, TooLongError, naive_starts, walk
from tests.engine.trace_applied import apply

ALL: list[Rules] = [
    *(ruleset(g, r) for g in games() for r in rulesets(g)),
    *(ruleset(g, r, sets) for g, r, sets in perft.EXTRA),
    ruleset("enkeshui", "wikipedia", {"string_at_bull": "skip", "relay_forfeits_capture": "false"}),
    ruleset("endodoi", None, {"skip_origin": "true"}),
    ruleset("oware", None, {"grand_slam": "illegal"}),
    ruleset("oware", None, {"grand_slam": "captures"}),
]


def start(rules: Rules, rng: random.Random) -> Position:
    """A set-up, or on a board that has none an agreed position, with either side to begin."""
    board = rng.choice(rules.boards)
    setups = rules.setups(board)
    position = rules.setup(rng.choice(setups), board) if setups else perft.AGREED[board]
    return replace(position, to_move=rng.choice(list(Side)))


def turned(position: Position) -> Position:
    """The same seen from the other side of the board: South is North."""
    half = position.board.half
    bulls = [None if b is None else b.other for b in position.bulls]
    return replace(
        position, counts=position.counts[half:] + position.counts[:half], bulls=(*bulls[half:], *bulls[:half]),
        to_move=position.to_move.other, captured=position.captured[::-1], caps=position.caps[::-1],
        won=None if position.won is None else position.won.other)


# ---- every step of every trace -----------------------------------------------------------------------------


@dataclass
class Checked:
    """A board on which the steps of a legal trace are done, each held against what may be done there.

    counts: seeds a pit; bulls: whether it is one; laid: the seeds are laid and not sown, so that two pits may be lifted
    on end; hand: seeds in the hand; won: seeds captured.
    """

    counts: list[int]
    bulls: list[bool]
    laid: bool
    hand: int = 0
    won: int = 0

    def do(self, step: Step) -> None:
        """Do one step."""
        match step:
            case Lift(pit, n):
                assert self.hand == 0 or self.laid
                assert not self.bulls[pit]
                assert n == self.counts[pit] > 0
                self.counts[pit], self.hand = 0, self.hand + n
            case Drop(pit):
                self.counts[pit] += 1
                self.hand -= 1
            case Capture():
                self.capture(step)
            case Lay(source, pit, n):
                assert self.hand == 0 and not self.bulls[source] and not self.bulls[pit]
                assert self.counts[source] > n > 0
                self.counts[source], self.counts[pit] = self.counts[source] - n, self.counts[pit] + n
            case MakeBull(pits):
                assert all(self.counts[pit] in (2, 3, 4) for pit in pits)
                self.bulls = [bull or p in pits for p, bull in enumerate(self.bulls)]

    def capture(self, step: Capture) -> None:
        """Take all seeds of some pits, off the board or into the hand."""
        assert self.hand == 0
        assert not any(self.bulls[p] for p in step.pits)
        assert step.n == sum(self.counts[p] for p in step.pits)
        self.counts = [0 if p in step.pits else held for p, held in enumerate(self.counts)]
        if step.sown_from is None:
            self.won += step.n
        else:
            self.hand = step.n


def conserved(before: Position, move: Move) -> None:
    """Walk through a trace: no seed comes or goes, no bull is lifted, nothing is lifted that is not there."""
    board = Checked(list(before.counts), [b is not None for b in before.bulls], move.ends in ("arranged", "rearranged"))
    for step in move.trace:
        board.do(step)
        assert board.hand >= 0
        assert min(board.counts) >= 0
        assert sum(board.counts) + board.hand + board.won + sum(before.captured) == before.total
    assert board.hand == 0
    assert tuple(board.counts) == move.position.counts
    assert apply(before, move.trace, before.board.owner(move.pit)) == move.position


class Playing(RuleBasedStateMachine):
    """A game: moves, moves taken back, rearrangements; beside it the record that is kept of it."""

    @initialize(which=st.integers(0, len(ALL) - 1), seed=st.integers(0, 9999))
    def begin(self, which: int, seed: int) -> None:
        self.law, rng = ALL[which], random.Random(seed)
        self.start = self.position = start(self.law, rng)
        self.items: list[Item] = []
        self.before: list[Position] = []

    @rule(pick=st.integers(0, 999))
    def play(self, pick: int) -> None:
        moves = self.law.moves(self.position).moves
        if not moves:
            return
        move = moves[pick % len(moves)]
        conserved(self.position, move)
        again = self.law.play(self.position, move.name)
        assert again == move
        self.take(move)

    @precondition(lambda self: self.before)
    @rule()
    def take_back(self) -> None:
        self.items.append(Item(BACK))
        self.position = self.before.pop()

    @precondition(lambda self: self.law.game == "enkeshui" and self.law.over(self.position) is None)
    @rule(seed=st.integers(0, 9999))
    def rearrange(self, seed: int) -> None:
        allowed = self.law.values["rearrange"]
        if allowed == "setup" and (self.position.ply or any("=" in i.word for i in self.items)):
            return
        name = rearrangement(self.position, random.Random(seed))
        if name:
            move = self.law.play(self.position, name)
            assert move.name == name
            conserved(self.position, move)
            self.take(move)

    def take(self, move: Move) -> None:
        self.items.append(Item(move.name))
        self.before.append(self.position)
        self.position = move.position

    @invariant()
    def line_reads_back(self) -> None:
        assert Position.parse(str(self.position)) == self.position

    @invariant()
    def the_rules_allow_it(self) -> None:
        assert self.law.problem_sentences(self.position) == []

    @invariant()
    def mirrored_it_plays_the_same(self) -> None:
        here, there = self.law.moves(self.position), self.law.moves(turned(self.position))
        mirrored = [(m.name.swapcase(), turned(m.position), m.laps, m.captured, m.ends) for m in there.moves]
        assert sorted(mirrored, key=str) == sorted(
            ((m.name, m.position, m.laps, m.captured, m.ends) for m in here.moves), key=str)
        half = self.position.board.half
        assert {(p + half) % (2 * half) for p in there.endless} == set(here.endless)

    def teardown(self) -> None:
        record = Record.of(self.law, self.start, self.items)
        (again,) = read(str(record))
        assert again == record
        done = replay(again)
        assert done.wrong is None
        assert done.positions[-1] == self.position


def rearrangement(position: Position, rng: random.Random) -> str:
    """Some rearrangement that the player to move may make; "" where he has no two pits to lift."""
    board = position.board
    own = board.own(position.to_move)
    full = [p for p in own if position.counts[p] and position.bulls[p] is None]
    if len(full) < 2:
        return ""
    lifted = sorted(rng.sample(full, 2))
    row = {p: 0 if p in lifted else position.counts[p] for p in own}
    for _ in range(sum(position.counts[p] for p in lifted)):
        row[rng.choice(own)] += 1
    if all(row[p] == position.counts[p] for p in own):
        return ""
    return f"{''.join(map(board.name, lifted))}={','.join(str(row[p]) for p in own)}"


Playing.TestCase.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
TestPlaying = Playing.TestCase


# ---- the same by another way -------------------------------------------------------------------------------

@settings(max_examples=40, deadline=None)
@given(st.integers(0, 9999), st.sampled_from([r for r in ALL if r.boards[0].rows == 2]))
@example(6873, ALL[1])  # a bull of South's beside the last seed
def test_the_legal_moves_are_those_of_a_naive_walk(seed: int, rules: Rules) -> None:
    compared = sum(_compare(rules, position) for position in _game(rules, random.Random(seed), 12))
    assert compared > 10


def _game(rules: Rules, rng: random.Random, length: int) -> Iterator[Position]:
    """Positions of a random game, now and then with everything heaped up, so that laps go round."""
    position = start(rules, rng)
    for _ in range(length):
        yield position
        yield _heaped(position, rng)
        moves = rules.moves(position).moves
        if not moves:
            return
        position = rng.choice(moves).position


def _heaped(position: Position, rng: random.Random) -> Position:
    """The seeds outside bulls of some pits laid together in one."""
    counts = list(position.counts)
    free = [p for p in range(len(counts)) if position.bulls[p] is None]
    heap = rng.choice(free)
    for pit in rng.sample(free, len(free) // 2):
        if pit != heap:
            counts[heap], counts[pit] = counts[heap] + counts[pit], 0
    return replace(position, counts=tuple(counts))


def _compare(rules: Rules, position: Position) -> int:
    """Hold every pit's moves against the walk's; how many pits could be compared."""
    if rules.over(position) is not None:
        return 0
    found, done, mine = rules.moves(position), 0, naive_starts(rules, position)
    side = position.to_move
    for pit in range(position.board.pits):
        listed = {End(m.position.counts, m.position.bulls, m.position.captured[side] - position.captured[side])
                  for m in found.moves if m.pit == pit}
        if pit not in mine:
            assert not listed and pit not in found.endless
            continue
        try:
            expected = walk(rules, position, pit)
        except TooLongError:
            continue
        assert listed == expected, f"{position} {position.board.name(pit)}"
        assert pit not in found.endless
        done += 1
    return done


# ---- perft -------------------------------------------------------------------------------------------------


def test_perft_is_as_it_was() -> None:
    assert perft.table(perft.TESTED) == perft.kept(perft.TESTED)


@pytest.mark.parametrize("rules", [r for r in ALL if r.boards[0].rows == 2],
                         ids=lambda r: f"{r.game}-{r.name}-{ALL.index(r)}")
def test_perft_counts_what_the_naive_walk_reaches(rules: Rules) -> None:
    board = rules.boards[0]
    level = {rules.setup(board=board)}
    for width in perft.widths(rules, rules.setup(board=board), 3):
        level = {after for position in level for after in _after(rules, position)}
        assert len(level) == width


def _after(rules: Rules, position: Position) -> Iterator[Position]:
    """Every position that the naive walk reaches by one move."""
    side = position.to_move
    for pit in naive_starts(rules, position):
        for end in walk(rules, position, pit):
            won = list(position.captured)
            won[side] += end.won
            bulls = tuple(b if n else None for b, n in zip(end.bulls, end.counts, strict=True))
            yield replace(position, counts=end.counts, bulls=bulls, to_move=side.other,
                          captured=(won[0], won[1]), ply=position.ply + 1)


def test_every_game_and_board_has_its_perft() -> None:
    kept = perft.GOLDEN.read_text("utf-8")
    for game in games():
        for name in rulesets(game):
            for board in ruleset(game, name).boards:
                setups = ruleset(game, name).setups(board) or (f"agreed {board}",)
                assert all(f"{game} {name} {setup} " in kept for setup in setups)
    assert Board(2, 10) in perft.AGREED
