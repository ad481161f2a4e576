"""Omweso, the game of Uganda on four rows of 8, and Igisoro, its sister in Rwanda (engine/games/omweso.md).

Captured seeds are sown on at once, so all 64 stay on the board. A lap may go clockwise only if it ends in a capture;
this is tested before the choice is offered, so every choice leads on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from engine.board import Board, Direction, Side
from engine.games.base import Example, Move, Over, Rules
from engine.games.fields import MAX_LAPS, SKIP_ORIGIN, Field, RulesError, Value
from engine.messages import Message, any_of
from engine.messages import side as named
from engine.position import Position
from engine.sowing import RELAY, SLEEPS, WIN, Decision, Sowing
from engine.trace import Capture, Drop, End, Lift, Trace, boards

BOARD = Board(4, 8)
SEEDS = 64
SETUPS: Mapping[str, tuple[int, ...]] = {
    "4x8-outer": (4,) * 8 + (0,) * 8,
    "4x8-twos": (2,) * 16,
}
"""A player's own ring, outer row first; both players have the same ring."""

_WIKIPEDIA = "Wikipedia, Omweso"
_RECORDS = "games recorded by other programs"
_TOURNAMENT = f"{_WIKIPEDIA}: tournament rules"
_IGISORO = "Wikipedia, Igisoro: the reverse pits; all else as in Omweso"


