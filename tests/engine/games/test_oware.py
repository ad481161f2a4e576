"""Oware, point by point (engine/games/oware.md), held against OpenSpiel; and what is judged of it."""

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from device.sim.fouls import KINDS, draw, kinds
from engine.board import Side
from engine.explain import sentence
from engine.games.base import MoveError
from engine.games.oware import BOARD
from engine.matches import GameBegun, GameEnded, MatchBegun, fold
from engine.matches.forms import GamesForm
from engine.position import Position
from engine.records.reader import read
from engine.records.replay import replay
from engine.rules import RulesError, ruleset
from engine.verdict import Fault
from tests.engine.games.openspiel import differences, kept, played
from tests.engine.matches.shorthand import move, on
from tests.engine.referee.by_hand import SOUTHS, by_hand, judged, seen

ABAPA, OPENSPIEL = ruleset("oware"), ruleset("oware", "openspiel")
ILLEGAL, CAPTURES = (ruleset("oware", None, {"grand_slam": word}) for word in ("illegal", "captures"))
SLAM = "0,0,0,0,2,1/2,1,0,3,0,2 S 18-19 ply=20"
"""South's f makes two and three of all that North has."""
HUNGRY = "0,0,0,0,0,0/1,0,0,0,2,2 S 23-20 ply=30"
"""North has nothing; South's e and f give him some, a does not."""
CIRCLE = "0,0,0,0,0,1/1,0,0,0,0,0 S 23-23 ply=40"
"""Neither side has anything but one seed, and both go round."""


def after(line: str, name: str) -> str:
    """The line of the board after a move."""
    return str(ABAPA.play(Position.parse(line), name).position)


# ---- its rules ---------------------------------------------------------------------------------------------------

def test_a_game_begins_with_four_seeds_in_each_of_twelve_pits() -> None:
    assert str(ABAPA.setup()) == "4,4,4,4,4,4/4,4,4,4,4,4 S 0-0 ply=0" and ABAPA.boards == (BOARD,)


def test_a_move_is_one_lap_whatever_it_ends_in() -> None:
    assert after("4,4,4,4,4,4/4,4,4,4,4,4 S 0-0 ply=0", "c") == "4,4,4,4,4,5/4,4,0,5,5,5 N 0-0 ply=1"
    assert all(m.laps == 1 for m in ABAPA.moves(ABAPA.setup()).moves)


def test_a_sowing_of_twelve_passes_its_own_pit_by() -> None:
    assert after("0,4,4,0,4,4/4,0,4,4,4,12 S 4-0 ply=9", "f") == "1,5,5,1,5,6/5,1,5,5,5,0 N 4-0 ply=10"
    with pytest.raises(RulesError, match="'skip_origin' is not a field of these rules: grand_slam or repetition"):
        ruleset("oware", None, {"skip_origin": "false"})


@pytest.mark.parametrize(("row", "left", "won"), [
    ("3,0,5,4,2,1", "3,0,5,4,0,0", 5),  # two in A and three in B
    ("3,0,5,4,2,3", "3,0,5,4,0,4", 3),  # four in A stay
    ("3,0,5,4,3,1", "3,0,5,4,4,2", 0),  # four in B: nothing, not even the two in A
    ("3,0,5,4,0,1", "3,0,5,4,1,2", 0),
])
def test_twos_and_threes_are_captured_backwards_until_a_pit_holds_others(row: str, left: str, won: int) -> None:
    captured = 48 - sum(map(int, row.split(","))) - 8
    before = f"{row}/2,1,0,3,0,2 S {captured}-0 ply=20"
    assert after(before, "f") == f"{left}/2,1,0,3,0,0 N {captured + won}-0 ply=21"


def test_nothing_is_captured_in_ones_own_row() -> None:
    assert after("3,0,5,4,3,1/2,1,0,3,2,1 S 23-0 ply=20", "a") == "3,0,5,4,3,1/0,2,1,3,2,1 N 23-0 ply=21"


