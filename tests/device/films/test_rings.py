"""What is drawn over a photograph stays inside it."""

import pytest

from device.films.rings import RED, RingedPit, beside, overlay, within

SIZE = (320, 180)


def drawn(x: float, y: float, up: bool = True) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what stands there of a pit with a label, ring aside."""
    bare = overlay(SIZE, [(x, y, 12.0)], ["c"], None, [RingedPit(0, "", RED, up)])
    made = overlay(SIZE, [(x, y, 12.0)], ["c"], None, [RingedPit(0, "c: 2, should be 1", RED, up)])
    rows = [row for row in range(SIZE[1])
            if made.crop((0, row, SIZE[0], row + 1)).tobytes() != bare.crop((0, row, SIZE[0], row + 1)).tobytes()]
    found = made.getbbox()
    assert found is not None and rows
    return found[0], rows[0], found[2], rows[-1]


@pytest.mark.parametrize(("x", "y"), [(4, 4), (316, 4), (4, 176), (316, 176), (160, 6), (160, 174), (160, 90)])
@pytest.mark.parametrize("up", [True, False])
def test_a_label_is_whole_wherever_its_pit_lies(x: float, y: float, up: bool) -> None:
    middle, far = drawn(160, 90, up), drawn(x, y, up)
    assert far[3] - far[1] >= middle[3] - middle[1] - 1, "as tall as in the middle"
    assert far[1] >= 0 and far[3] < SIZE[1]


def test_a_label_changes_its_side_before_it_lies_over_its_pit() -> None:
    assert beside(10, -20, 8, 180) == 30
    assert beside(170, 20, 8, 180) == 150
    assert beside(90, -20, 8, 180) == 70
    assert beside(10, -20, 8, 20) == 8, "no room on either side"


@pytest.mark.parametrize(("at", "found"), [(-5, 10), (50, 50), (99, 90)])
def test_a_text_at_the_edge_moves_inwards(at: float, found: float) -> None:
    assert within(at, 10, 100) == found


def test_the_letter_of_a_pit_at_the_edge_is_whole() -> None:
    whole = overlay(SIZE, [(160, 90, 14.0)], ["m"], [12]).getbbox()
    cut = overlay(SIZE, [(1, 2, 14.0)], ["m"], [12]).getbbox()
    assert whole is not None and cut is not None
    assert (cut[2] - cut[0], cut[3] - cut[1]) == (whole[2] - whole[0], whole[3] - whole[1])


def test_counts_are_drawn_where_they_are_known() -> None:
    places, names = [(60.0, 60.0, 12.0), (120.0, 60.0, 12.0)], ["a", "b"]
    bare, counted = overlay(SIZE, places, names, None), overlay(SIZE, places, names, [3, 4])
    assert bare.tobytes() != counted.tobytes()
    assert overlay(SIZE, places, names, None, faint={1}).getbbox() != bare.getbbox()
