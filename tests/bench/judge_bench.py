"""The judge on random games with faults, at the level of readings: how often it accuses, misses, is not sure, and why.

    python -m tests.bench.judge_bench [positions of each game] [seed] [fast|hard|legal|measured|asked|final]…
    python -m tests.bench.judge_bench fuzz [positions] [seed]

Faults are drawn evenly over the codes, or (`hard`) only among those whose board differs from a legal one by one seed in
one pit; or nobody does wrong (`legal`). The eye is the modelled one, or (`measured`) what the product's own was seen to
make of known pits, or (`asked`) one that errs as little as is asked of the reader. `final`: nothing is read while the
hands are in play. From every position some legal and some faulty moves are judged, and the game goes on by one of them.
Seconds are of processor time, each move as if from a new position. `tests.bench.judge_long` is for many. `fuzz`: boards
of any game on which anything may lie, read in any way: the longest that the judge takes, and the most memory.
"""

from __future__ import annotations

import random
import resource
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import click
import numpy as np

from engine.board import Board, Side
from engine.games.base import Rearranging, Rules
from engine.judge import COUNTS, Evidence, Timeline, Verdict, judge, search
from engine.judge.faults import Work
from engine.judge.hypotheses import continuations
from engine.judge.search import Hypothesis, faulty_moves
from engine.judge.timeline_likelihood import boards_passed
from engine.position import Position
from engine.rules import ruleset
from tests.bench.readings import FAST, NORMAL, Asked, Boards, Eye, Measured, Modelled, Tempo
from tests.bench.table import Row, print_rows, share

EACH = 3
"""Legal moves, and faulty ones, that are judged from each position."""
FAULTY = 0.3
"""Share of the positions from which the game goes on by a faulty one."""
LONGEST = 60
"""Moves of a game; then another begins."""
GAMES = (("enkeshui", "driedger", "2x8-right"), ("enkeshui", "driedger", "2x12"), ("enkeshui", "wikipedia", "2x8-left"),
         ("endodoi", "merker", "2x6"), ("omweso", "wikipedia", "4x8-outer"))


@dataclass(frozen=True, slots=True)
class How:
    """What is benched. hard: faults of one seed in one pit alone; legal: no faults; measured: by the eye as it was
    measured; asked: by one as it is asked for; during: it reads while the hands are in play, too."""

    tempo: Tempo = NORMAL
    hard: bool = False
    legal: bool = False
    measured: bool = False
    asked: bool = False
    during: bool = True

    def eye(self, rng: random.Random) -> Eye:
        """The eye that reads, with a table by lot where it is the measured one."""
        return Measured(rng) if self.measured else Asked() if self.asked else Modelled()

    @property
    def basis(self) -> str:
        """What the figures rest on, in words."""
        eye = "measured" if self.measured else "asked" if self.asked else "modelled"
        faults = "no faults" if self.legal else "faults of one seed" if self.hard else "faults evenly over the codes"
        return f"{eye} readings, {self.tempo.name}, {faults}"


