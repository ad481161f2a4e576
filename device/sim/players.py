"""The players at the simulated table: they choose moves at random or from a script, and cheat now and then."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from device.sim.fouls import CODES, KINDS, cheat, fault_at
from device.sim.plays import HandVisit, legal
from engine.board import Board
from engine.position import Position
from engine.rules import MoveError, Rules

CHEATS = 0.12
PLAIN = ("skip-1", "skip-2", "double-2", "double-3", "wrong-pit", "left-1", "left-2", "two-pits", "wrong-side",
         "wrong-way", "stopped-short", "ran-on", "bull-lifted", "bull-missed", "bull-run-through", "bull-captured",
         "capture-partly", "capture-not-taken", "capture-without-right", "string-short", "string-long",
         "resown-from-start", "resown-from-capture", "kept", "lone-seed", "starved", "palmed-2", "palmed-3", "added-2")
"""The faults that are good to watch: the board shows afterwards what was wrong."""
LONGEST = 34
"""Drops of the longest turn that is good to watch: some 15 seconds at normal pace."""
HEED_S = 7.0
"""How long the players wait after a faulty turn for the referee and for people."""


@dataclass(frozen=True, slots=True)
class Players:
    """Choose the turns. script: the first turns; later ones are random. A turn is a legal move (`c<`), a random turn
    with a fault (`!skip`, or of one kind, `!skip-2`), or an exact fault (`!skip:c:2:0`: code, starting pit, lap from 1,
    drop from 0).

    cheats: share of random turns with a fault out of `codes`: codes or kinds of `device.sim.fouls`. longest: most drops
    of a turn, if there is a choice.
    """

    script: tuple[str, ...] = ()
    cheats: float = 0.1
    codes: tuple[str, ...] = CODES
    longest: int = 60

    def turn(
        self,
        rules: Rules,
        position: Position,
        number: int | None,
        rng: np.random.Generator,
        *,
        honest: bool = False,
        barred: Sequence[Position] = (),
        foul: bool = False,
    ) -> HandVisit | None:
        """Return the next visit of a hand from `position`, or None if nobody can move. number: of the turn in the
        script, from 0; None without a script. honest: do not cheat, as after a withdrawal. barred: positions to avoid.
        foul: make the turn a foul if possible."""
        word = self._word(number)
        if not honest and (foul or word.startswith("!") or (not word and rng.random() < self.cheats)):
            play = self._cheat(rules, position, word[1:] if word.startswith("!") else "", rng)
            if play is not None:
                return play
        if word and not word.startswith("!"):
            try:
                scripted = legal(rules.play(position, word))
                if scripted.after not in barred:
                    return scripted
            except MoveError:
                # A withdrawn move or a correction has made the board differ from the script's.
                pass
        return self._honest(rules, position, rng, barred)

    def _word(self, number: int | None) -> str:
        """The script's word for that turn; "" if it has none."""
        return self.script[number] if number is not None and number < len(self.script) else ""

    def _cheat(self, rules: Rules, position: Position, code: str, rng: np.random.Generator) -> HandVisit | None:
        if ":" in code:
            return _by_fault(rules, position, code)
        if code:
            return cheat(rules, position, code, rng, self.longest)
        some = [word for word in self.codes if word not in KINDS or KINDS[word].possible(rules, position)]
        for _ in range(8 if some else 0):
            got = str(rng.choice(some))
            play = cheat(rules, position, got, rng, self.longest, 12)
            if play is not None:
                return play
        return None

    def _honest(
        self, rules: Rules, position: Position, rng: np.random.Generator, barred: Sequence[Position]
    ) -> HandVisit | None:
        plays = [legal(m) for m in rules.moves(position).moves if m.laps <= 60]
        fresh = [p for p in plays if p.after not in barred] or plays
        if not fresh:
            return None
        short = [p for p in fresh if p.sown <= self.longest]
        return short[int(rng.integers(len(short)))] if short else min(fresh, key=lambda p: p.sown)


def _by_fault(rules: Rules, position: Position, words: str) -> HandVisit | None:
    """The turn with a script's exact fault; None if it is impossible on this board."""
    code, pit, lap, drop = words.split(":")
    return fault_at(rules, position, code, position.board.pit(pit), int(lap), int(drop))


def default_players(rules: Rules, board: Board) -> Players:
    """The default players: they play the game's demonstration if it has one, then at random, with a cheat now and
    then."""
    script = rules.demonstrations.get((rules.name, str(board)), ())
    return Players(script, CHEATS, PLAIN, LONGEST)
