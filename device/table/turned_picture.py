"""How a picture may show the board: as people see it, in a mirror, turned round, or both; a hypothesis like any other.

A camera that mirrors makes every legal move a sowing the wrong way round, and one that is turned by half gives each
side's moves to the other. So where the referee accuses somebody, or asks people, the same is weighed as if the picture
were turned. How likely what was read is either way decides: each way has a small prior, and its odds go on from move
to move.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

from device.journal.messages import message
from device.system.folder import South
from device.table.parameters import TURNED
from engine.board import Board, Side
from engine.messages import Message
from engine.position import Position
from engine.referee.belief import Belief
from engine.referee.emission import Memory
from engine.referee.finding import Finding
from engine.referee.observation import COUNTS, Observation
from engine.referee.verdict import Doubt
from engine.rules import Rules


class Turn(IntFlag):
    """What of the board a picture shows the other way round. Two turns make another by `^`."""

    NONE = 0
    COLUMNS = 1
    ROWS = 2

    @property
    def word(self) -> str:
        """As in the journal: "", mirrored, flipped or turned."""
        return WORDS[self]

    @property
    def why(self) -> Message:
        """The sentence that says so."""
        return WHY[self]

    @property
    def done(self) -> Message:
        """The sentence that says that the picture has been turned so."""
        return DONE[self]

    @classmethod
    def of(cls, word: str) -> Turn:
        """By its word. Raises ValueError for another."""
        for turn in TURNS:
            if turn.word == word:
                return turn
        raise ValueError(f"{word!r} is no way to turn a picture: mirrored, flipped or turned")

    def pits(self, board: Board) -> list[int]:
        """The pit that each pit of a picture is, along the ring."""
        places = [board.place(pit) for pit in range(board.pits)]
        rows, cols = bool(self & Turn.ROWS), bool(self & Turn.COLUMNS)
        return [board.at(board.rows - 1 - row if rows else row, board.cols - 1 - col if cols else col)
                for row, col in places]

    def image(self, image: NDArray[np.uint8], south: South) -> NDArray[np.uint8]:
        """A picture, uint8[h, w, 3], turned so that it shows the board as people see it. south: the edge where South
        sits."""
        along = 1 if south in ("bottom", "top") else 0
        axes = [axis for axis, part in ((along, Turn.COLUMNS), (1 - along, Turn.ROWS)) if self & part]
        return np.ascontiguousarray(np.flip(image, tuple(axes))) if axes else image

    def observation(self, seen: Observation, board: Board) -> Observation:
        """The observation of the turned picture, without the looks under hands."""
        pits, swapped = self.pits(board), bool(self & Turn.ROWS)
        return replace(
            seen, loglik=seen.loglik[pits], seen=seen.seen[pits], stays=seen.stays[pits], earlier=seen.earlier[pits],
            changed=seen.changed[pits], looks=(), hands=seen.hands[::-1] if swapped else seen.hands,
            earlier_s=-seen.earlier_s if swapped else seen.earlier_s,
            lasts=seen.lasts[::-1] if swapped else seen.lasts)

    def memory(self, memory: Memory, board: Board) -> Memory:
        """What is remembered of the pits, if the picture is turned so."""
        pits = self.pits(board)
        return Memory(memory.stays[pits], memory.nats[pits])

    def counts(self, position: Position) -> tuple[int, ...]:
        """What a picture that is turned so shows of a position."""
        return tuple(position.counts[pit] for pit in self.pits(position.board))


WORDS = {Turn.NONE: "", Turn.COLUMNS: "mirrored", Turn.ROWS: "flipped", Turn.ROWS | Turn.COLUMNS: "turned"}
WHY = {Turn.COLUMNS: message("reason.mirrored"), Turn.ROWS: message("reason.flipped"),
       Turn.ROWS | Turn.COLUMNS: message("reason.turned")}
DONE = {Turn.COLUMNS: message("answer.mirrored"), Turn.ROWS: message("answer.flipped"),
        Turn.ROWS | Turn.COLUMNS: message("answer.turned")}


TURNS = tuple(turn for turn in WORDS if turn)
"""All ways in which a picture may be turned."""


@dataclass(frozen=True, slots=True)
class _TurnedGame:
    """A game as it stands if the picture is turned. nats: log-odds of that."""

    belief: Belief
    nats: float


class TurnWatch:
    """Weighs beside the referee whether the picture is turned. found: the turn by which it has to be turned, once that
    is as good as certain, and lies: the position then."""

    def __init__(self, rules: Rules) -> None:
        """rules: those of the game."""
        self._rules = rules
        self._games: dict[Turn, _TurnedGame] = {}
        self._legal = 0
        self.found = Turn.NONE
        self.lies: Position | None = None

    def told(self, findings: list[Finding], base: Belief, after: Belief, seen: Observation) -> list[Finding]:
        """The findings, or a question in place of one where the picture may be turned. base, after: the belief before
        the observation and after it."""
        if not any(f.accuses or f.kind in ("not-sure", "rearranged") for f in findings) or not seen.disturbed:
            if findings:
                self._games = {}
            self._legal += sum(f.kind == "legal" for f in findings)
            return findings
        self._games = dict(self._weighed(base, after, seen))
        if not self._games:
            return findings
        turn = max(self._games, key=lambda one: self._games[one].nats)
        odds = math.exp(min(50.0, self._games[turn].nats))
        if odds > TURNED.sure_odds:
            self.found, self.lies = turn, self._games[turn].belief.accounts[0].position
        if odds < TURNED.doubt_odds:
            return findings
        return [f if f.instead_of is not None else replace(f, kind="not-sure", doubt=f.doubt | Doubt.TURNED)
                for f in findings if f.instead_of is None or not f.accuses]

    def _weighed(self, base: Belief, after: Belief, seen: Observation) -> Iterator[tuple[Turn, _TurnedGame]]:
        """The turns by which what is observed is a legal move."""
        board = base.accounts[0].position.board
        for turn in TURNS:
            observed = turn.observation(seen, board)
            gone_on = [one for game in self._may_be(turn, base) for one in self._by_a_move(game, observed, after)]
            if gone_on:
                yield turn, max(gone_on, key=lambda game: game.nats)

    def _may_be(self, turn: Turn, base: Belief) -> Iterator[_TurnedGame]:
        """The games if the picture is turned so: as it was before; turned since the last move; and mirrored from the
        first picture on, so that the board lies the other way round, against which each legal move speaks."""
        before = base.accounts[0].position
        if turn in self._games:
            yield self._games[turn]
        memory, lies = turn.memory(base.memory, before.board), turn.counts(before)
        # A camera that mirrors did so from the first picture on; where the board looks the same so, it was not noticed.
        fresh = turn is Turn.COLUMNS and not before.ply and lies == before.counts
        born = TURNED.mirrored_nats if fresh else TURNED.turned_nats
        # Where it was turned since, each place shows another pit: that it looks otherwise tells nothing of a touch.
        since = memory if fresh else Memory.unseen(before.board.pits)
        yield _TurnedGame(Belief.of_start(self._rules, before, memory=since), born)
        if turn is Turn.COLUMNS and lies != before.counts and not any(before.bulls):
            born -= TURNED.legal_nats * self._legal
            yield _TurnedGame(Belief.of_start(self._rules, before.with_counts(lies), memory=memory), born)

    def _by_a_move(self, game: _TurnedGame, observed: Observation, after: Belief) -> Iterator[_TurnedGame]:
        """The game after what is observed, where that is a legal move."""
        if not self._shows_a_move(game.belief.accounts[0].position, observed):
            return
        belief = game.belief.advanced(observed)
        happened = belief.accounts[0].of_episode(belief.episode)
        if happened and all(h.what.kind == "legal" for h in happened):
            yield _TurnedGame(belief, game.nats + belief.nats - after.nats)

    def _shows_a_move(self, before: Position, seen: Observation) -> bool:
        """Whether what is read comes near to what some legal move leaves."""
        moves = [move for side in Side for move in self._rules.moves(before, side).moves]
        boards = np.array([before.counts, *(move.position.counts for move in moves)]).clip(0, COUNTS - 1)
        nats = (seen.loglik - seen.loglik.max(axis=1, keepdims=True)).clip(-TURNED.pit_nats)
        fits = np.where(seen.seen, nats[np.arange(before.board.pits), boards], 0.0).sum(axis=1)
        return bool(fits.max() > -TURNED.worth_nats)