@dataclass
class Tally:
    """What became of legal and of illegal moves, and of each code."""

    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    named: int = 0
    placed: int = 0
    """Faults called at the right pit of the right board, by their own name or by one that moves the same seeds."""
    legal_right: int = 0
    seconds: list[float] = field(default_factory=list)
    falsely: list[str] = field(default_factory=list)
    cut: int = 0
    """Searches for faults that were broken off at their bound."""
    misnamed: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count those of another tally, too."""
        self.kinds += other.kinds
        self.codes += other.codes
        self.named, self.placed = self.named + other.named, self.placed + other.placed
        self.legal_right += other.legal_right
        self.seconds += other.seconds
        self.falsely += other.falsely
        self.cut += other.cut
        self.misnamed += other.misnamed

    def rows(self, basis: str) -> list[Row]:
        """The figures. basis: which eye, pace and faults."""
        legal = sum(n for (true, _), n in self.kinds.items() if true == "legal")
        wrong = sum(n for (true, _), n in self.kinds.items() if true == "illegal")
        caught = self.kinds["illegal", "illegal"]
        slow = sorted(self.seconds) or [0.0]
        return [
            share("legal moves accused", self.accused, legal, basis),
            share("legal moves right", self.legal_right, legal, basis),
            share("legal moves not sure", self.kinds["legal", "not-sure"], legal, basis),
            share("faults called legal", self.kinds["illegal", "legal"], wrong, basis),
            share("faults caught", caught, wrong, basis),
            share("faults not sure", self.kinds["illegal", "not-sure"], wrong, basis),
            share("faults caught: code and pit right", self.named, caught, basis),
            share("faults caught: pit and board right", self.placed, caught, basis),
            Row("seconds a verdict", basis,
                f"median {slow[len(slow) // 2]:.4f}, mean {sum(slow) / len(slow):.4f}, "
                f"99 % {slow[int(0.99 * (len(slow) - 1))]:.3f}, worst {slow[-1]:.3f}", len(self.seconds)),
        ]

    @property
    def accused(self) -> int:
        """Legal moves for which somebody was accused."""
        return self.kinds["legal", "illegal"] + self.kinds["legal", "tampered"]


def spoils(rules: Rules, before: Position, hard: bool = False, found: list[Hypothesis] | None = None
           ) -> dict[str, list[Hypothesis]]:
    """The faulty moves, by code, that no legal move and no pause can explain, nor, as long as a side may lay its seeds
    out anew, such a laying: a board with as many seeds in each half as before accuses nobody then.

    hard: only those that leave one seed too many or too few in one pit of what would have been a legal board. found:
    the faulty moves, where they are known.
    """
    plain = {m.position.counts for m in rules.moves(before).moves} | {before.counts}
    boards = np.array(sorted(plain))
    by_code: dict[str, list[Hypothesis]] = {}
    lays = rules.arranges(before) or (not before.ply and rules.rearranging is Rearranging.SETUP)
    half = before.board.half
    for c in faulty_moves(rules, before, Work(20_000)) if found is None else found:
        if not c.fault or c.counts in plain or (lays and sum(c.counts[:half]) == sum(before.counts[:half])
                                                and sum(c.counts) == sum(before.counts)):
            continue
        if not hard or np.abs(boards - np.array(c.counts)).sum(axis=1).min() == 1:
            by_code.setdefault(c.fault.code, []).append(c)
    return by_code


def said(rules: Rules, before: Position, seen: Evidence, tally: Tally, history: list[Position],
         searching: float | None = None) -> Verdict:
    """The verdict, its time noted. searching: seconds that the search for faults took, where it was made beforehand;
    they count where it was needed."""
    if searching is None:
        continuations.cache_clear()
    began = time.process_time()
    verdict = judge(rules, before, seen, history=history[-4:])
    took = time.process_time() - began
    tally.seconds.append(took + (searching or 0.0) * (verdict.searched != "none"))
    tally.cut += verdict.searched == "cut"
    return verdict


def legally(rng: random.Random, rules: Rules, before: Position, how: How, eye: Eye, tally: Tally,
            history: list[Position], searching: float | None = None) -> tuple[Position, Boards]:
    """A legal move, or one and its answer, seen and judged; the position after it, and the boards it passed through.
    searching: see `said`."""
    played = [rng.choice(rules.moves(before).moves)]
    answers = rules.moves(played[0].position).moves if rng.random() < how.tempo.answered else ()
    if answers:
        played.append(rng.choice(answers))
    right = played[-1].position
    hands = (0.3, 0.25) if answers else (0.3, 0.02) if before.to_move is Side.SOUTH else (0.02, 0.3)
    boards = boards_passed(before.counts, [step for m in played for step in m.trace])
    verdict = said(rules, before, _seen(rng, how, eye, boards, hands), tally, history, searching)
    tally.kinds["legal", verdict.kind] += 1
    tally.legal_right += verdict.kind == "legal" and verdict.position == right
    if verdict.kind in ("illegal", "tampered"):
        tally.falsely.append(f"{before} -> {right}: {verdict.faults} {verdict.confidence:.5f} {verdict.margin:.1f}")
    return right, boards


def wrongly(rng: random.Random, rules: Rules, before: Position, wrong: Hypothesis, how: How, eye: Eye, tally: Tally,
            history: list[Position], searching: float | None = None) -> tuple[Position, Boards]:
    """A faulty move, as `legally`."""
    player = before.to_move if wrong.player is None else wrong.player
    boards = boards_passed(before.counts, search.trace_of(rules, before, wrong) or ())
    hands = (0.3, 0.02) if player is Side.SOUTH else (0.02, 0.3)
    seen = _seen(rng, how, eye, boards, hands)
    verdict = said(rules, before, seen, tally, history, searching)
    code, got = wrong.faults[0].code, verdict.faults[0] if verdict.faults else None
    tally.kinds["illegal", verdict.kind] += 1
    if verdict.kind == "illegal" and got:
        right_name = (got.code, got.pit) == (code, wrong.faults[0].pit)
        tally.named += right_name
        tally.placed += got.pit == wrong.faults[0].pit and verdict.position.counts == wrong.counts
        tally.codes[code, "named" if right_name else f"called {got.code}"] += 1
        if not right_name:
            tally.misnamed.append(f"{before} -> {verdict.position}: {wrong.faults} called {verdict.faults} "
                                  f"{verdict.confidence:.4f} {verdict.margin:.1f}")
    else:
        doubt = verdict.kind == "not-sure"
        tally.codes[code, f"not sure ({apart(rules, before, wrong.counts, seen)})" if doubt else verdict.kind] += 1
    return wrong.position_after(before), boards


def apart(rules: Rules, before: Position, counts: tuple[int, ...], seen: Evidence) -> str:
    """Where a board differs from the nearest that one legal move leaves, or none, and whether it was misread there: the
    more of both, the less can be said."""
    plain = np.array(sorted({m.position.counts for m in rules.moves(before).moves} | {before.counts}))
    off = np.abs(plain - np.array(counts))
    nearest = off[off.sum(axis=1).argmin()]
    pits = np.flatnonzero(nearest)
    where = "several pits" if len(pits) > 1 else "one seed in one pit" if nearest.sum() == 1 else "one pit"
    read = seen.loglik[pits].argmax(axis=1)
    return where if (read == np.minimum(np.array(counts)[pits], COUNTS - 1)).all() else f"{where}, misread"


def _seen(rng: random.Random, how: How, eye: Eye, boards: Boards, hands: tuple[float, float]) -> Evidence:
    seen = eye.watch(rng, boards, hands, how.tempo.drop_s)
    return seen if how.during else replace(seen, during=None)


def bench(positions: int, seed: int = 1, how: How | None = None,
          games: tuple[tuple[str, str, str], ...] = GAMES) -> dict[tuple[str, str, str], Tally]:
    """So many positions of each game, and what was said of the moves from them."""
    how = how or How()
    found = {}
    for game in games:
        rng, tally = random.Random(f"{seed} {game}"), Tally()
        for stop in stops(rng, ruleset(*game[:2]), game[2], positions, how):
            stop.goes_on(*_judged(rng, stop, how, tally))
        found[game] = tally
    return found


def _judged(rng: random.Random, stop: Stop, how: How, tally: Tally) -> tuple[Position, Boards]:
    """Judge legal and faulty moves from there; the position that one of them leaves, and the boards on its way."""
    at = (rng, stop.rules, stop.position)
    ways = [legally(*at, how, stop.eye, tally, stop.history) for _ in range(EACH)]
    by_code = {} if how.legal else spoils(stop.rules, stop.position, how.hard)
    codes = sorted(by_code)
    for _ in range(EACH if codes else 0):
        wrong = rng.choice(by_code[rng.choice(codes)])
        way = wrongly(*at, wrong, how, stop.eye, tally, stop.history)
    if codes and rng.random() < FAULTY:
        ways.append(way)
    return ways[-1]


@dataclass
class Stop:
    """A position of a game by lot, at which moves are judged. history: the game's positions before it."""

    rules: Rules
    position: Position
    eye: Eye
    history: list[Position] = field(default_factory=list)

    @property
    def is_last(self) -> bool:
        """Whether no move follows in this game."""
        return (len(self.history) >= LONGEST or self.rules.over(self.position) is not None
                or not self.rules.moves(self.position).moves)

    def goes_on(self, position: Position, boards: Boards) -> None:
        """The game goes on from there, by a move that passed through these boards."""
        self.history.append(self.position)
        self.position = position
        self.eye.lies(boards)


