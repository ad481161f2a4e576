"""The events of the journal, one struct a type. What the table saw and said, and what people ordered.

An event's JSON is tagged with its type's name; unknown types read back as `Unknown` so that an older program can read a
newer journal. Positions are position lines (`engine.position`). The journal sets the times `at`, ISO 8601 UTC, when it
writes. Sentences are English; `told` beside one is the same sentence as a message that can be translated.
"""

from __future__ import annotations

from typing import Literal, cast

import msgspec

from engine.messages import Message as Sentence

Side = Literal["S", "N"]
MatchForm = Literal["games", "sticks", "surplus", "ol-alai", "points"]
"""The forms of a match (`engine.matches.forms`)."""
VerdictKind = Literal["legal", "illegal", "withdrawn", "not-sure", "tampered", "rearranged", "race"]


class Body(msgspec.Struct, frozen=True, tag=True, kw_only=True, omit_defaults=True):
    """What an event says. The tag is the class's name."""


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """A translatable sentence: the message's key (`device.journal.messages`) and its values, which may be messages."""
    key: str
    values: dict[str, int | str | Told | list[Told]] = {}


def translatable(sentence: Sentence | str | None) -> Told | None:
    """The message of a sentence; None for plain English text."""
    if not isinstance(sentence, Sentence):
        return None
    return Told(key=sentence.key, values={name: _plain_value(value) for name, value in sentence.values.items()})


def _plain_value(value: int | str | Sentence | list[Sentence]) -> int | str | Told | list[Told]:
    if isinstance(value, list):
        return [one for part in value if (one := translatable(part)) is not None]
    return value if isinstance(value, int | str) else translatable(value) or ""


# ---- what the table says ------------------------------------------------------------------------------------

class TableStarted(Body, frozen=True):
    """The table's process started: which camera, which version. asked: the options that it was started with; while
    these stay the same, what people arranged since holds (see `device.table.arranging`). told: the message of the
    camera's name, None for a maker's name."""
    camera: str
    version: str
    asked: str = ""
    told: Told | None = None


class GameStarted(Body, frozen=True):
    """A game began from `position`. `game` and `rules` name the ruleset, `sets` its changed fields."""
    game: str
    rules: str
    board: str
    position: str
    sets: dict[str, str] = {}
    by: str = "table"


class BoardFound(Body, frozen=True):
    """The board was found in a picture of `size`. pits: (x, y, r) in its pixels, along the ring; stores:
    (x, y, rx, ry). placed: people said where it lies. homography: from board units to pixels, row by row."""
    size: tuple[int, int]
    pits: list[tuple[float, float, float]]
    stores: list[tuple[float, float, float, float]] = []
    placed: bool = False
    homography: list[float] = []


class EmptySeen(Body, frozen=True):
    """The empty board was looked at. counts: what was read in each pit, along the ring (0 is right), -1 where a pit
    could not be seen. still: the evidence file that shows it."""
    counts: list[int]
    still: str = ""


class StateEntered(Body, frozen=True):
    """The table entered a state (`device.journal.states`). why: a sentence for people, or ""."""
    state: str
    why: str = ""
    told: Told | None = None


class Blind(Body, frozen=True):
    """The table cannot see: silence must never look like "all legal". lasted: seconds it had been blind when this was
    written."""
    why: str
    todo: str = ""
    told: Told | None = None
    told_todo: Told | None = None
    lasted: float = 0.0


class Sighted(Body, frozen=True):
    """The table sees again."""


class FaultSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fault that a verdict names: its code, the pit by its letter, the lap from 1, and how many seeds. instead: where
    the rules bar the pit, the letters of the pits that were allowed, separated by commas."""
    code: str
    pit: str = ""
    lap: int = 0
    n: int = 0
    instead: str = ""


class Explained(msgspec.Struct, frozen=True, omit_defaults=True):
    """One explanation that the judge weighed. p: its posterior probability."""
    kind: str
    p: float
    move: str = ""
    player: str = ""
    faults: list[FaultSeen] = []
    position: str = ""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a move's trace, for drawing: its kind (lift|drop|choose|capture|bull|end), pit, seeds and lap."""
    kind: str
    pit: str = ""
    n: int = 0
    lap: int = 0
    text: str = ""
    wrong: bool = False


class CameraNoted(Body, frozen=True):
    """Something is wrong with the camera's frames (torn ones, a falling rate), but the table goes on. sentence:
    English, for the log and the doctor."""
    sentence: str


class KeptInMemory(Body, frozen=True):
    """The `events` events before this one were written late: they were kept in memory since `since`, because of `why`.
    Each carries the time when it happened."""
    events: int
    since: str
    why: str


class EvidenceDropped(Body, frozen=True):
    """The disk was getting full: the oldest `files` stills of legal moves were deleted, `bytes` in all."""
    files: int
    bytes: int


