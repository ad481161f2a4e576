"""Pictures: the live one, and the stills that a verdict rests on."""

from __future__ import annotations

import re
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, make_response, send_file

from web.live import Live

blueprint = Blueprint("pictures", __name__)

EVIDENCE = re.compile(r"[0-9a-f]{64}\.jpg")
"""Evidence is named by its SHA-256 and asked for by nothing else: no path from outside ever reaches the disk."""

MAX_LIVE_BYTES = 4_000_000


@blueprint.get("/live/frame.jpg")
def live() -> Response:
    """The newest picture. Read at once, because the table replaces the file several times a second."""
    sight: Live = current_app.extensions["live"]
    try:
        with sight.picture.open("rb") as file:
            picture = file.read(MAX_LIVE_BYTES + 1)
    except OSError:
        abort(404)
    if len(picture) > MAX_LIVE_BYTES or not picture.startswith(b"\xff\xd8"):
        abort(404)
    response = make_response(picture)
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/evidence/<name>")
def evidence(name: str) -> Response:
    """A still by its hash; it never changes, so browsers may keep it."""
    folder: Path = current_app.extensions["evidence"]
    if not EVIDENCE.fullmatch(name) or not (folder / name).is_file():
        abort(404)
    response = send_file((folder / name).resolve(), mimetype="image/jpeg", max_age=31_536_000)
    response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return response
