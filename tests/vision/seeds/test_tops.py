"""The tops of the map of seeds, and how what several looks say is weighed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.reading import COUNTS
from vision.seeds.counter import Reader
from vision.seeds.crops import FINE
from vision.seeds.parameters import MAPS
from vision.seeds.seed_map import evidence, likeness, tops, weighed
from vision.train import fine
from vision.train.crops import COVERED, MOST, marks
from vision.train.crops import peaks as peaks_of
from vision.train.fine import fine_batch, worth

CELLS = FINE // 4


def maps(*places: tuple[float, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """One map float32[1, CELLS, CELLS] of seeds at these cells."""
    middles = np.full((1, MOST, 2), np.nan, np.float32)
    if places:
        middles[0, : len(places)] = (np.array(places, np.float32) + 0.5) * FINE / CELLS - 0.5
    return marks(middles, FINE, CELLS)


def heats(*places: tuple[float, float], high: float = 0.9) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """One heat float32[1, 2 CELLS, 2 CELLS] of seeds at these cells of `maps`."""
    middles = np.full((1, MOST, 2), np.nan, np.float32)
    if places:
        middles[0, : len(places)] = (np.array(places, np.float32) + 0.5) * FINE / CELLS - 0.5
    return np.asarray(high * peaks_of(middles, np.full(1, 0.15, np.float32), FINE, 2 * CELLS), np.float32)


def test_an_empty_map_has_no_tops() -> None:
    assert tops(maps())[0] == 0
    assert tops(np.full((1, CELLS, CELLS), 0.4 / CELLS**2, np.float32))[0] == 0


@given(st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=MOST), st.floats(0, 0.9))
def test_seeds_that_lie_apart_are_counted_by_their_tops(places: set[tuple[int, int]], off: float) -> None:
    assert tops(maps(*((3 + 4 * x + off, 3 + 4 * y) for x, y in places)))[0] == len(places)


def test_balls_that_touch_have_a_top_each() -> None:
    """As in a wide bowl: nine pixels wide where a pit is drawn with all its pixels."""
    chain = [(10.0 + 2.4 * k, 12.0 + (k % 2)) for k in range(6)]
    assert tops(maps(*chain))[0] == 6


def test_faint_places_beside_plain_ones_are_no_tops() -> None:
    faint = maps((10, 10), (20, 20), (30, 10)) + 0.2 * maps((10, 30))
    assert tops(faint)[0] == 3


@given(st.floats(0, 24.4))
def test_the_nearest_count_is_the_likeliest(number: float) -> None:
    told = likeness(np.array([number]))[0]
    assert told.shape == (COUNTS, 4) and np.isfinite(told).all()
    away = np.abs(np.arange(COUNTS) - number)
    for measure in (0, 1):
        assert told[away.argmin(), measure] == told[:, measure].max()
    assert told[:, 3].sum() == (away < 0.5).sum() <= 1
    assert (told[np.arange(COUNTS) >= number, 2] == 0).all()


def doubt(*counts: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Log-likelihoods of one pit: any of these counts."""
    out = np.full((1, COUNTS), -6.0, np.float32)
    out[0, list(counts)] = 0.0
    return out


@pytest.mark.parametrize("lie", [3, 4, 5])
def test_the_tops_decide_where_the_looks_leave_it_open(lie: int) -> None:
    places = [(6.0 + 6 * k, 8.0 + 3 * k) for k in range(lie)]
    for heat in (heats(*places), None):
        assert weighed(doubt(3, 4, 5), doubt(3, 4, 5), maps(*places), heat)[0].argmax() == lie


def test_a_look_that_is_sure_stands_against_the_tops() -> None:
    sure = doubt(2)
    sure[0, [0, 1, *range(3, COUNTS)]] = -16.0
    assert weighed(sure, sure, maps((10, 10)), heats((10, 10)))[0].argmax() == 2


def test_there_is_a_weight_for_each_kind_of_evidence() -> None:
    there = maps((10, 10))
    assert evidence(doubt(1), doubt(1), there, None).shape == (1, COUNTS, len(MAPS.fast_weights))
    assert evidence(doubt(1), doubt(1), there, heats((10, 10))).shape == (1, COUNTS, len(MAPS.full_weights))


def test_fine_pictures_are_labelled_and_repeatable() -> None:
    images, labels, radii, middles, empties, ratios = fine_batch(3, 6)
    again, same, *_ = fine_batch(3, 6)
    assert images.shape == empties.shape == (6, FINE, FINE, 3)
    assert np.array_equal(images, again) and np.array_equal(labels, same)
    assert (radii >= 20).all() and ((ratios > 0.04) & (ratios < 0.6)).all()
    countable = labels < COVERED - 1
    assert np.array_equal((~np.isnan(middles[countable, :, 0])).sum(axis=1), labels[countable])
    assert np.nanmax(np.linalg.norm(middles - (FINE - 1) / 2, axis=2)) < FINE / 2


def test_a_third_of_the_lessons_tables_have_glass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Besides those that draw it anyway."""
    drawn: list[str] = []
    monkeypatch.setattr(fine, "RenderedTable", lambda style, _size: drawn.append(style.bag.kind.name))
    rng = np.random.default_rng(1)
    for _ in range(80):
        fine._Table.draw(rng)
    assert 0.3 < sum(name in fine.OF_GLASS for name in drawn) / len(drawn) < 0.65


def test_heaps_that_can_be_counted_teach_most() -> None:
    labels = np.array([3, 10, 10, 10, 10], np.uint8)
    radii = np.array([50, 50, 50, 22, 50], np.float32)
    ratios = np.array([0.25, 0.25, 0.45, 0.25, 0.06], np.float32)  # in the third most are hidden, the last are tiny
    plain, heap, hidden, small, tiny = worth(labels, radii, ratios)
    assert heap > plain > max(hidden, tiny) and heap > small


def test_the_weights_can_be_fitted_anew() -> None:
    pytest.importorskip("torch", reason="teaching the networks (.venv/bin/pip install -e '.[train]')")
    from vision.train.weigh import weigh

    images, labels, _, _, empties, _ = fine_batch(4, 24)
    fitted = weigh(Reader(), images, labels, empties)
    assert len(fitted["fast_weights"]) == len(MAPS.fast_weights)
    assert len(fitted["full_weights"]) == len(MAPS.full_weights)
    assert fitted["lift_scale"][0] > 0, "a higher peak is likelier a seed"
    assert len(fitted["hidden_share"]) == 1 and fitted["hidden_share"][0] > 0, "some seeds lie under others"
    assert fitted["full_weights"][0] + fitted["full_weights"][1] > 0, "what the counter says speaks for it"