class VerdictGiven(Body, frozen=True):
    """The verdict on one move. before/position/expected: position lines; `position` is what lies on the board,
    `expected` what should. sentence: the verdict for people. Stills are evidence files' names. hands_in/out and t:
    seconds of the table's clock. pits: those in doubt. counts: the unconstrained reading, along the ring. answers:
    number of the verdict that this one replaces, because its move was withdrawn, it was misread, or its hand went on
    with the move. doubts: every reason for a "not-sure", as `engine.verdict.Doubt` names them. instead_of:
    number of an earlier verdict, mostly a question, that this one answers or corrects: it says what was played then and
    leaves the game's position as it is. shown_by: number of the verdict on the later move that shows this; 0 if no
    single move does. others: other explanations of the same board, with their odds. followed: what the fault changed in
    the rest of the move, which the sentence says, too."""
    kind: VerdictKind
    player: str
    before: str
    position: str
    sentence: str
    move: str = ""
    expected: str = ""
    faults: list[FaultSeen] = []
    steps: list[Step] = []
    captured: int = 0
    confidence: float = 0.0
    margin: float = 0.0
    best: list[Explained] = []
    pits: list[str] = []
    counts: list[int] = []
    still_before: str = ""
    still_after: str = ""
    hands_in: float = 0.0
    hands_out: float = 0.0
    t: float = 0.0
    answers: int = 0
    doubts: list[str] = []
    instead_of: int = 0
    shown_by: int = 0
    others: list[Explained] = []
    followed: Told | None = None


class ClipKept(Body, frozen=True):
    """The evidence file `clip` shows the move of verdict `verdict` (see `device.evidence.clips`)."""
    verdict: int
    clip: str


class PositionSet(Body, frozen=True):
    """The position was set without a move: by a correction, a ruling, or from the board as it lies. answers: number of
    the event that this one replaces, such as a misread verdict."""
    position: str
    why: str
    answers: int = 0
    told: Told | None = None


class OrderAnswered(Body, frozen=True):
    """The table carried out the order of event `order` (`done`) or refused it, and says so in one sentence."""
    order: int
    done: bool
    sentence: str
    told: Told | None = None


class RulingUndone(Body, frozen=True):
    """The ruling of order `order` was undone: the game stands at `position` again. verdict: number of the verdict that
    is open again, 0 for none. over: at that position the game had ended; `result`, `winner`, `reason` and `told` say
    how, as in `GameOver`. kept: the ruling had not changed the board, so the game stays as it is."""
    order: int
    position: str
    verdict: int = 0
    over: bool = False
    result: str = ""
    winner: str = ""
    reason: str = ""
    told: Told | None = None
    kept: bool = False

    @property
    def end(self) -> GameOver | None:
        """The end of the game that holds again; None where there was none."""
        if not self.over:
            return None
        return GameOver(result=self.result, winner=self.winner, reason=self.reason, told=self.told)


class GameOver(Body, frozen=True):
    """The game ended. result: "South's seeds-North's seeds". winner: S, N or "" for a draw."""
    result: str
    winner: str
    reason: str
    told: Told | None = None

    @property
    def forfeited(self) -> bool:
        """Whether a side resigned."""
        return self.told is not None and self.told.key == "reason.forfeited"

    @property
    def agreed(self) -> bool:
        """Whether both sides agreed to end the game."""
        return self.told is not None and self.told.key == "reason.agreed"

    @property
    def by_people(self) -> bool:
        """Whether people, not a move, ended the game."""
        return self.forfeited or self.agreed


# ---- what people order --------------------------------------------------------------------------------------

class NewGame(Body, frozen=True):
    """Order: begin a new game. position: a line, or "" for the ruleset's set-up, or "lies" for the board as it lies.
    sets: the ruleset's changed fields, as words."""
    game: str
    rules: str
    board: str
    position: str = ""
    sets: dict[str, str] = {}
    by: str = ""


class LetStand(Body, frozen=True):
    """Order: the move of verdict `verdict` stands; play goes on from the board as it lies."""
    verdict: int
    by: str = ""


WithdrawnBy = Literal["S", "N", "R", ""]
WithdrawnFor = Literal["illegal", "turn", "not-entitled", "no-agreement", "cheat", ""]


class Withdraw(Body, frozen=True):
    """Order: the move of verdict `verdict` is withdrawn; the board is to be laid as it was before. side: which team
    withdraws it, its own or the opponents, or R, the referee; why: the move was illegal, out of turn, made by somebody
    not entitled to move, not agreed on in the team, or a cheat; mover: the name of who moved; spectator: the mover
    belongs to neither team. All four are optional."""
    verdict: int
    by: str = ""
    side: WithdrawnBy = ""
    why: WithdrawnFor = ""
    mover: str = ""
    spectator: bool = False


class CorrectPit(Body, frozen=True):
    """Order: pit `pit` holds `count`, whatever the camera says."""
    pit: str
    count: int
    by: str = ""


class NotAsSeen(Body, frozen=True):
    """Order: the board after the move of verdict `verdict` was misread; it holds `counts`, along the ring. The move is
    judged again from these: the new verdict's `answers` names the old one. captured: South's and North's captured seeds
    after that move, as people counted them; empty if they follow from the counts."""
    verdict: int
    counts: list[int]
    by: str = ""
    captured: list[int] = []


