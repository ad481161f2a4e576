"""Detect a picture that shows the board mirrored, upside down or turned round, by weighing these as hypotheses.

In a mirrored picture every legal move looks like a sowing the wrong way, and in one turned by half each side's moves
look like the other's. So when the referee accuses somebody or asks people, the observation is also weighed as if the
picture were turned. Each way of turning has a small prior, and its odds are carried on from move to move.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from device.table.parameters import TURNED
from device.turn import TURNS, Turn
from engine.board import Side
from engine.position import Position
from engine.referee.belief import Belief
from engine.referee.emission import Memory, count_nats
from engine.referee.finding import Finding
from engine.referee.observation import COUNTS, Observation
from engine.rules import Rules
from engine.verdict import Doubt


@dataclass(frozen=True, slots=True)
class _TurnedGame:
    """The state of the game if the picture is turned. nats: the log-odds that it is."""

    belief: Belief
    nats: float


class TurnWatch:
    """Weighs, beside the referee, whether the picture is turned. found: the needed turn, and the position
    then, once they are practically certain."""

    def __init__(self, rules: Rules) -> None:
        """rules: the game's."""
        self._rules = rules
        self._games: dict[Turn, _TurnedGame] = {}
        self._legal = 0
        self.found: tuple[Turn, Position] | None = None

    def told(self, findings: list[Finding], base: Belief, after: Belief, seen: Observation) -> list[Finding]:
        """The findings, with accusations made "not-sure" if the picture may be turned. base, after: the belief before
        and after the observation."""
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
            self.found = turn, self._games[turn].belief.accounts[0].position
        if odds < TURNED.doubt_odds:
            return findings
        return [f if f.instead_of is not None else replace(f, kind="not-sure", doubt=f.doubt | Doubt.TURNED)
                for f in findings if f.instead_of is None or not f.accuses]

    def _weighed(self, base: Belief, after: Belief, seen: Observation) -> Iterator[tuple[Turn, _TurnedGame]]:
        """Yield the turns under which the observation is a legal move, each with its game."""
        board = base.accounts[0].position.board
        for turn in TURNS:
            observed = turn.observation(seen, board)
            gone_on = [one for game in self._may_be(turn, base) for one in self._by_a_move(game, observed, after)]
            if gone_on:
                yield turn, max(gone_on, key=lambda game: game.nats)

    def _may_be(self, turn: Turn, base: Belief) -> Iterator[_TurnedGame]:
        """Yield the possible games under a turn: turned since an earlier move; turned since the last move; and mirrored
        from the first picture on, so that the board was read reversed. Each move that was legal without a turn makes
        the last one less likely."""
        before = base.accounts[0].position
        if turn in self._games:
            yield self._games[turn]
        memory, lies = turn.memory(base.memory, before.board), turn.counts(before)
        # A camera mirrors from the first picture on; a symmetric start does not show it.
        fresh = turn is Turn.COLUMNS and not before.ply and lies == before.counts
        born = TURNED.mirrored_nats if fresh else TURNED.turned_nats
        # If turned since, each place shows another pit, so a changed look does not mean a touch.
        since = memory if fresh else Memory.unseen(before.board.pits)
        yield _TurnedGame(Belief.of_start(self._rules, before, memory=since), born)
        if turn is Turn.COLUMNS and lies != before.counts and not any(before.bulls):
            born -= TURNED.legal_nats * self._legal
            yield _TurnedGame(Belief.of_start(self._rules, before.with_counts(lies), memory=memory), born)

    def _by_a_move(self, game: _TurnedGame, observed: Observation, after: Belief) -> Iterator[_TurnedGame]:
        """Yield the game after the observation if this is a legal move."""
        if not self._shows_a_move(game.belief.accounts[0].position, observed):
            return
        belief = game.belief.advanced(observed)
        happened = belief.accounts[0].of_episode(belief.episode)
        if happened and all(h.what.kind == "legal" for h in happened):
            yield _TurnedGame(belief, game.nats + belief.nats - after.nats)

    def _shows_a_move(self, before: Position, seen: Observation) -> bool:
        """Whether the reading is near to the board after some legal move."""
        moves = [move for side in Side for move in self._rules.moves(before, side).moves]
        boards = np.array([before.counts, *(move.position.counts for move in moves)]).clip(0, COUNTS - 1)
        fits = count_nats(seen.loglik, seen.seen)[np.arange(before.board.pits), boards].sum(axis=1)
        return bool(fits.max() > -TURNED.worth_nats)
