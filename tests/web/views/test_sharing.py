"""What is taken away of a verdict: the clip as a film that phones play, and the card; for those alone who see it."""

import io
import re
from pathlib import Path

import av
import pytest
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import expect

from device.journal.events import BoardFound, ClipKept, HoldSet, LetStand, TeamsNamed
from tests.quick_pin import set_pin
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import Open, accessible, accessible_in_each_theme, at_each_size, until
from web.sharing import film
from web.sharing.film import HOLD_S

PICTURES = 8
CORNERS = ("['dialog img', 'dialog circle.cause'].map(one => document.querySelector(one).getBoundingClientRect())"
           ".map(r => [r.x, r.y])")
"""Left and top of the enlarged photograph, and of the ring in it."""


@pytest.fixture
def verdict(stage: Stage) -> int:
    """A cheat with its clip, on a board whose place is known; North has names."""
    stage.begin()
    stage.place()
    stage.journal.append(TeamsNamed(north=["Naserian", "Nakaŋŋu"]))
    number = stage.cheat("c")
    stage.clip(number, PICTURES)
    return number


def frames(data: bytes) -> list[tuple[float, Image.Image]]:
    """The pictures of a film, with their seconds."""
    with av.open(io.BytesIO(data), "r") as film:
        stream = film.streams.video[0]
        assert stream.codec_context.name == "h264" and stream.codec_context.pix_fmt == "yuv420p"
        return [(float(frame.time or 0), frame.to_image())  # type: ignore[no-untyped-call]
                for frame in film.decode(stream)]


def reddish(picture: Image.Image) -> int:
    """How many pixels are as red as the ring around a pit that a verdict names."""
    return sum(r > 150 and g < 60 and b < 60 for r, g, b in picture.get_flattened_data())  # type: ignore[misc]


def test_the_film_has_every_picture_at_its_time_and_then_stays(client: FlaskClient, verdict: int) -> None:
    answer = client.get(f"/evidence/{verdict}/clip.mp4")
    assert answer.status_code == 200 and answer.mimetype == "video/mp4"
    found = frames(answer.data)
    assert [round(t, 2) for t, _ in found] == [*(round(0.2 * i, 2) for i in range(PICTURES)),
                                              *(round(0.2 * (PICTURES - 1) + hold, 2) for hold in HOLD_S)]
    width, height = found[0][1].size
    assert width == 640 and 360 + 80 < height < 560 and height % 2 == 0
    assert answer.data.index(b"moov") < answer.data.index(b"mdat"), "it plays while it is still coming in"


def test_what_is_wrong_is_drawn_after_the_move_alone(client: FlaskClient, verdict: int) -> None:
    pictures = [picture for _, picture in frames(client.get(f"/evidence/{verdict}/clip.mp4").data)]
    assert reddish(pictures[0]) == 0 and reddish(pictures[-1]) > 1500


def test_part_of_a_film_may_be_asked_for(client: FlaskClient, verdict: int) -> None:
    """As Safari does before it plays anything."""
    whole = client.get(f"/evidence/{verdict}/clip.mp4").data
    part = client.get(f"/evidence/{verdict}/clip.mp4", headers={"Range": "bytes=10-19"})
    assert part.status_code == 206 and part.data == whole[10:20]
    saved = client.get(f"/evidence/{verdict}/clip.mp4?download")
    assert "attachment" in saved.headers["Content-Disposition"] and saved.data == whole


