"""What the page costs the network: a hall's Wi-Fi is slow, and many phones share it."""

import gzip
import io
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import Page, expect

from tests.web.stage import Stage
from tests.web.test_evidence import timed_foul
from tests.web.visits import DESKTOP, Open, until
from web import assets
from web.scaling import WIDTHS, Scaler

FIRST_REQUESTS, FIRST_BYTES, FIRST_S = 20, 250_000, 5.0
"""With which the live page stands, all that it is sent in its first seconds included."""
LIVE_BYTES = 40_000
"""A second, of an open page."""


def photograph(shade: int = 0) -> bytes:
    """A JPEG as a camera's: 1280 × 720, some 80 kB."""
    rng = np.random.default_rng(shade)
    noise = cv2.resize(rng.integers(0, 40, (180, 320, 3)).astype(np.uint8), (1280, 720))
    done, data = cv2.imencode(".jpg", noise + 60, [cv2.IMWRITE_JPEG_QUALITY, 80])
    assert done and 60_000 < len(data) < 200_000, len(data)
    return bytes(data)


class Scales:
    """Weighs what a page is sent, by the bytes on the line."""

    def __init__(self, page: Page) -> None:
        self.urls: dict[str, str] = {}
        self.bytes: dict[str, int] = {}
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        line.on("Network.requestWillBeSent", lambda e: self.urls.update({e["requestId"]: e["request"]["url"]}))
        line.on("Network.responseReceived", lambda e: self._add(e["requestId"], e["response"]["encodedDataLength"]))
        line.on("Network.dataReceived", lambda e: self._add(e["requestId"], e["encodedDataLength"]))

    def _add(self, request: str, n: int) -> None:
        self.bytes[request] = self.bytes.get(request, 0) + n

    @property
    def all(self) -> int:
        """Bytes so far."""
        return sum(self.bytes.values())

    def pictures(self) -> int:
        """How often the live picture was asked for."""
        return sum("/live/frame" in url for url in self.urls.values())


@contextmanager
def filming(stage: Stage) -> Iterator[None]:
    """The table shows a new picture nine times a second, as the product does."""
    stop = threading.Event()
    shots = [photograph(n) for n in range(3)]

    def film() -> None:
        n = 0
        while not stop.wait(0.11):
            n += 1
            stage.live(t=0.11 * n)
            (stage.folder / "live" / "frame.half").write_bytes(shots[n % 3])
            (stage.folder / "live" / "frame.half").replace(stage.folder / "live" / "frame.jpg")

    thread = threading.Thread(target=film)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(10)


@pytest.mark.browser
def test_the_first_view_is_light_and_the_picture_keeps_to_its_share(stage: Stage, visit: Open) -> None:
    """On a desktop's screen, which is sent the larger pictures."""
    stage.begin()
    for _ in range(4):
        stage.legal()
    timed_foul(stage, "")
    for still in (stage.folder / "evidence").glob("*.jpg"):
        still.write_bytes(photograph())
    stage.live()
    page = visit(*DESKTOP, path="help", alone=True)
    scales = Scales(page)
    with filming(stage):
        began = time.monotonic()
        page.goto(page.url.removesuffix("help"))
        expect(page.locator("#feed .verdict.illegal .moment img")).to_have_count(1)
        expect(page.locator("#picture img")).to_have_count(1)
        page.wait_for_timeout(1000 * max(0.0, FIRST_S - (time.monotonic() - began)))
        assert len(scales.urls) <= FIRST_REQUESTS, sorted(scales.urls.values())
        assert scales.all <= FIRST_BYTES, {scales.urls[one]: n for one, n in scales.bytes.items()}
        shown = scales.pictures()
        until(page, "0", lambda _: scales.pictures() > shown + 1)
        began, had = time.monotonic(), scales.all
        page.wait_for_timeout(2500)
        assert 10_000 < (scales.all - had) / (time.monotonic() - began) <= LIVE_BYTES
        page.locator("#camera > summary").click()
        expect(page.locator("#picture")).to_be_hidden()
        page.wait_for_timeout(300)  # one may be on its way
        asked = scales.pictures()
        page.wait_for_timeout(1200)
        assert scales.pictures() == asked, "a picture that is folded away is not fetched"


def test_a_picture_is_as_wide_as_it_is_asked_for(stage: Stage, client: FlaskClient) -> None:
    (stage.folder / "live" / "frame.jpg").write_bytes(photograph())
    sizes = {}
    for wanted in ("384", "640", "1200", "", "0", "-3", "9" * 40, "x"):
        sizes[wanted] = Image.open(io.BytesIO(client.get(f"/live/frame.jpg?width={wanted}").data)).size
    assert sizes["384"] == (480, 270) and sizes["640"] == (640, 360)
    assert all(sizes[other] == (1280, 720) for other in ("1200", "", "0", "-3", "9" * 40, "x"))
    name = stage.still(90)
    (stage.folder / "evidence" / name).write_bytes(photograph())
    still = client.get(f"/evidence/{name}?width=300")
    assert Image.open(io.BytesIO(still.data)).width == WIDTHS[0] and "immutable" in still.headers["Cache-Control"]


def test_a_picture_that_cannot_be_read_goes_out_as_it_is() -> None:
    spoilt = photograph()[:300]
    assert Scaler().scaled("a", spoilt, "480") == spoilt


def test_text_is_compressed_for_who_can_unpack_it(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    for path in ("/", "/table", "/manifest.webmanifest", "/api/v1/openapi.json"):
        plain = client.get(path)
        packed = client.get(path, headers={"Accept-Encoding": "gzip"})
        if len(plain.data) < 700:
            continue
        assert packed.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in packed.headers["Vary"], path
        assert len(packed.data) < len(plain.data) / 2 and len(gzip.decompress(packed.data)) > 700
    refused = client.get("/", headers={"Accept-Encoding": "gzip;q=0, br"})
    assert "Content-Encoding" not in refused.headers


def test_static_files_are_kept_by_browsers_until_they_change(client: FlaskClient, tmp_path: Path) -> None:
    page = client.get("/").text
    script = page.split('type="module" src="')[1].split('"')[0]
    with client.get(script) as answer:
        assert "immutable" in answer.headers["Cache-Control"] and answer.mimetype == "text/javascript"
        assert b"EventSource" in answer.data, "with what it imports"
    with client.get("/static/older/js/main.js") as answer:
        assert answer.status_code == 200 and "immutable" not in answer.headers["Cache-Control"]
    for nothing in ("/static/now/js/none.js", "/static/now/../app.py", "/static/now/%2e%2e/app.py"):
        assert client.get(nothing).status_code == 404
    (tmp_path / "a.js").write_text("1;\n")
    before = assets.Assets(tmp_path).version
    (tmp_path / "a.js").write_text("2;\n")
    assert assets.Assets(tmp_path).version != before


def test_what_cannot_be_joined_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { b as c } from "./b.js";\nexport const a = c;\n')
    (tmp_path / "b.js").write_text("const c = 1;\nexport async function b() {\n  return c;\n}\n")
    joined = assets.joined_script(tmp_path / "a.js")
    assert joined.endswith("const { b: c } = $b;\nexport const a = c;\n") and "return { b };" in joined
    (tmp_path / "b.js").write_text("export default 1;\n")
    with pytest.raises(assets.AssetError, match=r"b\.js: 'export default 1;' cannot be joined"):
        assets.joined_script(tmp_path / "a.js")
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = a;\n')
    with pytest.raises(assets.AssetError, match="a imports b imports a"):
        assets.joined_script(tmp_path / "a.js")
