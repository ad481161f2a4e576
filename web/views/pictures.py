"""Pictures: the live one, and the stills and clips that are a verdict's evidence."""

import os
import re
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, make_response, request, send_file

from web.readmodel.live import Live
from web.scaling import Scaler
from web.sharing.clip_file import moment_in, part_of

blueprint = Blueprint("pictures", __name__)

EVIDENCE = re.compile(r"[0-9a-f]{64}\.(?:jpg|zip)")
"""Evidence is named and requested by its SHA-256 only, so no path from outside ever reaches the disk."""
KINDS = {".jpg": "image/jpeg", ".zip": "application/zip"}
CLIP = re.compile(r"[0-9a-f]{64}\.zip")
SECONDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})?")

LASTING = "private, max-age=31536000, immutable"

MAX_LIVE_BYTES = 4_000_000


@blueprint.get("/live/frame.jpg")
def live() -> Response:
    """Send the newest picture, as wide as `?width=` asks. It is read at once, because the table replaces the file
    several times a second."""
    sight: Live = current_app.extensions["live"]
    try:
        with sight.picture.open("rb") as file:
            stamp = os.fstat(file.fileno()).st_mtime_ns
            picture = file.read(MAX_LIVE_BYTES + 1)
    except OSError:
        abort(404)
    if len(picture) > MAX_LIVE_BYTES or not picture.startswith(b"\xff\xd8"):
        abort(404)
    response = make_response(_as_asked(f"live {stamp}", picture))
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Cache-Control"] = "no-store"
    return response


def _as_asked(name: str, jpeg: bytes) -> bytes:
    scaler: Scaler = current_app.extensions["scaler"]
    return scaler.scaled(name, jpeg, request.args.get("width", ""))


@blueprint.get("/evidence/<name>")
def evidence(name: str) -> Response:
    """Send a still, as wide as `?width=` asks, or a clip, by its hash; it never changes, so browsers may keep it."""
    folder: Path = current_app.extensions["evidence"]
    if not EVIDENCE.fullmatch(name) or not (folder / name).is_file():
        abort(404)
    if name.endswith(".jpg") and "width" in request.args:
        try:
            response = make_response(_as_asked(name, (folder / name).read_bytes()))
        except OSError:
            abort(404)
        response.headers["Content-Type"] = KINDS[".jpg"]
    else:
        response = send_file((folder / name).resolve(), mimetype=KINDS[Path(name).suffix], max_age=31_536_000)
    response.headers["Cache-Control"] = LASTING
    return response


@blueprint.get("/clip/<name>/<part>")
def clip(name: str, part: str) -> Response:
    """Send a clip's index, one of its pictures by number, or for `moment` the picture `?back=` seconds before its end.
    Pictures are as wide as `?width=` asks."""
    folder: Path = current_app.extensions["evidence"]
    back = request.args.get("back", "")
    if not CLIP.fullmatch(name) or (part == "moment" and not SECONDS.fullmatch(back)):
        abort(404)
    try:
        if part == "moment":
            data, kind = moment_in(folder / name, float(back))
            data = _as_asked(f"{name} {back}", data)
            kind = KINDS[".jpg"] if data.startswith(b"\xff\xd8") else kind
        else:
            data, kind = part_of(folder / name, part)
    except LookupError:
        abort(404)
    response = make_response(data)
    response.headers["Content-Type"] = kind
    response.headers["Cache-Control"] = LASTING
    return response
