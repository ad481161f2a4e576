"""The judge on random games with faults, from modelled readings: how often it accuses, misses, is not sure, and why.

    python -m tests.bench.judge_bench [moves of each game] [seed] [how many times worse the eye is] [fast|hard|final]…

Faults are drawn evenly over the codes, or (`hard`) only among those whose board differs from a legal one by one seed in
one pit. `final`: nothing is read while the hands are in play.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from engine.board import Side
from engine.games.base import Rules
from engine.judge import Verdict, judge, search
from engine.judge.faults import Work
from engine.judge.search import Candidate, illegal
from engine.judge.witness import passed
from engine.position import Position
from engine.rules import ruleset
from tests.bench.readings import FAST, NORMAL, Tempo, evidence, share, timeline

FAULTY = 0.3
GAMES = (("enkeshui", "driedger", "2x8-right"), ("enkeshui", "driedger", "2x12"), ("enkeshui", "wikipedia", "2x8-left"),
         ("endodoi", "merker", "2x6"), ("omweso", "wikipedia", "4x8-outer"))


@dataclass(frozen=True, slots=True)
class How:
    """What is benched. hard: faults of one seed in one pit alone; worse: how many times as often the eye errs as the
    model says; during: it reads while the hands are in play, too."""

    tempo: Tempo = NORMAL
    hard: bool = False
    worse: float = 1.0
    during: bool = True


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


def spoil(rng: random.Random, rules: Rules, before: Position, hard: bool = False) -> Candidate | None:
    """A faulty move, its code drawn first, that no legal move and no pause can explain; None where there is none.

    hard: only one that leaves one seed too many or too few in one pit of what would have been a legal board.
    """
    plain = {m.position.counts for m in rules.moves(before).moves} | {before.counts}
    boards = np.array(sorted(plain))
    by_code: dict[str, list[Candidate]] = {}
    for c in illegal(rules, before, Work(20_000)):
        if not c.fault or c.counts in plain:
            continue
        if not hard or np.abs(boards - np.array(c.counts)).sum(axis=1).min() == 1:
            by_code.setdefault(c.fault.code, []).append(c)
    if not by_code:
        return None
    return rng.choice(by_code[rng.choice(sorted(by_code))])


def one(rng: random.Random, rules: Rules, before: Position, tally: Tally, history: list[Position],
        how: How) -> Position | None:
    """One move, legal or not, seen and judged; the position the game goes on from."""
    moves = rules.moves(before).moves
    if not moves:
        return None
    wrong = spoil(rng, rules, before, how.hard) if rng.random() < FAULTY else None
    move = rng.choice(moves)
    right = move.position
    answers = rules.moves(right).moves if wrong is None and rng.random() < how.tempo.answered else ()
    played = [move]
    if answers:
        played.append(rng.choice(answers))
        right = played[-1].position
    counts = right.counts if wrong is None else wrong.counts
    player = before.to_move if wrong is None or wrong.player is None else wrong.player
    hands = (0.3, 0.25) if answers else (0.3, 0.02) if player is Side.SOUTH else (0.02, 0.3)
    seen = evidence(rng, counts, hands, worse=how.worse)
    if how.during:
        steps = [step for m in played for step in m.trace] if wrong is None else search.trace(rules, before, wrong)
        boards = passed(before.counts, steps)
        seen = replace(seen, during=timeline(rng, boards, seen, worse=how.worse, drop_s=how.tempo.drop_s))
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


def bench(moves: int, seed: int = 1, how: How | None = None) -> Tally:
    """So many moves of each game."""
    how = how or How()
    rng, tally = random.Random(seed), Tally()
    for game, name, setup in GAMES:
        rules, left = ruleset(game, name), moves
        while left > 0:
            position: Position | None = rules.setup(setup)
            history: list[Position] = []
            for _ in range(60):
                if position is None or rules.over(position) or not left:
                    break
                after = one(rng, rules, position, tally, history, how)
                history.append(position)
                position, left = after, left - 1
    return tally


def rows(moves: int = 75) -> list[tuple[str, str]]:
    """Both paces, with faults drawn evenly over the codes and, apart, the hard ones."""
    found = []
    for tempo in (NORMAL, FAST):
        for hard in (False, True):
            kind = "one-seed faults" if hard else "faults evenly"
            first, *rest = bench(moves, 1, How(tempo, hard)).rows()
            found += [(f"judge on modelled readings, {tempo.name}, {kind}: {first[0]}", first[1])]
            found += [(f"  {what}", figure) for what, figure in rest]
    return found


def main() -> None:
    """Print the table, and by code what the faults were called."""
    words = [word for word in sys.argv[1:] if word.isalpha()]
    numbers = [word for word in sys.argv[1:] if not word.isalpha()]
    moves, seed, worse = (float(n) for n in (numbers + ["250", "1", "1"][len(numbers):]))
    how = How(FAST if "fast" in words else NORMAL, "hard" in words, worse, "final" not in words)
    tally = bench(int(moves), int(seed), how)
    for what, value in tally.rows():
        print(f"{what:<20} {value}")
    for code in sorted({c for c, _ in tally.codes}):
        print(f"  {code:<14}", ", ".join(f"{k} {n}" for (c, k), n in tally.codes.most_common() if c == code))
    for line in tally.falsely:
        print("FALSE", line)


if __name__ == "__main__":
    main()