class Forfeit(Body, frozen=True):
    """Order: `side` resigns the current game."""
    side: Side
    by: str = ""


class AgreeEnd(Body, frozen=True):
    """Order: both sides agree that the game is over, where the rules allow it (`Rules.agreed`)."""
    by: str = ""


class Undo(Body, frozen=True):
    """Order: undo the ruling of order `order`, and with it the moves played since."""
    order: int
    by: str = ""


# ---- how people arrange the table: the table's loop takes these up in any state of the game ----------------------

class UseCamera(Body, frozen=True):
    """Order: use this camera, written as for `--camera`."""
    camera: str
    by: str = ""


class SeatSouth(Body, frozen=True):
    """Order: South sits at this edge of the picture."""
    edge: Literal["bottom", "top", "left", "right"]
    by: str = ""


class TurnPicture(Body, frozen=True):
    """Order: turn the camera's pictures further: `mirrored` exchanges left and right, `flipped` up and down, `turned`
    both. The table gives this order itself when moves or the set-up show that it is needed, and when the camera's own
    picture turns."""
    turn: str
    by: str = ""


class PlaceBoard(Body, frozen=True):
    """Order: the pits lie here, along the ring: (x, y, r) as shares of the picture's width, height, width. An empty
    list: find the board automatically again."""
    pits: list[tuple[float, float, float]] = []
    by: str = ""


class LookEmpty(Body, frozen=True):
    """Order: the board is empty now; check that every pit is read as empty."""
    by: str = ""


# ---- what people note; the table ignores these -----------------------------------------------------------------

class MatchAgreed(Body, frozen=True):
    """The games from now on, including one that has just begun, are a match of this form. number: the agreed number of
    games if the form is games, sticks or points; of wins if it is ol-alai; of points if `to_points` is set; 0 if the
    form is surplus. sets: the ruleset's changed fields, as words. start: the line that the games begin from, "" for the
    ruleset's first set-up on that board."""
    game: str
    board: str
    form: MatchForm
    rules: str = ""
    number: int = 0
    to_points: bool = False
    sets: dict[str, str] = {}
    start: str = ""
    by: str = ""


class TeamsNamed(Body, frozen=True):
    """Who plays on each side from now on, in the order in which they were entered. south_name, north_name: the teams'
    names, "" for none."""
    south: list[str] = []
    north: list[str] = []
    by: str = ""
    south_name: str = ""
    north_name: str = ""


class LotDrawn(Body, frozen=True):
    """The lot was drawn on the page: `side` moves first in the next game."""
    side: Side
    by: str = ""


class HoldSet(Body, frozen=True):
    """Hold accusations back from spectators until the referee has looked at them (`on`), or show them at once again."""
    on: bool
    by: str = ""


class Shown(Body, frozen=True):
    """The referee has looked at verdict `verdict`: everybody may see it."""
    verdict: int
    by: str = ""


class Objected(Body, frozen=True):
    """Somebody at the table objects to the move of verdict `verdict`: it is marked until somebody rules on it. A second
    event while the first is open adds the reason. why: the verdict is wrong, a count is, or it was not that player's
    turn; "" if no reason is given."""
    verdict: int
    why: Literal["", "verdict", "count", "turn"] = ""
    by: str = ""


class ObjectionWithdrawn(Body, frozen=True):
    """The objection of event `objection` is taken back, by its maker or the referee."""
    objection: int
    by: str = ""


class GameAnnulled(Body, frozen=True):
    """A game does not count: both sides agreed so, or a move took too long. game: number of the game's first event."""
    game: int
    why: Literal["agreed", "over-time"] = "agreed"
    by: str = ""


class ShowFoul(Body, frozen=True):
    """Order to the simulated table alone: its players break the rules as soon as they can."""
    by: str = ""


class Unknown(msgspec.Struct, frozen=True):
    """An event of a type that this version does not know. Types may be added; their meaning never changes."""
    type: str
    json: str


Said = (TableStarted | GameStarted | BoardFound | StateEntered | Blind | Sighted | VerdictGiven | PositionSet
        | ClipKept | EmptySeen | CameraNoted | KeptInMemory | EvidenceDropped | OrderAnswered | RulingUndone | GameOver)
Order = NewGame | LetStand | Withdraw | CorrectPit | NotAsSeen | Forfeit | AgreeEnd | Undo
Arranging = UseCamera | SeatSouth | TurnPicture | PlaceBoard | LookEmpty | ShowFoul
Noted = MatchAgreed | TeamsNamed | LotDrawn | HoldSet | Shown | GameAnnulled | Objected | ObjectionWithdrawn
Any = Said | Order | Arranging | Noted


class Event(msgspec.Struct, frozen=True):
    """One line of the journal. number: from 1, without gaps. hash: hex SHA-256 over the previous hash and this one."""
    number: int
    at: str
    type: str
    body: Said | Order | Arranging | Noted | Unknown
    hash: str

    @classmethod
    def spoken(cls, number: int, body: Body) -> Event:
        """An event outside any journal: without time and hash."""
        return cls(number, "", type(body).__name__, cast(Any, body), "")  # every body is one of them
