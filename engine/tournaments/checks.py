"""Validation: `TournamentError`, and the checks that several kinds of event share."""

from engine.matches.checks import MatchError, name, quote
from engine.messages import Message
from engine.tournaments.messages import said

MAX_TEXT = 200
MAX_ENTRIES = 128
MAX_TABLES = 128
MAX_MEMBERS = 20
"""Most people of one team; the match decides how many of them play at a time."""
MAX_CYCLES = 4


class TournamentError(MatchError):
    """An event that cannot have happened there. The message is one sentence that names the value and the place."""


def text(words: str) -> str:
    """Return a person's words, perhaps none: up to 200 printable characters. Raises TournamentError."""
    if len(words) > MAX_TEXT or not words.isprintable():
        raise TournamentError(said("tournament.long", text=quote(words), most=MAX_TEXT))
    return words


def one_each(names: tuple[str, ...], what: Message) -> tuple[str, ...]:
    """Return the names, each of them checked. Raises MatchError."""
    return tuple(name(one, what) for one in names)


def same(one: str, other: str) -> bool:
    """Whether people would take two names for the same one."""
    return one.casefold() == other.casefold()
