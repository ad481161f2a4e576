"""How people who know these games play them, as clips: hands overlap, rest, come back, take back, and move twice.

    python -m tests.bench.scenarios [--only SCENARIO] [--first K] [--draws 20] [--kept FILE]

Each draw is a clip of another making (`tests.bench.othermaking`) without cheating, except that the second move of "two
moves in one reach" is out of turn. Draws below 1,000 may be looked at; figures are reported for the others. With
`--kept` every draw's outcome is added to a file, and draws already in it are not repeated.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from device.cameras.base import CameraError
from device.cameras.choose import camera_of_file
from device.cli.watch.watcher import Match, Watcher
from engine.board import Board
from engine.position import Position
from engine.rules import Rules, ruleset
from tests.bench import results
from tests.bench.otherfilming import PLAIN
from tests.bench.othermaking import PACES, Rest, Scene, Visit, begun, filmed, timed, told, visit
from tests.bench.othermoves import Act, Turn, next_turn
from tests.bench.table import Row, print_rows, share
from tests.bench.watching import paired, taken_back

SEED = 61_000
MOVES = 3
"""Moves of a draw, unless its scenario says otherwise."""
EARLY_S = (0.1, 1.0)
"""Seconds by which the next hand comes before the last one has gone."""
REST_S, GONE_S = 2.0, (0.8, 1.5)
"""Seconds for which a hand rests in mid-move, or is away."""
SHORTEST = 4
"""Fewest acts of a move in which a hand may rest."""
TURNED_ON = ("double-move", "out-of-turn")
"""Codes for a second move by the same side."""
ACCUSE = ("illegal", "tampered")

Rng = np.random.Generator


@dataclass
class Stage:
    """What has been played so far. edge: rows from the outer pits' middle to the wood's edge; t: seconds, when the next
    hand may come; pace: its name; done: the hands' visits."""

    rules: Rules
    position: Position
    pace: str
    edge: float
    rng: Rng
    t: float
    done: list[Visit]

    def turn(self) -> Turn | None:
        """Return a random legal move; None if the game is over."""
        over = self.rules.over(self.position) is not None
        return None if over else next_turn(self.rules, self.position, self.rng, 0.0)

    def play(self, turn: Turn, *rests: Rest) -> None:
        """Make a turn with a hand that then leaves."""
        made = visit(turn, PACES[self.pace], self.t, self.edge, self.rng, rests=rests)
        self.done.append(made)
        self.t = made.keys[-1].t + float(self.rng.uniform(*PACES[self.pace].pause))
        self.position = turn.after


def _early(stage: Stage) -> None:
    """The next hand is over its pit before the last one has gone; it picks nothing up before all is sown."""
    for _ in range(MOVES):
        if (turn := stage.turn()) is None:
            return
        gone = stage.done[-1] if stage.done else None
        if gone is not None:
            stage.t = gone.changes[-1][0]
        stage.play(turn)
        if gone is not None:
            came = stage.done[-1]
            early = came.t_in - gone.t_out + float(stage.rng.uniform(*EARLY_S))
            first, over, *rest = came.keys
            hovers = (first._replace(t=first.t - early), over._replace(t=over.t - early), *rest)
            stage.done[-1] = timed(replace(came, keys=hovers), stage.edge)


def _with_rest(stage: Stage, rest: Callable[[int], Rest]) -> None:
    """One of the moves is interrupted before one of its acts."""
    rested = False
    for _ in range(MOVES):
        if (turn := stage.turn()) is None:
            return
        if rested or len(turn.acts) < SHORTEST:
            stage.play(turn)
        else:
            stage.play(turn, rest(int(stage.rng.integers(2, len(turn.acts)))))
            rested = True


def _rests(stage: Stage) -> None:
    """A hand rests over the board in mid-move."""
    _with_rest(stage, lambda act: Rest(act, REST_S, away=False))


def _taken_up(stage: Stage) -> None:
    """A hand leaves the board in mid-move, and comes back to continue."""
    _with_rest(stage, lambda act: Rest(act, float(stage.rng.uniform(*GONE_S)), away=True))


def _taken_back(stage: Stage) -> None:
    """Either side takes a move back, and another move is made."""
    first = stage.turn()
    if first is None:
        return
    before = stage.position
    stage.play(first)
    stage.t += 1.0
    by = before.to_move if stage.rng.random() < 0.5 else before.to_move.other
    back = replace(first, player=by, kind="withdrawn", acts=_laid_back(before, first.after), before=first.after,
                   after=before)
    stage.play(back)
    if (again := stage.turn()) is not None:
        stage.play(again)


def _laid_back(lay: Position, lies: Position) -> tuple[Act, ...]:
    """Return the acts that restore an earlier board: lift the surplus seeds, and drop them where they are missing."""
    differ = [(pit, lay.counts[pit] - lies.counts[pit]) for pit in range(lay.board.pits)]
    taken = [Act("lift", pit, -by) for pit, by in differ if by < 0]
    return (*taken, *(Act("add", pit, by) for pit, by in differ if by > 0))


def _twice(stage: Stage) -> None:
    """One side makes two moves in one reach."""
    first = stage.turn()
    if first is None or stage.rules.over(first.after) is not None:
        return
    own = replace(first.after, to_move=stage.position.to_move)
    second = next_turn(stage.rules, own, stage.rng, 0.0)
    if second is None:
        return
    after = replace(second.after, to_move=first.player.other)
    both = replace(first, acts=(*first.acts, *second.acts), kind="illegal", fault=TURNED_ON[0], at=second.pit,
                   after=after)
    stage.play(both)
    if (answer := stage.turn()) is not None:
        stage.play(answer)


