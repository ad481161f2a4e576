"""A table's own rules: a form with a game's fields in plain words, and what people chose in it.

A field with the same value in all rulesets shows that value; if they differ, its first choice is "as the ruleset says".
"""

from collections.abc import Iterable, Mapping
from typing import TypedDict

from engine.games.fields import Field, RulesError, Value, word
from engine.rules import Rules, ruleset, rulesets
from web.readmodel.games import ruleset_of
from web.views.orders import Refused
from web.words import say


class FieldForm(TypedDict):
    """A field in a form. name: of its input; key: the field's own; label: what it decides. choices: values and their
    words, none for a number. value: the chosen one. least, most: bounds of a number. each: what each ruleset says, if
    they differ."""

    name: str
    key: str
    label: str
    choices: list[tuple[str, str]]
    value: str
    least: int
    most: int
    each: str


def name_of(game: str, key: str) -> str:
    """Return the name of a field's input."""
    return f"set-{game}-{key}"


def fields(game: str, sets: Mapping[str, str], typed: Mapping[str, str]) -> list[FieldForm]:
    """Return the fields of a game. sets: what is changed; typed: what the form already contains."""
    return [_field(game, one, sets, typed) for one in ruleset(game).fields]


def _field(game: str, field: Field, sets: Mapping[str, str], typed: Mapping[str, str]) -> FieldForm:
    name = name_of(game, field.name)
    by_rules = {rules: ruleset(game, rules).values[field.name] for rules in rulesets(game)}
    differ = len(set(by_rules.values())) > 1
    value = sets.get(field.name, "" if differ else word(field.default))
    form = FieldForm(name=name, key=field.name, label=say(f"field.{field.name}"), choices=[],
                     value=typed.get(name, value), least=0, most=0, each="")
    if isinstance(field.values, range):
        form["least"], form["most"] = field.values[0], field.values[-1]
        return form
    if differ:
        each = [say("field.as.one-of", rules=ruleset_of(rules), value=_worded(field, value))
                for rules, value in by_rules.items()]
        form["choices"].append(("", say("field.as")))
        form["each"] = say("list.comma").join(each)
    form["choices"] += [(word(value), _worded(field, value)) for value in field.values]
    return form


def changed(game: str, rules: str, form: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that a form changes, as words. Raises Refused, which names the field, or RulesError."""
    found = {}
    for field in ruleset(game, rules or None).fields:
        text = form.get(name_of(game, field.name), "").strip()
        if not text:
            continue
        try:
            field.parse(text)
        except RulesError as error:
            key = "field.number" if isinstance(field.values, range) else "field.none-such"
            span = field.values if isinstance(field.values, range) else range(1)
            raise Refused(key, at=name_of(game, field.name), value=text[:20], least=span[0], most=span[-1]) from error
        found[field.name] = text
    return ruleset(game, rules or None, found).sets


def changes(rules: Rules) -> list[str]:
    """Return what is changed in these rules, a few words for each field."""
    return _in_words(rules, rules.sets)


def differences(game: str, name: str) -> list[str]:
    """Return how a ruleset differs from the game's first, a few words for each field."""
    first, other = ruleset(game), ruleset(game, name)
    differing = [field.name for field in other.fields if other.values[field.name] != first.values[field.name]]
    return _in_words(other, differing)


def _in_words(rules: Rules, names: Iterable[str]) -> list[str]:
    """Return these fields of these rules in words."""
    by_name = {field.name: field for field in rules.fields}
    return [say("field.is", field=say(f"field.{name}"), value=_worded(by_name[name], rules.values[name]))
            for name in names]


def changes_of(game: str, rules: str, sets: Mapping[str, str]) -> list[str]:
    """Return the changes of a game from the journal; empty if this program does not know its rules."""
    try:
        return changes(ruleset(game, rules or None, sets))
    except RulesError:
        return []


def _worded(field: Field, value: Value) -> str:
    if isinstance(field.values, range):
        return str(value)
    if isinstance(value, bool):
        return say("field.yes" if value else "field.no")
    return say(f"field.{field.name}.{value}")
