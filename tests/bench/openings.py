"""Search openings of the simulated table that soon show a capture, a bull and a caught cheat:
`python -m tests.bench.openings BOARD`. The best goes into its game's `demonstrations`.
"""

from dataclasses import dataclass, field

import click
import numpy as np

from device.sim.fouls import cheat
from device.sim.gestures import PACES, Track
from device.sim.players import HEED_S, LONGEST, Players
from device.sim.plays import Act, HandVisit
from engine.board import Board
from engine.position import Position
from engine.rules import Rules, games, ruleset
from engine.trace import MakeBull

LONGEST_S = 170.0
"""The search gives up an opening that takes longer."""
USELESS_S = 1e9
"""The score of an opening that does not show everything; the lowest score wins."""


def seconds(play: HandVisit, pace: str = "normal") -> float:
    """About how long a visit takes, seconds."""
    return Track(play.before.board, play.player, play.acts, PACES[pace], (0,)).ends


@dataclass
class _Opening:
    """An opening in the making. clock: seconds until its last turn is done. missing: what it has not shown yet."""

    position: Position
    clock: float = 4.0
    words: list[str] = field(default_factory=list)
    missing: set[str] = field(default_factory=lambda: {"capture", "cheat", "bull"})

    def add(self, word: str, seconds: float, after: Position, seen: set[str]) -> None:
        """Add a turn that takes `seconds`, leaves the position `after` and shows the things `seen`."""
        self.words.append(word)
        self.clock += seconds
        self.position = after
        self.missing -= seen


class Search:
    """Searches random openings, scored by how soon they show everything."""

    def __init__(self, rules: Rules, start: Position, seed: int) -> None:
        """rules, start: the game and its first position; seed: for the random choices."""
        self.rules, self.start, self.rng = rules, start, np.random.default_rng(seed)

    def one(self) -> tuple[float, tuple[str, ...]]:
        """A random opening and its score: seconds until a capture, a cheat and a bull have all been seen."""
        opening = _Opening(self.start)
        while opening.missing and opening.clock < LONGEST_S:
            slips = "cheat" in opening.missing and "capture" not in opening.missing and len(opening.words) >= 4
            if not (self._cheat(opening) if slips else self._move(opening)):
                return (USELESS_S, ())
        return (USELESS_S if opening.missing else opening.clock, tuple(opening.words))

    def _cheat(self, opening: _Opening) -> bool:
        """Add a turn with a fault; False if none is good to watch."""
        slip = self._slip(opening.position)
        if slip is None:
            return False
        word, play = slip
        opening.add(word, seconds(play) + HEED_S, play.after, {"cheat"})
        return True

    def _move(self, opening: _Opening) -> bool:
        """Add a legal turn; False if none is short enough."""
        position = opening.position
        turn = Players(longest=LONGEST, cheats=0).turn(self.rules, position, 0, self.rng)
        if turn is None or turn.sown > LONGEST:
            return False
        move = next(m for m in self.rules.moves(position).moves if m.pit == turn.pit and m.position == turn.after)
        seen = {"capture"} if move.captured >= 3 else set()
        seen |= {"bull" for step in move.trace if isinstance(step, MakeBull)}
        opening.add(move.name, seconds(turn) + 1.75, move.position, seen)
        return True

    def _slip(self, position: Position) -> tuple[str, HandVisit] | None:
        """A cheat that is plain to see: a skipped pit, or two seeds in one, in a short turn; None if none was found."""
        code = ("double", "skip")[int(self.rng.integers(2))]
        play = cheat(self.rules, position, code, self.rng, 22)
        if play is None or play.pit is None or play.at is None or play.lap < 1 or play.after.counts[play.at] > 3:
            return None
        lifts = [i for i, act in enumerate(play.acts) if act.kind == "lift"]
        drop = self._drop(play.acts[lifts[play.lap - 1] :], play)
        word = f"!{play.fault}:{position.board.name(play.pit)}:{play.lap}:{drop}"
        again = Players((word,)).turn(self.rules, position, 0, self.rng)
        return (word, play) if again is not None and again.after == play.after and again.fault == play.fault else None

    def _drop(self, acts: tuple[Act, ...], play: HandVisit) -> int:
        """The drop of its lap at which the fault came, from 0."""
        if play.fault == "double":
            return next(i for i, a in enumerate(acts[1:]) if a.n == 2)
        step = play.before.board.step(self.rules.first_direction)
        at = acts[0].pit
        for i in range(100):
            at = step[at]
            if at == play.at:
                return i
        return 0


@click.command()
@click.argument("board", default="2x8")
@click.option("--game", type=click.Choice(games()), default="enkeshui", show_default=True)
@click.option("--tries", type=click.IntRange(1), default=3000, show_default=True, help="Random openings to try.")
def main(board: str, game: str, tries: int) -> None:
    """Search openings on BOARD, 2x8 unless given, that soon show a capture, a bull and a caught cheat; print the best.
    """
    rules = ruleset(game)
    try:
        start = rules.setup(board=Board.parse(board))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    search = Search(rules, start, 1)
    for seconds_, words in sorted({search.one() for _ in range(tries)})[:10]:
        print(f"{seconds_:.0f} s", words)


if __name__ == "__main__":
    main()
