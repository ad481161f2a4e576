"""The referee tested on faults that it did not list itself (`device.sim.fouls`), at the level of readings.

    python -m tests.bench.faults_any [--draws 40] [--seed 1] [--legal 0] [--fast] [--game SET-UP …] [--kind KIND …]
                                     [--json FILE]

Each fault is given to the referee twice: read without an error, with the drops seen while hands were in play; and read
with errors, as the product's own eye was measured to read (`tests.bench.readings`). `--draws` sets the number of faults
of every kind in every game. Faults that changed nothing, or left a board that a legal move leaves too, are counted
separately (*alike*): nobody could recognise them by the board. `--legal N` adds N legal moves at each pace, read by the
measured eye.

A fault is *named* if the verdict has it alone, with its code and at its pit. *theft*: the verdict said palmed or
smuggled, though no seed had gone or come that way. *elsewhere*: the verdict accused, with another board than the true
one.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from device.sim.fouls import KINDS, CommittedFault, draw, kinds
from engine.position import Position
from engine.referee.finding import Finding
from engine.referee.observation import COUNTS
from engine.rules import Rules, ruleset
from engine.trace import boards as boards_of
from engine.verdict import Verdict
from tests.bench.readings import FAST, NORMAL, SURELY, Boards, Eye, Measured, Passing, Seen, Tempo, seen_of
from tests.bench.table import Row, print_rows, share

GAMES = (("enkeshui", "driedger", "2x8-right"), ("enkeshui", "driedger", "2x12"), ("endodoi", "merker", "2x6"),
         ("endodoi", "merker", "2x8"), ("omweso", "wikipedia", "4x8-outer"))
EYES = ("perfect", "measured")
LONGEST, LAPS = 60, 60
"""Most drops of a faulty turn, and most laps of the legal moves that lead to it."""
SPARSE = 40
"""How many times rarer than the commonest a kind may be: the number of positions tried per draw."""
SURE = 0.9999
"""Probability that a perfect reading gives to the true count."""
OUTCOMES = ("named", "otherwise", "not sure", "legal", "other")
SAID = {"named": "named by code and pit", "otherwise": "named otherwise", "not sure": "not sure",
        "legal": "called legal", "other": "called something else"}
"""The outcomes in the words of the rows."""
HANDS = ((0.3, 0.02), (0.02, 0.3))
"""Shares of the board covered by South's and North's hands, when South moves and when North does."""


class Perfect:
    """Reads every pit right whenever no hand covers it."""

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Seen:
        """Watch a turn; see `readings.Eye`."""
        passing = Passing(rng, boards, drop_s)
        alike = (boards == boards[0]).all(axis=0) | ((boards[0] == 0) & (boards[-1] == 0))
        looks = [_sure(boards[k]) for k in passing.frames]
        return seen_of(passing, (_sure(boards[0]), looks, _sure(boards[-1])), hands,
                       np.where(alike, -SURELY, SURELY))

    def lies(self, boards: Boards) -> None:
        """Do nothing: this eye remembers nothing."""


def _sure(counts: Boards) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    loglik = np.full((*counts.shape, COUNTS), np.log((1 - SURE) / (COUNTS - 1)))
    np.put_along_axis(loglik, np.minimum(counts, COUNTS - 1)[..., None], np.log(SURE), axis=-1)
    return loglik


def passed(foul: CommittedFault) -> Boards:
    """Return the boards that a faulty turn passes through, act by act, beginning with the board before it."""
    now, found = list(foul.play.before.counts), [foul.play.before.counts]
    for act in foul.play.acts:
        if act.change:
            now[act.pit] += act.change
            found.append(tuple(now))
    if found[-1] != foul.play.after.counts:
        raise ValueError(f"the acts of a {foul.kind} leave {found[-1]}, its position is {foul.play.after}")
    return np.array(found, np.int64)


def positions(rules: Rules, setup: str, seed: str) -> Iterator[tuple[Position, list[Position]]]:
    """Yield positions of random legal games, none before a side's first move, each with up to four positions before
    it."""
    rng = random.Random(seed)
    while True:
        position, history = rules.setup(setup), list[Position]()
        for _ in range(rng.randint(12, 50)):
            moves = [m for m in rules.moves(position).moves if m.laps <= LAPS]
            if rules.over(position) is not None or not moves:
                break
            if position.ply >= 2:
                yield position, history[-4:]
            history.append(position)
            position = rng.choice(moves).position


@dataclass
class Tally:
    """The referee's outcomes on the faults of one kind in one game with one eye. outcomes: of `OUTCOMES`; called: the
    codes given to faults named otherwise; examples: a line for each serious error."""

    outcomes: Counter[str] = field(default_factory=Counter)
    theft: int = 0
    elsewhere: int = 0
    called: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    @property
    def draws(self) -> int:
        """The number of faults judged."""
        return sum(self.outcomes.values())

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.outcomes += other.outcomes
        self.called += other.called
        self.theft, self.elsewhere = self.theft + other.theft, self.elsewhere + other.elsewhere
        self.examples += other.examples

    def plain(self) -> dict[str, Any]:
        """Return the tally as plain data for JSON."""
        return {"draws": self.draws, **{o: self.outcomes[o] for o in OUTCOMES}, "theft": self.theft,
                "elsewhere": self.elsewhere, "called": dict(self.called.most_common()), "examples": self.examples}


def outcome(foul: CommittedFault, verdict: Verdict) -> str:
    """Return which of `OUTCOMES` a verdict on a fault is."""
    if verdict.kind == "not-sure":
        return "not sure"
    if verdict.kind in ("legal", "unchanged"):
        return "legal"
    if verdict.kind not in ("illegal", "tampered"):
        return "other"
    if len(verdict.faults) == 1:
        said = verdict.faults[0]
        if said.code in foul.codes and (not foul.pits or said.pit in foul.pits):
            return "named"
    elif verdict.kind == "tampered" and "tampered" in foul.codes:
        return "named" if all(f.code == "tampered" and f.pit in foul.pits for f in verdict.faults) else "otherwise"
    return "otherwise"


def false_theft(foul: CommittedFault, verdict: Verdict) -> bool:
    """Return whether the verdict says that seeds vanished or came, though none did."""
    gone = sum(foul.play.before.counts) + sum(foul.play.before.captured)
    gone -= sum(foul.play.after.counts) + sum(foul.play.after.captured)
    said = {f.code for f in verdict.faults}
    return ("palmed" in said and gone <= 0) or ("smuggled" in said and gone >= 0)


def first_verdict(rules: Rules, before: Position, seen: Seen, history: list[Position]) -> Verdict:
    """Return the verdict on what happened, `unchanged` if nothing did; of two moves the one that is accused, if any."""
    found = sorted(seen.found(rules, before, history), key=lambda finding: not finding.accuses)
    return found[0].verdict(rules) if found else Verdict("unchanged", before, before)


def judged(foul: CommittedFault, rules: Rules, history: list[Position], eye: Eye, tempo: Tempo, rng: random.Random,
           tally: Tally) -> None:
    """Show a fault to an eye and record the referee's verdict."""
    before = foul.play.before
    seen = eye.watch(rng, passed(foul), HANDS[foul.play.player], tempo.drop_s)
    verdict = first_verdict(rules, before, seen, history)
    got = outcome(foul, verdict)
    accused = verdict.kind in ("illegal", "tampered")
    elsewhere = accused and verdict.position.counts != foul.play.after.counts
    theft = accused and false_theft(foul, verdict)
    tally.outcomes[got] += 1
    tally.theft += theft
    tally.elsewhere += elsewhere
    said = "+".join(f"{f.code}" for f in verdict.faults) or verdict.kind
    if got == "otherwise":
        tally.called[said] += 1
    if got == "legal" or theft or elsewhere:
        tally.examples.append(_told(foul, verdict))


