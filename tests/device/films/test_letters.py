"""Writing on pictures: every language's signs, and lines that fit."""

import pytest
from PIL import Image, ImageDraw

from device.films.letters import drawable, fitted, lines, width, write
from web.words import LANGUAGES, catalog


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_sign_that_the_page_uses_can_be_drawn(code: str) -> None:
    drawn = ("photo.", "card.", "film.", "verdict.", "fault.", "second.", "said.", "side.", "sentence", "answer.")
    shown = {key: text for key, text in catalog(code).items() if key.startswith(drawn)}
    assert len(shown) > 80 and {key: text for key, text in shown.items() if not drawable(text)} == {}


@pytest.mark.parametrize(("text", "can"), [("Naserian", True), ("Nakaŋŋu’s", True), ("田中", True), ("አበበ", False),
                                           ("a\N{SNOWMAN}", False)])
def test_names_that_can_be_drawn(text: str, can: bool) -> None:
    assert drawable(text) is can


@pytest.mark.parametrize("text", ["South played g but skipped A in lap 2; every pit gets a seed. " * 3,
                                  "南は g を指したが、2 周目に A を飛ばした。" * 4])
def test_lines_fit_and_lose_nothing(text: str) -> None:
    found = lines(text, 20, 300, 50)
    assert len(found) > 2 and max(width(line, 20) for line in found) <= 300
    assert "".join("".join(found).split()) == "".join(text.split())
    assert not any(line.startswith(("。", "、")) for line in found)


def test_what_is_too_long_ends_in_an_ellipsis() -> None:
    found = lines("a few words " * 40, 20, 300, 3)
    assert len(found) == 3 and found[-1].endswith("…") and width(found[-1], 20) <= 300
    assert fitted("short", 20, 300) == "short"
    assert fitted("long " * 40, 20, 300).endswith("…")


def test_a_line_stands_where_it_is_put() -> None:
    picture = Image.new("RGB", (400, 60))
    write(ImageDraw.Draw(picture), (390, 30), "南 South", 24, (255, 255, 255), align=1)
    box = picture.getbbox()
    assert box is not None and 380 <= box[2] <= 391 and abs(box[0] - (390 - width("南 South", 24))) < 4
