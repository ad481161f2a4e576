"""Enkeshui, the Maasai game of bulls. Numbered points refer to the rules in engine/games/enkeshui.md."""

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from engine.board import Board, Direction, Side
from engine.games.base import Example, Move, Over, Rearranging, Rules
from engine.games.fields import ENDLESS, MAX_LAPS, SKIP_ORIGIN, Field, RulesError, Value
from engine.games.rearranging import rearrange
from engine.messages import Message, any_of, side
from engine.position import Position
from engine.sowing import IN_BULL, RELAY, SLEEPS, Decision, Sowing

SEEDS = 48
LEAST_BULL = 3
"""Fewest seeds of a bull: it begins with four, or with three beside a four, and only grows."""
SETUPS: Mapping[str, tuple[int, ...]] = {
    "2x8-right": (0, 0, 4, 4, 4, 4, 4, 4),
    "2x8-left": (4, 4, 4, 4, 4, 4, 0, 0),
    "2x12": (0, 3, 3, 0, 3, 3, 0, 3, 3, 0, 3, 3),
}
"""Each row from its owner's left; both players have the same row."""

_DRIEDGER = "Mancala World, after Driedger 1972"
_WIKIPEDIA = "Wikipedia, Enkeshui"
_BOTH = f"{_DRIEDGER}; {_WIKIPEDIA}"