def _told(foul: CommittedFault, verdict: Verdict) -> str:
    """Return a line with a fault and the verdict on it."""
    play, board = foul.play, foul.play.before.board
    begun = "no move" if play.pit is None else board.name(play.pit)
    at = "" if play.at is None else f" at {board.name(play.at)}"
    said = ", ".join(f"{f.code} {'' if f.pit is None else board.name(f.pit)}".strip() for f in verdict.faults)
    return (f"{play.before} | {play.player.letter} {begun}: {foul.kind}{at} lap {play.lap} n {play.n} -> {play.after}"
            f" | said {verdict.kind} {said} p={verdict.confidence:.4f} on {verdict.position}")


@dataclass
class Found:
    """The results of one game. by: a tally for every kind and eye; alike: for each kind, the faults that nobody could
    recognise."""

    by: dict[tuple[str, str], Tally] = field(default_factory=dict)
    alike: Counter[str] = field(default_factory=Counter)


def lots(words: str) -> np.random.Generator:
    """Return a random generator that depends only on the words. Kinds are drawn by name, so that adding a kind leaves
    the draws of all others as they were."""
    return np.random.default_rng(list(words.encode()))


def bench(game: tuple[str, str, str], draws: int, seed: int = 1, tempo: Tempo = NORMAL,
          chosen: tuple[str, ...] = ()) -> Found:
    """Draw `draws` faults of every kind in one game, fewer of a kind that is too rare. chosen: only these kinds."""
    rules = ruleset(*game[:2])
    left = Counter({k: draws for k in kinds(rules, rules.setup(game[2])) if not chosen or k in chosen})
    found = Found({(k, eye): Tally() for k in left for eye in EYES})
    began, last = time.monotonic(), 0.0
    source = positions(rules, game[2], f"{seed} {game}")
    for number in range(draws * SPARSE):
        position, history = next(source)
        for kind in +left:
            rng = lots(f"{seed} {game} {number} {kind}")
            foul = draw(rules, position, kind, rng, longest=LONGEST, tries=4)
            if foul is not None:
                left[kind] -= _shown(foul, rules, history, tempo, f"{seed} {game} {number} {kind}", found)
        if not left.total():
            break
        if time.monotonic() - last > 10:
            last = time.monotonic()
            print(f"{' '.join(game)}: {number + 1} positions, {left.total()} draws to go, "
                  f"{last - began:.0f} s", file=sys.stderr, flush=True)
    return found


