"""What the feed and the table hold, as plain data that is sent as JSON: one class for each kind of item."""

from collections.abc import Mapping
from typing import Literal, NotRequired, TypedDict, cast

from device.journal.events import VerdictKind, WithdrawnBy, WithdrawnFor
from web.readmodel.marks import Mark, Place, Places
from web.readmodel.reasons import MessageJson
from web.readmodel.scores import Score
from web.readmodel.shapes import Diagram


class Details(TypedDict):
    """What people said about a retraction; "" and False for what is unknown."""

    side: WithdrawnBy
    why: WithdrawnFor
    mover: str
    spectator: bool


class SaidAnswer(TypedDict):
    """What the table said about an order, and the message for it."""

    sentence: str
    told: MessageJson | None


class DoneAnswer(SaidAnswer):
    """The same, and whether the table carried the order out."""

    done: bool


class RulingShown(TypedDict):
    """The ruling on a verdict that holds, or the last order that was refused."""

    what: str
    done: bool
    sentence: str
    told: NotRequired[MessageJson | None]


class RulingMade(SaidAnswer):
    """A ruling that was carried out, by the number of its order. who: details of a retraction."""

    order: int
    what: str
    undone: bool
    who: NotRequired[Details]


class ObjectionShown(TypedDict):
    """An objection by its event's number. ruled: the order that settled it, else 0."""

    number: int
    at: str
    why: str
    ruled: int


class GoneShown(TypedDict):
    """Why a verdict no longer stands, as `device.journal.game.Superseded`."""

    by: int
    how: Literal["again", "withdrawn", "undone"]


class FaultShown(TypedDict):
    """A fault, as `device.journal.events.FaultSeen`."""

    code: str
    pit: str
    lap: int
    n: int
    instead: str


class ExplanationShown(TypedDict):
    """One explanation of a move. p: its probability."""

    kind: str
    p: float
    move: str
    player: str
    faults: list[FaultShown]


class StepShown(TypedDict):
    """One step of a move, as `device.journal.events.Step`."""

    kind: str
    pit: str
    n: int
    lap: int
    wrong: bool
    text: str


class Asked(TypedDict):
    """When people were asked about a move, and the move that answered. move: its number, 0 if no single move did; next:
    whether it directly followed the one in question."""

    at: str
    move: int
    next: bool


class VerdictWords(TypedDict):
    """What a verdict's sentence needs, and its certainty. game: the game's name."""

    game: str
    verdict: VerdictKind
    player: str
    move: str
    sentence: str
    confidence: float
    best: list[ExplanationShown]
    faults: list[FaultShown]
    pits: list[str]
    others: list[ExplanationShown]
    followed: MessageJson | None


class SaidVerdict(VerdictWords):
    """The same with its photographs, for lists of verdicts."""

    stills: list[str]


class VerdictFields(VerdictWords):
    """What a verdict says, with its boards. asked: only in an answer to a question."""

    before: Diagram | None
    position: Diagram | None
    expected: Diagram | None
    steps: list[StepShown]
    captured: int
    counts: list[int]
    ply: int
    moment: float | None
    marks: list[Mark]
    size: list[int]
    asked: Asked | None


class Numbered(TypedDict):
    """An item's event and its time. changed: the last event that changed it; repeats: another item says the same."""

    number: int
    at: str
    changed: NotRequired[int]
    repeats: NotRequired[bool]


class VerdictItem(VerdictFields, Numbered):
    """A verdict with its photographs, rulings and objections. ordered: an order on it that waits."""

    kind: Literal["verdict"]
    stills: list[str]
    hands: list[float]
    t: float
    ordered: int
    ruling: RulingShown | None
    ruled: list[RulingMade]
    answers: int
    clip: str
    gone: GoneShown | None
    objections: list[ObjectionShown]


class GameItem(Numbered):
    """A game began."""

    kind: Literal["game"]
    game: str
    rules: str
    board: str
    position: Diagram | None


class AnnulledItem(Numbered):
    """A game does not count."""

    kind: Literal["annulled"]
    game: int
    why: str


class SetItem(Numbered):
    """The position was set without a move."""

    kind: Literal["set"]
    why: str
    told: MessageJson | None
    position: Diagram | None


class OverNow(TypedDict):
    """How the current or last game ended."""

    result: str
    winner: str
    reason: str
    told: MessageJson | None


class OverItem(OverNow, Numbered):
    """A game ended."""

    kind: Literal["over"]


