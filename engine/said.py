"""Sentences that know what they were made of, so that they can be said in another language: a message's key, and the
values that stand in it. English is at hand wherever text is wanted; what goes further is the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence, or a part of one. key: of its message. values: what stands in the message's braces: numbers, pits,
    names, and further sayings. text: in English."""

    key: str
    values: Mapping[str, int | str | Said | list[Said]] = field(default_factory=dict, hash=False)
    text: str = ""

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, messages: Mapping[str, str], key: str, values: Mapping[str, int | str | Said | list[Said]]) -> Said:
        """The saying of a message in this table. A key ending in `.one` is used where its value `n` is 1. Raises
        KeyError for a message, or a value in it, that there is not."""
        text = messages.get(f"{key}.one", messages[key]) if values.get("n") == 1 else messages[key]
        plain = {name: joined(value) if isinstance(value, list) else value for name, value in values.items()}
        return cls(key, values, text.format(**plain))


def joined(parts: Iterable[Said]) -> str:
    """`a, b, c`."""
    return ", ".join(map(str, parts))


def said_in(error: BaseException) -> Said | None:
    """What an error says, where it was raised with a saying; None where it has mere English."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Said) else None
