"""Whatever goes wrong under `/api` is said in one form: JSON with one sentence, `{"error": "…"}`."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from flask import Response, request

from web.views.programs.types import Problem
from web.words import say

SENTENCES = {404: "api.nothing", 405: "api.method", 413: "order.too-large", 415: "api.json", 421: "host.foreign",
             503: "fail.503"}
"""Key of the sentence to a status, where it is no other's; the rest get `api.bad`, and the server's own `fail.text`."""
BODY_S = ("content-type", "content-length")
"""Headers that are of an answer's old body."""


def from_program() -> bool:
    """Whether the address that is asked for is one for programs."""
    return request.path.startswith("/api/")


def problem(status: int, sentence: str = "", headers: Mapping[str, str] | None = None) -> Response:
    """The answer. sentence: what was wrong, the status' own unless given; headers: of the answer, beside its type."""
    key = SENTENCES.get(status, "api.bad" if status < 500 else "fail.text")
    kept = {name: value for name, value in (headers or {}).items() if name.casefold() not in BODY_S}
    said = msgspec.json.encode(Problem(sentence or say(key, method=request.method)))
    return Response(said, status, {**kept, "Cache-Control": "no-store"}, mimetype="application/json")
