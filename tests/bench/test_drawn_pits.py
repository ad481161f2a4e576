"""Drawn boards whose pits are given: the same lot gives the same board, and the figures cover every pit."""

import pytest

from tests.bench import drawn_pits
from vision.seeds.counter import Cut


@pytest.mark.parametrize("kind", drawn_pits.KINDS)
def test_the_same_lot_gives_the_same_board(kind: str) -> None:
    (one, _), (other, _) = drawn_pits.drawn(kind, 5, 1), drawn_pits.drawn(kind, 5, 1)
    assert (one.counts() == other.counts()).all() and one.style.bag.kind == other.style.bag.kind
    assert one.style.rows * one.style.cols == (32 if kind == "carved" else 2 * one.style.cols)


def test_pits_that_hide_seeds_count_for_the_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, rng = drawn_pits.drawn("plain", 5, 0)
    counts = scene.counts().ravel().tolist()

    def as_laid(*cuts: Cut, cols: int | None = None) -> tuple[list[int], list[float]]:
        assert len(cuts[0](margin=1.25)) == len(counts) and cols == scene.style.cols
        return counts, [1.0] * len(counts)

    monkeypatch.setattr(drawn_pits, "drawn", lambda *_: (scene, rng))
    monkeypatch.setattr(drawn_pits, "said", as_laid)
    monkeypatch.setattr(drawn_pits, "every_seed_shows", lambda _, pit: pit > 0)
    rows = {row.basis + ": " + row.measure: row for row in drawn_pits.rows("plain", n=1)}
    assert rows["plain: pits exact"].n == len(counts)
    assert rows["plain, pits in which every seed shows: pits exact"].n == len(counts) - 1
    ceilings = [row for name, row in rows.items() if "ceiling" in name]
    assert sum(row.n or 0 for row in ceilings) == len(counts)


def test_a_seed_that_lies_under_others_does_not_show() -> None:
    scene, _ = drawn_pits.drawn("plain", 5, 0)
    scene.fill(0, 1)
    assert drawn_pits.every_seed_shows(scene, 0)
    scene.fill(0, 60)
    assert not drawn_pits.every_seed_shows(scene, 0)
