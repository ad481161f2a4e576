"""The referee held against faults that it did not list itself (`device.sim.fouls`), at the level of readings.

    python -m tests.bench.faults_any [--draws 40] [--seed 1] [--legal 0] [--fast] [--game SET-UP …] [--kind KIND …]
                                     [--json FILE]

Of every kind and game so many faults, each given to the referee twice: read without an error, the drops seen while
hands were in play; and as the product's own eye was measured to read (`tests.bench.readings`). Faults whose board a
legal move leaves as well, or that changed nothing, are counted apart (*alike*): nobody could tell by the board.
`--legal N`: so many legal moves at either pace by the measured eye, besides.

A fault is *named* where the verdict has it alone, with its code and at its pit. *theft*: palmed or smuggled was said
where no seed had come or gone that way. *elsewhere*: accused on another board than the one that lay there.
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
from engine.referee.verdict import Verdict
from engine.rules import Rules, ruleset
from engine.trace import boards as boards_of
from tests.bench.readings import FAST, NORMAL, SURELY, Boards, Eye, Measured, Passing, Seen, Tempo, seen_of
from tests.bench.table import Row, print_rows, share

GAMES = (("enkeshui", "driedger", "2x8-right"), ("enkeshui", "driedger", "2x12"), ("endodoi", "merker", "2x6"),
         ("endodoi", "merker", "2x8"), ("omweso", "wikipedia", "4x8-outer"))
EYES = ("perfect", "measured")
LONGEST, LAPS = 60, 60
"""Drops of a faulty turn, and laps of the legal moves that lead to it, at the most."""
SPARSE = 40
"""A kind may be so much rarer than the commonest: so many positions are tried for every draw of it."""
SURE = 0.9999
"""What a perfect reading gives the true count."""
OUTCOMES = ("named", "otherwise", "not sure", "legal", "other")
SAID = {"named": "named by code and pit", "otherwise": "named otherwise", "not sure": "not sure",
        "legal": "called legal", "other": "called something else"}
"""The same as the rows have it."""
HANDS = ((0.3, 0.02), (0.02, 0.3))
"""Shares of the board that South's and North's hands cover where South moves, and where North does."""


class Perfect:
    """Reads every pit right, whenever no hand covers it."""

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Seen:
        """See `readings.Eye`."""
        passing = Passing(rng, boards, drop_s)
        alike = (boards == boards[0]).all(axis=0) | ((boards[0] == 0) & (boards[-1] == 0))
        looks = [_sure(boards[k]) for k in passing.frames]
        return seen_of(passing, (_sure(boards[0]), looks, _sure(boards[-1])), hands,
                       np.where(alike, -SURELY, SURELY))

    def lies(self, boards: Boards) -> None:
        """It remembers nothing."""


def _sure(counts: Boards) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    loglik = np.full((*counts.shape, COUNTS), np.log((1 - SURE) / (COUNTS - 1)))
    np.put_along_axis(loglik, np.minimum(counts, COUNTS - 1)[..., None], np.log(SURE), axis=-1)
    return loglik


def passed(foul: CommittedFault) -> Boards:
    """The boards that a faulty turn passes through, act by act, the first before it."""
    now, found = list(foul.play.before.counts), [foul.play.before.counts]
    for act in foul.play.acts:
        if act.change:
            now[act.pit] += act.change
            found.append(tuple(now))
    if found[-1] != foul.play.after.counts:
        raise ValueError(f"the acts of a {foul.kind} leave {found[-1]}, its position is {foul.play.after}")
    return np.array(found, np.int64)


def positions(rules: Rules, setup: str, seed: str) -> Iterator[tuple[Position, list[Position]]]:
    """Positions of legal games by lot, none of a side's first move, and those before each."""
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
    """What was said of the faults of one kind in one game by one eye. outcomes: of `OUTCOMES`; called: the codes said
    where it was named otherwise; examples: of what should not be, a line each."""

    outcomes: Counter[str] = field(default_factory=Counter)
    theft: int = 0
    elsewhere: int = 0
    called: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    @property
    def draws(self) -> int:
        """How many were judged."""
        return sum(self.outcomes.values())

    def add(self, other: Tally) -> None:
        """Count those of another, too."""
        self.outcomes += other.outcomes
        self.called += other.called
        self.theft, self.elsewhere = self.theft + other.theft, self.elsewhere + other.elsewhere
        self.examples += other.examples

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"draws": self.draws, **{o: self.outcomes[o] for o in OUTCOMES}, "theft": self.theft,
                "elsewhere": self.elsewhere, "called": dict(self.called.most_common()), "examples": self.examples}


def outcome(foul: CommittedFault, verdict: Verdict) -> str:
    """Of `OUTCOMES`: what a verdict makes of a fault."""
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
    """Whether seeds were said to have vanished, or come, that had not."""
    gone = sum(foul.play.before.counts) + sum(foul.play.before.captured)
    gone -= sum(foul.play.after.counts) + sum(foul.play.after.captured)
    said = {f.code for f in verdict.faults}
    return ("palmed" in said and gone <= 0) or ("smuggled" in said and gone >= 0)


