"""Save and restore the simulated table's world: after a kill the game goes on, even with a hand in mid-air.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import cast, get_args

import msgspec

from device.sim.gestures import PACES, Track
from device.sim.players import Players
from device.sim.plays import Act, ActKind, HandVisit
from device.sim.world import Run, World
from engine.board import Side
from engine.position import Position
from engine.rules import ruleset

VERSION = 1


class SavedPlay(msgspec.Struct, frozen=True):
    """A visit of a hand under way. seed: its track's; began: by the world's clock; done: how many of its changes have
    happened."""

    player: int
    kind: str
    pit: int | None
    acts: list[tuple[str, int, int]]
    before: str
    after: str
    fault: str | None
    at: int | None
    lap: int
    n: int
    seed: tuple[int, ...]
    began: float
    done: int


class WorldMemory(msgspec.Struct, frozen=True):
    """A saved world. Positions are position lines; the rest is as in `World`."""

    version: int
    game: str
    rules: str
    sets: dict[str, str]
    pace: str
    seed: int
    position: str
    counts: list[int]
    clock: float
    until: float
    number: int
    turn: int
    honest: bool
    barred: list[str]
    history: list[str]
    plays: list[SavedPlay]
    scripted: bool = True
    foul_due: bool = False


def remember(world: World) -> WorldMemory:
    """The whole world in its saved form."""
    rules = world.rules
    return WorldMemory(
        version=VERSION, game=rules.game, rules=rules.name, sets=rules.sets, pace=world.pace, seed=world.seed,
        position=str(world.position), counts=list(world.counts), clock=world.clock, until=world.until,
        number=world.number, turn=world.turn, honest=world.honest, barred=[str(p) for p in world.barred],
        history=[str(p) for p in world.history], plays=[_saved(run) for run in world.runs],
        scripted=world.scripted, foul_due=world.foul_due,
    )  # fmt: skip


def recall(memory: WorldMemory, players: Players, *, heed: float = 0.0) -> World:
    """Restore a saved world. Raises ValueError if it is invalid."""
    if memory.version != VERSION or memory.pace not in PACES:
        raise ValueError(f"version {memory.version} at pace {memory.pace[:20]!r} is no table to be taken up again")
    position = Position.parse(memory.position)
    if len(memory.counts) != position.board.pits or min(memory.counts) < 0:
        raise ValueError(f"{len(memory.counts)} counts for {position.board.pits} pits")
    world = World(
        rules=ruleset(memory.game, memory.rules, memory.sets), position=position, players=players, pace=memory.pace,
        seed=memory.seed, heed=heed, clock=memory.clock, until=memory.until, number=memory.number, turn=memory.turn,
        honest=memory.honest, barred=[Position.parse(p) for p in memory.barred],
        history=[Position.parse(p) for p in memory.history], counts=list(memory.counts),
        scripted=memory.scripted, foul_due=memory.foul_due,
    )  # fmt: skip
    world.runs = [_run(saved, world) for saved in memory.plays]
    return world


def keep(path: Path, world: World) -> None:
    """Save the world to a file, which is replaced whole. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(remember(world)))
    new.replace(path)


def kept(path: Path) -> WorldMemory | None:
    """The saved world in a file; None if it is missing or unreadable."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=WorldMemory)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _saved(run: Run) -> SavedPlay:
    p = run.play
    return SavedPlay(
        player=int(p.player), kind=p.kind, pit=p.pit, acts=[(a.kind, a.pit, a.n) for a in p.acts],
        before=str(p.before), after=str(p.after), fault=p.fault, at=p.at, lap=p.lap, n=p.n, seed=run.track.seed,
        began=run.began, done=run.done,
    )  # fmt: skip


def _run(saved: SavedPlay, world: World) -> Run:
    before, after = Position.parse(saved.before), Position.parse(saved.after)
    acts = _acts(saved.acts, before.board.pits)
    side = Side(saved.player)
    play = HandVisit(side, saved.kind, saved.pit, acts, before, after, saved.fault, saved.at, saved.lap, saved.n)
    track = Track(before.board, side, acts, PACES[world.pace], saved.seed, world.reach)
    return Run(play, track, saved.began, saved.done)


def _acts(rows: Sequence[tuple[str, int, int]], pits: int) -> tuple[Act, ...]:
    acts = []
    for kind, pit, n in rows:
        if kind not in get_args(ActKind) or not 0 <= pit < pits or n < 0:
            raise ValueError(f"{kind[:20]!r} of {n} at pit {pit} is nothing a hand does")
        acts.append(Act(cast(ActKind, kind), pit, n))
    return tuple(acts)
