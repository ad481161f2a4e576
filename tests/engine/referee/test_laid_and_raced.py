"""Seeds that are laid and not sown, and two relays sown at once: nobody did wrong, and the referee says what it was."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.board import Side
from engine.explain import sentence
from engine.games.omweso import Omweso
from engine.games.race import custom, outcomes
from engine.position import Position
from engine.referee.decide import Referee, weighed
from engine.referee.layouts import second_best_board
from engine.referee.observation import COUNTS, Observation
from engine.rules import Rules, ruleset
from tests.engine.referee import by_hand
from tests.engine.referee.by_hand import BOTH, NORTHS, SOUTHS, judged, reads
from tests.engine.referee.observed import ByHand

ENKESHUI, WIKIPEDIA, OMWESO = ruleset("enkeshui"), ruleset("enkeshui", "wikipedia"), Omweso()
SETUP = ENKESHUI.setup("2x8-right")
MIDDLE = Position.parse(by_hand.MIDDLE)


def seen(counts: Sequence[int], hands: tuple[float, float], sure: float = 0.999, *, together: float = 0.0,
         earlier: float = 0.0) -> Observation:
    """What a good eye makes of a board."""
    return replace(by_hand.seen(counts, hands, sure), together=together, earlier_s=earlier)


def changed(position: Position, **pits: int) -> tuple[int, ...]:
    """The counts of a position with some pits changed, by their letters."""
    counts = list(position.counts)
    for name, n in pits.items():
        counts[position.board.pit(name)] = n
    return tuple(counts)


# ---- rearranging


@pytest.mark.parametrize(("rules", "before"), [(ENKESHUI, SETUP), (WIKIPEDIA, MIDDLE)], ids=["setup", "special"])
def test_two_pits_laid_elsewhere_in_the_row_are_a_rearrangement(rules: Rules, before: Position) -> None:
    own = [before.board.name(p) for p in before.board.own(Side.SOUTH) if before.counts[p] > 1][:2]
    gone = sum(before.counts[before.board.pit(name)] for name in own)
    to = [name for name in "abcdefgh" if name not in own][-2:]
    laid = {own[0]: 0, own[1]: 0, to[0]: before.counts[before.board.pit(to[0])] + gone - 1,
            to[1]: before.counts[before.board.pit(to[1])] + 1}
    verdict = judged(rules, before, seen(changed(before, **laid), SOUTHS))
    assert (verdict.kind, verdict.player, verdict.faults) == ("rearranged", Side.SOUTH, ())
    assert rules.play(before, verdict.move or "").position == verdict.position
    assert verdict.position.to_move is (Side.NORTH if before.ply else Side.SOUTH)
    assert sentence(verdict) == f"South rearranged {own[0]} and {own[1]}."


def test_what_looks_sown_is_no_turn_of_rearranging() -> None:
    """South lays the one seed of d into e, which is occupied, and stops; seeds laid two pits back were not sown."""
    line = "3,3,1,4,4,1,6n,0,2,2,0,0/0,3,0,1,4,0,1,4,4s,0,3,0 S 2-0 ply=6"
    before = Position.parse(line)
    verdict = judged(WIKIPEDIA, before, seen(changed(before, d=0, e=5), SOUTHS, 1 - 1e-6))
    assert (verdict.kind, [f.code for f in verdict.faults]) == ("illegal", ["stopped-short"])
    assert judged(WIKIPEDIA, before, seen(changed(before, d=0, e=3, a=2), SOUTHS, 1 - 1e-6)).kind == "rearranged"


def test_nobody_lifts_a_second_pit_to_lay_it_back_as_it_was() -> None:
    """Where all but two pits look as before, a third one was not lifted; where another looks touched, people are
    asked, for a move may be in its middle."""
    counts = changed(MIDDLE, b=0, a=3)
    assert judged(WIKIPEDIA, MIDDLE, seen(counts, SOUTHS, 1 - 1e-6)).kind == "rearranged"
    for touched, kind in (((), "tampered"), ((MIDDLE.board.pit("e"),), "not-sure")):
        board, referee = ByHand(16), Referee(WIKIPEDIA, MIDDLE)
        referee.observe(board.shows(MIDDLE.counts, t=1.0), over=True)
        found = referee.observe(board.shows(counts, t=9.0, hands=SOUTHS, rest_s=5.0, touched=touched), over=True)
        assert [f.kind for f in found] == [kind]


def test_both_sides_rearrange_at_once() -> None:
    counts = changed(SETUP, c=0, d=0, a=5, b=3, C=0, D=0, A=8)
    verdict = judged(ENKESHUI, SETUP, seen(counts, BOTH, together=0.8))
    assert (verdict.kind, verdict.position.counts, verdict.then and verdict.then[0]) == (
        "rearranged", counts, Side.NORTH)
    assert verdict.position.to_move is Side.SOUTH and verdict.position.ply == 0
    assert sentence(verdict) == "South rearranged c and d, and North C and D."


def test_seeds_shifted_from_one_pit_to_another_before_the_first_move_accuse_nobody() -> None:
    for n in (1, 2, 4):
        verdict = judged(ENKESHUI, SETUP, seen(changed(SETUP, c=4 - n, a=n), SOUTHS))
        assert verdict.kind == "rearranged"


def test_where_nobody_may_rearrange_it_is_no_excuse() -> None:
    later = replace(SETUP, ply=4)
    verdict = judged(ENKESHUI, later, seen(changed(later, c=0, d=0, a=5, b=3), SOUTHS))
    assert verdict.kind not in ("rearranged", "legal")


def test_a_fault_that_leaves_the_row_as_if_laid_is_a_fault() -> None:
    """South sows b into c, d and e, and leaves c out, or lifts two pits together: by the board alone he might have laid
    two pits."""
    before = MIDDLE
    verdict = judged(WIKIPEDIA, before, seen(changed(before, b=0, d=1, e=7, f=1), SOUTHS))
    assert verdict.kind == "illegal" and verdict.faults[0].code in ("skip", "two-pits")


@pytest.mark.parametrize(("p", "kind"), [(0.6, "illegal"), (0.995, "not-sure"), (0.9999, "rearranged")])
def test_seeds_that_might_be_laid_so_are_called_sown_only_where_that_is_much_likelier(p: float, kind: str) -> None:
    """South sows c and lays two seeds into e. As d and h are read, with so much probability each, two pits' seeds
    would have been laid out so that the rest looks sown."""
    before = Position.parse("5n,0,2,1,0,0,3,1,1,4,0,0/1,4,4,1,0,1,2,0,5s,1,4,4s S 4-0 ply=6")
    evidence = seen(changed(before, c=0, d=2, e=2, f=0, g=3, h=1), SOUTHS, 1 - 1e-6)
    for name, laid, sown in (("d", 1, 2), ("h", 2, 1)):
        evidence = reads(evidence, before.board.pit(name), {laid: p, sown: 1 - p})
    verdict = judged(WIKIPEDIA, before, evidence)
    assert (verdict.kind, [f.code for f in verdict.faults]) == (kind, ["double"] if kind == "illegal" else [])
    if kind == "not-sure":
        assert sorted(before.board.name(pit) for pit in verdict.pits) == ["d", "h"]


# ---- Omweso's arrangement


@pytest.mark.parametrize("sure", [0.999, 0.8])
@pytest.mark.parametrize("side", Side)
def test_seeds_laid_out_before_the_first_move_are_an_arrangement(side: Side, sure: float) -> None:
    before = OMWESO.setup()
    counts = list(before.counts)
    own = list(before.board.own(side))
    for pit, n in zip(own, (0, 0, 9, 1, 2, 0, 0, 5, 5, 0, 0, 0, 3, 3, 4, 0), strict=True):
        counts[pit] = n
    hands = SOUTHS if side is Side.SOUTH else NORTHS
    verdict = judged(OMWESO, before, seen(counts, hands, sure))
    assert (verdict.kind, verdict.player, verdict.position.counts) == ("rearranged", side, tuple(counts))
    assert (verdict.position.to_move, verdict.position.ply, verdict.move) == (before.to_move, 0, None)
    assert sentence(verdict) == f"{side.title} laid the seeds out."


def test_a_first_move_is_a_move_and_no_arrangement() -> None:
    before = OMWESO.setup()
    for move in OMWESO.moves(before).moves:
        assert judged(OMWESO, before, seen(move.position.counts, SOUTHS)).kind == "legal"


@pytest.mark.xfail(strict=True, reason="where seeds may be laid no fault is weighed, and two misread pits are likelier")
def test_a_first_move_with_a_fault_may_have_been_an_arrangement_and_is_told_of() -> None:
    """South lifted m and skipped p, or laid the four seeds out so: nobody is accused, and people count."""
    after = changed(OMWESO.setup(), m=0, n=5, o=5, h=1, g=1)
    verdict = judged(OMWESO, OMWESO.setup(), seen(after, SOUTHS, 1 - 1e-9))
    assert (verdict.kind, verdict.best[0].move) == ("not-sure", "m") and verdict.pits


@pytest.mark.parametrize("pits", [{"m": 3, "n": 5}, {"m": 2, "k": 6}, {"m": 2, "n": 5, "o": 5}, {"m": 1, "k": 7},
                                  {"m": 0, "k": 8}, {"i": 2, "p": 2, "c": 1, "d": 3}])
def test_seeds_are_laid_out_step_by_step(pits: dict[str, int]) -> None:
    before = OMWESO.setup()  # by the board alone the third of them may have lifted m and left two seeds
    after = changed(before, **pits)
    verdict = judged(OMWESO, before, seen(after, SOUTHS, 1 - 1e-5))
    assert (verdict.kind, verdict.player, verdict.position.counts) == ("rearranged", Side.SOUTH, after)


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=3))
@example([(2, 0, 2), (5, 0, 0)])  # one misread pit away from a move with a palmed seed
@settings(deadline=None)  # a verdict takes its time where the machine is busy
def test_nobody_is_accused_of_how_he_lays_his_seeds_out(spread: list[tuple[int, int, int]]) -> None:
    """Not even where he spreads pits out one after the other as if he sowed them, and passes one over."""
    before = OMWESO.setup()
    own, counts = list(before.board.own(Side.SOUTH)), list(before.counts)
    for pit, left, over in spread:
        seeds = max(0, counts[own[pit]] - left)
        counts[own[pit]] -= seeds
        for k in range(seeds):
            counts[own[(pit + 1 + k + (k >= over)) % 16]] += 1
    assert judged(OMWESO, before, seen(counts, SOUTHS, 1 - 1e-5)).kind not in ("illegal", "tampered")


def test_after_the_first_move_nothing_is_arranged() -> None:
    before = OMWESO.moves(OMWESO.setup()).moves[0].position
    counts = list(before.counts)
    own = [p for p in before.board.own(Side.NORTH) if counts[p]]
    counts[own[0]] -= 3
    counts[own[3]] += 3
    assert judged(OMWESO, before, seen(counts, NORTHS)).kind != "rearranged"


# ---- the race


def test_whatever_a_race_leaves_behind_is_a_race() -> None:
    kinds: list[str] = []
    for number, outcome in enumerate(outcomes(ENKESHUI, SETUP, custom(SETUP))):
        if outcome is None or len(kinds) > 5:
            break
        if number % 7:
            continue
        verdict = judged(ENKESHUI, SETUP, seen(outcome.counts, BOTH, together=0.8, earlier=0.9))
        kinds.append(verdict.kind)
        assert verdict.position.counts == outcome.counts and verdict.position.ply == 2
        assert verdict.player is Side.SOUTH
    assert len(kinds) > 5 and set(kinds) == {"race"}


def raced(together: float = 0.0, earlier: float = 0.0) -> Observation:
    """After a race in which the two relays never met, so that the board does not say who slept first."""
    outcome = next(o for o in outcomes(ENKESHUI, APART, custom(APART)) if o is not None)
    return seen(outcome.counts, BOTH, together=together, earlier=earlier)


APART = Position.parse("4,0,4,4,4,0,4,4/3,4,4,2,4,4,0,3 S 0-0")


@pytest.mark.parametrize(("earlier", "winner"), [(1.0, Side.SOUTH), (-1.0, Side.NORTH)])
def test_whose_hand_left_first_slept_first(earlier: float, winner: Side) -> None:
    verdict = judged(ENKESHUI, APART, raced(together=0.8, earlier=earlier))
    assert (verdict.kind, verdict.player, verdict.position.to_move) == ("race", winner, winner)
    assert sentence(verdict) == f"South and North raced for the first move, and {winner.title} won it."


def test_two_moves_in_turn_are_no_race_and_two_at_once_are() -> None:
    found = weighed(ENKESHUI, APART, raced(together=0.3))
    assert [f.kind for f in found] == ["legal", "legal"]
    assert judged(ENKESHUI, APART, raced(together=0.8)).kind == "race"


def test_without_a_race_in_the_rules_there_is_none() -> None:
    agreed = ruleset("enkeshui", None, {"first_mover": "agreement"})
    assert judged(agreed, APART, raced(together=0.8)).kind == "legal"
    assert judged(ENKESHUI, replace(APART, ply=2), raced(together=0.8)).kind != "race"


def test_one_players_move_with_the_others_hand_there_is_a_move() -> None:
    for move in ENKESHUI.moves(SETUP).moves:
        assert judged(ENKESHUI, SETUP, seen(move.position.counts, SOUTHS, together=0.8)).kind == "legal"


def test_one_players_fault_with_the_others_hand_there_is_no_race() -> None:
    skipped = changed(APART, f=0, g=1, h=4, B=5, C=1)
    verdict = judged(ENKESHUI, APART, seen(skipped, (0.2, 0.06), together=0.8))
    assert (verdict.kind, verdict.player, verdict.move) == ("illegal", Side.SOUTH, "f")
    assert [(f.code, f.pit) for f in verdict.faults] == [("skip", APART.board.pit("A"))]


def counts_of(observation: Observation) -> list[int]:
    """What is read of every pit."""
    return [int(n) for n in observation.loglik.argmax(axis=1)]


@pytest.mark.xfail(strict=True, reason="no race is thought of where only the second-best board can be left by one")
def test_a_race_that_is_not_read_clearly_is_asked_about() -> None:
    """A seed of pit 12 may lie in pit 1: the next board is as likely."""
    evidence = raced(together=0.8)
    for pit, by in ((1, 1), (12, -1)):
        n = counts_of(evidence)[pit]
        evidence = reads(evidence, pit, {n: 0.5, n + by: 0.5})
    verdict = judged(ENKESHUI, APART, evidence)
    assert (verdict.kind, verdict.pits) == ("not-sure", (1, 12))


def test_a_race_after_which_a_pit_is_hidden_is_a_race() -> None:
    """Its count is known from all others, for no seed is lost."""
    evidence = raced(together=0.8)
    verdict = judged(ENKESHUI, APART, replace(evidence, seen=np.arange(len(APART.counts)) != 5))
    assert (verdict.kind, list(verdict.position.counts)) == ("race", counts_of(evidence))


def test_a_race_whose_board_a_pit_denies_is_a_race() -> None:
    """One pit is read as one seed fewer, at nine to one: no seed is lost, and nobody is accused."""
    evidence = seen(counts_of(raced()), BOTH, 1 - 1e-7, together=0.8)
    counts = counts_of(evidence)
    pit = min(range(len(counts)), key=lambda p: counts[p] or COUNTS)
    verdict = judged(ENKESHUI, APART, reads(evidence, pit, {counts[pit] - 1: 0.9, counts[pit]: 0.1}))
    assert (verdict.kind, list(verdict.position.counts)) == ("race", counts)


@pytest.mark.xfail(strict=True, reason="two legal moves are told, and the pit that is a seed short counts as misread")
def test_a_race_after_which_a_seed_is_missing_is_asked_about() -> None:
    counts = counts_of(raced())
    counts[4] -= 1
    verdict = judged(ENKESHUI, APART, seen(counts, BOTH, together=0.8))
    assert verdict.kind == "not-sure" and verdict.pits


# ---- a board of as many seeds


def test_the_next_best_board_has_a_seed_elsewhere() -> None:
    table = np.full((3, COUNTS), -9.0)
    table[[0, 1, 2], [2, 0, 5]] = 0.0
    table[0, 1], table[2, 6] = -1.0, -1.5
    assert second_best_board(table, (2, 0, 5)) == (2.5, (1, 0, 6))
