"""The table's sentences in the visitor's language: by the message that the journal keeps beside each.

Older journals keep the English alone: where a sentence is known, its message is found again. What is not known, from an
older journal or a newer table, stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NotRequired, TypedDict

import msgspec

from device.journal.events import Told, told
from device.journal.messages import MESSAGES
from engine.messages import Message, message_in
from web.players import player, with_names
from web.words import language, say, sentences, sized

SIDES = {"South": "S", "North": "N"}
NAMED = {"side.S": "S", "side.N": "N"}
MEANT = ("side", "other")
"""Values of messages that are sides."""


class MessageJson(TypedDict):
    """A message as it goes to a page: its key, and the values in it, which may be messages too."""

    key: str
    values: NotRequired[dict[str, Any]]


def message_json(text: str, of: Told | None) -> MessageJson | None:
    """The message that a sentence is; None for mere words."""
    found: MessageJson | None = msgspec.to_builtins(of) if of is not None else found_again(text)
    return found


@lru_cache(maxsize=256)
def found_again(text: str) -> MessageJson | None:
    """The message of that English text, from a journal that keeps no messages; None where there is none."""
    for key, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found:
            values = {name: {"key": f"side.{SIDES[side]}"} for name, side in found.groupdict().items()}
            return {"key": key, "values": values} if values else {"key": key}
    return None


def reason_of(text: str, of: MessageJson | None = None) -> str:
    """A sentence of the table's, or a part of one, as the visitor reads it."""
    found = None if language() == "en" else of or found_again(text)
    return sized(with_names(text) if found is None else _worded(found) or text)


def answer_of(answer: Mapping[str, Any]) -> str:
    """What the table answered to an order: a whole sentence."""
    return sentence(reason_of(answer["sentence"], answer.get("told")))


def message_text(what: Message | str) -> str:
    """A message of the rules', as the visitor reads it."""
    return reason_of(str(what), message_json("", told(what))) if isinstance(what, Message) else what


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


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Of the messages in which nothing stands but sides."""
    made = []
    for key, text in MESSAGES.items():
        parts = re.split(r"\{(\w+)\}", text)
        if all(name in MEANT for name in parts[1::2]) and parts != [""]:
            made.append((key, re.compile("".join(
                f"(?P<{part}>South|North)" if i % 2 else re.escape(part) for i, part in enumerate(parts)))))
    return made