def _shown(foul: CommittedFault, rules: Rules, history: list[Position], tempo: Tempo, seed: str, found: Found) -> bool:
    """Show a fault to both eyes, with random numbers of that seed, and record the verdicts. Return whether it was
    shown: a fault that nobody could recognise is only counted."""
    if foul.alike:
        found.alike[foul.kind] += 1
        return False
    for eye in EYES:
        by_lot = random.Random(f"{seed} {eye}")
        watching: Eye = Perfect() if eye == "perfect" else Measured(by_lot)
        judged(foul, rules, history, watching, tempo, by_lot, found.by[foul.kind, eye])
    return True


def total(found: dict[tuple[str, str, str], Found], eye: str, kind: str | None = None) -> Tally:
    """Return the tally over all games, and over all kinds unless one is named."""
    out = Tally()
    for one in found.values():
        for (k, e), tally in one.by.items():
            if e == eye and kind in (None, k):
                out.add(tally)
    return out


COLUMNS = ("draws", *OUTCOMES, "theft", "elsewhere")


def lines(found: dict[tuple[str, str, str], Found]) -> Iterator[str]:
    """Yield the table: a row for every kind and game, then for every kind, then for all."""
    width = sum(len(c) + 1 for c in COLUMNS)
    yield f"{'':<50}" + "".join(f" |{' read as ' + eye:<{width}}" for eye in EYES)
    yield f"{'game':<10} {'set-up':<10} {'kind':<22} {'alike':>5}" + "".join(
        " |" + "".join(f" {c}" for c in COLUMNS) for _ in EYES)
    for game, one in found.items():
        for kind in dict.fromkeys(k for k, _ in one.by):
            yield _row((game[0], game[2]), kind, one.alike[kind], [one.by[kind, eye] for eye in EYES])
    for kind in dict.fromkeys(k for one in found.values() for k, _ in one.by):
        alike = sum(one.alike[kind] for one in found.values())
        yield _row(("all", ""), kind, alike, [total(found, eye, kind) for eye in EYES])
    alike = sum(sum(one.alike.values()) for one in found.values())
    yield _row(("all", ""), "all", alike, [total(found, eye) for eye in EYES])


def _row(game: tuple[str, str], kind: str, alike: int, tallies: list[Tally]) -> str:
    figures = "".join(" |" + "".join(f" {t.plain()[c]:>{len(c)}}" for c in COLUMNS) for t in tallies)
    return f"{game[0]:<10} {game[1]:<10} {kind:<22} {alike:>5}{figures}"


