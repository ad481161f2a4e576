"""The simulated players' turns: legal ones are the engine's, faulty ones commit the very fault they are named for."""

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from device.sim.fouls import CODES, cheat, sown
from device.sim.gestures import PACES, Track
from device.sim.players import Players
from device.sim.plays import Act, HandVisit, laying, legal
from engine.board import Board, Side
from engine.position import Position
from engine.referee import search
from engine.referee.faults import Work
from engine.rules import Rules, ruleset
from tests.device.sim.test_fouls import hungry

GAMES = (("enkeshui", "driedger", "2x8"), ("enkeshui", "wikipedia", "2x12"), ("endodoi", "merker", "2x6"))
ALL = (*GAMES, ("omweso", "wikipedia", "4x8"), ("oware", "abapa", "2x6"))


def positions(game: str, rules: str, board: str, seed: int, turns: int = 30) -> Iterator[tuple[Rules, Position]]:
    """Those of a game by lot."""
    chosen, rng = ruleset(game, rules), np.random.default_rng(seed)
    position = chosen.setup(board=Board.parse(board))
    for _ in range(turns):
        moves = chosen.moves(position).moves
        if not moves:
            return
        yield chosen, position
        if chosen.barred_start == "starved":
            yield chosen, hungry(position)
        position = moves[int(rng.integers(len(moves)))].position


@cache
def found(code: str, games: tuple[tuple[str, str, str], ...] = GAMES) -> list[tuple[Rules, HandVisit]]:
    """Some turns with this fault, a code or a kind."""
    rng = np.random.default_rng(11)
    turns = [(rules, cheat(rules, position, code, rng, tries=15))
             for game in games for rules, position in positions(*game, seed=5)]
    return [(rules, play) for rules, play in turns if play is not None]


def carried_out(play: HandVisit) -> list[tuple[int, ...]]:
    """The counts before every act and after the last."""
    counts, seen = list(play.before.counts), []
    for act in play.acts:
        seen.append(tuple(counts))
        counts[act.pit] += act.change
        assert counts[act.pit] >= 0, f"{act} takes more than there is"
    return [*seen, tuple(counts)]


@pytest.mark.parametrize("game", GAMES)
def test_a_legal_turn_ends_where_the_engine_says_and_the_players_own_sowing_agrees(game: tuple[str, str, str]) -> None:
    compared = 0
    for rules, position in positions(*game, seed=3):
        moves = rules.moves(position).moves
        for move in moves:
            play = legal(move)
            assert carried_out(play)[-1] == move.position.counts
            if not any(m.choices for m in moves if m.pit == move.pit):
                own = sown(rules, position, move.pit, position.to_move, np.random.default_rng(0))
                if own is not None:
                    assert (own.acts, own.after) == (play.acts, move.position)
                    compared += 1
    assert compared > 60


@pytest.mark.parametrize("code", CODES)
def test_every_fault_is_committed_and_is_no_legal_move(code: str) -> None:
    plays = found(code, ALL)
    assert len(plays) >= 8
    for rules, play in plays:
        assert play.fault == code
        assert play.kind == ("tampered" if code == "tampered" else "illegal")
        assert carried_out(play)[-1] == play.after.counts
        assert play.after.counts not in {m.position.counts for m in rules.moves(play.before).moves}
        assert play.after.counts != play.before.counts
        due = play.before.to_move if code in ("tampered", "out-of-turn") else play.player.other
        assert play.after.to_move is due


def test_seeds_come_and_go_only_where_the_fault_says_so() -> None:
    for code in (*(c for c in CODES if c != "tampered"), "shifted", "taken-with-no-move", "laid-with-no-move"):
        goes, comes = ("palmed", "kept", "taken-with-no-move"), ("smuggled", "laid-with-no-move")
        for _, play in found(code, ALL):
            change = play.after.total - play.before.total
            assert change == (-play.n if code in goes else play.n if code in comes else 0), (code, play)


def laps(play: HandVisit) -> list[list[Act]]:
    """The acts, a list a lap, each beginning with its lift."""
    out: list[list[Act]] = []
    for act in play.acts:
        if act.kind == "lift":
            out.append([])
        out[-1].append(act)
    return out


def test_left_seed_leaves_seeds_in_the_pit_it_lifts() -> None:
    for _, play in found("left-seed"):
        at = [i for i, a in enumerate(play.acts) if a.kind == "lift"][play.lap - 1]
        assert play.acts[at].pit == play.at
        assert carried_out(play)[at][play.acts[at].pit] - play.acts[at].n == play.n > 0


def test_stopped_short_sleeps_in_an_occupied_pit_and_ran_on_wakes_an_empty_one() -> None:
    for _, play in found("stopped-short"):
        assert play.acts[-1].pit == play.at
        assert play.after.counts[play.acts[-1].pit] > 1
    for _, play in found("ran-on"):
        lift = next(lap[0] for lap in laps(play)[play.lap :])
        assert (lift.pit, lift.n) == (play.at, 1)


def test_captures_take_what_is_named_or_leave_it() -> None:
    for _, play in found("false-capture"):
        assert any(a.kind == "take" and a.pit == play.at for a in play.acts)
    for _, play in found("short-capture"):
        assert play.at is not None
        assert 0 < play.after.counts[play.at] <= play.n


