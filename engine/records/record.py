"""The game record, like a PGN in chess. `engine.records.reader` reads it, `engine.records.replay` checks it.

README.md in this folder has the format and its grammar. A record written by `str` reads back as the same record, and
writes the same text again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from engine.board import Side
from engine.games.base import Rearranging
from engine.games.fields import word as field_word
from engine.position import Position
from engine.rules import Rules, RulesError, ruleset

WIDTH = 100
"""Columns at which the text is wrapped; words without a space may be longer."""
LONGEST = 2000
"""Most characters of a tag's value or a comment."""

OWN_TAGS = ("Game", "Rules", "Set", "Board", "Setup", "Position", "Result", "Winner", "Termination")
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}")
_MOVE = re.compile(r"[A-Za-z](?:[<>]{0,2000}|[A-Za-z]{0,25}=[0-9]{1,3}(?:,[0-9]{1,3}){0,51})")
_UNWRITABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of control characters, surrogates, and separators of lines and paragraphs."""
UNREAD, RACE, SET, BACK = "?", "race", "", "~"


@dataclass(frozen=True, slots=True)
class Item:
    """One step of a game. word: as in the grammar; "" for a position alone. after: the position written with it, None
    for legal moves and `~`. comments: on the step. Raises ValueError for what cannot be written."""

    word: str
    after: Position | None = None
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that the item can be written."""
        move = self.word.removesuffix("?")
        if self.word not in (UNREAD, RACE, SET, BACK) and not _MOVE.fullmatch(move):
            raise ValueError(f"{self.word[:40]!r} is no move")
        if self.legal or self.word == BACK:
            if self.after is not None:
                raise ValueError(f"{self.word[:40]!r} needs no position after it")
        elif self.after is None:
            raise ValueError(f"{self.word[:40]!r} needs the position after it, in round brackets")
        for comment in self.comments:
            check_comment(comment)

    @property
    def legal(self) -> bool:
        """Whether it is a legal move."""
        return self.word not in (UNREAD, RACE, SET, BACK) and not self.word.endswith("?")

    @property
    def foul(self) -> bool:
        """Whether it is an illegal move that stood."""
        return self.word.endswith("?") and self.word != UNREAD

    @property
    def play(self) -> bool:
        """Whether something was played, rightly or wrongly."""
        return self.word not in (SET, BACK)


@dataclass(frozen=True, slots=True)
class Record:
    """One game. game, name, sets: the ruleset and its changed fields; start: the position it begins from; result: seeds
    South-North, None if it was not played to an end; winner: None for a draw, or if there is none yet; ended: why, if
    the rules did not end it; tags: free ones in order; comments: before the first item.

    Raises ValueError (RulesError for rules that do not exist) if it cannot be written.
    """

    game: str
    name: str
    start: Position
    items: tuple[Item, ...] = ()
    sets: tuple[tuple[str, str], ...] = ()
    result: tuple[int, int] | None = None
    winner: Side | None = None
    ended: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()
    rules: Rules = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Bring the ruleset and its changed fields into one form, and check that everything can be written."""
        chosen = ruleset(self.game, self.name or None, dict(self.sets))
        plain = ruleset(self.game, chosen.name)
        changed = {k: v for k, v in chosen.values.items() if plain.values[k] != v}
        object.__setattr__(self, "rules", chosen)
        object.__setattr__(self, "game", chosen.game)
        object.__setattr__(self, "name", chosen.name)
        object.__setattr__(self, "sets", tuple(sorted((k, field_word(v)) for k, v in changed.items())))
        for comment in self.comments:
            check_comment(comment)
        self._check_tags()
        if self.result is not None and not all(0 <= n < 1000 for n in self.result):
            raise ValueError(f"the result {self.result[0]}-{self.result[1]} is no number of seeds")
        other = next((i.after.board for i in self.items if i.after and i.after.board != self.start.board), None)
        if other is not None:
            raise ValueError(f"a position of {other} in a game on {self.start.board}")

    def _check_tags(self) -> None:
        """Raise ValueError for a tag that cannot be written, is given twice, or is one of the record's own."""
        for name, value in self.tags:
            if name in OWN_TAGS:
                raise ValueError(f"tag {name} cannot be given another meaning")
            check_tag(name, value)
        if len({name for name, _ in self.tags}) < len(self.tags):
            raise ValueError("a tag is given twice")
        check_tag("Termination", self.ended)

    @classmethod
    def of(cls, rules: Rules, start: Position, items: Iterable[Item] = (), *, tags: Mapping[str, str] | None = None,
           result: tuple[int, int] | None = None, winner: Side | None = None, ended: str = "",
           comments: Iterable[str] = ()) -> Record:
        """Return a record under given rules. Raises ValueError."""
        sets = tuple((k, field_word(v)) for k, v in rules.values.items())
        return cls(rules.game, rules.name, start, tuple(items), sets, result, winner, ended,
                   tuple((tags or {}).items()), tuple(comments))

    @property
    def end(self) -> str:
        """The result as written, such as `27-21`, or `*`."""
        return "*" if self.result is None else f"{self.result[0]}-{self.result[1]}"

    def tag(self, name: str) -> str:
        """The value of a free tag, "" if it is missing."""
        return dict(self.tags).get(name, "")

    def __str__(self) -> str:
        """The text of the record."""
        tags = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in self._tag_pairs())
        return f"{tags}\n{_wrapped(self._tokens())}\n"

    def _tag_pairs(self) -> Iterator[tuple[str, str]]:
        yield "Game", self.game
        yield "Rules", self.name
        if self.sets:
            yield "Set", " ".join(f"{k}={v}" for k, v in self.sets)
        yield "Board", str(self.start.board)
        setup = setup_name(self.rules, self.start)
        yield ("Setup", setup) if setup else ("Position", str(self.start))
        yield from self.tags
        yield "Result", self.end
        if self.result is not None or self.winner is not None:
            yield "Winner", "-" if self.winner is None else self.winner.letter
        if self.ended:
            yield "Termination", self.ended

    def _tokens(self) -> Iterator[str]:
        for comment in self.comments:
            yield f"{{{comment}}}"
        for item, number in zip(self.items, numbers(self.rules, self.start, self.items), strict=True):
            if number is not None:
                yield f"{number}."
            if item.word:
                yield item.word
            if item.after is not None:
                yield f"({item.after})"
            for comment in item.comments:
                yield f"{{{comment}}}"
        yield self.end


