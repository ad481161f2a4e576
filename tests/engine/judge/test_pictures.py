"""What looks otherwise was touched: that tells a palmed seed where the count alone does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.judge import COUNTS, Evidence, Timeline, judge
from engine.judge.parameters import PICTURES
from engine.judge.pictures import Pictures
from engine.judge.timeline_likelihood import boards_passed
from engine.position import Position
from engine.rules import ruleset

MIDDLE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
SOUTHS = (0.3, 0.01)
RULES = ruleset("enkeshui")


def bools(pits: int, *true: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.isin(np.arange(pits), true)


FEW = 2
"""Seeds up to which a heap is none."""
SURELY = 7.0
"""Log-odds that a pit was touched that plainly looks otherwise."""


def touched(same: np.ndarray[tuple[int], np.dtype[np.bool_]], changed: np.ndarray[tuple[int], np.dtype[np.bool_]]
            ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Log-odds that pits were touched: these look as before, and these plainly otherwise."""
    return SURELY * (changed.astype(np.float64) - same)


def pictures(same: np.ndarray[tuple[int], np.dtype[np.bool_]], changed: np.ndarray[tuple[int], np.dtype[np.bool_]]
             ) -> Pictures:
    return Pictures(touched(same, changed))


def as_known(evidence: Evidence, pit: int, held: int) -> Evidence:
    """The same, where vision says of an unchanged pit what it was known to hold."""
    loglik = evidence.loglik.copy()
    loglik[pit] -= np.delete(loglik[pit], held).max() + 7.0
    loglik[pit, held] = 0.0
    return replace(evidence, loglik=loglik)


def sown(more: dict[int, int] | None = None) -> tuple[Position, list[int], list[int], list[int]]:
    """South sows b: the position before, the counts after it and `more`, the pits that the move did not touch, and
    those that it did."""
    before = Position.parse(MIDDLE)
    move = RULES.play(before, "b")
    counts = list(move.position.counts)
    idle = [p for p, (a, b) in enumerate(zip(before.counts, counts, strict=True)) if a == b]
    busy = [p for p in range(len(counts)) if p not in idle]
    for pit, n in (more or {}).items():
        counts[pit] += n
    return before, counts, idle, busy


def seen(counts: list[int], doubt: dict[int, tuple[int, float]] | None = None) -> Evidence:
    """Read clearly; in the pits of `doubt` a count that is likelier than the one that lies there, and how likely."""
    loglik = np.full((len(counts), COUNTS), np.log(0.0005 / (COUNTS - 1)))
    loglik[np.arange(len(counts)), counts] = np.log(0.9995)
    for pit, (count, p) in (doubt or {}).items():
        loglik[pit] = np.log(1e-4)
        loglik[pit, [count, counts[pit]]] = np.log((p, 1 - p))
    return Evidence(loglik, np.ones(len(counts), bool), 5, SOUTHS)


def test_a_trace_is_less_likely_for_each_pit_that_looks_as_by_it_it_should_not() -> None:
    boards = np.array([[3, 0, 2, 5], [0, 0, 2, 5], [0, 1, 2, 5], [0, 1, 3, 5], [0, 1, 2, 5]])
    none, jostled = bools(4), -PICTURES.jostled_nats
    assert pictures(none, bools(4, 0, 1, 2)).log_likelihood(boards) == 0
    assert pictures(bools(4, 3), none).log_likelihood(boards) == 0
    assert pictures(none, bools(4, 0, 3)).log_likelihood(boards) == jostled
    assert pictures(bools(4, 2), none).log_likelihood(boards) == jostled, (
        "lifted and filled again, and nothing lies otherwise")
    assert pictures(bools(4, 2), bools(4, 3)).log_likelihood(boards) == 2 * jostled
    assert pictures(bools(4, 0), none).log_likelihood(boards) == 0, "against seeds that went the count speaks"
    back = np.array([[0, 1], [1, 0], [0, 1]])
    assert pictures(bools(2, 0), bools(2)).log_likelihood(back) == 0, "empty before and after"
    passing = np.array([[0, 2, 1], [1, 2, 0], [0, 2, 1]])
    assert pictures(none[:3], bools(3, 0)).log_likelihood(passing) == jostled, (
        "empty again, and something seems to lie there")
    assert pictures(none[:3], bools(3, 2)).log_likelihood(passing) == 0, "lifted and filled again"
    everything = pictures(none, bools(4, 0, 1, 2, 3))
    assert everything.log_likelihood(np.array([[1, 2, 3, 4]])) == PICTURES.most_pits * jostled, "the light has changed"


