"""The story of a recording: its verdicts in order, which of them stand, and the state of the game after them.

It is folded from `device.cli.watch.output_forms`; terminal, report and film share it.
"""

from dataclasses import dataclass, field
from typing import Any

from engine.board import Side
from engine.position import Position

MOVES = ("legal", "illegal", "not-sure", "race", "rearranged")
"""Kinds of verdicts on a move."""
KINDS = {"legal": "legal", "illegal": "illegal", "not-sure": "not sure", "tampered": "tampered",
         "withdrawn": "withdrawn", "rearranged": "rearranged", "race": "race"}
"""The kinds of verdicts in words."""
WINNERS = {"S": "South wins", "N": "North wins", None: "a draw"}


@dataclass(slots=True)
class StoryVerdict:
    """One verdict. form: its output form; before: the position line before it; gone: why it no longer stands, "" if it
    stands; replaced: another verdict on the same move replaces it."""

    form: dict[str, Any]
    before: str
    gone: str = ""
    replaced: bool = False

    @property
    def kind(self) -> str:
        """The verdict's kind, a key of `KINDS`."""
        return str(self.form["kind"])

    @property
    def who(self) -> str:
        """The player who moved, `South` or `North`; "" if no player is named."""
        return side_named(self.form.get("player"))

    @property
    def lies(self) -> Position | None:
        """The position after the verdict; None if unknown."""
        line = self.form.get("position") or self.before
        return Position.parse(line) if line else None

    @property
    def due(self) -> Position | None:
        """The position that should be there: after the move done rightly, or before any tampering; None if nobody is
        accused or it is unknown."""
        line = {"illegal": self.form.get("expected"), "tampered": self.before}.get(self.kind)
        return Position.parse(line) if line else None

    @property
    def differing(self) -> set[int]:
        """The pits whose counts differ from what they should be."""
        lies, due = self.lies, self.due
        if lies is None or due is None or lies.board != due.board:
            return set()
        return {pit for pit in range(due.board.pits) if due.counts[pit] != lies.counts[pit]}

    @property
    def named(self) -> set[int]:
        """The pits that the verdict names: those of its faults, or in doubt; if it names none, the differing ones."""
        names = [name for fault in self.form.get("faults") or () for name in (fault["pit"] or "").split(",") if name]
        if self.kind == "not-sure":
            names = list(self.form["pits"])
        lies = self.lies
        return self.differing if lies is None or not names else {lies.board.pit(name) for name in names}

    @property
    def played(self) -> int | None:
        """The pit that the move began from; None if unknown."""
        move, lies = str(self.form.get("move") or ""), self.lies
        try:
            return None if lies is None or not move else lies.board.pit(move[0])
        except ValueError:
            return None


@dataclass(slots=True)
class Unwatched:
    """A time in which the board could not be seen. since, until: seconds; until is None while it lasts."""

    since: float
    why: str
    until: float | None = None

    def __str__(self) -> str:
        """From when to when, and why."""
        until = "on" if self.until is None else f"to {clock(self.until)}"
        return f"{clock(self.since)} {until}: {printable(self.why)}"


@dataclass(slots=True)
class Story:
    """The state after all forms given to `take`. start: the line that the game began from; position: the current line;
    end: the form of the game's end; unwatched: the times in which the board could not be seen, in order."""

    start: str = ""
    position: str = ""
    verdicts: list[StoryVerdict] = field(default_factory=list)
    end: dict[str, Any] | None = None
    unwatched: list[Unwatched] = field(default_factory=list)

    def take(self, form: dict[str, Any]) -> StoryVerdict | None:
        """Take in the next event, in its output form; return its verdict, None if it is not one."""
        match form["event"]:
            case "position":
                self.start = self.start or form["position"]
                self.position = form["position"]
                self._watched(form["t"])
            case "verdict":
                return self._verdict(form)
            case "end":
                self.end = form
            case "blind":
                if self.unwatched and self.unwatched[-1].until is None:  # still blind, for another reason
                    self.unwatched[-1].why = form["why"]
                else:
                    self.unwatched.append(Unwatched(form.get("since", form["t"]), form["why"]))
            case "sighted":
                self._watched(form["t"])
        return None

    def _watched(self, t: float) -> None:
        """End a blind time: the board is seen from `t` on."""
        if self.unwatched and self.unwatched[-1].until is None:
            self.unwatched[-1].until = t

    def _verdict(self, form: dict[str, Any]) -> StoryVerdict:
        before = self.position
        replaced = next((one for one in self.verdicts if one.form["t"] == form.get("instead_of")), None)
        if replaced is not None:
            before, replaced.replaced = replaced.before, True
            replaced.gone = f"replaced by the verdict at {clock(form['t'])}"
        if form["kind"] == "withdrawn":
            self._withdraw(form)
        told = StoryVerdict(form, before)
        self.verdicts.append(told)
        self.position, self.end = form["position"] or self.position, None
        return told

    def _withdraw(self, form: dict[str, Any]) -> None:
        """Mark the newest standing move of that player as withdrawn."""
        moved = [one for one in self.verdicts if not one.gone and one.kind in MOVES
                 and form["player"] in (None, one.form["player"])]
        if moved:
            moved[-1].gone = f"withdrawn at {clock(form['t'])}"

    def standing(self, *kinds: str) -> list[StoryVerdict]:
        """The verdicts of those kinds that stand."""
        return [one for one in self.verdicts if not one.gone and one.kind in kinds]

    @property
    def fouls(self) -> list[StoryVerdict]:
        """The illegal moves, including withdrawn ones, as in a table's games."""
        return [one for one in self.verdicts if one.kind == "illegal" and not one.replaced]

    @property
    def score(self) -> tuple[int, int]:
        """The seeds that South and North have captured."""
        if self.end is not None:
            south, _, north = str(self.end["result"]).partition("-")
            return int(south), int(north)
        return Position.parse(self.position).captured if self.position else (0, 0)

    @property
    def outcome(self) -> str:
        """Who won and why, or that the game was not over."""
        if self.end is None:
            return "the game was not over"
        return f"{WINNERS[self.end['winner']]}: {self.end['reason']}"

    @property
    def result(self) -> str:
        """Score, outcome and the numbers of moves and fouls, in one line."""
        south, north = self.score
        counted = [_number(len(self.standing(*MOVES)), "move"), _number(len(self.fouls), "foul")]
        if unsure := len(self.standing("not-sure")):
            counted.append(f"{unsure} not sure")
        if tampered := len(self.standing("tampered")):
            counted.append(f"{tampered} tampered")
        return f"South {south}, North {north}; {self.outcome}; {', '.join(counted)}"


def side_named(letter: str | None) -> str:
    """`South` for S, `North` for N, "" for None or ""."""
    return Side.parse(letter).title if letter else ""


def printable(text: object) -> str:
    """A foreign text, such as a file's name, with unprintable characters escaped, as they could control a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def clock(seconds: float) -> str:
    """Format seconds of a recording for people: `1:05.3`."""
    minutes, rest = divmod(round(seconds * 10), 600)
    return f"{minutes}:{rest / 10:04.1f}"


def _number(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"
