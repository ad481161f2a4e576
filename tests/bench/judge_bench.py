"""The judge on random games with faults, from modelled readings: how often it accuses, misses, is not sure, and why.

    python -m tests.bench.judge_bench [moves of each game] [seed] [how many times worse the eye is]
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace

from engine.board import Side
from engine.games.base import Rules
from engine.judge import Verdict, judge, search
from engine.judge.faults import Work
from engine.judge.search import Candidate, illegal
from engine.judge.witness import passed
from engine.position import Position
from engine.rules import ruleset
from tests.bench.readings import evidence, share, timeline

FAULTY = 0.3
ANSWERED = 0.08
"""Of the legal moves, those that the opponent answers with no pause."""
GAMES = (("enkeshui", "driedger", "2x8-right"), ("enkeshui", "driedger", "2x12"), ("enkeshui", "wikipedia", "2x8-left"),
         ("endodoi", "merker", "2x6"), ("omweso", "wikipedia", "4x8-outer"))


@dataclass
class Tally:
    """What became of legal and of illegal moves, and of which codes."""

    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    named: int = 0
    legal_right: int = 0
    seconds: list[float] = field(default_factory=list)
    falsely: list[str] = field(default_factory=list)

    def rows(self) -> list[tuple[str, str]]:
        """Rows of a table: what, and share with its interval."""
        legal = sum(n for (true, _), n in self.kinds.items() if true == "legal")
        wrong = sum(n for (true, _), n in self.kinds.items() if true == "illegal")
        caught = self.kinds["illegal", "illegal"]
        slow = sorted(self.seconds) or [0.0]
        return [
            ("false accusation", share(self.kinds["legal", "illegal"] + self.kinds["legal", "tampered"], legal)),
            ("legal move right", share(self.legal_right, legal)),
            ("legal, not sure", share(self.kinds["legal", "not-sure"], legal)),
            ("missed", share(self.kinds["illegal", "legal"], wrong)),
            ("illegal caught", share(caught, wrong)),
            ("illegal, not sure", share(self.kinds["illegal", "not-sure"], wrong)),
            ("diagnosis", share(self.named, caught)),
            ("seconds a verdict", f"median {slow[len(slow) // 2]:.3f}, worst {slow[-1]:.3f}"),
        ]


def spoil(rng: random.Random, rules: Rules, before: Position) -> Candidate | None:
    """A faulty move, its code drawn first, that no legal move and no pause can explain; None where there is none."""
    plain = {m.position.counts for m in rules.moves(before).moves} | {before.counts}
    by_code: dict[str, list[Candidate]] = {}
    for c in illegal(rules, before, Work(20_000)):
        if c.fault and c.counts not in plain:
            by_code.setdefault(c.fault.code, []).append(c)
    if not by_code:
        return None
    return rng.choice(by_code[rng.choice(sorted(by_code))])


def one(rng: random.Random, rules: Rules, before: Position, tally: Tally, history: list[Position],
        worse: float = 1.0, during: bool = True) -> Position | None:
    """One move, legal or not, seen and judged; the position the game goes on from. during: readings while the hands
    are in play, too."""
    moves = rules.moves(before).moves
    if not moves:
        return None
    wrong = spoil(rng, rules, before) if rng.random() < FAULTY else None
    move = rng.choice(moves)
    right = move.position
    answers = rules.moves(right).moves if wrong is None and rng.random() < ANSWERED else ()
    played = [move]
    if answers:
        played.append(rng.choice(answers))
        right = played[-1].position
    counts = right.counts if wrong is None else wrong.counts
    player = before.to_move if wrong is None or wrong.player is None else wrong.player
    hands = (0.3, 0.25) if answers else (0.3, 0.02) if player is Side.SOUTH else (0.02, 0.3)
    seen = evidence(rng, counts, hands, worse=worse)
    if during:
        steps = [step for m in played for step in m.trace] if wrong is None else search.trace(rules, before, wrong)
        seen = replace(seen, during=timeline(rng, passed(before.counts, steps), seen, worse=worse))
    began = time.perf_counter()
    said = judge(rules, before, seen, history=history[-4:])
    tally.seconds.append(time.perf_counter() - began)
    note(tally, said, wrong, right)
    return right if wrong is None else wrong.settled(before)


def note(tally: Tally, said: Verdict, wrong: Candidate | None, right: Position) -> None:
    """Count one verdict."""
    if wrong is None or wrong.fault is None:
        tally.kinds["legal", said.kind] += 1
        tally.legal_right += said.kind == "legal" and said.position == right
        if said.kind in ("illegal", "tampered"):
            tally.falsely.append(f"{said.before} -> {right}: {said.faults} {said.confidence:.5f} {said.margin:.1f}")
        return
    tally.kinds["illegal", said.kind] += 1
    got = said.faults[0] if said.faults else None
    if said.kind == "illegal" and got:
        right_name = (got.code, got.pit) == (wrong.fault.code, wrong.fault.pit)
        tally.named += right_name
        tally.codes[wrong.fault.code, "named" if right_name else f"called {got.code}"] += 1
    else:
        tally.codes[wrong.fault.code, said.kind] += 1


def bench(moves: int, seed: int = 1, worse: float = 1.0, during: bool = True) -> Tally:
    """So many moves of each game, read by an eye that errs so many times as often. during: also while hands move."""
    rng, tally = random.Random(seed), Tally()
    for game, name, setup in GAMES:
        rules, left = ruleset(game, name), moves
        while left > 0:
            position: Position | None = rules.setup(setup)
            history: list[Position] = []
            for _ in range(60):
                if position is None or rules.over(position) or not left:
                    break
                after = one(rng, rules, position, tally, history, worse, during)
                history.append(position)
                position, left = after, left - 1
    return tally


def main() -> None:
    """Print the table, and by code what the faults were called."""
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    seed, worse = int(sys.argv[2]) if len(sys.argv) > 2 else 1, float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
    tally = bench(moves, seed, worse, "final" not in sys.argv)
    for what, value in tally.rows():
        print(f"{what:<20} {value}")
    for code in sorted({c for c, _ in tally.codes}):
        print(f"  {code:<14}", ", ".join(f"{k} {n}" for (c, k), n in tally.codes.most_common() if c == code))
    for line in tally.falsely:
        print("FALSE", line)


if __name__ == "__main__":
    main()
