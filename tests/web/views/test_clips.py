"""Clips on the page: asked for by hash alone, shown at full and at quarter speed, taken away as a file."""

import io

import av
import pytest
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import expect

from device.evidence.clips import packed
from device.journal.events import ClipKept
from tests.web.conftest import Served
from tests.web.stage import Stage, jpeg
from tests.web.visits import Open, accessible, until


def test_clip_and_its_parts(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    name = stage.clip(verdict)
    item = client.get("/table").get_json()["table"]["items"][-1]
    assert item["number"] == verdict and item["clip"] == name
    told = client.get(f"/clip/{name}/clip.json")
    assert told.get_json()["times"][1] == 0.2 and "immutable" in told.headers["Cache-Control"]
    picture = client.get(f"/clip/{name}/7")
    assert picture.data.startswith(b"RIFF") and picture.headers["Content-Type"] == "image/webp"
    assert client.get(f"/clip/{name}/moment?back=0.5").data == client.get(f"/clip/{name}/5").data, "at 1.0 s of 1.4"
    small = client.get(f"/clip/{name}/moment?back=9&width=320")
    assert small.headers["Content-Type"] == "image/jpeg" and Image.open(io.BytesIO(small.data)).width == 320
    with client.get(f"/evidence/{name}") as whole:
        assert whole.headers["Content-Type"] == "application/zip"


@pytest.mark.parametrize("path", ["clip.json", "8", "999", "x", "moment", "moment?back=-1", "moment?back=x",
                                  "../journal.sqlite3", "clip.jsonx", "-1", "7.jpg"])
def test_parts_that_there_are_not(stage: Stage, client: FlaskClient, path: str) -> None:
    stage.begin()
    name = stage.clip(stage.cheat())
    if path != "clip.json":
        assert client.get(f"/clip/{name}/{path}").status_code == 404
    for wrong in ("0" * 64 + ".zip", "journal.zip", "..", name.replace(".zip", ".jpg")):
        assert client.get(f"/clip/{wrong}/{path}").status_code == 404


def test_a_clip_shows_jpegs_that_could_not_be_narrowed(stage: Stage, client: FlaskClient) -> None:
    (stage.folder / "evidence" / ("a" * 64 + ".zip")).write_bytes(packed([(0.0, jpeg()), (0.2, jpeg(90))]))
    picture = client.get(f"/clip/{'a' * 64}.zip/1")
    assert picture.data == jpeg(90) and picture.headers["Content-Type"] == "image/jpeg"


def test_clip_that_is_spoilt(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    name = stage.clip(stage.cheat())
    (stage.folder / "evidence" / name).write_bytes(b"PK nothing")
    assert client.get(f"/clip/{name}/clip.json").status_code == 404


def test_names_that_are_none_are_not_shown(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    stage.journal.append(ClipKept(verdict=verdict, clip="../../x.zip"))
    stage.journal.append(ClipKept(verdict=1, clip="a" * 64 + ".zip"))
    assert client.get("/table").get_json()["table"]["items"][-1]["clip"] == ""


@pytest.mark.browser
def test_clip_is_played(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    begun = 2
    verdict = stage.cheat("c")
    stage.live()
    page = visit()
    expect(page.locator("#feed .illegal")).to_be_visible()
    expect(page.get_by_role("button", name="Show the clip")).to_have_count(0)
    stage.clip(verdict)
    page.get_by_role("button", name="Show the clip").click()
    clip = page.locator(".clip")
    expect(clip.locator(".path-said")).to_have_text("0.0 of 1.4 seconds")
    page.get_by_role("button", name="Next picture").click()
    expect(clip.locator(".path-said")).to_have_text("0.2 of 1.4 seconds")
    page.evaluate("""() => { const plain = window.setTimeout; window.waits = [];
        window.setTimeout = (what, ms) => { window.waits.push(Math.round(ms)); return plain(what, ms); }; }""")
    for speed, ms in (("Quarter speed", 800), ("Full speed", 200)):
        clip.locator("input").fill("0")
        page.evaluate("window.waits = []")
        page.get_by_role("button", name=speed).click()
        until(page, f"window.waits.includes({ms})", bool)
    expect(clip.locator(".path-said")).to_have_text("1.4 of 1.4 seconds")
    expect(clip.locator("img")).to_have_js_property("naturalWidth", 640)
    accessible(page)
    page.goto(f"{served.url}games/{begun}/{verdict}")
    page.get_by_role("button", name="Show the clip").click()
    expect(page.locator(".clip .path-said")).to_have_text("0.0 of 1.4 seconds")


@pytest.mark.browser
def test_clip_without_scripts(stage: Stage, visit: Open) -> None:
    stage.begin()
    verdict = stage.cheat("c")
    name = stage.clip(verdict)
    page = visit(path=f"games/2/{verdict}", script=False)
    expect(page.get_by_role("link", name="Save the clip’s pictures (ZIP)")).to_have_attribute(
        "href", f"/evidence/{name}")


@pytest.mark.browser
def test_a_gap_without_pictures_is_named_and_played_in_two_seconds(stage: Stage, visit: Open) -> None:
    stage.begin()
    verdict = stage.cheat("c")
    name = f"{'b' * 64}.zip"
    shown = [(100 + i / 10 + 30 * (i > 9), jpeg(80 + i)) for i in range(20)]
    (stage.folder / "evidence" / name).write_bytes(packed(shown))
    stage.journal.append(ClipKept(verdict=verdict, clip=name))
    stage.live()
    page = visit(path=f"games/2/{verdict}", alone=True)
    page.get_by_role("button", name="Show the clip").click()
    expect(page.locator(".clip")).to_contain_text("From 0.9 to 31.0 seconds, the camera gave no pictures.")
    page.evaluate("""() => { const plain = window.setTimeout; window.waits = [];
        window.setTimeout = (what, ms) => { window.waits.push(ms); return plain(what, ms / 20); }; }""")
    page.get_by_role("button", name="Full speed").click()
    expect(page.locator(".clip .path-said")).to_have_text("31.9 of 31.9 seconds")
    assert 1000 < max(page.evaluate("window.waits.filter(ms => ms < 60000)")) <= 2000
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save the clip (MP4)").click()
    with av.open(saving.value.path()) as film:
        times = [float(frame.time or 0) for frame in film.decode(video=0)]
    assert times[9:12] == pytest.approx([0.9, 1.4, 2.9], abs=0.01), "the gap is named in between"