class Omweso(Rules):
    """Omweso on four rows of 8, with 64 seeds."""

    game, title = "omweso", "Omweso"
    about = "The game of Uganda: four rows of eight, each player sows on their own two."
    how_played: ClassVar[Mapping[str, str]] = {
        "move": "Each player sows round their own two rows. Lift a pit of at least two seeds and drop one into each "
                "pit that follows, anticlockwise. If the last seed falls into a pit with seeds and nothing is "
                "captured, lift them all and sow on. If it falls into an empty pit, the move ends.",
        "capture": "If the last seed falls into a pit with seeds of your inner row and both opposite pits hold "
                   "seeds, you capture both. The captured seeds are sown on from where that lap began. From the "
                   "four leftmost pits you may sow clockwise if that captures.",
        "end": "Whoever has no pit of two or more seeds at his turn loses. Captures at both ends of the board in "
               "one move win at once.",
    }
    examples = (Example(
        "move", "6,0,0,4,4,4,4,4/2,0,3,3,1,1,1,1/0,0,0,0,1,1,1,2/0,5,5,0,1,5,5,0 S 0-0 ply=6 caps=0-1", "h"),)
    on_wall = "A game of Uganda on four rows: seeds are sown round each side, and a camera checks every move."
    messages: ClassVar[Mapping[str, str]] = {
        "reason.no-pit": "{side} has no pit of two or more",
        "reason.both-ends": "{side} captured at both ends of the board in one move",
        "reason.all": "{side} captured all that {other} had",
        "reason.two-moves": "{side} captured in two moves before {other}'s first capture",
        "check.captured": "captured seeds are {south}-{north}: {game} has none, they are sown on",
    }
    forms = ("points",)
    demonstrations: ClassVar[Mapping[tuple[str, str], tuple[str, ...]]] = {("wikipedia", "4x8"): ()}
    draws = most_seeds_win = False
    barred_start = "lone-seed"
    boards = (BOARD,)
    won_midway = True
    fields = (
        Field("reverse", (False, True), True, "a lap that captures may go clockwise from the reverse pits", _RECORDS,
              "May a lap that captures go clockwise from the reverse pits?"),
        Field("reverse_pits", ("abij", "bgip"), "abij", "the pits that a clockwise lap may begin from, South's named",
              "Wikipedia, Omweso: the four leftmost; Igisoro: two outer and two inner ones",
              "Which are the reverse pits, as South names his?", {"abij": "a, b, i and j", "bgip": "b, g, i and p"}),
        Field("reverse_after_forward_capture", (False, True), False,
              "seeds won by an anticlockwise lap may be sown clockwise", f"{_WIKIPEDIA}; some play it otherwise",
              "May seeds that an anticlockwise lap won be sown clockwise?"),
        Field("capture_free_turns", range(101), 0, "in his first so many turns a player relays and does not capture",
              _RECORDS, "In how many of his first turns does a player capture nothing?"),
        Field("emitwe_ebiri", (False, True), True, "captures at both ends of the board in one move win", _WIKIPEDIA,
              "Do captures at both ends of the board in one move win?"),
        Field("akakyala", (False, True), False,
              "captures in two separate moves before the opponent's first capture win", _TOURNAMENT,
              "Do captures in two moves before the other’s first capture win?"),
        Field("akawumbi_points", range(1, 101), 3,
              "what a win by capturing from every occupied pit in one move is worth", _TOURNAMENT,
              "How many points is it worth to capture from every pit in one move?"),
        Field("clocks", (False, True), True, "turns are timed", _TOURNAMENT, "Are turns timed?"),
        Field("begin_seconds", range(1, 61), 3, "seconds to begin a turn, before the other may steal it", _TOURNAMENT,
              "Seconds to begin a turn"),
        Field("move_seconds", range(1, 3601), 180, "seconds for a move, before the game is annulled and replayed",
              _TOURNAMENT, "Seconds for a move"),
        SKIP_ORIGIN,
        MAX_LAPS,
    )
    rulesets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "wikipedia": {},
        "igisoro": {"reverse_pits": "bgip"},
    }
    ruleset_names: ClassVar[Mapping[str, str]] = {"wikipedia": "Wikipedia’s rules", "igisoro": "Igisoro rules"}
    setup_names: ClassVar[Mapping[str, str]] = {"outer": "four in each outer pit", "twos": "two in each pit"}
    sources: ClassVar[Mapping[str, str]] = {
        "wikipedia": _WIKIPEDIA,
        "igisoro": _IGISORO,
    }

    def __init__(self, name: str | None = None, sets: Mapping[str, str] | None = None) -> None:
        """As in `Rules`; fields that the sowing often needs are copied to attributes."""
        super().__init__(name, sets)
        names = str(self.values["reverse_pits"])
        turning = names + names.upper() if self.values["reverse"] else ""
        self.reverse_pits = frozenset(map(BOARD.pit, turning))
        self.turns_after_forward = bool(self.values["reverse_after_forward_capture"])
        self.free_turns = int(self.values["capture_free_turns"])
        self.emitwe_ebiri = bool(self.values["emitwe_ebiri"])
        self.akakyala = bool(self.values["akakyala"])
        self.akawumbi_points = int(self.values["akawumbi_points"])

    # ---- before the first move
    # ------------------------------------------------------------------------------------------

    def seeds(self, board: Board) -> int:
        """Return 64, half of them each player's."""
        del board
        return SEEDS

    def setup(self, name: str | None = None, board: Board | None = None) -> Position:
        """Return `4x8-outer`, four in each outer pit (default), or `4x8-twos`, two in every pit. Raises RulesError."""
        name = next(iter(SETUPS)) if name is None else name
        if name not in SETUPS:
            raise RulesError(self.message("rules.no-setup", name=repr(name[:40]), game=self.title,
                                          known=any_of(SETUPS)))
        if board not in (None, BOARD):
            raise RulesError(self.message("check.board", game=self.title, boards=str(BOARD), board=str(board)))
        return Position(BOARD, SETUPS[name] * 2)

    def setups(self, board: Board) -> tuple[str, ...]:
        """Both set-ups: four in each outer pit, or two in every pit."""
        return tuple(SETUPS) if board == BOARD else ()

    def arranges(self, position: Position) -> bool:
        """Seeds are laid out before the first move, by both sides in any order."""
        return not position.ply

    def own_problems(self, position: Position) -> list[Message]:
        """No bulls and no captured seeds: they are sown on, unless the capture wins the game."""
        found = super().own_problems(position)
        held = position.captured if position.won is None else (position.captured[position.won.other],)
        if any(held):
            south, north = position.captured
            found.append(self.message("check.captured", south=south, north=north, game=self.title))
        return found

    # ---- a move
    # ---------------------------------------------------------------------------------------------------------

    def may_start(self, position: Position, pit: int) -> bool:
        """Whether the pit holds at least two seeds."""
        return position.counts[pit] > 1

    def decide(self, s: Sowing) -> Decision:
        """Capture and sow on in an own inner pit that was occupied and faces two occupied pits; relay from any other
        occupied pit; end in an empty one."""
        if s.counts[s.last] == 1:
            return WIN if self.won(s) else SLEEPS
        across = self.across(s.last)
        if not across or s.turn < self.free_turns or s.board.owner(s.last) is not s.player:
            return RELAY
        return Decision(None, across) if s.counts[across[0]] and s.counts[across[1]] else RELAY

    def won(self, s: Sowing) -> bool:
        """Whether emitwe-ebiri wins: captures at both ends of the board, whatever is sown after the second."""
        return self._both_ends(s.taken)

    def stops(self, move: Move) -> tuple[Move, ...]:
        """From the second capture of emitwe-ebiri on, the player may stop anywhere (`engine.games.omweso`)."""
        taken: frozenset[int] = frozenset()
        for at, step in enumerate(move.trace if move.ends == "win" else ()):
            if isinstance(step, Capture):
                taken |= frozenset(step.pits)
                if self._both_ends(taken):
                    return stops(move, at)
        return ()

    def across(self, pit: int) -> tuple[int, ...]:
        """The opponent's two pits in the column of an inner pit."""
        return _ACROSS[pit]

    def decided(self, s: Sowing) -> Decision | None:
        """Emitwe-ebiri, akakyala and akawumbi win during the move, so a relay after them need not end."""
        return WIN if s.taken and (self.won(s) or self._second_capture(s) or self._all_taken(s)) else None

    def _both_ends(self, taken: frozenset[int]) -> bool:
        return self.emitwe_ebiri and not (_LEFT.isdisjoint(taken) or _RIGHT.isdisjoint(taken))

    def _second_capture(self, s: Sowing) -> bool:
        return self.akakyala and s.caps[s.player] > 0 and not s.caps[s.player.other]

    @staticmethod
    def _all_taken(s: Sowing) -> bool:
        return not any(s.counts[p] for p in BOARD.own(s.player.other))

    def openings(self, s: Sowing, pit: int) -> tuple[Direction, ...]:
        """The first lap may go clockwise from a reverse pit if that lap ends in a capture."""
        return self._ways(s, pit)

    def directions(self, s: Sowing) -> tuple[Direction, ...]:
        """A relay, and seeds captured by a clockwise lap, may go clockwise as a first lap may; seeds captured by an
        anticlockwise lap as `reverse_after_forward_capture` says."""
        if s.hand and s.direction is Direction.CCW and not self.turns_after_forward:
            return _FORWARD
        return self._ways(s, s.next)

    def _ways(self, s: Sowing, pit: int) -> tuple[Direction, ...]:
        if pit not in self.reverse_pits:
            return _FORWARD
        trial = s.copy()
        trial.steps = None
        trial.sow(pit, Direction.CW)
        return _EITHER if self.decide(trial).pits else _FORWARD

    # ---- the end
    # --------------------------------------------------------------------------------------------------------

    def over(self, position: Position) -> Over | None:
        """The game ends by emitwe-ebiri, akakyala, akawumbi, or if a player has no pit of two or more. The result
        counts the seeds in each side's pits, and those in the winner's hand."""
        side, caps = position.to_move, position.caps
        lies = [sum(position.counts[p] for p in BOARD.own(s)) + position.captured[s] for s in Side]
        points = 1 if lies[side] else self.akawumbi_points
        if self.akakyala and min(caps) == 0 and max(caps) > 1:
            winner = Side.SOUTH if caps[0] else Side.NORTH
            reason = self.message("reason.two-moves", side=named(winner), other=named(winner.other))
        elif not lies[side]:
            winner, reason = side.other, self.message("reason.all", side=named(side.other), other=named(side))
        elif position.won is not None:
            winner, reason = position.won, self.message("reason.both-ends", side=named(position.won))
        elif not self.starts(position):
            winner, reason = side.other, self.message("reason.no-pit", side=named(side))
        else:
            return None
        return Over((lies[0], lies[1]), winner, str(reason), points, reason)


