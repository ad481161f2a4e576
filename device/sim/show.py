"""The default play of the simulated table: a short opening worth watching, then random moves.

Within three minutes at normal pace it has a legal capture, a bull and a caught cheat.
"""

from device.sim.players import Players
from engine.board import Board
from engine.rules import Rules

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


def players(rules: Rules, board: Board) -> Players:
    """The default players: they play the game's demonstration if it has one, then at random, with a cheat now and
    then."""
    script = rules.demonstrations.get((rules.name, str(board)), ())
    return Players(script, CHEATS, PLAIN, LONGEST)
