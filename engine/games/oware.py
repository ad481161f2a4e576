"""Oware, the game of the Akan, by the abapa rules (engine/games/oware.md)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engine.board import Board, Direction
from engine.games.base import Example, Over
from engine.games.even import FeedingRules
from engine.games.fields import Field, Value
from engine.messages import Message, side
from engine.position import Position
from engine.sowing import SLEEPS, Decision, Sowing

BOARD = Board(2, 6)
TAKEN = (2, 3)
"""Counts of a pit that can be captured."""

_ABAPA = "Wikipedia, Oware, and the Oware Society’s abapa rules"
_OPENSPIEL = "OpenSpiel’s game oware"


class Oware(FeedingRules):
    """Oware on two rows of six, four seeds in every pit: one lap a move, captures backwards along the opponent's row.

    A *grand slam* captures all of the opponent's seeds.
    """

    game, title = "oware", "Oware"
    about = "The game of West Africa and the Caribbean: two rows of six, four seeds in each pit."
    how_played: ClassVar[Mapping[str, str]] = {
        "move": "Lift all seeds of one of your pits and drop one into each pit that follows, anticlockwise; a "
                "sowing that comes round skips the pit it began in. Then the move ends. If the other side has no "
                "seed, you must give it some.",
        "capture": "If the last seed makes two or three in a pit of the other side, you capture them, and so on "
                   "backwards, as long as the pit before holds two or three, too. But whoever would take all that "
                   "the other side has takes nothing.",
        "end": "The game ends when one side has captured more than half of the seeds, or cannot move. Each side gets "
               "the seeds left in its own row. The side with more seeds wins.",
    }
    examples = (Example("move", "3,0,5,4,2,1/2,1,0,3,0,2 S 12-13 ply=20", "f"),)
    on_wall = "A game of West Africa: seeds are sown round the board, and a camera checks every move."
    verbs: ClassVar[Mapping[str, str]] = {}
    terms = ()
    words: ClassVar[Mapping[str, str]] = {
        "help.foul.text": "Whatever breaks the rules is a foul: skipping a pit, dropping two seeds into one, capturing "
                          "too much or too little, leaving the other side without a seed where a move could give it "
                          "some, or playing out of turn. The referee says what happened; the people at the board "
                          "decide what follows.",
    }
    messages: ClassVar[Mapping[str, str]] = {
        "reason.half": "{side} has captured more than half of the seeds",
        "reason.halves": "each side has captured half of the seeds",
        "reason.repeated": "the position stood before",
    }
    boards = (BOARD,)
    skips_origin, relays = True, False
    fields = (
        Field("grand_slam", ("no-capture", "illegal", "captures"), "no-capture",
              "a move that would take all that the opponent has takes nothing, may not be made, or takes it",
              "no-capture: Wikipedia, Oware; illegal: programs such as github.com/sandrb/oware; captures: as Romein "
              "and Bal solved it", "What if a move would capture all of the other side’s seeds?",
              {"no-capture": "Nothing is taken", "illegal": "It may not be made", "captures": "All is taken"}),
        Field("repetition", ("agreed", "ends"), "agreed",
              "a game that goes in a circle ends when both sides agree, or at a position that stood before",
              f"{_ABAPA}: agreed; {_OPENSPIEL}: ends", "When does a game that repeats itself end?",
              {"agreed": "When both sides agree", "ends": "When a position comes again"}),
    )
    rulesets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"abapa": {}, "openspiel": {"repetition": "ends"}}
    ruleset_names: ClassVar[Mapping[str, str]] = {"abapa": "Abapa rules", "openspiel": "OpenSpiel’s rules"}
    sources: ClassVar[Mapping[str, str]] = {"abapa": _ABAPA, "openspiel": _OPENSPIEL}
    demonstrations: ClassVar[Mapping[tuple[str, str], tuple[str, ...]]] = {("abapa", "2x6"): ()}

    def may_start(self, position: Position, pit: int) -> bool:
        """Whether the pit holds seeds and its sowing leaves the opponent some, if he has none or grand slams are
        illegal."""
        if self.values["grand_slam"] == "illegal":
            return position.counts[pit] > 0 and self.feeds(position, pit)
        return super().may_start(position, pit)

    def decide(self, s: Sowing) -> Decision:
        """Capture the pits that `claims` names, unless there are none or they hold all of the opponent's seeds."""
        pits = self.claims(s)
        if not pits or s.counts[s.last] not in TAKEN:
            return SLEEPS
        slam = all(p in pits for p in s.board.own(s.player.other) if s.counts[p])
        return SLEEPS if slam and self.values["grand_slam"] == "no-capture" else Decision("capture", pits)

    def claims(self, s: Sowing) -> tuple[int, ...]:
        """The pit of the last seed in the opponent's row and those before it, as long as each holds two or three; or
        the pit of the last seed alone if it holds one seed too many."""
        theirs, back, pits, at = s.board.own(s.player.other), s.board.step(Direction.CW), list[int](), s.last
        while at in theirs and s.counts[at] in TAKEN:
            pits.append(at)
            at = back[at]
        return tuple(pits) if pits or s.last not in theirs or s.counts[s.last] != TAKEN[-1] + 1 else (s.last,)

    def over(self, position: Position) -> Over | None:
        """The game ends when a side has more than half of the seeds, each has half, or the player to move cannot."""
        mover, half = position.to_move, position.total // 2
        first = next((p for p in (mover, mover.other) if position.captured[p] > half), None)
        if first is not None:
            return self._shared(position, self.message("reason.half", side=side(first)))
        if position.captured == (half, half):
            return self._shared(position, self.message("reason.halves"))
        if self.starts(position):
            return None
        unfed = any(position.counts[p] for p in position.board.own(mover))
        return self._shared(position, self.message("reason.unfed", side=side(mover), other=side(mover.other)) if unfed
                            else self.message("reason.no-move", side=side(mover)))

    def repeated(self, position: Position, earlier: Sequence[Position]) -> Over | None:
        """Return the end if these counts lay there before with the same side to move, where repetition ends games."""
        lies = position.counts, position.to_move
        if self.values["repetition"] != "ends" or not any(
                (p.counts, p.to_move) == lies for p in earlier if p.ply < position.ply):
            return None
        return self._shared(position, self.message("reason.repeated"))

    def agreed(self, position: Position) -> Over:
        """Return the end in which each side gets the seeds in its row."""
        return self._shared(position, self.message("reason.agreed"))

    def _shared(self, position: Position, reason: Message) -> Over:
        return Over.of(self.by_rows(position), reason)
