"""The simulated table's world: what lies on the board at any moment, whose hand does what, what is to come.

It runs on its own clock, in seconds, and is the same whenever it is run from the same seed. `device.sim.memory`
writes it down whole, a turn under way included, and takes it up again there.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from device.sim.gestures import PACES, HandAt, Reachable, Track
from device.sim.players import Players
from device.sim.plays import HandVisit, laying
from engine.board import Side
from engine.position import Position
from engine.rules import Rules

HISTORY = 60
BETWEEN_GAMES_S = 8.0
START_S = 1.0
"""How soon the first move is made once the referee has accepted the start."""


@dataclass(frozen=True, slots=True)
class VisitTruth:
    """What really happened in one visit of a hand; times in seconds of the world's clock."""

    play: HandVisit
    t_in: float
    t_out: float

    def plain(self) -> dict[str, Any]:
        """As a clip's truth says it."""
        name = self.play.before.board.name
        return {
            "player": self.play.player.letter,
            "move": None if self.play.pit is None else name(self.play.pit),
            "kind": self.play.kind,
            "fault": self.play.fault,
            "at": None if self.play.at is None else name(self.play.at),
            "t_in": round(self.t_in, 3),
            "t_out": round(self.t_out, 3),
            "position": str(self.play.after),
        }


@dataclass(slots=True)
class Run:
    """A hand at work: its track, when it began, how many of its changes have happened."""

    play: HandVisit
    track: Track
    began: float
    done: int = 0

    @property
    def ends(self) -> float:
        """Seconds of the world's clock at which the hand has left."""
        return self.began + self.track.ends