def stops(rng: random.Random, rules: Rules, setup: str, positions: int, how: How) -> Iterator[Stop]:
    """So many positions of games by lot, one game after the other: whoever asks for the next has let the last one go
    on (`Stop.goes_on`)."""
    left = positions
    while left > 0:
        stop = Stop(rules, rules.setup(setup), how.eye(rng))
        while left > 0 and not stop.is_last:
            yield stop
            left -= 1


def rows(positions: int = 12) -> list[Row]:
    """How well the eye reads; both eyes, both paces, with faults drawn evenly over the codes and, apart, the hard ones;
    any board."""
    from tests.bench import eye_errors  # the renderer with it: only where it is asked for

    found = eye_errors.rows()
    for how in (How(tempo, hard, measured=measured)
                for measured in (False, True) for tempo in (NORMAL, FAST) for hard in (False, True)):
        total = Tally()
        for tally in bench(positions, 1, how).values():
            total.add(tally)
        found += total.rows(how.basis)
    return found + fuzz(100)


# ---- anything on any board
# ---------------------------------------------------------------------------------------------------


def anything(rng: random.Random) -> tuple[Rules, Position, Evidence]:
    """A position of any game, most of them never reached in play, and evidence of any kind."""
    game, name, _ = rng.choice(GAMES)
    rules = ruleset(game, name)
    board: Board = rng.choice(rules.boards)
    total = rules.seeds(board)
    counts = [0] * board.pits
    places = rng.sample(range(board.pits), rng.randint(1, board.pits))
    for _ in range(rng.randint(1, total)):
        counts[rng.choice(places)] += 1
    bulls = tuple(rng.choice(list(Side)) if rules.has_bulls and n >= 4 and rng.random() < 0.3 else None for n in counts)
    won = rng.randint(0, total - sum(counts))
    position = Position(board, tuple(counts), bulls, rng.choice(list(Side)), (won, total - sum(counts) - won),
                        rng.choice((0, 1, 2, 9)))
    lie = list(counts)
    moves = rules.moves(position).moves
    if moves and rng.random() < 0.7:
        lie = list(rng.choice(moves).position.counts)
    for _ in range(rng.choice((0, 0, 1, 2, 8))):
        pit = rng.randrange(board.pits)
        lie[pit] = max(0, lie[pit] + rng.choice((-2, -1, 1, 2)))
    sure = rng.choice((0.5, 0.9, 0.999))

    def read(n: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        loglik = np.full((n, board.pits, COUNTS), np.log((1 - sure) / (COUNTS - 1)))
        loglik[:, np.arange(board.pits), np.minimum(lie, COUNTS - 1)] = np.log(sure)
        return loglik

    readings = rng.choice((0, 20, 128))
    draw = np.random.default_rng(rng.randrange(1 << 30))
    during = Timeline(read(readings) + draw.normal(0, 2, (readings, board.pits, COUNTS)),
                      draw.random((readings, board.pits)) < 0.7)
    hands = rng.choice(((0.0, 0.0), (0.3, 0.01), (0.3, 0.3)))
    return rules, position, Evidence(read(1)[0], draw.random(board.pits) < rng.choice((0.5, 1.1)), 4, hands, during)


def fuzz(positions: int, seed: int = 1) -> list[Row]:
    """How long the judge took at the most, and the memory by which this process grew."""
    rng = random.Random(seed)
    cases = [anything(rng) for _ in range(positions)]
    first, slow, unsure = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, [0.0], 0
    worst = ""
    for rules, position, seen in cases:
        began = time.process_time()
        unsure += judge(rules, position, seen).kind == "not-sure"
        took = time.process_time() - began
        if took > max(slow):
            worst = f"{rules.game} {rules.name} {position}"
        slow.append(took)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - first) / 1024
    basis = "boards on which anything lies"
    return [
        Row("seconds a verdict", basis, f"mean {sum(slow) / len(slow):.3f}, worst {max(slow):.3f}", positions,
            note=f"the worst: {worst}"),
        share("not sure", unsure, positions, basis),
        Row("memory that the process grew by", basis, f"{grown:.0f} MiB", positions),
    ]


