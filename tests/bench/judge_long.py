"""The judge on tens of thousands of moves, at the level of readings: a run of an hour or two that can be broken off.

    python -m tests.bench.judge_long [--moves 30000] [--folder data/judge] [--workers 1] [--table]
                                     [--eye modelled|asked|measured]… [--list falsely|misnamed]

All eyes see both paces: of each so many legal moves, so many with faults drawn evenly over the codes, and, apart, so
many with one seed too many or too few in one pit, spread over the games and rulesets. Results are written in small
numbered portions, each from its own seed, so that a run that was broken off goes on where it stopped; `--table` prints
what is there and judges nothing, `--list` the moves of a kind, one by one. Portions lie in a folder that is named by a
hash of the judge's code (without its comments) and, for the measured eye, of the eye's data: those of another judge or
of another eye are never counted with them.

Seconds are of processor time and include the search for a position's faults in each verdict that needs it, though
moves from one position share one.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import math
import multiprocessing as mp
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

import msgspec

import engine.judge
from engine.judge.hypotheses import continuations
from engine.judge.parameters import EFFORT
from engine.position import Position
from engine.rules import ruleset
from tests.bench import readings
from tests.bench.judge_bench import EACH, FAULTY, GAMES, How, Stop, Tally, legally, spoils, stops, wrongly
from tests.bench.readings import FAST, NORMAL, Boards
from tests.bench.table import Row, line, share

POSITIONS = 20
"""Of one portion: some five seconds' work."""
KINDS = ("legal", "even", "hard")
"""Legal moves; faults drawn evenly over the codes; faults of one seed in one pit."""
EYES = ("modelled", "asked", "measured")
PLAYED = (*GAMES, ("omweso", "igisoro", "4x8-outer"))
PACES = {tempo.name.split()[0]: tempo for tempo in (NORMAL, FAST)}
SLOWEST = 0.005
"""Width of the steps in which seconds are counted."""


class Job(msgspec.Struct, frozen=True):
    """A portion to be made. path: where it is kept."""

    eye: str
    pace: str
    game: tuple[str, str, str]
    number: int
    path: str

    @property
    def seed(self) -> str:
        """Each portion's own."""
        return f"{self.eye} {self.pace} {' '.join(self.game)} {self.number}"


class Part(msgspec.Struct):
    """What became of one kind of moves; see `Tally`, pairs joined by a blank. seconds: how often so many steps of
    `SLOWEST`, rounded up; worst: the longest."""

    kinds: dict[str, int]
    codes: dict[str, int]
    named: int
    placed: int
    right: int
    cut: int
    seconds: dict[int, int]
    total_s: float
    worst_s: float
    falsely: list[str]
    misnamed: list[str]


# ---- which judge, which eye
# ------------------------------------------------------------------------------------------------------