def first_verdict(rules: Rules, before: Position, seen: Seen, history: list[Position]) -> Verdict:
    """What is said of what happened, `unchanged` where nothing did; of two moves the one that accuses, if one does."""
    found = sorted(seen.found(rules, before, history), key=lambda finding: not finding.accuses)
    return found[0].verdict(rules) if found else Verdict("unchanged", before, before)


def judged(foul: CommittedFault, rules: Rules, history: list[Position], eye: Eye, tempo: Tempo, rng: random.Random,
           tally: Tally) -> None:
    """Show a fault to an eye and note what the referee says."""
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
    """A fault and what was said of it, in a line."""
    play, board = foul.play, foul.play.before.board
    begun = "no move" if play.pit is None else board.name(play.pit)
    at = "" if play.at is None else f" at {board.name(play.at)}"
    said = ", ".join(f"{f.code} {'' if f.pit is None else board.name(f.pit)}".strip() for f in verdict.faults)
    return (f"{play.before} | {play.player.letter} {begun}: {foul.kind}{at} lap {play.lap} n {play.n} -> {play.after}"
            f" | said {verdict.kind} {said} p={verdict.confidence:.4f} on {verdict.position}")


@dataclass
class Found:
    """What a game's run found. by: of every kind and eye; alike: faults of a kind that nobody could tell, and draws of
    it in all."""

    by: dict[tuple[str, str], Tally] = field(default_factory=dict)
    alike: Counter[str] = field(default_factory=Counter)


def lots(words: str) -> np.random.Generator:
    """Random numbers that are always the same for the same words. A kind is drawn by its name and not by its place
    among the others, so that another one put between them leaves the draws of all as they were."""
    return np.random.default_rng(list(words.encode()))


def bench(game: tuple[str, str, str], draws: int, seed: int = 1, tempo: Tempo = NORMAL,
          chosen: tuple[str, ...] = ()) -> Found:
    """So many faults of every kind in one game; fewer where a kind is too rare. chosen: only these kinds."""
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
    """Show a fault to either eye, by random numbers of that seed, and note what the referee says. Whether it was shown:
    one that nobody could tell is only counted."""
    if foul.alike:
        found.alike[foul.kind] += 1
        return False
    for eye in EYES:
        by_lot = random.Random(f"{seed} {eye}")
        watching: Eye = Perfect() if eye == "perfect" else Measured(by_lot)
        judged(foul, rules, history, watching, tempo, by_lot, found.by[foul.kind, eye])
    return True


def total(found: dict[tuple[str, str, str], Found], eye: str, kind: str | None = None) -> Tally:
    """Of all games, and of all kinds unless one is named."""
    out = Tally()
    for one in found.values():
        for (k, e), tally in one.by.items():
            if e == eye and kind in (None, k):
                out.add(tally)
    return out


COLUMNS = ("draws", *OUTCOMES, "theft", "elsewhere")


def lines(found: dict[tuple[str, str, str], Found]) -> Iterator[str]:
    """The table: a row for every kind and game, then for every kind, then for all."""
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
    """So many legal moves, or a few more, at either pace by the measured eye: accused, right, not sure."""
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
    """Show so many legal moves of a game to the measured eye, some of them answered before the hand is away, and count
    what the referee says of each by lot of that seed. falsely: gets a line of each for which somebody is accused."""
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
    """What the referee makes of legal moves: accused, right, not sure or otherwise. after: what they leave."""
    if any(f.accuses for f in found):
        return "accused"
    kinds_said = {f.kind for f in found}
    if kinds_said == {"legal"} and found[-1].after == after:
        return "right"
    return "not sure" if "not-sure" in kinds_said else "otherwise"


def rows(draws: int = 10, legal: int = 300) -> list[Row]:
    """The totals by eye, and the legal moves, for `make bench`."""
    found = {game: bench(game, draws) for game in GAMES}
    table: list[Row] = []
    for eye in EYES:
        tally, basis = total(found, eye), f"{eye} readings, faults of {len(KINDS)} kinds that hands make"
        table += [share(f"faults: {SAID[what]}", tally.outcomes[what], tally.draws, basis) for what in OUTCOMES]
        table += [share("faults: theft named where there was none", tally.theft, tally.draws, basis),
                  share("faults: accused on another board than lay there", tally.elsewhere, tally.draws, basis)]
    return table + legal_rows(legal)


def as_json(found: dict[tuple[str, str, str], Found]) -> dict[str, Any]:
    """What was found, by game, kind and eye, and of all together, in what JSON has."""
    games = {" ".join(game): {kind: {"alike": one.alike[kind], **{eye: one.by[kind, eye].plain() for eye in EYES}}
                              for kind in dict.fromkeys(k for k, _ in one.by)} for game, one in found.items()}
    whole = {eye: total(found, eye).plain() for eye in EYES}
    for tally in whole.values():
        del tally["examples"]
    return {"games": games, "all": whole}


def main() -> None:
    """Print the table; JSON into a file where one is named."""
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
