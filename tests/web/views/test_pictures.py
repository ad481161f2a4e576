"""The live picture and the evidence."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.stage import Stage, jpeg


def test_live_picture(stage: Stage, client: FlaskClient) -> None:
    stage.live()
    answer = client.get("/live/frame.jpg")
    assert answer.status_code == 200 and answer.mimetype == "image/jpeg"
    assert answer.data == jpeg() and answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("content", [None, b"", b"<svg onload=alert(1)>", b"\xff\xd8" + b"0" * 4_000_000])
def test_live_picture_that_is_none(stage: Stage, client: FlaskClient, content: bytes | None) -> None:
    if content is not None:
        (stage.folder / "live" / "frame.jpg").write_bytes(content)
    assert client.get("/live/frame.jpg").status_code == 404


def test_evidence_by_its_hash(stage: Stage, client: FlaskClient) -> None:
    name = stage.still(77)
    with client.get(f"/evidence/{name}") as answer:
        assert answer.status_code == 200 and answer.mimetype == "image/jpeg" and answer.data == jpeg(77)
        assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("name", [
    "../journal.sqlite3", "..%2fjournal.sqlite3", "%2e%2e/page.key", "page.key", "x.jpg", "a" * 64, "a" * 64 + ".jpg",
    "A" * 64 + ".jpg", "a" * 64 + ".png", "a" * 64 + ".jpg%00", "a" * 64 + ".jpg%0a", "a" * 63 + "/.jpg",
    "....//x", ".",
])
def test_evidence_is_asked_for_by_nothing_else(stage: Stage, client: FlaskClient, name: str, tmp_path: Path) -> None:
    stage.begin()
    (tmp_path / "evidence" / ("A" * 64 + ".jpg")).write_bytes(jpeg())
    (tmp_path / "evidence" / "x.jpg").write_bytes(jpeg())
    with client.get(f"/evidence/{name}") as answer:
        assert answer.status_code in (404, 308) and b"SQLite" not in answer.data