def mark(eye: str, file: Path = readings.FILE) -> str:
    """A short hash of all that the results of an eye hang on: the judge's code and the eye's, and its data."""
    digest = hashlib.sha256()
    for path in (*sorted(Path(engine.judge.__path__[0]).glob("*.py")), Path(readings.__file__)):
        digest.update(_bare(path.read_text()).encode())
    if eye == "measured":
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _bare(source: str) -> str:
    """Code without comments and docstrings: words change no verdict."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            # In place: of what a node has a body, the types of `ast` do not say.
            body[:] = [n for n in body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    return ast.dump(tree)


def folders(folder: Path) -> dict[str, Path]:
    """Where the portions of each eye lie, as it and the judge are now."""
    return {eye: folder / f"{eye}-{mark(eye)}" for eye in EYES}


# ---- a portion
# ------------------------------------------------------------------------------------------------------


def portion(job: Job, positions: int = POSITIONS) -> dict[str, Part]:
    """So many positions of random games, and what was said of the moves from them, by kind."""
    rng, tallies = random.Random(job.seed), {kind: Tally() for kind in KINDS}
    how = How(PACES[job.pace], measured=job.eye == "measured", asked=job.eye == "asked")
    for stop in stops(rng, ruleset(*job.game[:2]), job.game[2], positions, how):
        stop.goes_on(*_judged(rng, stop, how, tallies))
    return {kind: _kept(tally) for kind, tally in tallies.items()}


def _judged(rng: random.Random, stop: Stop, how: How, tallies: dict[str, Tally]) -> tuple[Position, Boards]:
    """Judge moves of every kind from there; the position that one of them leaves, and the boards it passed through."""
    began = time.process_time()
    faulty, _ = continuations(stop.rules, stop.position).one_fault(EFFORT.fault_laps)
    searching = time.process_time() - began
    at = (rng, stop.rules, stop.position)
    ways = [legally(*at, how, stop.eye, tallies["legal"], stop.history, searching) for _ in range(EACH)]
    for kind in KINDS[1:]:
        by_code = spoils(stop.rules, stop.position, kind == "hard", faulty.listed)
        codes = sorted(by_code)
        for _ in range(EACH if codes else 0):
            wrong = rng.choice(by_code[rng.choice(codes)])
            way = wrongly(*at, wrong, how, stop.eye, tallies[kind], stop.history, searching)
        if codes and rng.random() < FAULTY / 2:
            ways.append(way)
    return ways[-1]


def _kept(tally: Tally) -> Part:
    def plain(counted: Counter[tuple[str, str]]) -> dict[str, int]:
        return {" ".join(pair): n for pair, n in sorted(counted.items())}

    steps = Counter(int(s / SLOWEST) + 1 for s in tally.seconds)
    return Part(plain(tally.kinds), plain(tally.codes), tally.named, tally.placed, tally.legal_right, tally.cut,
                dict(sorted(steps.items())), sum(tally.seconds), max(tally.seconds, default=0.0), tally.falsely,
                tally.misnamed)


def make(job: Job) -> Job:
    """The portion, kept; whole or not at all."""
    path = Path(job.path)
    if not path.exists():
        partial = path.with_suffix(".part")
        partial.write_bytes(msgspec.json.encode(portion(job)))
        partial.replace(path)
    return job


def jobs(folder: Path, eyes: Iterable[str], moves: int) -> Iterator[Job]:
    """All portions that so many moves of each kind need, every game and eye and pace in turn."""
    there = folders(folder)
    each = -(-moves // (POSITIONS * EACH * len(PLAYED)))
    for number in range(each):
        for game in PLAYED:
            for eye in eyes:
                for pace in PACES:
                    name = f"{pace}-{'-'.join(game)}-{number:04d}.json"
                    yield Job(eye, pace, game, number, str(there[eye] / name))


# ---- the table
# ------------------------------------------------------------------------------------------------------


def read(folder: Path) -> dict[tuple[str, tuple[str, str, str]], dict[str, list[Part]]]:
    """The portions of a folder, by pace and game, and by kind."""
    found: dict[tuple[str, tuple[str, str, str]], dict[str, list[Part]]] = {}
    for game in PLAYED:
        for pace in PACES:
            parts: dict[str, list[Part]] = {kind: [] for kind in KINDS}
            for path in sorted(folder.glob(f"{pace}-{'-'.join(game)}-[0-9]*.json")):
                for kind, part in msgspec.json.decode(path.read_bytes(), type=dict[str, Part]).items():
                    parts[kind].append(part)
            found[pace, game] = parts
    return found


def _counts(parts: Iterable[Part], field: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for part in parts:
        total.update(cast(dict[str, int], getattr(part, field)))
    return total


def legal_rows(parts: list[Part], basis: str) -> Iterator[Row]:
    """What became of legal moves."""
    kinds = _counts(parts, "kinds")
    n = kinds.total()
    yield share("legal moves accused", kinds["legal illegal"] + kinds["legal tampered"], n, basis)
    yield share("legal moves right", sum(p.right for p in parts), n, basis)
    yield share("legal moves not sure", kinds["legal not-sure"], n, basis)


def fault_rows(parts: list[Part], basis: str) -> Iterator[Row]:
    """What became of faulty ones."""
    kinds = _counts(parts, "kinds")
    n, caught = kinds.total(), kinds["illegal illegal"]
    yield share("faults caught", caught, n, basis)
    yield share("faults called legal", kinds["illegal legal"], n, basis)
    yield share("faults not sure", kinds["illegal not-sure"], n, basis)
    others = Counter({pair.split(" ", 1)[1]: many for pair, many in kinds.items()})
    rest = [f"{kind} {many}" for kind, many in others.most_common() if kind not in ("illegal", "legal", "not-sure")]
    yield Row("faults called something else", basis, ", ".join(rest) or "none", n)
    yield share("faults caught: code and pit right", sum(p.named for p in parts), caught, basis)
    yield share("faults caught: pit and board right", sum(p.placed for p in parts), caught, basis)


def time_rows(parts: list[Part], basis: str) -> Iterator[Row]:
    """How long verdicts took, and how many searches were cut."""
    steps: Counter[int] = Counter()
    for part in parts:
        steps.update(part.seconds)
    n = steps.total()
    ordered = sorted(steps.elements())
    late = ordered[math.ceil(0.99 * n) - 1] * SLOWEST if ordered else 0.0
    yield share("searches cut at the bound", sum(p.cut for p in parts), n, basis)
    mean, worst = sum(p.total_s for p in parts) / max(1, n), max((p.worst_s for p in parts), default=0.0)
    yield Row("seconds a verdict", basis, f"mean {mean:.4f}, 99 % under {late:.3f}, worst {worst:.3f}", n)


def table(eye: str, folder: Path) -> Iterator[Row]:
    """The figures of an eye: all games together at either pace, then each game; then what each code was called."""
    found = read(folder)
    for pace in PACES:
        games = [found[pace, game] for game in PLAYED]
        together = {kind: [part for parts in games for part in parts[kind]] for kind in KINDS}
        for name, chosen in zip(("all games", *map(" ".join, PLAYED)), (together, *games), strict=True):
            yield from _rows(chosen, f"{eye} readings, {pace} pace, {name}")
    every = [part for parts in found.values() for part in parts["even"]]
    yield from code_rows(every, f"{eye} readings, faults evenly over the codes")


def code_rows(parts: list[Part], basis: str) -> Iterator[Row]:
    """What the faults of each code were called."""
    by_code: dict[str, dict[str, int]] = {}
    for pair, n in _counts(parts, "codes").most_common():
        code, called = pair.split(" ", 1)
        by_code.setdefault(code, {})[called] = n
    for code, told in sorted(by_code.items()):
        called = ", ".join(f"{what} {n:,}" for what, n in told.items())
        yield Row(f"faults of the code {code}", basis, called, sum(told.values()))


def _rows(chosen: dict[str, list[Part]], basis: str) -> Iterator[Row]:
    """The figures of some portions, by kind of moves; none where there are none."""
    if not chosen["legal"]:
        return
    yield from legal_rows(chosen["legal"], basis)
    yield from fault_rows(chosen["even"], f"{basis}, faults evenly over the codes")
    yield from fault_rows(chosen["hard"], f"{basis}, faults of one seed")
    yield from time_rows([part for kind in KINDS for part in chosen[kind]], basis)


def judge_missing(folder: Path, eyes: Iterable[str], moves: int, workers: int) -> None:
    """Make the portions that are not there yet, and tell how far it is."""
    waiting = [job for job in jobs(folder, eyes, moves) if not Path(job.path).exists()]
    for path in {Path(job.path).parent for job in waiting}:
        path.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with mp.get_context("spawn").Pool(workers) as pool:
        for k, job in enumerate(pool.imap(make, waiting), 1):
            if k % 10 == 0 or k == len(waiting):
                print(f"{k} of {len(waiting)} portions, {time.monotonic() - began:.0f} s, {job.seed}",
                      file=sys.stderr, flush=True)


def listed(eye: str, folder: Path, which: str) -> Iterator[str]:
    """The moves of a kind, one by one. which: a field of `Part` that lists moves."""
    for (pace, _), parts in read(folder).items():
        for kind in KINDS:
            for part in parts[kind]:
                yield from (f"{eye} {pace} {kind}: {move}" for move in getattr(part, which))


def main() -> None:
    """Judge what is missing, then print what there is."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.judge_long", description=__doc__.split("\n")[0])
    parser.add_argument("--moves", type=int, default=30_000, help="of each kind, eye and pace (30000)")
    parser.add_argument("--folder", type=Path, default=Path("data/judge"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--eye", choices=EYES, action="append", help="this eye alone")
    parser.add_argument("--table", action="store_true", help="judge nothing, print what is there")
    parser.add_argument("--list", choices=("falsely", "misnamed"), help="print these moves, and judge nothing")
    given = parser.parse_args()
    eyes, there = given.eye or list(EYES), folders(given.folder)
    if not given.table and not given.list:
        judge_missing(given.folder, eyes, given.moves, given.workers)
    for eye in eyes:
        for told in listed(eye, there[eye], given.list) if given.list else map(line, table(eye, there[eye])):
            print(told)


if __name__ == "__main__":
    main()