def test_whoever_would_take_all_takes_nothing_or_all_or_may_not_move() -> None:
    position = Position.parse(SLAM)
    assert str(ABAPA.play(position, "f").position) == "0,0,0,0,3,2/2,1,0,3,0,0 N 18-19 ply=21"
    assert str(CAPTURES.play(position, "f").position) == "0,0,0,0,0,0/2,1,0,3,0,0 N 23-19 ply=21"
    with pytest.raises(MoveError, match="move f: pit f leaves North without a seed"):
        ILLEGAL.play(position, "f")
    assert [m.name for m in ILLEGAL.moves(position).moves] == ["a", "b", "d"]


def test_who_finds_the_other_without_seeds_gives_him_some() -> None:
    assert [BOARD.name(pit) for pit in ABAPA.starts(Position.parse(HUNGRY))] == ["e", "f"]


@pytest.mark.parametrize(("line", "result", "reason"), [
    ("0,0,0,0,0,0/1,0,0,0,0,0 S 24-23 ply=30", (25, 23), "South cannot give North a seed"),
    ("0,0,0,1,0,0/0,0,0,0,0,0 S 23-24 ply=30", (23, 25), "South cannot move"),
    ("0,0,0,1,0,0/0,3,0,0,0,0 S 25-19 ply=30", (28, 20), "South has captured more than half of the seeds"),
    ("0,0,0,1,0,0/0,3,0,0,0,0 S 19-25 ply=30", (22, 26), "North has captured more than half of the seeds"),
    ("0,0,0,0,0,0/0,0,0,0,0,0 S 24-24 ply=30", (24, 24), "each side has captured half of the seeds"),
])
def test_a_game_ends(line: str, result: tuple[int, int], reason: str) -> None:
    over = ABAPA.over(Position.parse(line))
    assert over is not None and (over.result, over.reason) == (result, reason)


def test_a_position_that_comes_again_ends_the_game_where_the_rules_say_so() -> None:
    position, earlier = Position.parse(CIRCLE), list[Position]()
    while OPENSPIEL.ended(position, earlier) is None and len(earlier) < 50:
        earlier.append(position)
        position = OPENSPIEL.moves(position).moves[0].position
    over = OPENSPIEL.ended(position, earlier)
    assert over is not None and (over.result, over.reason) == ((24, 24), "the position stood before")
    assert (position.counts, position.to_move) in {(p.counts, p.to_move) for p in earlier}
    assert ABAPA.ended(position, earlier) is None
    assert OPENSPIEL.ended(position, [position]) is None, "it stands for the first time"
    other = [replace(one, to_move=one.to_move.other) for one in earlier]
    assert OPENSPIEL.ended(position, other) is None, "the other side was to move then"
    agreed = ABAPA.agreed(position)
    assert agreed is not None and agreed.result == (24, 24)


def test_a_written_game_and_a_match_end_by_repetition() -> None:
    record = f'[Game "oware"] [Rules "openspiel"] [Position "{CIRCLE}"] [Result "24-24"] '
    moves = "a A b B c C d D e E f F"
    (game,) = read(f"{record}{moves} 24-24")
    done = replay(game)
    assert done.wrong is None and done.over is not None and done.over.reason == "the position stood before"
    (longer,) = read(f"{record}{moves} a 24-24")
    wrong = replay(longer).wrong
    assert wrong is not None and "the game was over, 24-24: the position stood before" in wrong.sentence
    state = fold([MatchBegun("oware", GamesForm(1), "openspiel"), GameBegun(1, Side.SOUTH)])
    for name in "aBfEbAdDcCdBcDbCfAcBdAeEfDdFeBcCdEaDbEcFfAaBbCcDdAeAfEaFaAbBcCdDeEfF":
        state = on(state, move(state, name))
    state = on(state, GameEnded(1))
    assert state.games[-1].scored is not None



# ---- held against OpenSpiel --------------------------------------------------------------------------------------

def test_no_position_of_the_kept_games_is_otherwise_than_openspiel_has_it() -> None:
    games = list(kept())
    assert sum(map(len, games)) > 300
    assert [found for game in games for found in differences(OPENSPIEL, game)] == []


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="Oware held against OpenSpiel (pip install open_spiel)")
def test_no_position_of_games_by_lot_is_otherwise_than_openspiel_has_it() -> None:
    assert [found for seed in range(1000, 1020) for found in differences(OPENSPIEL, played(seed))] == []