class OrderFields(TypedDict):
    """What an order asks for: `what`, and the fields of that kind of order."""

    what: str
    value: NotRequired[str]
    pit: NotRequired[str]
    count: NotRequired[int]
    side: NotRequired[str]
    order: NotRequired[int]
    game: NotRequired[str]
    board: NotRequired[str]


class OrderItem(OrderFields, Numbered):
    """An order that is no ruling on a verdict, and its answer."""

    kind: Literal["order"]
    answer: DoneAnswer | None
    undone: bool


class PendingOrder(OrderFields):
    """An order that the table has not answered. verdict: the one that it rules on."""

    number: int
    verdict: NotRequired[int]
    who: NotRequired[Details]


class LotItem(Numbered):
    """The lot was drawn."""

    kind: Literal["lot"]
    side: str


class BlindWhy(TypedDict):
    """Why the table is blind, what to do about it, and the messages for both."""

    why: str
    todo: str
    told: MessageJson | None
    told_todo: MessageJson | None


class BlindNow(BlindWhy):
    """The same, and its notice."""

    number: int


class BlindItem(BlindWhy, Numbered):
    """A notice of all blind times of a game that have one reason."""

    kind: Literal["blind"]
    began: str
    since: str
    until: str
    times: int
    lost_s: float


Item = VerdictItem | GameItem | AnnulledItem | SetItem | OverItem | OrderItem | LotItem | BlindItem


class GameNow(TypedDict):
    """The current or last game. clock: the seconds to begin a turn and those for a move, None if it is not timed."""

    game: str
    rules: str
    sets: dict[str, str]
    board: str
    number: int
    clock: tuple[int, int] | None


class LastMove(TypedDict):
    """What is drawn of a verdict's move as the last one."""

    number: int
    player: str
    verdict: VerdictKind
    before: Diagram | None
    steps: list[StepShown]
    pits: list[str]


class StateNow(TypedDict):
    """The table's state, and why."""

    name: str
    why: str
    told: MessageJson | None


class LayingShown(TypedDict):
    """The verdict whose move is being taken back, and the board to lay."""

    verdict: int
    position: Diagram | None


class Forward(TypedDict):
    """The event after which a board must be laid before play goes on."""

    number: int


class EmptyRead(TypedDict):
    """What was read in the empty board, and its photograph."""

    counts: list[int]
    still: str


class TableNow(TypedDict):
    """The table now.

    camera: its name, camera_told: the message for that; game: what is played; position: the diagram of the current
    board; last: the last move, for drawing; ruling: number of the last verdict while nobody has ruled on it; pending:
    orders without an answer; over: how the game ended; laying: the verdict whose move is being taken
    back, and the board to lay for it; forward: after an undone ruling, the board that must be laid before play goes on;
    undo: number of the last ruling's order while nobody has moved since; undoable: the orders of this game's rulings
    that may be undone, each with the event that carried it out; arranged: the last order about camera and board, with
    its answer; empty: what was read in the empty board; hold: whether accusations are held back from spectators until
    the referee has looked; place: where the board lies in the camera's pictures, None before it is found; places: where
    it lay, and since when.
    """

    camera: str
    camera_told: MessageJson | None
    game: GameNow | None
    position: Diagram | None
    last: LastMove | None
    state: StateNow
    blind: BlindNow | None
    over: OverNow | None
    ruling: int
    pending: list[PendingOrder]
    laying: LayingShown | None
    forward: Forward | None
    undo: int
    undoable: dict[int, int]
    arranged: OrderItem | None
    empty: EmptyRead | None
    hold: bool
    place: Place | None
    places: Places


class GameEnding(OverNow):
    """How the last game ended; shown until somebody moves in the next. number: of the event that began it; place: its
    number in the match, 0 for none."""

    number: int
    place: int


class TableShown(TableNow):
    """The table as it is sent, without the fields that the page does not need, and with these. contested: verdicts with
    an objection that waits; teams, team_names: by side, from event `teams_since` on; problem: why the journal cannot be
    read; held: whether something is held back; waiting: held verdicts; fouls: how many wait for a ruling; ended: how
    the last game ended."""

    contested: list[int]
    teams: dict[str, list[str]]
    team_names: dict[str, str]
    teams_since: int
    problem: str
    match: Score | None
    held: bool
    waiting: list[int]
    fouls: int
    ended: GameEnding | None


def put(fields: Mapping[str, object], into: Mapping[str, object]) -> None:
    """Write fields of one of these classes into one that has them, too."""
    cast(dict[str, object], into).update(fields)
