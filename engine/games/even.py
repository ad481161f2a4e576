"""Rules shared by games that begin with equal pits on two rows, and the duty to feed an opponent without seeds."""

from typing import ClassVar

from engine.board import Board
from engine.games import laps
from engine.games.base import Rules
from engine.games.fields import RulesError
from engine.messages import any_of
from engine.position import Position


class EvenRules(Rules):
    """Rules of a game that begins with equal numbers of seeds in all pits. usual: the default board; seeds_a_pit: that
    number."""

    usual: ClassVar[Board] = Board(2, 6)
    seeds_a_pit: ClassVar[int] = 4

    def seeds(self, board: Board) -> int:
        """Return the seeds of all pits together."""
        return self.seeds_a_pit * board.pits

    def setup(self, name: str | None = None, board: Board | None = None) -> Position:
        """Return a position with equal pits, on the usual board unless one is given, as a board or as the set-up's
        name. Raises RulesError."""
        names = {str(b): b for b in self.boards}
        if name is not None and name not in names:
            raise RulesError(self.message("rules.no-setup", name=repr(name[:40]), game=self.title,
                                          known=any_of(names)))
        if board is not None and board not in self.boards:
            raise RulesError(self.message("check.board", game=self.title, boards=any_of(names), board=str(board)))
        if name is not None and board is not None and names[name] != board:
            raise RulesError(self.message("rules.unfit", name=name, board=str(board)))
        chosen = names[name] if name is not None else board or self.usual
        return Position(chosen, (self.seeds_a_pit,) * chosen.pits)


class FeedingRules(EvenRules):
    """Rules that oblige a player to leave an opponent without seeds some, if any move does."""

    barred_start = "starved"

    def may_start(self, position: Position, pit: int) -> bool:
        """Whether the pit holds seeds and, if the opponent has none, its sowing leaves him some."""
        return position.counts[pit] > 0 and (self.fed(position, position.counts, pit) or self.feeds(position, pit))

    def barred(self, position: Position, pit: int) -> str:
        """Return that the pit is empty, or that its sowing leaves the opponent without seeds."""
        whose = position.board.owner(pit).other.title
        return f"leaves {whose} without a seed" if position.counts[pit] else super().barred(position, pit)

    def feeds(self, position: Position, pit: int) -> bool:
        """Whether a move from the pit leaves its owner's opponent seeds."""
        sowing = self.begin(position, position.board.owner(pit))
        return any(self.fed(position, end.sowing.counts, pit) for end in laps.explore(self, sowing, pit).ends)

    @staticmethod
    def fed(position: Position, counts: list[int] | tuple[int, ...], pit: int) -> bool:
        """Whether the opponent of the pit's owner has seeds with these counts."""
        return any(counts[p] for p in position.board.own(position.board.owner(pit).other))