# ---- what is judged of it ----------------------------------------------------------------------------------------

@pytest.mark.parametrize(("line", "play", "fault"), [
    (HUNGRY, "^a b", Fault("starved", 0, 1, instead=(4, 5))),
    ("3,0,5,4,2,1/2,1,0,3,0,2 S 12-13 ply=20", "^f A B", Fault("short-capture", 7, 1, 5)),
    ("3,0,5,4,2,1/2,1,0,3,0,2 S 12-13 ply=20", "^f A B xB", Fault("short-capture", 6, 1, 2)),
    ("3,0,5,4,3,1/2,1,0,3,0,2 S 12-12 ply=20", "^f A B xB", Fault("false-capture", 7, 1, 4)),
    (SLAM, "^f A B xBA", Fault("false-capture", 7, 1, 5)),
])
def test_what_only_this_game_has_is_named(line: str, play: str, fault: Fault) -> None:
    """Seeds left in one pit may be misread, so they are only the likeliest."""
    verdict = judged(ABAPA, Position.parse(line), seen(by_hand(line, play).counts, SOUTHS))
    assert verdict.kind in ("illegal", "not-sure") and verdict.best[0].faults == (fault,)
    assert "lap" not in sentence(verdict, ABAPA.verbs, relays=ABAPA.relays)


def test_a_legal_move_is_legal_and_does_not_sleep() -> None:
    line = "4,4,4,4,4,4/4,4,4,4,4,4 S 0-0 ply=0"
    verdict = judged(ABAPA, Position.parse(line), seen(by_hand(line, "^c d e f A").counts, SOUTHS))
    assert sentence(verdict, ABAPA.verbs, relays=ABAPA.relays) == "South sowed c."


def test_starving_is_named_in_staged_games() -> None:
    """On perfect readings: North has nothing, and one of South's pits, by lot, does not feed him."""
    named, staged = 0, 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        row = [int(n) for n in rng.multinomial(8, [1 / 6] * 6)]
        position = Position(BOARD, (*row, *(0,) * 6), captured=(20, 20), ply=30)
        foul = draw(ABAPA, position, "starved", rng)
        if foul is not None and ABAPA.starts(position):
            verdict = judged(ABAPA, position, seen(foul.play.after.counts, SOUTHS))
            staged += 1
            named += [fault.code for fault in verdict.faults] == ["starved"]
    assert staged >= 10 and named == staged


def test_every_kind_that_the_game_has_is_drawn() -> None:
    position, found = Position.parse("3,0,5,4,2,1/2,1,0,3,0,2 S 12-13 ply=20"), set[str]()
    for kind in KINDS:
        if any(draw(ABAPA, position, kind, np.random.default_rng(seed)) for seed in range(5)):
            found.add(kind)
    assert {"capture-partly", "capture-not-taken", "capture-without-right", "skip-1", "wrong-side"} <= found
    assert not any(KINDS[kind].relays for kind in kinds(ABAPA, position))
    assert not found & {"stopped-short", "bull-lifted", "kept"}


@pytest.mark.parametrize(("row", "claimed"), [
    ("3,0,5,4,2,1", "BA"),  # three and two are due
    ("0,0,0,0,2,1", "BA"),  # they would be all that North has
    ("3,0,5,4,3,1", "B"),  # one seed too many, which people overlook
    ("3,0,5,4,0,1", ""),
    ("3,0,5,4,4,1", ""),
])
def test_what_a_capture_would_be_about(row: str, claimed: str) -> None:
    captured = 48 - sum(map(int, row.split(","))) - 8
    sowing = ABAPA.begin(Position.parse(f"{row}/2,1,0,3,0,2 S {captured}-0 ply=20"))
    sowing.sow(5, ABAPA.first_direction)
    assert "".join(map(BOARD.name, ABAPA.claims(sowing))) == claimed
