"""Every error under `/api` has one form: JSON with one sentence, `{"error": "…"}`."""

from collections.abc import Mapping

import msgspec
from flask import Response, request

from web.words import say

SENTENCES = {404: "api.nothing", 405: "api.method", 413: "order.too-large", 415: "api.json", 421: "host.foreign",
             503: "fail.503"}
"""Message key of each status; other client errors get `api.bad`, server errors `fail.text`."""
BODY_S = ("content-type", "content-length")
"""Headers that describe the old body of an answer."""


class Problem(msgspec.Struct, frozen=True):
    """What was wrong, in one sentence."""

    error: str


def from_program() -> bool:
    """Return whether the requested address is one for programs."""
    return request.path.startswith("/api/")


def problem(status: int, sentence: str = "", headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer. sentence: what was wrong, by default the status' own; headers: further ones."""
    key = SENTENCES.get(status, "api.bad" if status < 500 else "fail.text")
    kept = {name: value for name, value in (headers or {}).items() if name.casefold() not in BODY_S}
    said = msgspec.json.encode(Problem(sentence or say(key, method=request.method)))
    return Response(said, status, {**kept, "Cache-Control": "no-store"}, mimetype="application/json")
