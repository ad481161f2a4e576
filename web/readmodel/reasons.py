"""The table's sentences in the visitor's language, from the message that the journal keeps beside each.

A sentence without a message, or with one that this page does not know, stays as it was written.
"""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

import msgspec

from device.journal.events import Told, translatable
from engine.messages import Message, plain_message
from engine.rules import Rules
from web.players import player, with_names
from web.words import language, say, sentences, sized

NAMED = {"side.S": "S", "side.N": "N"}


class MessageJson(TypedDict):
    """A message as sent to a page: its key and its values, which may be messages too."""

    key: str
    values: NotRequired[dict[str, Any]]


def message_json(of: Told | None) -> MessageJson | None:
    """Return a sentence's message as plain data; None if it has none."""
    plain: MessageJson | None = None if of is None else msgspec.to_builtins(of)
    return plain


def reason_of(text: str, of: MessageJson | Told | None = None) -> str:
    """Return a sentence of the table, or a part of one, in the visitor's language."""
    of = message_json(of) if isinstance(of, Told) else of
    return sized(with_names(text) if of is None or language() == "en" else _worded(of) or text)


def answer_of(answer: Mapping[str, Any]) -> str:
    """Return the table's answer to an order as a whole sentence."""
    return sentence(reason_of(answer["sentence"], answer.get("told")))


def message_text(what: Message | str) -> str:
    """Return a message of the rules in the visitor's language."""
    return reason_of(str(what), message_json(translatable(what))) if isinstance(what, Message) else what


def source_of(rules: Rules, name: str) -> str:
    """Return where a ruleset of the game is written down, in the visitor's language; "" if unknown."""
    return say(f"source.{rules.game}.{name}") if name in rules.sources else ""


def why_of(error: Exception) -> str:
    """Return what an error of the rules says, in the visitor's language."""
    return message_text(plain_message(error) or str(error))


def sentence(text: str) -> str:
    """Return the text with a capital and, if it lacks one, a full stop."""
    whole = f"{text[:1].upper()}{text[1:]}"
    return whole if not whole or whole.endswith((".", "!", "?", "…", "。")) else say("sentence", text=whole)


def _worded(of: Mapping[str, Any]) -> str:
    """Return a message in the visitor's language; "" if this page does not know it or a value is missing."""
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
