"""Ayoayo, the game of the Yoruba: the rules of a game that is not shipped, as an example of a game's file.

Sources: Mancala World, "Ayoayo", after Russ (1984), and Wikipedia, "Ayoayo", after Pratt. Two rows of six, four seeds
in every pit. A player lifts a pit of his own and sows anticlockwise; a lap of twelve seeds or more passes the pit
by that it began from. Into an occupied pit: relay. Into an empty one: the end, and from an own one facing seeds a
capture. Who finds the opponent without a seed must give him some, if he can; where he cannot, and where the player to
move has no seed, the game is over, and who moved last gets all that is left. More seeds win.

It is not shipped because its sources leave open, and contradict each other on:

- Whether the seed that captures is captured too. Russ: yes; Wikipedia names the facing seeds alone. Field
  `takes_own_seed`.
- What a seed captures that falls into an own empty pit which faces none. Here, as in En Dodoi: nothing.
- Whether a move gives seeds that sows some into the opponent's row and relays on with them. Here it has to leave some
  there at its end.
- What becomes of a sowing that never ends: no source says. Field `endless`, as in the Maasai games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from engine.board import Board
from engine.games import laps
from engine.games.base import Over, Rules
from engine.games.fields import ENDLESS, MAX_LAPS, SKIP_ORIGIN, Field, RulesError, Value
from engine.messages import any_of, side
from engine.position import Position
from engine.sowing import RELAY, SLEEPS, Decision, Sowing

BOARD = Board(2, 6)
SEEDS_A_PIT = 4

_RUSS, _WIKIPEDIA = "Mancala World, after Russ 1984", "Wikipedia, Ayoayo"


class Ayoayo(Rules):
    """Ayoayo on two rows of six, four seeds in every pit."""

    game, title = "ayoayo", "Ayoayo"
    about = "The game of the Yoruba: two rows of six, four seeds in each pit."
    messages: ClassVar[Mapping[str, str]] = {
        "reason.unfed": "{side} cannot give {other} a seed",
        "source.russ": _RUSS,
    }
    barred_start = "starved"
    boards = (BOARD,)
    fields = (
        Field("takes_own_seed", (False, True), True, "the seed that captures is captured, too",
              f"{_RUSS}: it is; {_WIKIPEDIA}: not said", "Is the seed that captures captured, too?"),
        ENDLESS,
        replace(SKIP_ORIGIN, default=True, source=f"{_RUSS}; {_WIKIPEDIA}"),
        MAX_LAPS,
    )
    rulesets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"russ": {}, "wikipedia": {"takes_own_seed": False}}
    ruleset_names: ClassVar[Mapping[str, str]] = {"russ": "Russ’s rules", "wikipedia": "Wikipedia’s rules"}
    sources: ClassVar[Mapping[str, str]] = {"russ": _RUSS, "wikipedia": _WIKIPEDIA}

    def seeds(self, board: Board) -> int:
        """Four for every pit."""
        return SEEDS_A_PIT * board.pits

    def setup(self, name: str | None = None, board: Board | None = None) -> Position:
        """Four in every pit. Raises RulesError."""
        if name not in (None, str(BOARD)):
            raise RulesError(self.message("rules.no-setup", name=repr(name), game=self.title, known=str(BOARD)))
        if board not in (None, BOARD):
            raise RulesError(self.message("check.board", game=self.title, boards=any_of(map(str, self.boards)),
                                          board=str(board)))
        return Position(BOARD, (SEEDS_A_PIT,) * BOARD.pits)

    def may_start(self, position: Position, pit: int) -> bool:
        """A pit that holds seeds; where the opponent has none, one whose sowing leaves him some."""
        return position.counts[pit] > 0 and (self._fed(position, position.counts, pit) or self._feeds(position, pit))

    def barred(self, position: Position, pit: int) -> str:
        """Empty, or leaving the opponent without seeds."""
        whose = position.board.owner(pit).other.title
        return f"leaves {whose} without a seed" if position.counts[pit] else super().barred(position, pit)

    def decide(self, s: Sowing) -> Decision:
        """Into an occupied pit: relay; into an empty one: the end, and from an own one facing seeds a capture."""
        if s.counts[s.last] > 1:
            return RELAY
        facing = s.board.facing(s.last)
        if s.board.owner(s.last) is not s.player or not s.counts[facing]:
            return SLEEPS
        return Decision("capture", (s.last, facing) if self.values["takes_own_seed"] else (facing,))

    def over(self, position: Position) -> Over | None:
        """When the player to move has no seed, or can give none to the opponent who has none."""
        if self.starts(position):
            return None
        mover = position.to_move
        result = list(position.captured)
        result[mover.other] += sum(position.counts)
        unfed = any(position.counts[p] for p in position.board.own(mover))
        reason = self.message("reason.unfed", side=side(mover), other=side(mover.other)) if unfed else self.message(
            "reason.no-move", side=side(mover))
        return Over.of((result[0], result[1]), reason)

    def _feeds(self, position: Position, pit: int) -> bool:
        sowing = self.begin(position, position.board.owner(pit))
        return any(self._fed(position, end.sowing.counts, pit) for end in laps.explore(self, sowing, pit).ends)

    @staticmethod
    def _fed(position: Position, counts: list[int] | tuple[int, ...], pit: int) -> bool:
        """Whether the opponent of the pit's owner has seeds."""
        return any(counts[p] for p in position.board.own(position.board.owner(pit).other))
