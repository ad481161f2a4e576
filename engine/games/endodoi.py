"""En Dodoi, the Maasai game without bulls (engine/games/endodoi.md, after Merker)."""

from collections.abc import Mapping
from typing import ClassVar

from engine.board import Board
from engine.games.base import Example, Over
from engine.games.even import EvenRules
from engine.games.fields import ENDLESS, MAX_LAPS, SKIP_ORIGIN, Value
from engine.messages import side
from engine.position import Position
from engine.sowing import RELAY, SLEEPS, Decision, Sowing


class EnDodoi(EvenRules):
    """En Dodoi on two rows of 5 to 10, four seeds in every pit."""

    game, title = "endodoi", "En Dodoi"
    about = "The Maasai game for everybody: two rows, four seeds in each pit."
    how_played: ClassVar[Mapping[str, str]] = {
        "move": "Lift all seeds of one of your pits, even a single one, and drop one into each pit that follows, "
                "anticlockwise. If the last seed falls into a pit with seeds, lift them all and sow on. If it falls "
                "into an empty pit, the move ends.",
        "capture": "If the last seed falls into an empty pit of your own and the pit opposite holds seeds, you "
                   "capture them and that last seed.",
        "end": "The game ends when the player to move has no seed in his row. Whoever moved last gets all seeds "
               "that are left. The side with more seeds wins.",
    }
    examples = (Example("move", "0,0,0,5,0,13/3,1,1,1,2,0 S 9-13 ply=10", "c"),)
    on_wall = "A game of the Maasai: seeds are sown round the board, and a camera checks every move."
    forms = ("ol-alai",)
    demonstrations: ClassVar[Mapping[tuple[str, str], tuple[str, ...]]] = {("merker", "2x6"): (), ("merker", "2x8"): ()}
    boards = tuple(Board(2, cols) for cols in range(5, 11))
    fields = (ENDLESS, SKIP_ORIGIN, MAX_LAPS)
    rulesets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"merker": {}}
    ruleset_names: ClassVar[Mapping[str, str]] = {"merker": "Merker’s rules"}
    sources: ClassVar[Mapping[str, str]] = {"merker": "Merker, Die Masai (1904)"}

    def decide(self, s: Sowing) -> Decision:
        """Relay from an occupied pit; else end, with a capture if the pit is the player's and the facing one holds
        seeds."""
        if s.counts[s.last] > 1:
            return RELAY
        facing = s.board.facing(s.last)
        if s.board.owner(s.last) is s.player and s.counts[facing]:
            return Decision("capture", (s.last, facing))
        return SLEEPS

    def over(self, position: Position) -> Over | None:
        """The game ends when the player to move has no seed in his row; the opponent gets all that is left."""
        if self.starts(position):
            return None
        result = list(position.captured)
        result[position.to_move.other] += sum(position.counts)
        return Over.of((result[0], result[1]), self.message("reason.no-move", side=side(position.to_move)))
