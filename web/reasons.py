"""The table's reasons in the visitor's language: known by their English text, which the journal keeps."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TypedDict

from web.messages_reasons import REASONS
from web.words import language, say

SIDES = {"South": "S", "North": "N"}


class Told(TypedDict):
    """A reason: its message, and who is meant in it, S or N, or "" for nobody."""

    key: str
    side: str
    other: str


@lru_cache(maxsize=256)
def known(text: str) -> Told | None:
    """The reason of that English text; None where there is none, and it stays as it is."""
    for key, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found:
            named = found.groupdict()
            return Told(key=key, side=SIDES.get(named.get("side", ""), ""), other=SIDES.get(named.get("other", ""), ""))
    return None


def reason_of(text: str) -> str:
    """A reason of the table's as the visitor reads it; in English where nobody has translated it."""
    told = None if language() == "en" else known(text)
    if told is None:
        return text
    return say(told["key"], side=say(f"side.{told['side'] or 'S'}"), other=say(f"side.{told['other'] or 'S'}"))


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    made = []
    for key, text in REASONS.items():
        parts = re.split(r"\{(\w+)\}", text)
        made.append((key, re.compile("".join(
            f"(?P<{part}>South|North)" if i % 2 else re.escape(part) for i, part in enumerate(parts)))))
    return made
