"""Reads game records: texts from people, hostile until parsed (README.md has the grammar)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.board import Board, Side
from engine.position import Position
from engine.records.record import (
    BACK,
    LONGEST,
    OWN_TAGS,
    RACE,
    SET,
    UNREAD,
    Item,
    Record,
    check_comment,
    check_tag,
    numbers,
)
from engine.rules import Rules, ruleset

LARGEST = 8 << 20
"""Most characters of a text: some thousands of games."""

MOST_ITEMS = 5_000
"""Most items of one game; people sow some hundred moves."""

_PARTS = re.compile(
    # At most as many escapes as a value can hold, so that a long hostile tag takes no memory.
    r'(?P<tag>\[\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)\s*'
    rf'"(?P<value>[^"\\\n]*+(?:\\["\\][^"\\\n]*+){{0,{LONGEST}}})"\s*\])'
    r"|\{(?P<comment>[^{}]*)\}"
    r"|\((?P<line>[^(){}]*)\)"
    r"|(?P<number>[0-9]{1,6})\."
    r"|(?P<end>\*|[0-9]{1,3}-[0-9]{1,3})(?=[\s\[{]|$)"
    r"|(?P<word>~|[^\s(){}\[\]\"~]+)"
)
_SPACE = re.compile(r"\s*")
_CONTROL = re.compile("[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\U0010ffff]")


class RecordError(ValueError):
    """A text is no record. The message is one sentence with line, column and value; `line` and `column` from 1."""

    def __init__(self, why: str, text: str, at: int) -> None:
        """why: what is wrong; text: the whole text; at: index of the place in it."""
        self.line = text.count("\n", 0, at) + 1
        self.column = at - text.rfind("\n", 0, at)
        super().__init__(f"line {self.line}, column {self.column}: {why}")


class _Part(NamedTuple):
    """A piece of the text: its kind (tag, comment, line, number, end or word), its text, and where it begins."""

    kind: str
    text: str
    at: int
    name: str = ""


@dataclass
class _Draft:
    """A record being read. at: where it begins."""

    at: int
    tags: dict[str, _Part] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    items: list[_Words] = field(default_factory=list)
    number: _Part | None = None
    end: _Part | None = None


@dataclass
class _Words:
    """An item being read."""

    word: _Part
    number: _Part | None = None
    line: _Part | None = None
    comments: list[str] = field(default_factory=list)


def read(text: str) -> Iterator[Record]:
    """Yield the records of a text. Raises RecordError at the first thing that cannot be read."""
    text = text.removeprefix("\ufeff")
    if len(text) > LARGEST:
        raise RecordError(f"the text has {len(text)} characters, {LARGEST} at the most", text, 0)
    control = _CONTROL.search(text)
    if control is not None:
        raise RecordError(f"the control character U+{ord(control[0]):04X}", text, control.start())
    draft: _Draft | None = None
    for part in _parts(text):
        # A tag after anything else, or anything after the end, begins the next game.
        if draft is None or draft.end is not None or (part.kind == "tag" and (draft.items or draft.comments)):
            if draft is not None:
                yield _finished(text, draft)
            draft = _Draft(part.at)
        _take(text, draft, part)
    if draft is None:
        raise RecordError("the text has no game", text, 0)
    yield _finished(text, draft)


def _parts(text: str) -> Iterator[_Part]:
    at = _space(text, 0)
    while at < len(text):
        found = _PARTS.match(text, at)
        if found is None:
            raise RecordError(_unreadable(text, at), text, at)
        kind = "tag" if found["tag"] is not None else str(found.lastgroup)
        said = found["value"] if kind == "tag" else found[kind]
        yield _Part(kind, said, at, found["name"] or "")
        at = _space(text, found.end())


def _space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _unreadable(text: str, at: int) -> str:
    return {
        "[": f"{_quote(text[at:])} is no tag, such as [Game \"enkeshui\"]",
        "{": "a comment begins here and is not closed with }, or holds another {",
        "(": "a position begins here and is not closed with )",
    }.get(text[at], f"{_quote(text[at:at + 1])} is not expected here")


def _quote(text: str) -> str:
    """Foreign text made fit to show: short, and without control characters."""
    word = text.split(maxsplit=1)[0] if text.split() else text
    return repr(word if len(word) <= 24 else word[:24] + "…")


def _take(text: str, draft: _Draft, part: _Part) -> None:
    """Add one part to the draft."""
    if draft.number is not None and part.kind != "word":
        raise RecordError(f"number {draft.number.text} is not followed by a move", text, draft.number.at)
    match part.kind:
        case "tag":
            if part.name in draft.tags:
                raise RecordError(f"tag {part.name} is given twice", text, part.at)
            _checked(text, part.at, check_tag, part.name, _value(part))
            draft.tags[part.name] = part
        case "comment":
            said = " ".join(part.text.split())
            if said:
                _checked(text, part.at, check_comment, said)
                (draft.items[-1].comments if draft.items else draft.comments).append(said)
        case "number":
            draft.number = part
        case "word":
            _room(text, draft, part)
            draft.items.append(_Words(part, draft.number))
            draft.number = None
        case "line":
            _room(text, draft, part)
            last = draft.items[-1] if draft.items else None
            waits = last is not None and last.line is None and not last.comments
            if last is not None and waits and _needs_line(last.word.text):
                last.line = part
            else:
                draft.items.append(_Words(_Part("word", SET, part.at), None, part))
        case _:
            draft.end = part


def _room(text: str, draft: _Draft, part: _Part) -> None:
    if len(draft.items) >= MOST_ITEMS:
        raise RecordError(f"the game has more than {MOST_ITEMS} moves", text, part.at)


def _needs_line(word: str) -> bool:
    return word == RACE or word.endswith("?")


# ---- from words to a record
# --------------------------------------------------------------------------------------------------


def _finished(text: str, draft: _Draft) -> Record:
    tags = draft.tags
    if draft.number is not None:
        raise RecordError(f"number {draft.number.text} is not followed by a move", text, draft.number.at)
    rules = _rules(text, draft)
    start = _start(text, draft, rules)
    items = tuple(_item(text, words, start.board) for words in draft.items)
    for words, due in zip(draft.items, numbers(rules, start, items), strict=True):
        if words.number is not None and (due is None or int(words.number.text) != due):
            why = "is not followed by a move" if due is None else f"should be {due}"
            raise RecordError(f"number {words.number.text} {why}", text, words.number.at)
    result, winner = _result(text, draft)
    free = {name: _value(part) for name, part in tags.items() if name not in OWN_TAGS}
    ended = _value(tags["Termination"]) if "Termination" in tags else ""
    return Record.of(rules, start, items, result=result, winner=winner, ended=ended, tags=free,
                     comments=draft.comments)


def _checked(text: str, at: int, check: Callable[..., None], *given: str) -> None:
    try:
        check(*given)
    except ValueError as e:
        raise RecordError(str(e), text, at) from None


def _value(part: _Part) -> str:
    return re.sub(r'\\(["\\])', r"\1", part.text)


def _rules(text: str, draft: _Draft) -> Rules:
    game = draft.tags.get("Game")
    if game is None:
        raise RecordError("the record has no Game tag, such as [Game \"enkeshui\"]", text, draft.at)
    name, sets = draft.tags.get("Rules"), draft.tags.get("Set")
    fields = {}
    for word in _value(sets).split() if sets is not None else ():
        key, equals, value = word.partition("=")
        if not equals or key in fields:
            raise RecordError(f"{_quote(word)} in tag Set is no name=value, or given twice", text, _at(sets, draft))
        fields[key] = value
    at = game.at
    try:
        found = ruleset(_value(game))
        if name is not None:
            at = name.at
            found = ruleset(_value(game), _value(name))
        if sets is not None:
            at = sets.at
            found = ruleset(_value(game), found.name, fields)
    except ValueError as e:
        raise RecordError(str(e), text, at) from None
    return found


def _at(part: _Part | None, draft: _Draft) -> int:
    return draft.at if part is None else part.at


def _start(text: str, draft: _Draft, rules: Rules) -> Position:
    tags = draft.tags
    board, setup, line = tags.get("Board"), tags.get("Setup"), tags.get("Position")
    if setup is not None and line is not None:
        raise RecordError("a game begins from a Setup or from a Position, not from both", text, max(setup.at, line.at))
    try:
        size = None if board is None else Board.parse(_value(board))
    except ValueError as e:
        raise RecordError(str(e), text, _at(board, draft)) from None
    try:
        if line is None:
            return rules.setup(None if setup is None else _value(setup), size)
        position = Position.parse(_value(line))
    except ValueError as e:
        raise RecordError(str(e), text, _at(line or setup or board, draft)) from None
    if size is not None and position.board != size:
        raise RecordError(f"the position is one of {position.board}, tag Board says {size}", text, _at(line, draft))
    return position


def _item(text: str, words: _Words, board: Board) -> Item:
    word, after = words.word.text, None
    if words.line is not None:
        try:
            after = Position.parse(words.line.text)
        except ValueError as e:
            raise RecordError(str(e), text, words.line.at) from None
        if after.board != board:
            raise RecordError(f"a position of {after.board} in a game on {board}", text, words.line.at)
    try:
        if word not in (SET, UNREAD, RACE, BACK):
            board.pit(word[0])
        return Item(word, after, tuple(words.comments))
    except ValueError as e:
        raise RecordError(str(e), text, words.word.at) from None


def _result(text: str, draft: _Draft) -> tuple[tuple[int, int] | None, Side | None]:
    tag, said, won = draft.tags.get("Result"), draft.end, draft.tags.get("Winner")
    written = _value(tag) if tag is not None else "*" if said is None else said.text
    if tag is not None and not re.fullmatch(r"\*|[0-9]{1,3}-[0-9]{1,3}", written):
        raise RecordError(f"the result is {_quote(written)}: *, or seeds such as 27-21", text, tag.at)
    if said is not None and said.text != written:
        raise RecordError(f"the game ends with {said.text}, and tag Result says {written}", text, said.at)
    south, dash, north = written.partition("-")
    result = (int(south), int(north)) if dash else None
    if won is None:
        even = result is None or result[0] == result[1]
        return result, None if even or result is None else Side(int(result[1] > result[0]))
    if _value(won) not in ("S", "N", "-"):
        raise RecordError(f"the winner is {_quote(_value(won))}: S, N or -", text, won.at)
    return result, None if _value(won) == "-" else Side.parse(_value(won))
