"""Ayoayo, the relay game of the Yoruba; a side without seeds must be fed (engine/games/ayoayo.md)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from engine.board import Board
from engine.games.base import Example, Over
from engine.games.even import FeedingRules
from engine.games.fields import ENDLESS, MAX_LAPS, SKIP_ORIGIN, Field, Value
from engine.messages import side
from engine.position import Position
from engine.sowing import RELAY, SLEEPS, Decision, Sowing

BOARD = Board(2, 6)

_RUSS, _WIKIPEDIA = "Mancala World, after Russ 1984", "Wikipedia, Ayoayo"


class Ayoayo(FeedingRules):
    """Ayoayo on two rows of six, four seeds in every pit."""

    game, title = "ayoayo", "Ayoayo"
    about = "The game of the Yoruba: two rows of six, four seeds in each pit."
    how_played: ClassVar[Mapping[str, str]] = {
        "move": "Lift all seeds of one of your pits and drop one into each pit that follows, anticlockwise; a lap "
                "that comes round skips the pit it began in. If the last seed falls into a pit with seeds, lift them "
                "all and sow on. If it falls into an empty pit, the move ends. If the other side has no seed, you must "
                "give it some.",
        "capture": "If the last seed falls into an empty pit of your own and the pit opposite holds seeds, you "
                   "capture them and that last seed.",
        "end": "The game ends when the player to move has no seed in his row, or cannot give a seed to the other side, "
               "which has none. Whoever moved last gets all seeds that are left. The side with more seeds wins.",
    }
    examples = (Example("move", "0,0,0,5,0,13/3,1,1,1,2,0 S 9-13 ply=10", "c"),)
    on_wall = "A game of the Yoruba: seeds are sown round the board, and a camera checks every move."
    boards = (BOARD,)
    fields = (
        Field("takes_own_seed", (False, True), True, "the seed that captures is captured, too",
              f"{_RUSS}: it is; {_WIKIPEDIA}: not said", "Is the seed that captures captured, too?"),
        Field("unfed", ("over", "free"), "over",
              "where no move gives the other side, which has none, a seed, the game is over, or any move may be made",
              f"{_RUSS}: over; {_WIKIPEDIA}: over only where nobody can move",
              "What if no move gives a side without seeds one?",
              {"over": "The game is over", "free": "Any move may be made"}),
        ENDLESS,
        replace(SKIP_ORIGIN, default=True, source=f"{_RUSS}; {_WIKIPEDIA}"),
        MAX_LAPS,
    )
    rulesets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "russ": {}, "wikipedia": {"takes_own_seed": False, "unfed": "free"}}
    ruleset_names: ClassVar[Mapping[str, str]] = {"russ": "Russ’s rules", "wikipedia": "Wikipedia’s rules"}
    sources: ClassVar[Mapping[str, str]] = {"russ": _RUSS, "wikipedia": _WIKIPEDIA}

    def may_start(self, position: Position, pit: int) -> bool:
        """Whether the pit holds seeds and feeds an opponent without any; with `unfed: free` also if no pit can."""
        if super().may_start(position, pit):
            return True
        if self.values["unfed"] == "over" or not position.counts[pit]:
            return False
        return not any(super(Ayoayo, self).may_start(position, p)
                       for p in position.board.own(position.board.owner(pit)))

    def decide(self, s: Sowing) -> Decision:
        """Relay from an occupied pit; else end, with a capture if the pit is the player's and the facing one holds
        seeds."""
        if s.counts[s.last] > 1:
            return RELAY
        facing = s.board.facing(s.last)
        if s.board.owner(s.last) is not s.player or not s.counts[facing]:
            return SLEEPS
        return Decision("capture", (s.last, facing) if self.values["takes_own_seed"] else (facing,))

    def over(self, position: Position) -> Over | None:
        """The game ends if the player to move has no seed, or with `unfed: over` can give an opponent without seeds
        none."""
        if self.starts(position):
            return None
        mover = position.to_move
        result = list(position.captured)
        result[mover.other] += sum(position.counts)
        unfed = any(position.counts[p] for p in position.board.own(mover))
        reason = self.message("reason.unfed", side=side(mover), other=side(mover.other)) if unfed else self.message(
            "reason.no-move", side=side(mover))
        return Over.of((result[0], result[1]), reason)
