"""Turns a director's forms about a tournament into events. What is not possible gets one sentence at its field."""

from collections.abc import Mapping, Sequence

from werkzeug.datastructures import MultiDict

from engine.board import Side
from engine.matches.checks import MatchError
from engine.tournaments import (
    Corrected,
    Entered,
    How,
    Moved,
    PairingPlace,
    RankedBy,
    Renamed,
    Result,
    System,
    TablesNamed,
    TournamentBegun,
    TournamentEvent,
    TournamentState,
    after,
)
from web.readmodel.reasons import sentence, why_of
from web.typed import whole_number
from web.words import say

Form = MultiDict[str, str]

GAVE_UP, ALONE, LOT = {"gave-up-S": Side.SOUTH, "gave-up-N": Side.NORTH}, {
    "alone-S": Side.SOUTH, "alone-N": Side.NORTH}, {"lot-S": Side.SOUTH, "lot-N": Side.NORTH}
"""How a match ended, in the form's words, and the side that is meant."""


class Mistyped(Exception):
    """A field cannot be accepted. sentence: why, for people; at: the field's name, "" for none."""

    def __init__(self, sentence: str, at: str = "") -> None:
        """See the class."""
        super().__init__(sentence)
        self.sentence, self.at = sentence, at


FIELDS: Mapping[type[TournamentEvent], str] = {TournamentBegun: "name", Entered: "entries", TablesNamed: "more"}
"""The form field from which each kind of event comes."""


def checked(state: TournamentState, events: Sequence[TournamentEvent]) -> Sequence[TournamentEvent]:
    """Return the events if they are possible in this order. Raises Mistyped at the field of the first that is not."""
    for event in events:
        try:
            state = after(state, event)
        except MatchError as error:
            raise Mistyped(refusal(error), FIELDS.get(type(event), "")) from None
    return events


def refusal(error: MatchError) -> str:
    """Return why something is not possible, in the visitor's language."""
    return sentence(why_of(error))


def begun(form: Form, at: int) -> Sequence[TournamentEvent]:
    """Return the events that begin a tournament. at: the time, ns. Raises Mistyped."""
    all_round = form.get("system") != System.KNOCK_OUT.value
    system = System.ROUND_ROBIN if all_round else System.KNOCK_OUT
    by_score = all_round and form.get("counts") == RankedBy.SCORE.value
    first = TournamentBegun(
        one_line(form.get("name", "")), system, RankedBy.SCORE if by_score else RankedBy.MATCHES,
        _number(form, "cycles", "1") if all_round else 1, not all_round and "third" in form,
        one_line(form.get("about", "")), at=at)
    tables = [*form.getlist("table"), *(one for part in form.get("more", "").split(",") if (one := one_line(part)))]
    return checked(TournamentState(), [first, *entered(form, at), TablesNamed(tuple(tables), at=at)])


def more_entered(state: TournamentState, form: Form, at: int) -> Sequence[TournamentEvent]:
    """Return the events for further entries. at: the time, ns. Raises Mistyped."""
    try:
        return checked(state, entered(form, at, "more-entries"))
    except Mistyped as error:
        raise Mistyped(error.sentence, "" if state.rounds else "more-entries") from None


def entered(form: Form, at: int, name: str = "entries") -> list[TournamentEvent]:
    """Return the entries, one per line: a name, or a team's name, a colon, and its members separated by commas. at: the
    time, ns; name: the form's field."""
    return [Entered(*_named(line), at=at) for line in form.get(name, "").splitlines() if one_line(line)]


def renamed(form: Form, entry: int, at: int) -> Renamed:
    """Return the event that gives an entry a new name and the members typed after it. at: the time, ns."""
    return Renamed(entry, *_named(form.get("to", "")), at=at)


def corrected(form: Form, place: PairingPlace, at: int) -> Corrected:
    """Return the event for what people say about a match. at: the time, ns. Raises Mistyped."""
    return Corrected(place, _result(form), one_line(form.get("why", "")), by=one_line(form.get("by", "")), at=at)


def moved(form: Form, place: PairingPlace, at: int) -> Moved:
    """Return the event that moves a match to another table. at: the time, ns. Raises Mistyped."""
    return Moved(place, one_line(form.get("table", "")), _number(form, "sitting", "1"), at=at)


def _result(form: Form) -> Result | None:
    how = form.get("how", "")
    score = (_number(form, "south"), _number(form, "north"))
    games = (_number(form, "games-south", str(score[0])), _number(form, "games-north", str(score[1])))
    if how == "again":
        return None
    if how in ALONE or how == "neither":
        return Result.walkover(ALONE.get(how))
    if how in GAVE_UP:
        return Result(score, games, winner=GAVE_UP[how].other, how=How.FORFEIT)
    if how in LOT:
        return Result(score, games, winner=LOT[how], how=How.LOT)
    if how != "played":
        raise Mistyped(say("cup.form.how.ask"), "how")
    won = None if score[0] == score[1] else Side.SOUTH if score[0] > score[1] else Side.NORTH
    return Result(score, games, winner=won)


def _named(line: str) -> tuple[str, tuple[str, ...]]:
    """Split a line into the name and the members after its colon, separated by commas."""
    team, _, members = line.partition(":")
    return one_line(team), tuple(one for part in members.split(",") if (one := one_line(part)))


def _number(form: Form, name: str, empty: str = "0") -> int:
    text = form.get(name, "").strip() or empty
    number = whole_number(text, 4)
    if number is None:
        raise Mistyped(say("cup.form.number", text=text[:20]), name)
    return number


def one_line(text: str) -> str:
    """Return the text with single spaces between words and none around them."""
    return " ".join(text.split())
