"""The simulated table's world: the board at any moment, what hands do, and what comes next.

It runs on its own clock, in seconds, and is the same for the same seed. `device.sim.memory` saves it whole, with a turn
under way, and restores it.
"""

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
"""Seconds from the referee's acceptance of the start to the first move."""


@dataclass(frozen=True, slots=True)
class VisitTruth:
    """The truth about one visit of a hand; times in seconds of the world's clock."""

    play: HandVisit
    t_in: float
    t_out: float

    def plain(self) -> dict[str, Any]:
        """The visit in the form of a clip's truth."""
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
    """A hand at work: its visit and track, when it began, and how many of its changes have happened."""

    play: HandVisit
    track: Track
    began: float
    done: int = 0

    @property
    def ends(self) -> float:
        """When the hand has left, seconds of the world's clock."""
        return self.began + self.track.ends


@dataclass(slots=True)
class World:
    """A game being played. position: before the turn under way; counts: the seeds now, along the ring.

    heed: seconds that the players wait for the referee after a faulty turn. accepted: the referee has accepted the
    start of the game; until then nobody makes the first move. clock: seconds since the world began; until: when the
    next turn begins. number: visits so far (each has its own random numbers); turn: turns of this game, for the script.
    truths: what happened, in order. scripted: this is the first game, for which the players may have a script. by_lot:
    later games use a new random seed each. foul_due: make the next possible turn a foul.
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
        """Take the counts from the position unless given."""
        if not self.counts:
            self.counts = list(self.position.counts)

    def reach_as(self, reach: Reachable) -> None:
        """Set how far the hands reach, also of those at work."""
        self.reach = reach
        for run in self.runs:
            run.track = run.track.again(reach)

    # ---- the course of things --------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a hand is at work."""
        return bool(self.runs)

    def hands(self) -> list[HandAt]:
        """The hands in view now, North's first, as South's is drawn over it."""
        seen = [run.track.at(self.clock - run.began) for run in self.runs]
        return sorted((h for h in seen if h is not None), key=lambda h: -h.side)

    def advance(self, clock: float) -> bool:
        """Advance the world to `clock`; return whether anything on the board changed, or a turn began or ended."""
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
        """Whether the next turn is a game's first and the referee has not accepted the start yet."""
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
        """Begin the next turn, or a new game if there is none."""
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
        """Finish the turn after all hands have left."""
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
        """Have the players lay the board to `target`, each player their own rows, or the player `by` all of it; the
        game goes on from there."""
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
        """Begin a later game: without the script, and with a new seed if `by_lot`."""
        self.turn, self.history, self.honest, self.barred, self.scripted = 0, [], False, [], False
        if self.by_lot:
            self.seed = secrets.randbits(31)

    def new_game(self, target: Position | None) -> None:
        """Begin a new game from `target`; None for the board as it lies."""
        self.ended = False
        self.lay(target or Position(self.position.board, tuple(self.counts)), "laid")

    def change_board(self, target: Position) -> None:
        """Replace the board by another one, already laid."""
        self.runs, self.ended = [], False
        self._begin_game()
        self.position, self.counts = target, list(target.counts)
        self.until = self.clock + 4.0

    def withdraw(self, target: Position | None = None) -> bool:
        """Have the board laid as before the last turn, or to `target`; the same player then makes another, legal turn.

        False if there is no turn to take back.
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
        """Go on without waiting any longer, as nobody objects."""
        if not self.runs:
            self.until = min(self.until, self.clock + 1.0)
