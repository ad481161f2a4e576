"""The table's sentences in the visitor's language: by the message that the journal keeps beside each.

A sentence without a message, or with one that this page does not know, stays as it was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

import msgspec

from device.journal.events import Told, told
from engine.messages import Message, message_in
from engine.rules import Rules
from web.players import player, with_names
from web.words import language, say, sentences, sized

NAMED = {"side.S": "S", "side.N": "N"}


class MessageJson(TypedDict):
    """A message as it goes to a page: its key, and the values in it, which may be messages too."""

    key: str
    values: NotRequired[dict[str, Any]]


def message_json(of: Told | None) -> MessageJson | None:
    """A sentence's message as plain data; None for mere words."""
    plain: MessageJson | None = None if of is None else msgspec.to_builtins(of)
    return plain


def reason_of(text: str, of: MessageJson | None = None) -> str:
    """A sentence of the table's, or a part of one, as the visitor reads it."""
    return sized(with_names(text) if of is None or language() == "en" else _worded(of) or text)


def answer_of(answer: Mapping[str, Any]) -> str:
    """What the table answered to an order: a whole sentence."""
    return sentence(reason_of(answer["sentence"], answer.get("told")))


def message_text(what: Message | str) -> str:
    """A message of the rules', as the visitor reads it."""
    return reason_of(str(what), message_json(told(what))) if isinstance(what, Message) else what


def source_of(rules: Rules, name: str) -> str:
    """Where a ruleset of the game is written, as the visitor reads it; "" where that is not known."""
    return reason_of(rules.sources.get(name, ""), {"key": f"source.{name}"})


def why_of(error: Exception) -> str:
    """What an error of the rules' says, as the visitor reads it."""
    return message_text(plain_message(error) or str(error))


def plain_message(error: Exception) -> Message | None:
    """The message of an error of the rules'; which of a match's events it is about says nothing to people, and is left
    out. None for mere English."""
    found = message_in(error)
    if found is None or found.key != "contest.at":
        return found
    inner = found.values["why"]
    return inner if isinstance(inner, Message) else None


def sentence(text: str) -> str:
    """With a capital, and a full stop where there is none."""
    whole = f"{text[:1].upper()}{text[1:]}"
    return whole if not whole or whole.endswith((".", "!", "?", "…", "。")) else say("sentence", text=whole)


def _worded(of: Mapping[str, Any]) -> str:
    """A message in the visitor's language; "" for one that this page does not know, or that lacks a value."""
    table = sentences()
    key, values = of["key"], of.get("values", {})
    if key in NAMED:
        return player(NAMED[key])
    text = table.get(f"{key}.one") if values.get("n") == 1 else None
    text = text or table.get(key, "")
    try:
        return text.format(**{name: _value(value) for name, value in values.items()})
    except LookupError:
        return ""


def _value(value: object) -> object:
    if isinstance(value, list):
        return say("list.comma").join(str(_value(part)) for part in value)
    return _worded(value) if isinstance(value, Mapping) else value