def test_pits_that_are_hidden_tell_nothing() -> None:
    evidence = replace(seen([1, 2, 3]), seen=bools(3, 1), touched=np.array([SURELY, SURELY, -SURELY]))
    told = Pictures.of(evidence)
    assert told is not None and told.touched.tolist() == [0, SURELY, 0] and not told.same.any()
    assert Pictures.of(seen([1, 2])) is None


def test_the_less_sure_it_is_that_a_pit_was_touched_the_less_it_says() -> None:
    boards = np.array([[3, 1], [2, 1]])
    said = [Pictures(np.array([0.0, odds])).log_likelihood(boards) for odds in (-3.0, 0.0, 1.5, 4.0, 6.0)]
    assert said == [0, 0, -1.5, -4.0, -PICTURES.jostled_nats]
    said = [Pictures(np.array([odds, 0.0])).log_likelihood(boards) for odds in (3.0, 0.0, -1.5, -6.0)]
    assert said == [0, 0, 0, 0], "that is said of the counts"


def test_what_looks_as_before_holds_what_it_held() -> None:
    nats = Pictures(np.array([-SURELY, 3.0, -1.5])).of_counts((4, 4, 30))
    assert nats[0, 4] == 0 and set(np.delete(nats[0], 4)) == {-PICTURES.unchanged_nats}
    assert not nats[1].any(), "that it was touched says nothing of what lies there now"
    assert nats[2, COUNTS - 1] == 0 and nats[2, 4] == -1.5, "more than can be counted"


def test_a_heap_that_is_misread_but_looks_as_before_says_nothing_of_the_move() -> None:
    """Whatever it was taken for before: by its picture it was not touched."""
    before, counts, idle, busy = sown()
    pit = next(p for p in idle if counts[p] == 4)
    misread = seen(counts, {pit: (3, 0.999)})
    assert judge(RULES, before, misread).kind == "not-sure"
    same = replace(misread, touched=touched(~bools(16, *busy), bools(16, *busy)))
    assert judge(RULES, before, as_known(same, pit, 4)).kind == "legal"


def test_a_table_that_is_misread_where_nobody_touched_it_hides_no_move() -> None:
    """Single dark seeds on dark wood, each taken for none: that is no board that something else left."""
    before, counts, idle, busy = sown()
    faint = [p for p in idle if counts[p]]
    misread = seen(counts, {p: (counts[p] - 1, 0.995) for p in faint})
    assert judge(RULES, before, misread).kind == "not-sure"
    looks = replace(misread, touched=touched(~bools(16, *busy), bools(16, *busy)))
    assert judge(RULES, before, looks).kind == "legal"


def test_something_else_is_not_likelier_for_pits_that_are_misread_as_they_were_before() -> None:
    """Many single seeds that can hardly be seen: not one of them has gone, whatever was played."""
    before = Position.parse("0,1,3,1,2,1,0,6,0,0,0,3/4,1,1,1,6,6,1,2,1,1,0,2 S 0-5 ply=8")
    counts = list(RULES.play(before, "l").position.counts)
    idle = [p for p in range(24) if before.counts[p] == counts[p]]
    faint = {p: (counts[p] - 1, 0.97) for p in idle if 0 < counts[p] <= 3}
    busy = [p for p in range(24) if p not in idle]
    looks = replace(seen(counts, faint), touched=touched(~bools(24, *busy), bools(24, *busy)))
    assert judge(RULES, before, looks).kind == "legal"


@pytest.mark.parametrize("lead", [0.5, 3.0, 9.0])
def test_a_seed_that_is_read_and_that_changes_no_picture_accuses_nobody(lead: float) -> None:
    """Dark seeds on dark wood: its pit looks as when it was empty, but is read as holding it."""
    before, counts, idle, busy = sown()
    pit = next(p for p in busy if (before.counts[p], counts[p]) == (0, 1))
    looks = touched(bools(16, pit, *idle), bools(16, *(p for p in busy if p != pit)))
    unseen = replace(seen(counts), touched=looks)
    unseen.loglik[pit] = -lead - 6
    unseen.loglik[pit, :2] = 0.0  # as vision has it, which knows that the pit was empty
    assert judge(RULES, before, unseen).kind == "legal"


