"""What a visitor has typed into a form, and what is wrong in it: stored after an error, or on the way to another step.

It lies in the visitor's own session, by the form's name, until the form is taken.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from flask import session

KEY = "typed"

MOST_BYTES = 1600
"""Of all that is stored for a visitor, packed: a browser keeps no cookie of more than 4096, and there is more in it."""

NOT_TYPED = ("csrf_token", "go", "pin", "again", "address")
"""The page's own fields, and PINs and cameras' addresses with their passwords, which are never written down."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong in a form, in one sentence. at: the field's name, "" where it is none of them."""

    sentence: str
    at: str = ""


def store(form: str, fields: Mapping[str, str]) -> None:
    """Store what stands in the fields of a form. What would be too much is not stored, the other forms' first."""
    typed = {name: text for name, text in fields.items() if name not in NOT_TYPED}
    for everything in (session.get(KEY, {}) | {form: typed}, {form: typed}):
        if len(zlib.compress(json.dumps(everything).encode())) <= MOST_BYTES:
            session[KEY] = everything
            return


def stored(form: str) -> dict[str, str]:
    """What was stored of a form; nothing where there is nothing."""
    found = session.get(KEY, {})
    typed = found.get(form, {}) if isinstance(found, dict) else {}
    return dict(typed) if isinstance(typed, dict) else {}


def forget(form: str) -> None:
    """The form was taken."""
    found = session.get(KEY)
    if isinstance(found, dict) and form in found:
        session[KEY] = {name: typed for name, typed in found.items() if name != form}