WORDS = ("fast", "hard", "legal", "measured", "asked", "final", "fuzz")
"""What may be asked for."""


def asked(given: tuple[str, ...]) -> tuple[int, int, list[str]]:
    """Positions, seed and words of what was given. Raises click.UsageError for what is none of these."""
    for word in given:
        if word not in WORDS and not word.isdecimal():
            raise click.UsageError(f"{word[:40]!r} is neither a number nor one of {', '.join(WORDS)}")
    numbers = [int(word) for word in given if word.isdecimal()]
    if len(numbers) > 2:
        raise click.UsageError(f"{numbers[2]} is a number too many after POSITIONS and SEED")
    many, seed = numbers + [50, 1][len(numbers):]
    return many, seed, [word for word in given if word in WORDS]


@click.command()
@click.argument("given", nargs=-1, metavar="[POSITIONS] [SEED] [fuzz | fast|hard|legal|measured|asked|final]...")
def main(given: tuple[str, ...]) -> None:
    """The judge on random games with faults, at the level of readings: the table of every game and of all, and by code
    what the faults were called.

    POSITIONS are those of each game, 50 unless given; another SEED makes other games. fast: the fast pace. hard: only
    faults whose board differs from a legal one by one seed in one pit. legal: no faults. measured: the eye as it was
    measured. asked: an eye that errs as little as is asked of the reader. final: nothing is read while hands are in
    play. fuzz: boards on which anything may lie, the longest time and the most memory that the judge takes.
    """
    many, seed, words = asked(given)
    if "fuzz" in words:
        print_rows(fuzz(many, seed))
        return
    how = How(FAST if "fast" in words else NORMAL, "hard" in words, "legal" in words, "measured" in words,
              "asked" in words, "final" not in words)
    total = Tally()
    for game in GAMES:
        tally = bench(many, seed, how, (game,))[game]
        print_rows(tally.rows(" ".join(game)))
        total.add(tally)
    print_rows(total.rows(how.basis))
    for code in sorted({c for c, _ in total.codes}):
        print(f"{code:<14}", ", ".join(f"{k} {n}" for (c, k), n in total.codes.most_common() if c == code))
    for move in total.falsely:
        print("FALSE", move)


if __name__ == "__main__":
    main()