def setup_name(rules: Rules, start: Position) -> str:
    """The name of the set-up that a position equals, "" for none."""
    for name in rules.setups(start.board):
        try:
            if rules.setup(name, start.board) == start:
                return name
        except RulesError:
            continue
    return ""


def numbers(rules: Rules, start: Position, items: Iterable[Item]) -> Iterator[int | None]:
    """Yield the number of each item, that is, the ply after it; None for an item that is no play."""
    before: list[int] = []
    ply = start.ply
    for item in items:
        if item.word == BACK:
            ply = before.pop() if before else ply
            yield None
            continue
        if item.play:
            before.append(ply)
        if item.after is not None:
            ply = item.after.ply
        else:
            # Laying seeds out before the first move takes no turn.
            ply += not ("=" in item.word and rules.rearranging is Rearranging.SETUP)
        yield ply if item.play else None


def plain_text(text: str) -> str:
    """Return words in a form that a comment or a tag can hold."""
    kept = "".join(" " if unicodedata.category(c) in _UNWRITABLE else c for c in text)
    kept = " ".join(kept.replace("{", "(").replace("}", ")").split())
    return kept if len(kept) <= LONGEST else kept[:LONGEST - 1].rstrip() + "…"


def check_tag(name: str, value: str) -> None:
    """Raise ValueError for a tag that cannot be written."""
    if not _TAG_NAME.fullmatch(name):
        raise ValueError(f"{name[:50]!r} is no name of a tag: a letter, then letters, figures or _, 41 at the most")
    _check_text(f"tag {name}", value)


def check_comment(text: str) -> None:
    """Raise ValueError for a comment that cannot be written; `plain_text` makes any words writable."""
    _check_text("the comment", text)
    if set("{}") & set(text) or text != " ".join(text.split()) or not text:
        raise ValueError(f"the comment {text[:40]!r} has braces, more than single spaces, or nothing in it")


def _check_text(what: str, text: str) -> None:
    if len(text) > LONGEST:
        raise ValueError(f"{what} has {len(text)} characters, {LONGEST} at the most")
    odd = next((c for c in text if unicodedata.category(c) in _UNWRITABLE), None)
    if odd is not None:
        raise ValueError(f"{what} holds the control character U+{ord(odd):04X}")


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(tokens: Iterable[str]) -> str:
    lines, line = [], ""
    for part in (part for token in tokens for part in token.split(" ")):
        if line and len(line) + 1 + len(part) > WIDTH:
            lines.append(line)
            line = part
        else:
            line = f"{line} {part}" if line else part
    return "\n".join([*lines, line])