def legal_rows(moves: int, seed: int = 1) -> list[Row]:
    """Judge about `moves` legal moves at each pace, read by the measured eye: accused, right, not sure."""
    each, found = -(-moves // len(GAMES)), list[Row]()
    for tempo in (NORMAL, FAST):
        said, falsely = Counter[str](), list[str]()
        for game in GAMES:
            legally(game, each, f"{seed} {tempo.name} {game}", tempo, said, falsely)
            print(f"legal moves, {tempo.name}, {' '.join(game)}", file=sys.stderr, flush=True)
        basis, n = f"measured readings, {tempo.name}, no faults, {len(GAMES)} set-ups", said.total()
        found += [share("legal moves accused", said["accused"], n, basis),
                  share("legal moves right", said["right"], n, basis),
                  share("legal moves not sure", said["not sure"], n, basis),
                  *(Row("a legal move accused", basis, move) for move in falsely)]
    return found


def legally(game: tuple[str, str, str], moves: int, seed: str, tempo: Tempo, said: Counter[str], falsely: list[str]
            ) -> None:
    """Show legal moves of a game to the measured eye, some of them answered before the hand is away, and count the
    outcomes in `said`. falsely: gets a line for each accusation."""
    rules, rng = ruleset(*game[:2]), random.Random(seed)
    source = positions(rules, game[2], seed)
    for _ in range(moves):
        before, history = next(source)
        played = [rng.choice(rules.moves(before).moves)]
        if rng.random() < tempo.answered and (answers := rules.moves(played[0].position).moves):
            played.append(rng.choice(answers))
        hands = (0.3, 0.25) if len(played) > 1 else HANDS[before.to_move]
        boards = np.array(list(boards_of(before.counts, list(chain(*(move.trace for move in played))))), np.int64)
        found = Measured(rng).watch(rng, boards, hands, tempo.drop_s).found(rules, before, history)
        got = legal_outcome(found, played[-1].position)
        said[got] += 1
        if got == "accused":
            accused = next(f for f in found if f.accuses)
            falsely.append(f"{before} -> {played[-1].position}: {accused.verdict(rules).faults} {accused.p:.5f}")


def legal_outcome(found: Sequence[Finding], after: Position) -> str:
    """Return the outcome for legal moves: accused, right, not sure or otherwise. after: the board that they leave."""
    if any(f.accuses for f in found):
        return "accused"
    kinds_said = {f.kind for f in found}
    if kinds_said == {"legal"} and found[-1].after == after:
        return "right"
    return "not sure" if "not-sure" in kinds_said else "otherwise"


def rows(draws: int = 10, legal: int = 300) -> list[Row]:
    """Return the totals by eye, and the legal moves, for `make bench`."""
    found = {game: bench(game, draws) for game in GAMES}
    table: list[Row] = []
    for eye in EYES:
        tally, basis = total(found, eye), f"{eye} readings, faults of {len(KINDS)} kinds that hands make"
        table += [share(f"faults: {SAID[what]}", tally.outcomes[what], tally.draws, basis) for what in OUTCOMES]
        table += [share("faults: theft named where there was none", tally.theft, tally.draws, basis),
                  share("faults: accused on another board than lay there", tally.elsewhere, tally.draws, basis)]
    return table + legal_rows(legal)


def as_json(found: dict[tuple[str, str, str], Found]) -> dict[str, Any]:
    """Return the results by game, kind and eye, and the totals, as plain data for JSON."""
    games = {" ".join(game): {kind: {"alike": one.alike[kind], **{eye: one.by[kind, eye].plain() for eye in EYES}}
                              for kind in dict.fromkeys(k for k, _ in one.by)} for game, one in found.items()}
    whole = {eye: total(found, eye).plain() for eye in EYES}
    for tally in whole.values():
        del tally["examples"]
    return {"games": games, "all": whole}


def main() -> None:
    """Print the table; with --json, also write it to a file."""
    parser = argparse.ArgumentParser(description="The referee held against faults that are not of its own list.")
    parser.add_argument("--draws", type=int, default=40, help="faults of every kind and game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--legal", type=int, default=0, help="legal moves at either pace by the measured eye")
    parser.add_argument("--fast", action="store_true", help="faults at the fast pace")
    parser.add_argument("--game", action="append", choices=[g[2] for g in GAMES], help="only this set-up")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="only this kind")
    parser.add_argument("--json", type=Path, help="a file for the same as JSON")
    given = parser.parse_args()
    found = {game: bench(game, given.draws, given.seed, FAST if given.fast else NORMAL, tuple(given.kind or ()))
             for game in GAMES if not given.game or game[2] in given.game}
    for line in lines(found):
        print(line)
    legal = legal_rows(given.legal, given.seed) if given.legal else []
    print_rows(legal)
    if given.json is not None:
        plain = {"draws": given.draws, "seed": given.seed, **as_json(found), "legal": msgspec.to_builtins(legal)}
        given.json.write_text(json.dumps(plain, indent=1))


if __name__ == "__main__":
    main()
