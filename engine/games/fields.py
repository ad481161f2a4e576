"""Rulesets as data: a ruleset is a name and a value for each field of its game."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.messages import any_of, message

Value = bool | int | str

CHOICE = "our choice: no written source decides it"


class RulesError(ValueError):
    """A game, ruleset, field, board or set-up does not exist. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class Field:
    """A point on which written sources differ or leave a gap.

    values: the allowed words, (False, True), or a range of whole numbers. text: what it decides, in one line. source:
    where its values are written down, or that the choice is ours. question: what the page asks. answers: the page's
    text for each word.
    """

    name: str
    values: tuple[str, ...] | tuple[bool, bool] | range
    default: Value
    text: str
    source: str = CHOICE
    question: str = ""
    answers: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def messages(self) -> dict[str, str]:
        """The page's texts about the field, by key: its question, and each of its values that are words."""
        found = {f"field.{self.name}": self.question or self.text}
        if not isinstance(self.values, range):
            found |= {f"field.{self.name}.{value}": self.answers.get(value, value)
                      for value in self.values if isinstance(value, str)}
        return found

    def parse(self, text: str) -> Value:
        """Parse a word into a value. Raises RulesError."""
        if isinstance(self.values, range):
            if text.isascii() and text.isdigit() and len(text) < 10 and int(text) in self.values:
                return int(text)
            raise RulesError(message("rules.field-number", name=self.name, value=repr(text[:40]), least=self.values[0],
                                  most=self.values[-1]))
        if isinstance(self.values[0], bool):
            words = {"true": True, "yes": True, "false": False, "no": False}
            if text.lower() in words:
                return words[text.lower()]
            raise RulesError(message("rules.field-yes", name=self.name, value=repr(text[:40])))
        if text in self.values:
            return text
        raise RulesError(message("rules.field-word", name=self.name, value=repr(text[:40]),
                                  known=any_of(map(str, self.values))))


def word(value: Value) -> str:
    """A value as written in commands."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# Fields that several games share. A game with another default uses a copy that states the source of that default:
# `replace(SKIP_ORIGIN, default=True, source="…")`, with `dataclasses.replace`.
SKIP_ORIGIN = Field("skip_origin", (False, True), False, "a lap that comes round skips the pit it began in",
                    question="Does a long lap skip the pit it began in?")
MAX_LAPS = Field("max_laps", range(1, 100_001), 1000, "a relay is followed no deeper than so many laps",
                 "our choice: a person sows some 200 laps in three minutes",
                 "How many laps of a move does the table follow?")
ENDLESS = Field("endless", ("annulled", "withdrawn"), "annulled",
                "a sowing that never ends annuls the game, which is replayed; or is taken back, and another move made",
                question="What happens to a sowing that never ends?",
                answers={"annulled": "The game is played again", "withdrawn": "The move is taken back"})


def values(fields: tuple[Field, ...], ruleset: Mapping[str, Value], sets: Mapping[str, str]) -> dict[str, Value]:
    """Return every field's value: the default, changed by the ruleset, changed by `sets`. Raises RulesError."""
    by_name = {f.name: f for f in fields}
    chosen = {f.name: ruleset.get(f.name, f.default) for f in fields}
    for name, text in sets.items():
        if name not in by_name:
            raise RulesError(message("rules.no-field", name=repr(name[:40]), known=any_of(sorted(by_name))))
        chosen[name] = by_name[name].parse(text)
    return chosen
