"""What the players of the simulated table play when nobody says otherwise: a short game to look at, then on by lot.

Within three minutes at normal pace it has a legal capture, a bull and a caught cheat. `python -m device.sim.show
BOARD` looks for such a beginning anew.
"""

from __future__ import annotations

import sys

import numpy as np

from device.sim.fouls import cheat
from device.sim.gestures import PACES, Track
from device.sim.players import Players
from device.sim.plays import Act, Play
from engine.board import Board
from engine.position import Position
from engine.rules import Rules, ruleset
from engine.trace import MakeBull

CHEATS = 0.12
PLAIN = ("skip-1", "skip-2", "double-2", "double-3", "wrong-pit", "left-1", "left-2", "two-pits", "wrong-side",
         "wrong-way", "stopped-short", "ran-on", "bull-lifted", "bull-missed", "bull-run-through", "bull-captured",
         "capture-partly", "capture-not-taken", "capture-without-right", "string-short", "string-long",
         "resown-from-start", "resown-from-capture", "kept", "lone-seed", "palmed-2", "palmed-3", "added-2")
"""The faults that are good to look at: what was wrong can be seen on the board afterwards."""
LONGEST = 34
"""Drops of the longest turn that is good to look at: some 15 seconds at normal pace."""
HEED_S = 7.0
"""How long the players wait after a faulty turn for what the referee and the people say."""


def players(rules: Rules, board: Board) -> Players:
    """The players of the show: the beginning that the game names, where it names one, then by lot with a cheat now and
    then."""
    script = rules.demonstrations.get((rules.name, str(board)), ())
    return Players(script, CHEATS, PLAIN, LONGEST)


def seconds(play: Play, pace: str = "normal") -> float:
    """How long a play takes, about."""
    return Track(play.before.board, play.player, play.acts, PACES[pace], (0,)).ends


class Search:
    """Openings by lot, judged by when what is to be seen is seen."""

    def __init__(self, rules: Rules, start: Position, seed: int) -> None:
        self.rules, self.start, self.rng = rules, start, np.random.default_rng(seed)

    def one(self) -> tuple[float, tuple[str, ...]]:
        """An opening and its badness, seconds: of the moment when a capture, a cheat and a bull have all been seen."""
        position, clock = self.start, 4.0
        words: list[str] = []
        missing = {"capture", "cheat", "bull"}
        others = Players(longest=LONGEST, cheats=0)
        while missing and clock < 170:
            if "cheat" in missing and "capture" not in missing and len(words) >= 4:
                slip = self._slip(position)
                if slip is None:
                    return (1e9, ())
                word, play = slip
                words.append(word)
                missing.discard("cheat")
                clock += seconds(play) + HEED_S
                position = play.after
                continue
            turn = others.turn(self.rules, position, 0, self.rng)
            if turn is None or turn.sown > LONGEST:
                return (1e9, ())
            move = next(m for m in self.rules.moves(position).moves if m.pit == turn.pit and m.position == turn.after)
            words.append(move.name)
            clock += seconds(turn) + 1.75
            if move.captured >= 3:
                missing.discard("capture")
            if any(isinstance(step, MakeBull) for step in move.trace):
                missing.discard("bull")
            position = move.position
        return (clock if not missing else 1e9, tuple(words))

    def _slip(self, position: Position) -> tuple[str, Play] | None:
        """A cheat that is plain to see: a pit passed by, or two seeds into one, in a turn that is not long."""
        code = ("double", "skip")[int(self.rng.integers(2))]
        play = cheat(self.rules, position, code, self.rng, 22)
        if play is None or play.pit is None or play.at is None or play.lap < 1 or play.after.counts[play.at] > 3:
            return None
        lifts = [i for i, act in enumerate(play.acts) if act.kind == "lift"]
        drop = self._drop(play.acts[lifts[play.lap - 1] :], play)
        word = f"!{play.fault}:{position.board.name(play.pit)}:{play.lap}:{drop}"
        again = Players((word,)).turn(self.rules, position, 0, self.rng)
        return (word, play) if again is not None and again.after == play.after and again.fault == play.fault else None

    def _drop(self, acts: tuple[Act, ...], play: Play) -> int:
        """At which drop of its lap the fault came."""
        if play.fault == "double":
            return next(i for i, a in enumerate(acts[1:]) if a.n == 2)
        step = play.before.board.step(self.rules.first_direction)
        at = acts[0].pit
        for i in range(100):
            at = step[at]
            if at == play.at:
                return i
        return 0


def main(board: str, game: str = "enkeshui", tries: int = 3000) -> None:
    """Print the best openings found."""
    rules = ruleset(game)
    search = Search(rules, rules.setup(board=Board.parse(board)), 1)
    for seconds_, words in sorted({search.one() for _ in range(tries)})[:10]:
        print(f"{seconds_:.0f} s", words)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "2x8")
