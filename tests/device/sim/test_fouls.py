"""Faults drawn by lot, kind by kind: each is committed as it is named, by a hand that moves the seeds pit by pit."""

import itertools
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.sim.fouls import CODES, KINDS, CommittedFault, draw, fault_at, kinds
from device.sim.gestures import PACES, Track
from device.sim.players import Players, default_players
from device.sim.plays import Act
from engine.board import Board
from engine.position import Position
from engine.rules import Rules, games, ruleset, rulesets
from tests.examples import examples

GAMES = (("enkeshui", "driedger", "2x8"), ("enkeshui", "driedger", "2x12"), ("endodoi", "merker", "2x6"),
         ("endodoi", "merker", "2x8"), ("omweso", "wikipedia", "4x8"), ("ayoayo", "russ", "2x6"),
         ("oware", "abapa", "2x6"))
EACH = 3


def positions(game: tuple[str, str, str], seed: int) -> Iterator[tuple[Rules, Position]]:
    """Of legal games by lot, one after the other."""
    rules, rng = ruleset(*game[:2]), np.random.default_rng(seed)
    while True:
        position = rules.setup(board=Board.parse(game[2]))
        for _ in range(30):
            moves = [m for m in rules.moves(position).moves if m.laps <= 60]
            if not moves:
                break
            yield rules, position
            if rules.barred_start == "starved":
                yield rules, hungry(position)
            position = moves[int(rng.integers(len(moves)))].position


def hungry(position: Position) -> Position:
    """The same where the player to move has captured all that lay in the other row."""
    theirs = position.board.own(position.to_move.other)
    won = list(position.captured)
    won[position.to_move] += sum(position.counts[p] for p in theirs)
    return replace(position, counts=tuple(0 if p in theirs else n for p, n in enumerate(position.counts)),
                   captured=(won[0], won[1]))


def some_of_every_kind(game: tuple[str, str, str]) -> dict[str, list[CommittedFault]]:
    """Some of every kind of one game, by kind; as many as are found in four hundred positions."""
    rng, source = np.random.default_rng(3), positions(game, 7)
    rules, first = next(source)
    found: dict[str, list[CommittedFault]] = {kind: [] for kind in kinds(rules, first)}
    for _ in range(400):
        rules, position = next(source)
        missing = [kind for kind, some in found.items() if len(some) < EACH]
        if not missing:
            break
        fouls = [draw(rules, position, kind, rng, tries=3) for kind in missing]
        for kind, foul in zip(missing, fouls, strict=True):
            if foul is not None and not foul.alike:
                found[kind].append(foul)
    return found


@lru_cache(maxsize=1)
def drawn() -> dict[tuple[str, str], list[CommittedFault]]:
    """Some of every kind, by game's board and kind."""
    return {(f"{game[0]} {game[2]}", kind): some
            for game in GAMES for kind, some in some_of_every_kind(game).items() if some}


def of(kind: str) -> list[CommittedFault]:
    """Those of a kind in all games."""
    return [foul for (_, k), some in drawn().items() if k == kind for foul in some]


def carried_out(foul: CommittedFault) -> list[tuple[int, ...]]:
    """The boards before every act and after the last."""
    counts, seen = list(foul.play.before.counts), []
    for act in foul.play.acts:
        seen.append(tuple(counts))
        counts[act.pit] += act.change
        assert counts[act.pit] >= 0, f"{act} takes more than there is: {foul}"
    return [*seen, tuple(counts)]


def lap(foul: CommittedFault) -> list[Act]:
    """The acts of the lap in which the edit was made, in two rows: from its lift to the next."""
    begins = [i for i, act in enumerate(foul.play.acts) if act.kind == "lift"]
    first = begins[foul.play.lap - 1]
    after = [i for i in begins if i > first]
    return list(foul.play.acts[first: after[0] if after else None])


def two_rows(kind: str) -> list[CommittedFault]:
    return [foul for foul in of(kind) if foul.play.before.board.rows == 2]


def four_rows(kind: str) -> list[CommittedFault]:
    return [foul for foul in of(kind) if foul.play.before.board.rows == 4]


def dropped(acts: list[Act]) -> int:
    return sum(act.n for act in acts if act.kind == "drop")