def test_a_heap_that_was_sown_into_and_that_looks_as_before_accuses_nobody_if_it_is_surely_read() -> None:
    """One seed more may come to lie unseen; but the drops show it, and the camera counts it."""
    before, counts, idle, busy = sown()
    pit = next(p for p in busy if FEW < before.counts[p] < counts[p])
    boards = boards_passed(before.counts, RULES.play(before, "b").trace)
    shown = np.repeat(boards, 4, axis=0)
    loglik = np.full((*shown.shape, COUNTS), np.log(0.001 / (COUNTS - 1)))
    np.put_along_axis(loglik, shown[..., None], np.log(0.999), axis=2)
    during = Timeline(loglik, np.repeat(boards == np.concatenate((boards[:1], boards[:-1])), 4, axis=0))
    looks = touched(bools(16, pit, *idle), bools(16, *(p for p in busy if p != pit)))
    assert judge(RULES, before, replace(seen(counts), during=during, touched=looks)).kind == "legal"


def test_pictures_of_another_board_are_named() -> None:
    with pytest.raises(ValueError, match="pictures of 3 pits for a board of 2"):
        replace(seen([1, 2]), touched=np.zeros(3))


def test_a_seed_palmed_from_a_pit_that_the_move_did_not_touch_is_named_by_its_picture() -> None:
    before, _, idle, _ = sown()
    pit = next(p for p in idle if before.counts[p] == 4)
    _, counts, _, busy = sown({pit: -1})
    plain = seen(counts)
    assert judge(RULES, before, plain).kind == "not-sure"
    verdict = judge(RULES, before, replace(plain, touched=touched(~bools(16, pit, *busy), bools(16, pit, *busy))))
    assert (verdict.kind, [(f.code, f.pit) for f in verdict.faults]) == ("illegal", [("palmed", pit)])


def test_the_capturing_seed_that_was_left_is_named_where_its_pit_looks_otherwise_than_when_it_was_empty() -> None:
    """A lone seed where none is due: by the count alone it may as well be misread."""
    before = Position.parse("2,7,7,0,2,2,3,0/3,1,7,1,0,0,3,8 S 0-2 ply=4")
    legal = RULES.play(before, "a").position.counts
    counts, pit = [*legal[:5], 1, *legal[6:]], 5
    assert before.counts[pit] == legal[pit] == 0
    plain, other = seen(counts), np.array([a != b for a, b in zip(before.counts, counts, strict=True)])
    assert judge(RULES, before, replace(plain, touched=touched(~other, other & ~bools(16, pit)))).kind == "not-sure"
    verdict = judge(RULES, before, replace(plain, touched=touched(~other, other)))
    assert (verdict.kind, [(f.code, f.pit) for f in verdict.faults]) == ("illegal", [("short-capture", pit)])


def test_a_pit_that_somebody_brushed_makes_no_cheat() -> None:
    before, counts, idle, busy = sown()
    for pit in (p for p in idle if counts[p]):
        looks = replace(seen(counts), touched=touched(~bools(16, pit, *busy), bools(16, pit, *busy)))
        assert judge(RULES, before, looks).kind == "legal"
    everything = replace(seen(counts), touched=touched(bools(16), ~bools(16)))
    assert judge(RULES, before, everything).kind == "legal"


def test_of_two_places_for_a_seed_that_came_or_went_it_was_laid_from_one_to_the_other() -> None:
    """A single pit read otherwise would do by the counts; but both look otherwise."""
    before = Position.parse(MIDDLE)
    counts = list(before.counts)
    here, there = 4, 14
    counts[here], counts[there] = counts[here] - 1, counts[there] + 1
    doubtful = seen(counts, {there: (before.counts[there], 0.6)})
    both = replace(doubtful, touched=touched(~bools(16, here, there), bools(16, here, there)))
    v = judge(RULES, before, both)
    assert (v.kind, v.position.counts) == ("tampered", tuple(counts))
    assert judge(RULES, before, doubtful).kind == "not-sure"
