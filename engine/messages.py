"""What the rules say to people, by key: how a game or a match ended, and why a board or a match is refused.

Values stand in braces; a key ending in `.one` is used if its `{n}` is 1. The page translates all of them: a `Message`
keeps its key and values beside its English text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.board import Side

MESSAGES: Mapping[str, str] = {
    "side.S": "South",
    "side.N": "North",
    "list.or": "{some} or {last}",
    "list.and": "{some} and {last}",

    # ---- what a slip changed in the rest of its move
    "followed": "as a result, {what}; {due}",
    "followed.on": "{pit} held {n} seeds and was sown on",
    "followed.end": "the move ended in {pit}",
    "followed.capture": "{n} seeds were captured from {pits}",
    "followed.capture.one": "1 seed was captured from {pits}",
    "followed.due.on": "{pit} should have been sown on instead",
    "followed.due.end": "the move should have ended in {pit}",
    "followed.due.end.there": "the move should have ended there",
    "followed.due.capture": "{n} seeds should have been captured from {pits}",
    "followed.due.capture.one": "1 seed should have been captured from {pits}",

    # ---- how a game ended
    "reason.no-move": "{side} cannot move",
    "reason.unfed": "{side} cannot give {other} a seed",
    "reason.forfeited": "{side} resigned",
    "reason.agreed": "both sides agreed to stop",

    # ---- how a match ended
    "contest.played": "the {n} agreed games are played",
    "contest.has-wins": "{side} has the {wins} agreed wins",
    "contest.has-points": "{side} has the {points} agreed points",
    "contest.cannot-fill": "{side} has {n} seeds and cannot fill {pit}, his far right hole, with {due}",
    "contest.cannot-fill.one": "{side} has 1 seed and cannot fill {pit}, his far right hole, with {due}",

    # ---- why a board cannot be
    "check.board": "{game} is played on {boards}, not on {board}",
    "check.seeds": "{total} seeds ({lying} on the board and {captured} captured): {game} on {board} is played with "
                   "{due}",
    "check.no-bulls": "pit {pit} is marked as a bull, and {game} has none",
    "check.won": "won={side} is not possible: {game} is not won in the middle of a move",

    # ---- why a game cannot be
    "rules.no-game": "{name} is not a game known here: {known}",
    "rules.no-rules": "{name} is not a ruleset of {game}: {known}",
    "rules.no-setup": "{name} is not a set-up of {game}: {known}",
    "rules.none-written": "{game} has no written set-up for {board}: give the position",
    "rules.unfit": "set-up {name} does not fit on {board}",
    "rules.no-field": "{name} is not a field of these rules: {known}",
    "rules.field-number": "{name} is {value}: a whole number from {least} to {most}",
    "rules.field-yes": "{name} is {value}: true or false",
    "rules.field-word": "{name} is {value}: {known}",

    # ---- why a match cannot be, or a game is not counted in it
    "contest.at": "event {event}, {kind}: {why}",
    "contest.over": "the match is over: {why}",
    "contest.whole": "{what} is {number}: a whole number from {least}",
    "contest.games": "the agreed number of games",
    "contest.wins": "the agreed number of wins",
    "contest.points": "the agreed number of points",
    "contest.neither": "agree on a number of games or of points",
    "contest.uneven": "the set-up has {south} seeds for South and {north} for North: a surplus match begins even",
    "contest.name": "{what} is {name}: 1 to {most} printable characters, no space around them",
    "contest.member": "the name of {side}'s new member",
    "contest.plays": "{name} cannot join {side}: he plays for {other} already",
    "contest.full": "{name} cannot join {side}: its team has {most} members, {listed}",
    "contest.no-result": "game {game} has no result: {why}; correct the board, or score the game",
    "contest.not-over": "game {game} is not over: {side} can move",
    "contest.no-draw": "game {game} has no winner: {title} has no draws",
    "contest.no-seeds": "game {game} is scored without its seeds: the match is played for the surplus",
    "contest.alone": "{side} cannot resign game {game} alone: in a surplus match every game's seeds count; score it, "
                     "or forfeit the match",
    "contest.setup": "the set-up",
    "contest.laid": "the set-up laid for game {game}",
    "contest.unfit": "{what}: {why}",
    "contest.other-board": "{what} is of {lies}: the match is played on {board}",
    "contest.out-of-play": "{what} has {south}-{north} seeds out of play: {due} are due",
    "contest.under-way": "{what} is of a game under way, at ply {ply}: a game begins at ply 0",
    "contest.bull": "{what} has a bull in pit {pit}: no game begins with bulls",
    "contest.lay": "{what} has {count} seeds in {side}'s pits: {due} are due",
    "contest.rearranged": "{what} has {count} seeds in pit {pit}: {due} are due, and these rules let nobody rearrange "
                          "before the first move",
    "contest.relaid": "{what} has more than two of {side}'s pits re-laid: a side re-lays two of its pits, and only "
                      "once",
    "contest.left": "it was stopped before it ended",
    "contest.elsewhere": "it is {game} on {lies}; the match is {agreed} on {board}",
    "contest.before": "moves had been made when the match was agreed",
    "contest.sum": "the result {result} of game {game} makes {sum} seeds: {title} is played with {due}",
}


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence, or a part of one. key: in a table of messages. values: for the braces in its text: numbers, pits,
    names, and other messages. text: in English."""

    key: str
    values: Values = field(default_factory=dict, hash=False)
    text: str = ""

    def __str__(self) -> str:
        """Its English text."""
        return self.text

    @classmethod
    def of(cls, messages: Mapping[str, str], key: str, values: Values) -> Message:
        """Return the message with this key in this table. A key ending in `.one` is used if the value `n` is 1. Raises
        KeyError for an unknown key, or a missing value."""
        text = messages.get(f"{key}.one", messages[key]) if values.get("n") == 1 else messages[key]
        plain = {name: joined(value) if isinstance(value, list) else value for name, value in values.items()}
        return cls(key, values, text.format(**plain))


Values = Mapping[str, int | str | Message | list[Message]]
"""Values for the braces of a message's text, by name."""


def joined(parts: Iterable[Message]) -> str:
    """Messages joined as in `a, b, c`."""
    return ", ".join(map(str, parts))


def message_in(error: BaseException) -> Message | None:
    """The message that an error was raised with; None if it was raised with plain text."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Message) else None


def plain_message(error: BaseException) -> Message | None:
    """The message of a rules error without the number of the match event, which means nothing to people. None
    for an error in plain English."""
    found = message_in(error)
    if found is None or found.key != "contest.at":
        return found
    inner = found.values["why"]
    return inner if isinstance(inner, Message) else None


def message(key: str, **values: int | str | Message | list[Message]) -> Message:
    """Return the shared message of `key` with its values."""
    return Message.of(MESSAGES, key, values)


def side(of: Side) -> Message:
    """The name of a side, as a message."""
    return message(f"side.{of.letter}")


def any_of(words: Iterable[str]) -> Message | str:
    """Words joined as in `a, b or c`."""
    return _joined("list.or", list(words))


def all_of(words: Iterable[str]) -> Message | str:
    """Words joined as in `a, b and c`."""
    return _joined("list.and", list(words))


def _joined(key: str, words: list[str]) -> Message | str:
    return words[0] if len(words) == 1 else message(key, some=", ".join(words[:-1]), last=words[-1])