def test_bulls_and_sides() -> None:
    for _, play in found("bull-lifted"):
        assert play.at is not None
        assert play.before.bulls[play.at] is not None
        assert any(a.kind in ("lift", "take") and a.pit == play.at for a in play.acts)
    for _, play in found("bull-missed"):
        assert play.at is not None
        assert play.before.bulls[play.at] is None
    for _, play in found("wrong-side"):
        assert play.pit is not None
        assert play.before.board.owner(play.pit) is not play.player is play.before.to_move
    assert all(play.player is not play.before.to_move for _, play in found("out-of-turn"))


def test_a_double_move_is_two_legal_moves_of_one_side_in_one_visit() -> None:
    for rules, play in found("double-move"):
        assert play.player is play.before.to_move
        second = next(i for i, act in enumerate(play.acts) if i and act.kind == "lift" and act.pit == play.at
                      and _legal_end(rules, play, carried_out(play)[i]))
        assert play.acts[second].n == carried_out(play)[second][play.acts[second].pit]


def _legal_end(rules: Rules, play: HandVisit, counts: tuple[int, ...]) -> bool:
    return any(m.pit == play.pit and m.position.counts == counts for m in rules.moves(play.before).moves)


def test_an_unknown_fault_is_named() -> None:
    rules = ruleset("endodoi")
    with pytest.raises(ValueError, match="'shouted' is not a fault that players commit"):
        cheat(rules, rules.setup(), "shouted", np.random.default_rng(0))


def test_players_follow_their_script_and_go_on_by_lot_where_it_does_not_fit() -> None:
    rules = ruleset("enkeshui")
    start, rng = rules.setup(), np.random.default_rng(1)
    told = Players(("c", "!skip"), cheats=0)
    first = told.turn(rules, start, 0, rng)
    assert first is not None
    assert (first.kind, start.board.name(first.pit or 0)) == ("legal", "c")
    second = told.turn(rules, first.after, 1, rng)
    assert second is not None
    assert second.fault == "skip"
    honest = told.turn(rules, first.after, 1, rng, honest=True)
    assert honest is not None
    assert honest.kind == "legal"
    elsewhere = Players(("a",), cheats=0).turn(rules, start, 0, rng)
    assert elsewhere is not None
    assert elsewhere.after in {m.position for m in rules.moves(start).moves}
    barred = Players(("c",), cheats=0).turn(rules, start, 0, rng, barred=[first.after])
    assert barred is not None
    assert barred.after != first.after


def test_laying_brings_any_board_to_any_other() -> None:
    rules = ruleset("endodoi")
    target = rules.setup()
    counts = [0, 9, 4, 4, 0, 1, 1, 1, 4, 12, 0, 5]
    play = laying(target, counts, Side.SOUTH, "laid")
    for act in play.acts:
        counts[act.pit] += act.change
    assert tuple(counts) == target.counts
    assert len(play.acts) == 9


@pytest.mark.parametrize("pace", PACES)
def test_a_track_takes_its_time_and_every_change_happens_under_the_hand(pace: str) -> None:
    rules = ruleset("enkeshui")
    for move in rules.moves(rules.setup()).moves:
        play = legal(move)
        track = Track(play.before.board, play.player, play.acts, PACES[pace], (1, 2))
        assert [(c.pit, c.by) for c in track.changes] == [(a.pit, a.change) for a in play.acts]
        assert [c.t for c in track.changes] == sorted(c.t for c in track.changes)
        assert 0 < track.t_in < track.changes[0].t
        assert track.changes[-1].t < track.t_out < track.ends
        assert (
            0.7 * play.sown * PACES[pace].drop
            < track.ends
            < 2.5 * play.sown * PACES[pace].drop + 12 * PACES[pace].reach
        )
        for change in track.changes:
            hand = track.at(change.t)
            row, col = play.before.board.place(change.pit)
            assert hand is not None
            assert abs(hand.tip[0] - col) < 0.3
            assert abs(hand.tip[1] - row) < 0.3
        assert track.at(-0.1) is None is track.at(track.ends + 0.1)


def test_faults_in_four_rows_go_on_by_the_rules() -> None:
    """Captures are sown on from where the lap began, and a move may turn: the referee, which sows by itself, knows
    every such board."""
    rng, tried = np.random.default_rng(3), 0
    for rules, position in itertools.islice(positions("omweso", "wikipedia", "4x8", seed=2), 0, 12, 3):
        legally = {m.position.counts for m in rules.moves(position).moves}
        plain = sown(rules, position, int(rng.choice(rules.starts(position, position.to_move))), position.to_move, rng)
        assert plain is not None and plain.after.counts in legally
        assert carried_out(plain)[-1] == plain.after.counts
        boards = {c.counts for c in search.faulty_moves(rules, position, Work(400_000))}
        for code in ("skip", "double", "left-seed", "palmed", "smuggled", "wrong-way"):
            play = cheat(rules, position, code, rng)
            if play is not None:
                tried += 1
                assert play.after.counts in boards, f"{code} in {position}"
                assert carried_out(play)[-1] == play.after.counts
    assert tried > 12