def _across(pit: int) -> tuple[int, ...]:
    """The opponent's two pits in the column of an inner pit; none for an outer pit."""
    row, col = BOARD.place(pit)
    return {1: (BOARD.at(2, col), BOARD.at(3, col)), 2: (BOARD.at(1, col), BOARD.at(0, col))}.get(row, ())


_ACROSS = tuple(map(_across, range(BOARD.pits)))
_LEFT, _RIGHT = (frozenset(BOARD.at(row, col) for row in range(BOARD.rows)) for col in (0, BOARD.cols - 1))
_FORWARD, _EITHER = (Direction.CCW,), (Direction.CCW, Direction.CW)


MOST_STEPS = 400
"""Most steps after the capture that are examined: the game is over, and nobody sows on for minutes."""

WON = End("win")


def stops(move: Move, at: int) -> tuple[Move, ...]:
    """Return the moves of the same name that stop earlier and leave another board, the one that takes nothing up first.
    at: index in its trace of the capture that wins the game."""
    player, found = move.before.board.owner(move.pit), {move.position.counts: move}
    for steps, counts in _stopped(move, at):
        if counts not in found:
            held = [0, 0]
            held[player] = move.before.total - sum(counts)  # the seeds that are not on the board are in his hand
            position = replace(move.position, counts=counts, captured=(held[0], held[1]))
            found[counts] = replace(move, position=position, laid=(*steps, WON))
    return tuple(list(found.values())[1:])


def _stopped(move: Move, at: int) -> Iterator[tuple[Trace, tuple[int, ...]]]:
    """Yield each point at which the player may stop in mid-move, as the steps up to there and the counts then left
    along the ring. at: index of the winning capture in the move's steps."""
    trace, capture = move.trace, move.trace[at]
    assert isinstance(capture, Capture), f"step {at} of {move.name} is {capture}"
    *_, lay = boards(move.before.counts, trace[:at])
    # He takes up nothing of the capture, or one of its pits alone.
    for taken in ((), *((p,) for p in capture.pits)):
        up = (Capture((p,), lay[p], capture.sown_from) for p in taken)
        yield (*trace[:at], *up), tuple(0 if p in taken else n for p, n in enumerate(lay))
    counts = list(lay)
    for end, step in enumerate(trace[at : at + MOST_STEPS], at + 1):
        match step:
            case Lift(pit, n):
                counts[pit] -= n
            case Drop(pit):
                counts[pit] += 1
            case Capture(pits):
                for pit in pits:
                    counts[pit] = 0
            case _:
                continue
        yield trace[:end], tuple(counts)
