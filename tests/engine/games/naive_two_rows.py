"""The moves of games on two rows by another way: a walk on plain lists that knows nothing of the engine's sowing, laps
or choices, written from the pages in engine/games alone.

What each game has of its own stands in `NAIVE`; a new game on two rows adds itself there. Ayoayo and Layli Goobalay
have a second telling of their sources instead (`tests.engine.games.sourced_two_rows`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from engine.board import Side
from engine.position import Position
from engine.rules import Rules
from tests.engine.games import sourced_two_rows as sourced

FAR = 120
"""Laps after which the naive walk gives up."""


class TooLongError(Exception):
    """The walk does not end soon."""


@dataclass(frozen=True)
class End:
    """Where a naive walk comes out: seeds and bulls along the ring, and what the mover has won."""

    counts: tuple[int, ...]
    bulls: tuple[Side | None, ...]
    won: int


@dataclass(frozen=True)
class Lap:
    """A lap that was sown. before: the position before the move; counts: seeds a pit now; visited: the pits that got a
    seed, in order; number: from 1."""

    rules: Rules
    before: Position
    counts: list[int]
    visited: list[int]
    number: int

    @property
    def last(self) -> int:
        """The pit of the last seed."""
        return self.visited[-1]

    @property
    def own(self) -> range:
        """The mover's pits."""
        low = 0 if self.before.to_move is Side.SOUTH else len(self.counts) // 2
        return range(low, low + len(self.counts) // 2)

    def facing(self, pit: int) -> int:
        """The pit across."""
        return len(self.counts) - 1 - pit

    def ended(self, takes: list[int], bulls: list[int]) -> End:
        """The move ends here: the seeds of these pits are captured, or these pits become bulls."""
        counts = tuple(0 if p in takes else n for p, n in enumerate(self.counts))
        owners = tuple(self.before.to_move if p in bulls else b for p, b in enumerate(self.before.bulls))
        return End(counts, owners, sum(self.counts[p] for p in takes))


def with_seeds(rules: Rules, position: Position) -> list[int]:
    """The mover's pits that hold seeds and are no bulls."""
    own = position.board.own(position.to_move)
    return [p for p in own if position.counts[p] and position.bulls[p] is None]


class Naive(NamedTuple):
    """What a game on two rows has of its own. ended: what the last seed of a lap brings, None for a relay. starts: the
    pits that the player to move may begin from."""

    ended: Callable[[Lap], End | None]
    starts: Callable[[Rules, Position], list[int]] = with_seeds


def naive_starts(rules: Rules, position: Position) -> list[int]:
    """The pits that the player to move may begin from."""
    if rules.game in sourced.GAMES:
        ends, endless = sourced.moves(rules.game, rules.name, table(position))
        return [*ends, *endless]
    return _naive(rules).starts(rules, position)


def table(position: Position) -> sourced.Table:
    """A position as the telling of the sources has it."""
    pregnant = {pit: int(owner) for pit, owner in enumerate(position.bulls) if owner is not None}
    return sourced.Table(list(position.counts), int(position.to_move), list(position.captured), pregnant)


def _sourced(rules: Rules, position: Position, pit: int) -> End:
    """The end of a move as the sources tell it."""
    side, (ends, _) = position.to_move, sourced.moves(rules.game, rules.name, table(position))
    if pit not in ends:
        raise TooLongError
    after = ends[pit]
    bulls = tuple(Side(after.pregnant[p]) if p in after.pregnant else None for p in range(len(after.holes)))
    return End(tuple(after.holes), bulls, after.stores[side] - position.captured[side])


def walk(rules: Rules, position: Position, pit: int) -> set[End]:
    """Every end of a move from `pit`; raises TooLongError where one is far off or never comes."""
    if rules.game in sourced.GAMES:
        return {_sourced(rules, position, pit)}
    ends: set[End] = set()
    todo = [(list(position.counts), pit, 1, 1, 0)]
    while todo:
        counts, at, way, held, laps = todo.pop()
        if laps > FAR:
            raise TooLongError
        visited = _sown(counts, at, way, rules.skip_origin)
        at = visited[-1]
        end = _naive(rules).ended(Lap(rules, position, counts, visited, laps + 1))
        if end is not None:
            ends.add(end)
            continue
        theirs = set(position.board.own(position.to_move.other))
        choice = rules.values.get("direction_choice", "never")
        ways = (1, -1) if choice != "never" and theirs <= set(visited) else (held,)
        todo += [(counts[:], at, w, w if choice == "move" else held, laps + 1) for w in ways]
    return ends


def _naive(rules: Rules) -> Naive:
    assert rules.game in NAIVE, f"add what the last seed brings in {rules.game} to NAIVE in {__file__}"
    return NAIVE[rules.game]


def _sown(counts: list[int], pit: int, way: int, skip_origin: bool) -> list[int]:
    """Lift a pit and sow it; the pits that get a seed, in order. `counts` is changed in place."""
    seeds, counts[pit] = counts[pit], 0
    at, visited = pit, list[int]()
    while len(visited) < seeds:
        at = (at + way) % len(counts)
        if at != pit or not skip_origin:
            counts[at] += 1
            visited.append(at)
    return visited


# ---- En Dodoi


def endodoi_ended(lap: Lap) -> End | None:
    """What the last seed brings, point by point as the game's page lists it."""
    if lap.counts[lap.last] > 1:
        return None
    facing = lap.facing(lap.last)
    captures = lap.last in lap.own and lap.counts[facing] > 0
    return lap.ended([lap.last, facing] if captures else [], [])


# ---- Enkeshui


def enkeshui_ended(lap: Lap) -> End | None:
    """What the last seed brings, point by point as the game's page lists it."""
    if lap.before.bulls[lap.last] is not None:
        return lap.ended([], [])
    made = _bulls_made(lap)
    if made:
        return lap.ended([], made)
    return None if lap.counts[lap.last] > 1 else lap.ended(_captures(lap), [])


def _bulls_made(lap: Lap) -> list[int]:
    """Which of the last two pits, or of the last one, become bulls."""
    two, counts, bulls = lap.visited[-2:], lap.counts, lap.before.bulls
    if lap.before.ply <= 1 and not lap.rules.values["bulls_in_first_move"]:
        return []
    if len(two) == 2 and sorted(counts[p] for p in two) == [3, 4] and all(bulls[p] is None for p in two):
        return two
    return [lap.last] if counts[lap.last] == 4 else []


def _captures(lap: Lap) -> list[int]:
    """The pits whose seeds are captured when the last one has fallen into an empty pit, that pit among them."""
    if lap.last not in lap.own or (lap.number > 1 and lap.rules.values["relay_forfeits_capture"]):
        return []
    takes = []
    for at in range(lap.last, lap.own.stop):
        facing, string = lap.facing(at), at > lap.last
        if not lap.counts[facing] or (string and lap.counts[at]):
            break
        if lap.before.bulls[facing] is None:
            takes.append(facing)
        elif not string or lap.rules.values["string_at_bull"] != "skip":
            break
    return [lap.last, *takes] if takes else []


# ---- Oware


def feeding(rules: Rules, position: Position) -> list[int]:
    """The mover's pits that hold seeds; where the other side has none, those that bring him some."""
    theirs = position.board.own(position.to_move.other)
    if any(position.counts[p] for p in theirs):
        return with_seeds(rules, position)
    return [pit for pit in with_seeds(rules, position)
            if any(any(end.counts[p] for p in theirs) for end in walk(rules, position, pit))]


def oware_ended(lap: Lap) -> End:
    """What the last seed brings, point by point as the game's page lists it."""
    theirs, takes, at = [p for p in range(len(lap.counts)) if p not in lap.own], list[int](), lap.last
    while at in theirs and lap.counts[at] in (2, 3):
        takes.append(at)
        at = (at - 1) % len(lap.counts)
    slam = sum(lap.counts[p] for p in takes) == sum(lap.counts[p] for p in theirs)
    return lap.ended([] if slam and lap.rules.values["grand_slam"] == "no-capture" else takes, [])


def oware_starts(rules: Rules, position: Position) -> list[int]:
    """The mover's pits that may be sown: where grand slams are illegal, every move leaves the other side some."""
    if rules.values["grand_slam"] != "illegal":
        return feeding(rules, position)
    theirs = position.board.own(position.to_move.other)
    return [pit for pit in with_seeds(rules, position)
            if any(any(end.counts[p] for p in theirs) for end in walk(rules, position, pit))]


NAIVE = {"enkeshui": Naive(enkeshui_ended), "endodoi": Naive(endodoi_ended),
         "oware": Naive(oware_ended, oware_starts)}
"""By game."""