def test_every_kind_is_committed_in_every_game_that_has_it() -> None:
    assert len(KINDS) >= 20
    for game in GAMES:
        rules = ruleset(*game[:2])
        for kind in kinds(rules, rules.setup(board=Board.parse(game[2]))):
            assert len(drawn().get((f"{game[0]} {game[2]}", kind), [])) == EACH, (game, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_the_acts_lead_to_the_board_and_the_hand_performs_every_one(kind: str) -> None:
    for foul in of(kind):
        play = foul.play
        assert carried_out(foul)[-1] == play.after.counts
        assert play.fault == KINDS[kind].code == foul.codes[0]
        assert not foul.pits or play.at in foul.pits
        track = Track(play.before.board, play.player, play.acts, PACES["normal"], (1, 2))
        assert [(c.pit, c.by) for c in track.changes] == [(a.pit, a.change) for a in play.acts]


EVERY_RULESET = tuple(ruleset(game, name) for game in games() for name in rulesets(game))


@pytest.mark.parametrize("rules", EVERY_RULESET, ids=lambda rules: f"{rules.game}-{rules.name}")
@settings(max_examples=examples(6))
@given(seed=st.integers(0, 9999))
def test_every_kind_can_be_drawn_under_every_ruleset(rules: Rules, seed: int) -> None:
    """At a position of a game by lot: nothing fails, and what is drawn is what was done."""
    rng, position = np.random.default_rng(seed), rules.setup(board=rules.boards[0])
    for _ in range(int(rng.integers(12))):
        moves = [m for m in rules.moves(position).moves if m.laps <= 60]
        if moves:
            position = moves[int(rng.integers(len(moves)))].position
    for kind in kinds(rules, position):
        foul = draw(rules, position, kind, rng, tries=3)
        assert foul is None or carried_out(foul)[-1] == foul.play.after.counts
        assert foul is None or foul.play.fault == KINDS[kind].code


def test_a_capture_that_is_not_taken_is_named_after_the_pit_across() -> None:
    """Whether the seed that captures is captured, too, or stays."""
    position = Position.parse("0,0,0,3,3,5/0,0,1,0,1,1 S 17-17 ply=4")
    for rules in (ruleset("ayoayo", "russ"), ruleset("ayoayo", "wikipedia")):
        drawn = (draw(rules, position, "capture-not-taken", np.random.default_rng(seed)) for seed in range(20))
        found = [(foul.play.pit, foul.play.at, foul.play.n) for foul in drawn if foul is not None]
        assert (2, 8, 3) in found, "c ends in d, which C faces with three seeds"


def test_the_same_seed_draws_the_same() -> None:
    rules, position = next(positions(GAMES[4], 1))
    for kind in kinds(rules, position):
        first, again = (draw(rules, position, kind, np.random.default_rng(5)) for _ in range(2))
        assert first == again


def test_nothing_of_the_referee_is_needed_to_draw_a_fault() -> None:
    words = "import sys, device.sim.fouls; print([m for m in sys.modules if m.startswith('engine.referee')])"
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_seeds_palmed_in_mid_sowing_are_missing_from_the_lap_and_from_the_board(n: int) -> None:
    for foul in two_rows(f"palmed-{n}"):
        lift, *rest = lap(foul)
        assert lift.n - dropped(rest) == n == foul.play.n
        assert foul.play.before.total - foul.play.after.total == n


@pytest.mark.parametrize("n", [1, 2])
def test_seeds_added_to_the_hand_are_sown_with_the_lap(n: int) -> None:
    for foul in two_rows(f"added-{n}"):
        lift, *rest = lap(foul)
        assert dropped(rest) - lift.n == n == foul.play.n


@pytest.mark.parametrize("n", [1, 2])
def test_skips_pass_over(n: int) -> None:
    for foul in two_rows(f"skip-{n}"):
        path = [a.pit for a in lap(foul) if a.kind in ("lift", "drop")]
        pits = foul.play.before.board.pits
        strides = Counter(min((b - a) % pits, (a - b) % pits) for a, b in itertools.pairwise(path))
        assert strides[1 + n] == 1 and set(strides) <= {1, 1 + n}


@pytest.mark.parametrize("n", [2, 3])
def test_doubles_drop_together(n: int) -> None:
    for foul in two_rows(f"double-{n}"):
        assert [a.n for a in lap(foul) if a.kind == "drop" and a.n > 1] == [n]


def test_a_seed_gone_astray_lies_beside_where_it_is_due() -> None:
    for foul in of("wrong-pit"):
        lies, due = foul.pits
        assert lies != due
        assert max(abs(a - b) for a, b in zip(*map(foul.play.before.board.place, (lies, due)), strict=True)) == 1


def test_two_pits_are_lifted_before_the_first_drop() -> None:
    for foul in of("two-pits"):
        first, second, third = foul.play.acts[:3]
        assert (first.kind, second.kind, third.kind) == ("lift", "lift", "drop")
        assert {first.pit, second.pit} == set(foul.pits)
        assert foul.play.n == foul.play.before.counts[first.pit]


def test_part_of_a_capture_is_left_and_the_rest_is_taken() -> None:
    for foul in two_rows("capture-partly"):
        assert foul.play.at is not None
        assert foul.play.after.counts[foul.play.at] == foul.play.n
        assert any(act.kind == "take" for act in foul.play.acts)
        assert foul.play.after.total == foul.play.before.total


@pytest.mark.parametrize("kind", ["resown-from-start", "resown-from-capture"])
def test_captured_seeds_are_sown_from_the_wrong_pit(kind: str) -> None:
    for foul in four_rows(kind):
        play, board = foul.play, foul.play.before.board
        assert play.at is not None
        beside = board.step(ruleset("omweso").first_direction)[play.at]
        wins = [i for i, act in enumerate(play.acts) if act.kind == "lift" and board.owner(act.pit) is not play.player]
        after_wins = [act for i in wins for act in play.acts[i + 1: i + 3]]
        assert beside in [act.pit for act in after_wins if act.kind == "drop"]
        assert sum(play.after.counts) == sum(play.before.counts)


def test_captured_seeds_are_kept() -> None:
    for foul in four_rows("kept"):
        assert sum(foul.play.before.counts) - sum(foul.play.after.counts) == foul.play.n > 1
        assert [act.kind for act in foul.play.acts[-2:]] == ["take", "take"]


def test_a_board_that_a_legal_move_leaves_is_said_to_be_like_it() -> None:
    rules = ruleset("endodoi")
    alike = Counter[str]()
    for game_rules, position in positions(GAMES[2], 11):
        for kind in ("two-pits", "wrong-way", "moved-twice", "stopped-short", "shifted"):
            foul = draw(game_rules, position, kind, np.random.default_rng(position.ply), tries=2)
            if foul is not None:
                legal = {m.position.counts for m in rules.moves(position).moves}
                assert (foul.alike == "move") == (foul.play.after.counts in legal)
                alike[foul.alike] += 1
        if alike.total() > 200 or alike["move"]:
            break
    assert alike["move"]


def test_the_players_of_the_table_commit_every_code_and_the_show_many_kinds() -> None:
    seen, shown = Counter[str](), Counter[str]()
    for game in GAMES:
        rng, source = np.random.default_rng(5), positions(game, 2)
        for number in range(60):
            rules, position = next(source)
            play = Players(cheats=1.0).turn(rules, position, number, rng)
            seen[(play and play.fault) or ""] += 1
            others = default_players(rules, position.board)
            play = Players((), 1.0, others.codes, others.longest).turn(rules, position, number, rng)
            shown[(play and play.fault) or ""] += 1
    assert set(CODES) <= set(seen)
    assert len(shown) > 12


def test_a_script_tells_a_fault_exactly() -> None:
    rules = ruleset("enkeshui")
    start = rules.setup()
    pit = start.board.pit("c")
    play = fault_at(rules, start, "palmed", pit, 1, 2)
    assert play is not None
    assert (play.fault, play.pit, play.at, play.lap, play.n) == ("palmed", pit, pit, 1, 1)
    assert [act.pit for act in play.acts[1:4]] == [pit + 1, pit + 2, pit + 3]
    assert sum(play.after.counts) + sum(play.after.captured) == 47
    assert fault_at(rules, start, "palmed", start.board.pit("C"), 1, 2) is None
