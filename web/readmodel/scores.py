"""The score of the match, as plain data for the page and for programs."""

from __future__ import annotations

from typing import TypedDict

from device.journal import events as journal
from device.journal.projection.match import MatchBook
from engine import matches as match
from web.readmodel.reasons import MessageJson, message_json

ODD = journal.Told("match.odd")
"""What is said where the reason cannot be translated."""


class Score(TypedDict):
    """The score of a match. score, games: South's and North's. over: the winner and the reason; None while it goes on.
    due: the position line for the next game, "" for the ruleset's first set-up. rules, sets: the ruleset of its games,
    and its changed fields. place: the number of the current or next game. outside: why the game on the board does not
    count for the match; None if it does, or no game is in progress."""

    form: str
    game: str
    board: str
    unit: str
    agreed: int
    score: list[int]
    games: list[int]
    drawn: int
    over: dict[str, str] | None
    due: str
    rules: str
    sets: dict[str, str]
    place: int
    outside: Outside | None


class Outside(TypedDict):
    """Why a game does not count for the match, in English, and the message for it."""

    why: str
    told: MessageJson | None


def score(book: MatchBook) -> Score | None:
    """Return the score of the current match; None without one."""
    state = book.state
    if state is None or book.agreed is None:
        return None
    tally = state.tally
    outcome = state.outcome
    over = None
    if outcome is not None:
        over = {"winner": "" if outcome.winner is None else outcome.winner.letter, "reason": outcome.reason}
    agreed = book.agreed[1]
    return Score(form=agreed.form, game=agreed.game, board=agreed.board, unit=tally.unit, agreed=agreed.number,
                 score=list(tally.score), games=list(tally.games), drawn=tally.drawn, over=over,
                 due=_due(state, agreed), rules=agreed.rules, sets=agreed.sets,
                 place=book.place, outside=_outside(book))


def _outside(book: MatchBook) -> Outside | None:
    game = book.outside
    return Outside(why=book.problems[game], told=message_json(book.messages.get(game, ODD))) if game else None


def _due(state: match.MatchState, agreed: journal.MatchAgreed) -> str:
    due = state.due
    return "" if state.setup is None or (due == state.setup and not agreed.start) else str(due)