class Enkeshui(Rules):
    """Enkeshui on two rows of 8, 10 or 12, with 48 seeds."""

    game, title = "enkeshui", "Enkeshui"
    about = "The Maasai game of relays and bulls: two rows of eight, ten or twelve."
    how_played: ClassVar[Mapping[str, str]] = {
        "move": "Lift all seeds of one of your pits and drop one into each pit that follows, anticlockwise. If the "
                "last seed falls into a pit with seeds, lift them all and sow on. If it falls into an empty pit, "
                "the move ends.",
        "capture": "If the last seed falls into an empty pit of your own and the pit opposite holds seeds and is no "
                   "bull, you capture them and that last seed. The next pits of your row capture too, as long as "
                   "they are empty and seeds lie opposite.",
        "bull": "If the last seed makes four of three, that pit becomes your bull and the move ends. So it does "
                "with two pits if the last two seeds make a three and a four. A bull is never emptied; a move that "
                "reaches one ends there.",
        "end": "The game ends when the player to move has no seed outside bulls in his row. The seeds left in a row "
               "go to its owner, and a bull’s seeds to the bull’s owner. The side with more seeds wins.",
    }
    examples = (Example("move", "0,0,4,4,4,4,4,4/0,0,4,4,4,4,4,4 S 0-0 ply=2", "h"),
                Example("bull", "1,0,2,1,1,1,3,4/5,0,2,8,2,2,1,2 S 13-0 ply=4", "h"))
    on_wall = "A game of the Maasai: seeds are sown round the board, and a camera checks every move."
    terms = ("lap", "slept", "bull")
    messages: ClassVar[Mapping[str, str]] = {
        "check.small-bull": "pit {pit} is marked as a bull and holds {count}: a bull holds at least {least} seeds",
    }
    forms = ("sticks", "surplus")
    demonstrations: ClassVar[Mapping[tuple[str, str], tuple[str, ...]]] = {
        ("driedger", "2x8"): ("c", "C", "h", "A", "!double:g:2:0"),
        ("driedger", "2x12"): ("i", "A", "c", "C", "!double:k:1:0"),
        ("wikipedia", "2x8"): (),
        ("wikipedia", "2x12"): (),
    }
    has_bulls, bulls_at = True, 4
    boards = (Board(2, 8), Board(2, 10), Board(2, 12))
    fields = (
        Field("relay_forfeits_capture", (False, True), False, "once a move has relayed, it captures nothing", _BOTH,
              "Does a move that has relayed capture nothing?"),
        Field("bulls_in_first_move", (False, True), False, "a player's first move can make bulls", _BOTH,
              "Can a player’s first move make bulls?"),
        Field("direction_choice", ("next_lap", "move", "never"), "next_lap", "how long a chosen direction holds",
              f"{_BOTH}; never: games recorded by other programs", "How long does a chosen direction hold?",
              {"next_lap": "For the next lap", "move": "For the rest of the move", "never": "Nobody may choose"}),
        Field("string_at_bull", ("stop", "skip"), "stop", "a string of captures stops at a facing bull, or skips it",
              _DRIEDGER, "What does a string of captures do at a facing bull?",
              {"stop": "It stops", "skip": "It skips the bull"}),
        Field("rearrange", ("setup", "special", "never"), "setup", "when a side may redeploy two of its pits", _BOTH,
              "When may a side lay two of its pits anew?",
              {"setup": "Before the first move", "special": "As a turn of its own", "never": "Never"}),
        Field("first_mover", ("race", "agreement"), "race", "how the first player is found", _BOTH,
              "How is the first player found?", {"race": "By a race", "agreement": "By agreement"}),
        Field("race_winner", ("first_to_sleep", "went_farthest"), "first_to_sleep", "who wins the race",
              question="Who wins the race?",
              answers={"first_to_sleep": "Who sleeps first", "went_farthest": "Who went farthest"}),
        ENDLESS,
        SKIP_ORIGIN,
        MAX_LAPS,
    )
    rulesets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "driedger": {},
        "wikipedia": {
            "relay_forfeits_capture": True,
            "bulls_in_first_move": True,
            "direction_choice": "move",
            "rearrange": "special",
        },
    }
    ruleset_names: ClassVar[Mapping[str, str]] = {"driedger": "Driedger’s rules", "wikipedia": "Wikipedia’s rules"}
    setup_names: ClassVar[Mapping[str, str]] = {"right": "seeds to the right", "left": "seeds to the left"}
    sources: ClassVar[Mapping[str, str]] = {"driedger": _DRIEDGER, "wikipedia": _WIKIPEDIA}

    def __init__(self, name: str | None = None, sets: Mapping[str, str] | None = None) -> None:
        """As in `Rules`; fields that the sowing often needs are copied to attributes."""
        super().__init__(name, sets)
        self.relay_forfeits = bool(self.values["relay_forfeits_capture"])
        self.bulls_at_once = bool(self.values["bulls_in_first_move"])
        self.choice = str(self.values["direction_choice"])
        self.string_skips = self.values["string_at_bull"] == "skip"
        self.rearranging = Rearranging(self.values["rearrange"])
        self.races = self.values["first_mover"] == "race"
        self.farthest_wins_race = self.values["race_winner"] == "went_farthest"

    def seeds(self, board: Board) -> int:
        """48 on every board."""
        del board
        return SEEDS

    def setup(self, name: str | None = None, board: Board | None = None) -> Position:
        """Return `2x8-right` (the default), `2x8-left` or `2x12`; or the board's first set-up. Raises RulesError."""
        if name is None:
            name = next((n for n, row in SETUPS.items() if board is None or Board(2, len(row)) == board), None)
            if name is None:
                raise RulesError(self.message("rules.none-written", game=self.title, board=str(board)))
        if name not in SETUPS:
            raise RulesError(self.message("rules.no-setup", name=repr(name[:40]), game=self.title,
                                          known=any_of(SETUPS)))
        row = SETUPS[name]
        if board is not None and board != Board(2, len(row)):
            raise RulesError(self.message("rules.unfit", name=name, board=str(board)))
        return Position(Board(2, len(row)), row + row)

    def setups(self, board: Board) -> tuple[str, ...]:
        """Two set-ups on 2×8, one on 2×12; none is written down for 2×10."""
        return tuple(name for name, row in SETUPS.items() if Board(2, len(row)) == board)

    def own_problems(self, position: Position) -> list[Message]:
        """Return what is wrong with a position, also each bull that holds fewer seeds than it begins with."""
        board, seeds = position.board, position.counts
        small = (p for p, owner in enumerate(position.bulls) if owner is not None and seeds[p] < LEAST_BULL)
        return super().own_problems(position) + [
            self.message("check.small-bull", pit=board.name(p), count=seeds[p], least=LEAST_BULL)
            for p in small
        ]

    def may_start(self, position: Position, pit: int) -> bool:
        """Point 1: the pit is neither a bull nor empty."""
        return position.counts[pit] > 0 and position.bulls[pit] is None

    def decide(self, s: Sowing) -> Decision:
        """Decide by point 2, in its order."""
        last, counts = s.last, s.counts
        if s.bulls[last] is not None:
            return IN_BULL
        seeds = counts[last]
        if seeds == 1:
            return self._in_empty(s)
        if self.bulls_at_once or not s.first:
            before = s.previous
            if before is not None and s.bulls[before] is None and {counts[before], seeds} == {3, 4}:
                return Decision("bull", (before, last))
            if seeds == 4:
                return Decision("bull", (last,))
        return RELAY

    def _in_empty(self, s: Sowing) -> Decision:
        facing = s.board.facing(s.last)
        own = s.board.owner(s.last) is s.player
        forfeited = self.relay_forfeits and s.laps > 1
        if not own or forfeited or not s.counts[facing] or s.bulls[facing] is not None:
            return SLEEPS
        return Decision("capture", (s.last, facing, *self.string(s)))

    def string(self, s: Sowing) -> list[int]:
        """The further pits that a capture takes, always anticlockwise along the player's row."""
        taken = []
        for pit in range(s.last + 1, s.board.own(s.player).stop):
            facing = s.board.facing(pit)
            bull = s.bulls[facing] is not None
            if s.counts[pit] or not s.counts[facing] or (bull and not self.string_skips):
                break
            if not bull:
                taken.append(facing)
        return taken

    def directions(self, s: Sowing) -> tuple[Direction, ...]:
        """Point 3: a lap that drops a seed into every pit of the opponent lets the player choose."""
        if self.choice != "never" and s.seeds >= _round(s.board, s.player, s.direction, s.skip_origin)[s.origin]:
            return (Direction.CCW, Direction.CW)
        return (s.held,)

    def holds(self, s: Sowing, direction: Direction) -> Direction:
        """Under `move` the direction holds until the next choice; under `next_lap` for one lap."""
        return direction if self.choice == "move" else s.held

    def rearrange(self, position: Position, name: str) -> Move:
        """Lift two pits and lay them elsewhere in their row, as the field `rearrange` allows. Raises MoveError."""
        return rearrange(self, position, name)

    def over(self, position: Position) -> Over | None:
        """The game ends if the player to move has no seed outside bulls. Other seeds go to the owner of their row."""
        if self.starts(position):
            return None
        return Over.of(self.by_rows(position), self.message("reason.no-move", side=side(position.to_move)))


@lru_cache(maxsize=64)
def _round(board: Board, player: Side, direction: Direction, skip_origin: bool) -> tuple[int, ...]:
    """For every origin, the number of seeds with which a lap drops one into every pit of the opponent; an impossible
    number if the origin is one of these pits and is skipped."""
    step, theirs = board.step(direction), set(board.own(player.other))
    needed = []
    for origin in range(board.pits):
        if skip_origin and origin in theirs:
            needed.append(SEEDS + 1)
            continue
        left, at, seeds = set(theirs), origin, 0
        while left:
            at = step[at]
            seeds += 1
            left.discard(at)
        needed.append(seeds)
    return tuple(needed)