@dataclass(slots=True)
class World:
    """A game being played. position: before the turn under way; counts: what lies there now, along the ring.

    heed: seconds that the players wait after a faulty turn, for the referee. accepted: the referee has accepted the
    start of the game; until then nobody makes its first move. clock: seconds since it began; until: when the next turn
    begins. number: plays so far (each has its own random numbers), turn: turns of this game, for the script. truths:
    what happened, in order. scripted: the game is the first, for which the players may have a script. by_lot: later
    games are played by another seed each time. foul_due: the next turn that can be is a foul.
    """

    rules: Rules
    position: Position
    players: Players
    pace: str = "normal"
    seed: int = 0
    heed: float = 0.0
    accepted: bool = True
    reach: Reachable = field(default_factory=Reachable)
    clock: float = 0.0
    until: float = 3.0
    number: int = 0
    turn: int = 0
    honest: bool = False
    scripted: bool = True
    by_lot: bool = False
    foul_due: bool = False
    barred: list[Position] = field(default_factory=list)
    history: list[Position] = field(default_factory=list)
    truths: list[VisitTruth] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    ended: bool = False
    runs: list[Run] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make what follows from the fields."""
        if not self.counts:
            self.counts = list(self.position.counts)

    def reach_as(self, reach: Reachable) -> None:
        """The hands reach so far from now on; those at work as well."""
        self.reach = reach
        for run in self.runs:
            run.track = run.track.again(reach)

    # ---- the course of things --------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a hand is at work."""
        return bool(self.runs)

    def hands(self) -> list[HandAt]:
        """The hands there are now, North's first: South's lies over it in the picture."""
        seen = [run.track.at(self.clock - run.began) for run in self.runs]
        return sorted((h for h in seen if h is not None), key=lambda h: -h.side)

    def advance(self, clock: float) -> bool:
        """Let it be `clock`. Whether anything on the board changed, or a turn began or ended."""
        changed = False
        while True:
            if self.runs:
                end = max(run.ends for run in self.runs)
                changed |= self._happen(min(clock, end))
                if clock < end:
                    break
                self.clock = end
                self._finish()
            elif self._held():
                self.until = max(self.until, clock + START_S)
                break
            elif clock >= self.until:
                self.clock = max(self.clock, self.until)
                self._begin()
            else:
                break
            changed = True
        self.clock = clock
        return changed

    def _held(self) -> bool:
        """Whether the next turn would be a game's first, and the referee has not accepted its start."""
        return not self.accepted and self.turn == 0 and self.rules.over(self.position) is None

    def _happen(self, clock: float) -> bool:
        changed = False
        for run in self.runs:
            changes = run.track.changes
            while run.done < len(changes) and run.began + changes[run.done].t <= clock:
                self.counts[changes[run.done].pit] += changes[run.done].by
                run.done += 1
                changed = True
        return changed

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, self.number, stream))

    def _run(self, play: HandVisit, stream: int = 1) -> Run:
        seed = (self.seed, self.number, stream)
        track = Track(play.before.board, play.player, play.acts, PACES[self.pace], seed, self.reach)
        return Run(play, track, self.clock)

    def _begin(self) -> None:
        """The next turn; a new game where there is none."""
        self.number += 1
        play = None
        if self.rules.over(self.position) is None:
            play = self.players.turn(
                self.rules, self.position, self.turn if self.scripted else None, self._rng(0), honest=self.honest,
                barred=self.barred, foul=self.foul_due,
            )  # fmt: skip
        if play is None:
            self.ended = True
            self.lay(self.rules.setup(board=self.position.board), "laid")
            return
        self.foul_due = self.foul_due and play.kind == "legal"
        self.runs = [self._run(play)]

    def _finish(self) -> None:
        """All hands have left."""
        first = self.runs[0]
        play, track = first.play, first.track
        self.counts = list(play.after.counts)
        self.truths.append(VisitTruth(play, first.began + track.t_in, first.began + track.t_out))
        del self.truths[:-1000]
        least, most = PACES[self.pace].pause
        pause = float(self._rng(2).uniform(least, most))
        if play.kind in ("laid", "withdrawn"):
            pause += 1.5
        else:
            self.history = [*self.history[1 - HISTORY :], play.before]
            self.turn += 1
            self.honest, self.barred = False, []
            if play.kind != "legal":
                pause = max(pause, self.heed)
        self.position = play.after
        self.runs = []
        if self.rules.over(self.position) is not None:
            self.ended = True
            pause = BETWEEN_GAMES_S
        self.until = self.clock + pause

    # ---- what the players are told ---------------------------------------------------------------------------------

    def lay(self, target: Position, kind: str, by: Side | None = None) -> None:
        """Lay the board as `target` says, each his own row, or one of them (`by`) all of it; the game goes on from
        there."""
        self.runs = []
        self.number += 1
        plays = []
        for side in Side if by is None else (by,):
            pits = target.board.own(side) if by is None else range(target.board.pits)
            play = laying(target, self.counts, side, kind, pits)
            if play.acts:
                plays.append(play)
        if kind == "laid":
            self._begin_game()
        self.runs = [self._run(play, 3 + play.player) for play in plays]
        if not plays:
            self.position = target
            self.until = self.clock + PACES[self.pace].pause[1]

    def _begin_game(self) -> None:
        """Another game than the first: without its script, and where that is wanted by another lot."""
        self.turn, self.history, self.honest, self.barred, self.scripted = 0, [], False, [], False
        if self.by_lot:
            self.seed = secrets.randbits(31)

    def new_game(self, target: Position | None) -> None:
        """A new game from `target`; None: from the board as it lies."""
        self.ended = False
        self.lay(target or Position(self.position.board, tuple(self.counts)), "laid")

    def change_board(self, target: Position) -> None:
        """Another board comes onto the table, already laid."""
        self.runs, self.ended = [], False
        self._begin_game()
        self.position, self.counts = target, list(target.counts)
        self.until = self.clock + 4.0

    def withdraw(self, target: Position | None = None) -> bool:
        """Lay the board as it was before the last turn, or as `target` says; another, legal turn of the same player
        follows.

        False where no turn was made that could be taken back.
        """
        if target is None:
            running = [run.play.before for run in self.runs if run.play.kind not in ("laid", "withdrawn")]
            if running:
                target = running[0]
            elif self.history:
                target = self.history[-1]
            else:
                return False
        undone = [p for p in self.history if p == target]
        if undone:
            self.history = self.history[: self.history.index(target)]
        self.barred = [self.position, *(run.play.after for run in self.runs)]
        self.honest = True
        self.turn = max(0, self.turn - 1)
        self.lay(target, "withdrawn", target.to_move)
        return True

    def play_on(self) -> None:
        """Nobody objects: no need to wait any longer."""
        if not self.runs:
            self.until = min(self.until, self.clock + 1.0)
