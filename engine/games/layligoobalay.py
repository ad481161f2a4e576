"""Layli Goobalay, the relay game of the Somali, with its uurs (engine/games/layligoobalay.md)."""

from collections.abc import Mapping
from typing import ClassVar

from engine.board import Board
from engine.games.base import Example, Over
from engine.games.even import EvenRules
from engine.games.fields import ENDLESS, MAX_LAPS, Value
from engine.messages import side
from engine.position import Position
from engine.sowing import IN_BULL, RELAY, SLEEPS, Decision, Sowing

MAKES_UURS = 3
"""Seeds in the facing pit with which it and the pit of the last seed become uurs."""

_WIKIPEDIA = "Wikipedia, Layli Goobalay"


class LayliGoobalay(EvenRules):
    """Layli Goobalay on two rows of six, four seeds in every pit. Its uurs are like Enkeshui's bulls."""

    game, title = "layligoobalay", "Layli Goobalay"
    about = "The Somali game of relays and uurs: two rows of six, four seeds in each pit."
    how_played: ClassVar[Mapping[str, str]] = {
        "move": "Lift all seeds of one of your pits and drop one into each pit that follows, anticlockwise. If the "
                "last seed falls into a pit with seeds, lift them all and sow on. If it falls into an empty pit, the "
                "move ends.",
        "capture": "If the last seed falls into an empty pit of your own and the pit opposite holds one, two, four or "
                   "more seeds, you capture them and that last seed.",
        "bull": "If the pit opposite holds three, you lay one of them beside your last seed: two and two. Both pits "
                "become your uurs. Nobody may empty one; seeds are sown into it, and a "
                "move whose last seed falls into one ends there.",
        "end": "The game ends when the player to move has no seed outside uurs in his row. The seeds left in a row go "
               "to its owner, and an uur’s seeds to the uur’s owner. The side with more seeds wins.",
    }
    examples = (Example("move", "0,0,0,5,0,13/3,1,1,1,2,0 S 9-13 ply=10", "c"),
                Example("bull", "0,0,0,5,0,3/3,1,1,1,2,0 S 19-13 ply=10", "c"))
    on_wall = "A game of the Somali: seeds are sown round the board, and a camera checks every move."
    verbs: ClassVar[Mapping[str, str]] = {"in-bull": "ended in an uur", "bulls": "made uurs of"}
    terms = ("lap", "bull")
    nouns: ClassVar[Mapping[str, str]] = {"a bull": "an uur", "bull": "uur"}
    words: ClassVar[Mapping[str, str]] = {
        "side.bulls": "{n} seeds in uurs",
        "pit.bull": "an uur of {side}",
        "legend.bull-S": "South's uur",
        "legend.bull-N": "North's uur",
        "said.bulls": "uurs in {pits}",
        "said.bulls.one": "an uur in {pits}",
        "fault.bull-lifted": "emptied the uur in {pit}",
        "fault.bull-missed": "got the uur in {pit} wrong after lap {lap}",
        "path.bull": "uur in {pit}",
        "help.bull": "Uurs",
        "term.bull": "uur",
        "term.bull.text": "A pit that one side has made its own: its move ended opposite three seeds, which were laid "
                          "two and two. It is never emptied again, a move that ends in it is over, and its seeds count "
                          "for its owner.",
        "contest.bull": "{what} has an uur in pit {pit}: no game begins with uurs",
    }
    has_bulls = True
    boards = (Board(2, 6),)
    fields = (ENDLESS, MAX_LAPS)
    rulesets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"wikipedia": {}}
    ruleset_names: ClassVar[Mapping[str, str]] = {"wikipedia": "Wikipedia’s rules"}
    sources: ClassVar[Mapping[str, str]] = {"wikipedia": _WIKIPEDIA}

    def decide(self, s: Sowing) -> Decision:
        """End in an uur; relay from another occupied pit. In an own empty pit facing seeds outside an uur: capture
        them, or with three seeds make two uurs."""
        if s.bulls[s.last] is not None:
            return IN_BULL
        if s.counts[s.last] > 1:
            return RELAY
        facing = s.board.facing(s.last)
        if s.board.owner(s.last) is not s.player or not s.counts[facing] or s.bulls[facing] is not None:
            return SLEEPS
        if s.counts[facing] == MAKES_UURS:
            return Decision("bull", (s.last, facing), facing)
        return Decision("capture", (s.last, facing))

    def over(self, position: Position) -> Over | None:
        """The game ends when the player to move has no seed outside uurs."""
        if self.starts(position):
            return None
        return Over.of(self.by_rows(position), self.message("reason.no-move", side=side(position.to_move)))