def test_a_ruling_is_told_by_the_card_from_then_on(stage: Stage, client: FlaskClient, verdict: int) -> None:
    before = client.get(f"/evidence/{verdict}/card.png")
    assert before.mimetype == "image/png"
    first = Image.open(io.BytesIO(before.data))
    again = client.get(f"/evidence/{verdict}/card.png", headers={"If-None-Match": before.headers["ETag"]})
    assert again.status_code == 304
    stage.journal.append(LetStand(verdict=verdict))
    stage.take()
    after = client.get(f"/evidence/{verdict}/card.png", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200 and Image.open(io.BytesIO(after.data)).height > first.height


def test_the_card_is_in_the_visitors_language(client: FlaskClient, verdict: int) -> None:
    english = client.get(f"/evidence/{verdict}/card.png").data
    client.set_cookie("inkeek-language", "ja")
    assert client.get(f"/evidence/{verdict}/card.png").data != english


def test_the_card_has_photograph_and_boards(stage: Stage, client: FlaskClient, verdict: int) -> None:
    card = Image.open(io.BytesIO(client.get(f"/evidence/{verdict}/card.png").data)).convert("RGB")
    assert card.width == 1080 and 1200 < card.height < 2000
    with_photograph = card.height
    for still in (stage.folder / "evidence").glob("*.jpg"):
        still.unlink()
    bare = Image.open(io.BytesIO(client.get(f"/evidence/{verdict}/card.png").data))
    assert with_photograph - bare.height > 500, "without its photograph it is made all the same"


@pytest.mark.parametrize("path", ["clip.mp4", "card.png"])
def test_what_is_held_back_cannot_be_taken_away(stage: Stage, client: FlaskClient, path: str) -> None:
    stage.begin()
    set_pin(stage.folder / "page.pin", "271828")
    stage.journal.append(HoldSet(on=True, by="page"))
    number = stage.cheat("c")
    stage.clip(number)
    assert client.get(f"/evidence/{number}/{path}").status_code == 404
    client.post("/referee/in", data={"pin": "271828"})
    assert client.get(f"/evidence/{number}/{path}").status_code == 200, "the referee looks at it first"
    client.post("/referee/out")
    assert client.get(f"/evidence/{number}/{path}").status_code == 404
    stage.journal.append(HoldSet(on=False, by="page"))
    assert client.get(f"/evidence/{number}/{path}").status_code == 200


@pytest.mark.parametrize("path", ["1/card.png", "999/card.png", "0/clip.mp4", "-1/card.png", "x/card.png"])
def test_verdicts_that_there_are_not(client: FlaskClient, verdict: int, path: str) -> None:
    assert client.get(f"/evidence/{path}").status_code == 404


def test_a_verdict_without_a_clip_has_no_film(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    assert client.get(f"/evidence/{stage.cheat('c')}/clip.mp4").status_code == 404


@pytest.mark.parametrize("content", [b"PK nothing", b""])
def test_a_spoilt_clip_is_told_in_a_sentence(stage: Stage, client: FlaskClient, content: bytes) -> None:
    stage.begin()
    number = stage.cheat("c")
    name = stage.clip(number)
    (stage.folder / "evidence" / name).write_bytes(content)
    answer = client.get(f"/evidence/{number}/clip.mp4")
    assert answer.status_code == 404 and answer.text == "The clip could not be made into an MP4."


def test_a_spoilt_photograph_is_told_in_a_sentence(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    number = stage.cheat("c")
    for still in (stage.folder / "evidence").glob("*.jpg"):
        still.write_bytes(b"\xff\xd8 nothing")
    answer = client.get(f"/evidence/{number}/card.png")
    assert answer.status_code == 404 and answer.text == "The picture could not be made."


def test_a_film_that_takes_too_long_is_given_up(client: FlaskClient, verdict: int,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "MOST_S", -1.0)
    assert client.get(f"/evidence/{verdict}/clip.mp4").status_code == 404


def test_where_pyav_is_missing_nothing_is_offered(client: FlaskClient, verdict: int,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    assert "clip.mp4" in client.get(f"/games/2/{verdict}").text
    for module in ("web.views.games.sharing", "web.app"):
        monkeypatch.setattr(f"{module}.films_are_made", lambda: False)
    assert client.get(f"/evidence/{verdict}/clip.mp4").status_code == 501
    assert "clip.mp4" not in client.get(f"/games/2/{verdict}").text


def test_a_clip_in_another_folder_is_none_of_ours(stage: Stage, client: FlaskClient, tmp_path: Path) -> None:
    stage.begin()
    number = stage.cheat("c")
    stage.journal.append(ClipKept(verdict=number, clip="../x.zip"))
    assert client.get(f"/evidence/{number}/clip.mp4").status_code == 404


@pytest.mark.browser
def test_the_card_goes_to_the_telephones_own_way_of_sharing(stage: Stage, served: Served, visit: Open,
                                                            verdict: int) -> None:
    stage.live()
    page = visit(path=f"games/2/{verdict}", alone=True)
    page.add_init_script("""navigator.canShare = ({ files }) => files.length === 1;
        navigator.share = async ({ files: [{ name, type, size }] }) => {
            document.documentElement.dataset.shared = [name, type, size > 10000].join(" "); };""")
    page.reload()
    page.get_by_role("button", name="Share").click()
    expect(page.locator("html")).to_have_attribute("data-shared", f"inkeek-{verdict}.png image/png true")
    accessible(page)
    page.goto(served.url)
    expect(page.get_by_role("button", name="Share")).to_be_visible()
    expect(page.get_by_role("link", name="Save the clip (MP4)")).to_be_visible()


@pytest.mark.browser
def test_a_photograph_opens_large_and_closes_by_keyboard(visit: Open, verdict: int) -> None:
    page = visit(path=f"games/2/{verdict}")
    photograph = page.locator(".stills a").last
    expect(photograph.locator(".cause")).to_have_count(1)
    expect(photograph.locator(".follows")).to_have_count(1)
    expect(page.locator(".stills .before .follows")).to_have_count(0)
    expect(page.locator(".photo figcaption").last).to_contain_text("6 – should be 5. As a result:")
    expect(page.locator(".odds")).to_contain_text("98 % certain")
    expect(page.locator(".odds")).to_contain_text("Less likely (under 1 %): South played c legally")
    for _ in at_each_size(page):
        photograph.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Photograph after the move")
        expect(dialog.locator("text")).to_have_text(re.compile("6 – should be 5$"))
        expect(dialog.locator("p").first).to_contain_text("As a result:")
        until(page, CORNERS, lambda found: found[0][0] <= found[1][0] and found[0][1] <= found[1][1])
        accessible_in_each_theme(page)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(photograph).to_be_focused()


@pytest.mark.browser
def test_without_scripts_rings_captions_and_odds_are_there(visit: Open, verdict: int) -> None:
    page = visit(path=f"games/2/{verdict}", script=False)
    expect(page.locator(".stills .cause")).to_have_count(2)
    expect(page.locator(".photo figcaption").last).to_contain_text("6 – should be 5.")
    expect(page.locator(".odds")).to_contain_text("98 % certain")
    expect(page.get_by_role("link", name="Save the picture (PNG)")).to_have_attribute(
        "href", f"/evidence/{verdict}/card.png?download")


LABELS = ("[...document.querySelectorAll('.photo text')].map(one => [one, one.ownerSVGElement])"
          ".map(both => both.map(one => one.getBoundingClientRect()).map(r => [r.left, r.top, r.right, r.bottom]))"
          ".filter(([label]) => label[2] > label[0])")
"""The labels that are shown on photographs, and those photographs."""


@pytest.mark.browser
@pytest.mark.parametrize(("x", "y", "code"), [(6, 6, "en"), (634, 354, "en"), (634, 30, "ja")])
def test_a_label_on_a_photograph_is_whole_at_its_edges(stage: Stage, visit: Open, x: float, y: float,
                                                       code: str) -> None:
    """As the server draws it on the move's page, and the script in the feed."""
    stage.begin()
    stage.journal.append(BoardFound(size=(640, 360), pits=[(x, y, 20.0)] * stage.position.board.pits))
    number = stage.cheat("c")
    stage.live()
    past, feed = visit(path=f"games/2/{number}", language=code), visit(language=code)
    feed.locator("#feed .stills a").last.click()
    for page in (past, feed):
        for label, photograph in until(page, LABELS, bool):
            assert photograph[0] <= label[0] and photograph[1] <= label[1], (label, photograph)
            assert label[2] <= photograph[2] and label[3] <= photograph[3] + 1, (label, photograph)