SCENARIOS: dict[str, tuple[str, Callable[[Stage], None]]] = {
    "early": ("the next hand is up to a second early", _early),
    "rests": ("a hand rests for two seconds in mid-move", _rests),
    "taken-up": ("a hand leaves in mid-move and goes on", _taken_up),
    "taken-back": ("a move is laid back by either side", _taken_back),
    "twice": ("two moves in one reach", _twice)}
"""Each scenario in words, and the function that plays it."""


@dataclass(frozen=True)
class Outcome:
    """The table's result on one draw. moves: those that needed a verdict; right: those whose verdict was right;
    accused: verdicts that wrongly accused somebody, whether or not they were taken back."""

    scenario: str
    draw: int
    moves: int
    right: int
    accused: int


def drawn(scenario: str, draw: int, stem: Path) -> dict[str, Any]:
    """Write the clip of a draw and its truth; return the truth."""
    rng = np.random.default_rng((SEED, list(SCENARIOS).index(scenario), draw))
    rules, start, pace, rng = begun(rng, 1 if scenario == "early" else draw)
    scene = Scene(start, rng, PLAIN)
    stage = Stage(rules, start, pace, scene.edge, rng, float(rng.uniform(1.5, 2.5)), [])
    SCENARIOS[scenario][1](stage)
    filmed(stem, stage.done, scene.change, scene.frame, PLAIN.fps, PLAIN.size, after=2.5)
    return told(stem, rules, start, pace, stage.done, scene.camera.south, scenario)


def refereed(clip: Path, truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the table's verdicts on a clip."""
    events: list[dict[str, Any]] = []
    match = Match(ruleset(truth["game"], truth["rules"]), Board.parse(truth["board"]), truth["start"], truth["south"])
    with suppress(CameraError):
        Watcher(camera_of_file(clip), match, events.append).run()
    return [e for e in events if e["event"] == "verdict"]


def outcome(scenario: str, draw: int, moves: list[dict[str, Any]], said: list[dict[str, Any]]) -> Outcome:
    """Compare verdicts with what happened."""
    stands = [v for v in said if not taken_back(v, said)]
    right = sum(v is not None and is_right(m, v) for m, v in zip(moves, paired(moves, stands), strict=True))
    faulty = any(m["kind"] == "illegal" for m in moves)
    accused = sum(v["kind"] in ACCUSE and not (faulty and _turned_on(v)) for v in said)
    return Outcome(scenario, draw, len(moves), right, accused)


def is_right(move: dict[str, Any], verdict: dict[str, Any]) -> bool:
    """Return whether a verdict says what happened. A second move in one reach may be reported as part of the first."""
    if move["kind"] == "illegal":
        return verdict["player"] == move["player"] and verdict["kind"] == "illegal" and _turned_on(verdict)
    if move["kind"] == "withdrawn":
        return bool(verdict["kind"] == "withdrawn")
    named = (verdict["player"], (verdict.get("move") or "?")[0])
    return bool(verdict["kind"] == "legal" and named == (move["player"], move["move"]))


def _turned_on(verdict: dict[str, Any]) -> bool:
    return any(fault["code"] in TURNED_ON for fault in verdict.get("faults", ()))


def tried(scenario: str, draw: int) -> Outcome | None:
    """Make a clip of a scenario and have it refereed; None if nothing could be played."""
    with TemporaryDirectory(prefix="inkeek-scenario-") as folder:
        stem = Path(folder) / "clip"
        truth = drawn(scenario, draw, stem)
        said = refereed(stem.with_suffix(".mp4"), truth) if truth["moves"] else []
        return outcome(scenario, draw, truth["moves"], said) if truth["moves"] else None


def known(kept: Path | None) -> dict[tuple[str, int], Outcome]:
    """Return the outcomes in a file, by scenario and draw."""
    lines = kept.read_text("utf-8").splitlines() if kept is not None and kept.exists() else []
    return {(o.scenario, o.draw): o for o in (Outcome(**json.loads(line)) for line in lines)}


def keep(kept: Path | None, one: Outcome) -> None:
    """Add an outcome to a file, if one is given."""
    if kept is not None:
        with kept.open("a", encoding="utf-8") as file:
            print(json.dumps(vars(one)), file=file)


def rows(found: list[Outcome]) -> list[Row]:
    """Return the figures: right by scenario, and false accusations over all."""
    out: list[Row] = []
    for name, (words, _) in SCENARIOS.items():
        these = [o for o in found if o.scenario == name]
        moves, basis = sum(o.moves for o in these), f"{len(these)} clips of another making: {words}"
        if these:
            out.append(share("verdict right", sum(o.right for o in these), moves, basis))
    return [*out, share("clips in which somebody is accused falsely", sum(o.accused > 0 for o in found), len(found),
                        "all of them")]


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(SCENARIOS)), help="These scenarios; all, unless given.")
@click.option("--first", default=1_000, show_default=True, help="Number of the first draw.")
@click.option("--draws", default=20, show_default=True, help="Of each scenario.")
@click.option("--kept", type=click.Path(dir_okay=False, path_type=Path), help="Outcomes are kept here, a line each.")
@click.option("--keep", "into_table", is_flag=True, help="Keep the figures in results.json and RESULTS.md.")
def main(only: tuple[str, ...], first: int, draws: int, kept: Path | None, into_table: bool) -> None:
    """Referee clips of how people play."""
    before, found = known(kept), list[Outcome]()
    for draw, name in product(range(first, first + draws), only or tuple(SCENARIOS)):
        one = before.get((name, draw)) or tried(name, draw)
        if one is None:
            continue
        found.append(one)
        if (name, draw) not in before:
            print(one, flush=True)
            keep(kept, one)
    made = results.measured("scenarios", lambda: rows(found))
    print_rows(made)
    if into_table:
        results.keep("scenarios", made)


if __name__ == "__main__":
    main()
