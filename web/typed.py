"""What a visitor has typed into a form and what is wrong with it: stored after an error, or between two steps.

The visitor's own session holds it, by the form's name, until the form is accepted.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from flask import session

KEY = "typed"

MOST_BYTES = 1600
"""Most compressed bytes stored for a visitor: a browser keeps 4096 in a cookie, and the session holds more than
this."""

NOT_TYPED = ("csrf_token", "go", "pin", "again", "address")
"""Fields that are never stored: the page's own, PINs, and camera addresses with their passwords."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong in a form, in one sentence. at: the field's name, "" for no single field."""

    sentence: str
    at: str = ""


def whole_number(text: str, digits: int = 15) -> int | None:
    """Return the whole number that a text of at most so many decimal digits stands for; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def store(form: str, fields: Mapping[str, str]) -> None:
    """Store the fields of a form. If that is too much, drop the other forms first."""
    typed = {name: text for name, text in fields.items() if name not in NOT_TYPED}
    for everything in (session.get(KEY, {}) | {form: typed}, {form: typed}):
        if len(zlib.compress(json.dumps(everything).encode())) <= MOST_BYTES:
            session[KEY] = everything
            return


def stored(form: str) -> dict[str, str]:
    """Return what was stored of a form; an empty dict for nothing."""
    found = session.get(KEY, {})
    typed = found.get(form, {}) if isinstance(found, dict) else {}
    return dict(typed) if isinstance(typed, dict) else {}


def forget(form: str) -> None:
    """Drop what was stored of a form, because it was accepted."""
    found = session.get(KEY)
    if isinstance(found, dict) and form in found:
        session[KEY] = {name: typed for name, typed in found.items() if name != form}
