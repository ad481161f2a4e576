"""The journal folded once: the games, their verdicts, the match, and what people ruled on and objected to.

Table, page, hall and records read it. `device.journal.game` folds the game on the board.
"""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from sys import intern
from typing import Literal

from device.journal.events import (
    AgreeEnd,
    BoardFound,
    CorrectPit,
    Event,
    Forfeit,
    GameAnnulled,
    GameOver,
    GameStarted,
    HoldSet,
    LetStand,
    MatchAgreed,
    NewGame,
    NotAsSeen,
    Objected,
    ObjectionWithdrawn,
    Order,
    OrderAnswered,
    PositionSet,
    RulingUndone,
    Shown,
    TeamsNamed,
    VerdictGiven,
    Withdraw,
)
from device.journal.game import Game, JudgedMove, Superseded
from device.journal.projection.games import PlayedGame, Retraction
from device.journal.projection.match import MatchBook

Fate = Literal["stands", "withdrawn", "let-stand", "open"]
"""The state of a foul. stands: people counted the board and it is a foul after all, or the side resigned over it.
withdrawn: the move was taken back. let-stand: the move was accepted all the same. open: no ruling yet."""

FATES: dict[type, Fate] = {LetStand: "let-stand", Withdraw: "withdrawn", Forfeit: "stands"}
"""The state to which each ruling brings a foul."""

HELD = ("illegal", "not-sure", "tampered")
"""Verdicts that accuse, or ask people."""
MOST_GAMES = 2000
"""Games that are listed; older ones stay in the journal."""
MOST_EARLIER = 6000
"""Most verdicts of earlier games kept; older ones stay in the journal."""
MOST_OBJECTIONS = 1000
"""Most objections kept."""


@dataclass(slots=True)
class Ruling:
    """An order that the table carried out. undone: somebody undid it, or a ruling before it."""

    order: Event
    answer: OrderAnswered
    undone: bool = False


class Rulings:
    """The orders of a journal and, by verdict of any game, the rulings on it."""

    def __init__(self) -> None:
        """Start before the first order."""
        self._pending: dict[int, Event] = {}
        self._on: defaultdict[int, list[Ruling]] = defaultdict(list)
        """By verdict: the orders that ruled on it, oldest first."""

    def enter(self, event: Event) -> Ruling | None:
        """Take in one event. Return the order that it reports as carried out, if it is such a report."""
        body = event.body
        if isinstance(body, Order):
            self._pending[event.number] = event
        elif isinstance(body, OrderAnswered) and body.order in self._pending:
            done = Ruling(self._pending.pop(body.order), body)
            if body.done and isinstance(done.order.body, LetStand | Withdraw | NotAsSeen):
                self.rule(done.order.body.verdict, done)
            return done if body.done else None
        elif isinstance(body, RulingUndone):
            for one in self._all():
                follows = one.order.number > body.order and isinstance(one.order.body, Forfeit)
                one.undone |= one.order.number == body.order or (follows and not body.kept)
        return None

    def rule(self, verdict: int, ruling: Ruling) -> None:
        """Note that this ruled on the verdict."""
        self._on[verdict].append(ruling)

    def on(self, verdict: int) -> list[Ruling]:
        """Return all rulings on the verdict, oldest first."""
        return self._on.get(verdict, [])

    def last(self, verdict: int) -> Event | None:
        """Return the last order that ruled on the verdict and holds."""
        return next((one.order for one in reversed(self.on(verdict)) if not one.undone), None)

    def holds(self, order: int) -> bool:
        """Return whether the order of that number ruled on a verdict, and nobody undid it."""
        return any(one.order.number == order and not one.undone for one in self._all())

    def counted(self, verdict: int) -> bool:
        """Return whether people counted the board of that verdict, or have just ordered so."""
        held = (one.order for one in self.on(verdict) if not one.undone)
        return any(isinstance(one.body, NotAsSeen) and one.body.verdict == verdict
                   for one in (*self._pending.values(), *held))

    def _all(self) -> Iterator[Ruling]:
        return (one for rulings in self._on.values() for one in rulings)


class Hold:
    """The hold: where asked for, spectators see accusations only after the referee has looked at them.

    Later events would betray a held verdict, so spectators see nothing from the first one on, until the referee rules,
    shows the verdict, or ends the hold.

    on: new accusations are held. waiting: for the number of each held event, the number of the verdict that it is
    about; these differ if the event answers a question. back: the events that spectators do not see yet.
    """

    def __init__(self) -> None:
        """Start with nothing held."""
        self.on = False
        self.waiting: dict[int, int] = {}
        self.back: deque[Event] = deque()

    def released(self, everything: bool = False) -> Iterator[Event]:
        """Yield the noted events up to the first held one, each once. everything: also the held ones."""
        while self.back and (everything or self.back[0].number not in self.waiting):
            yield self.back.popleft()

    @property
    def verdicts(self) -> list[int]:
        """Numbers of the held verdicts, ascending."""
        return sorted(set(self.waiting.values()))

    def note(self, event: Event) -> None:
        """Take in one event."""
        self.back.append(event)
        match event.body:
            case HoldSet(on=on):
                self.on = on
                if not on:
                    self.waiting.clear()
            case VerdictGiven(kind=kind, answers=0, instead_of=about) if self.on and kind in HELD:
                self.waiting[event.number] = about or event.number
            case Shown(verdict=n) | LetStand(verdict=n) | Withdraw(verdict=n) | NotAsSeen(verdict=n):
                self.waiting = {number: verdict for number, verdict in self.waiting.items() if verdict != n}
            case CorrectPit() | Forfeit() | AgreeEnd() | NewGame():
                self.waiting.clear()  # whoever orders this has seen the held verdicts
            case _:
                pass


@dataclass(frozen=True, slots=True)
class ToldVerdict:
    """A verdict as it is told now. number: of its event; game: of the event that began its game; name: what was played;
    at, first: when it was given, and what it said then, with its photographs; body: what it says now that later moves
    may have answered it; gone: why it no longer stands."""

    number: int
    game: int
    name: str
    at: str
    first: VerdictGiven
    body: VerdictGiven
    gone: Superseded | None


@dataclass(frozen=True, slots=True)
class Foul:
    """A verdict that calls a move illegal. order: of the ruling, 0 if no single order decided it."""

    told: ToldVerdict
    fate: Fate
    order: int = 0

    @property
    def number(self) -> int:
        """The number of the verdict's event."""
        return self.told.number

    @property
    def game(self) -> int:
        """The number of the event that began its game."""
        return self.told.game


@dataclass(slots=True)
class Objection:
    """An objection to a verdict's move. number: of its event; why: "" or one of `Objected.why`; ruled: the order that
    settled it, else 0."""

    number: int
    at: str
    verdict: int
    why: str
    ruled: int = 0


class Projection:
    """What a journal's events so far amount to.

    number, name: of the event that began the current game, and what is played. games: all games, the oldest first.
    match: the current match. teams: the current players; teams_since: the event from which on they play, the beginning
    of the game that was on when they were named. kinds: how many verdicts of each kind were given. problem: why the
    last event could not be folded; it is passed over.
    """

    def __init__(self) -> None:
        """Start before the first event."""
        self.game, self.number, self.name, self.problem = Game(), 0, "", ""
        self.games: OrderedDict[int, PlayedGame] = OrderedDict()
        self.match = MatchBook()
        self.teams, self.teams_since = TeamsNamed(), 0
        self.kinds: Counter[str] = Counter()
        self.rulings = Rulings()
        self._first: dict[int, Event] = {}
        """The events that gave this game's verdicts: later answers replace what these say."""
        self._earlier: dict[int, ToldVerdict] = {}
        """The last game's verdicts, and earlier ones that are fouls or that somebody objected to."""
        self._objections: dict[int, Objection] = {}
        self._late: set[int] = set()
        """Orders that let a foul of an earlier game stand."""
        self._ends: list[Event] = []
        """The events that ended this game."""
        self._end: GameOver | None = None
        """How the game on the board ended, as last noted."""
        self._place: BoardFound | None = None

    @property
    def playing(self) -> PlayedGame | None:
        """The current or last game; None before the first."""
        return self.games.get(self.number)

    @property
    def ended(self) -> PlayedGame | None:
        """The game whose end is shown: the one on the board or, until somebody moves in that one, the game before."""
        now = self.playing
        if now is not None and not now.over and not now.verdicts and len(self.games) > 1:
            now = self.games[list(self.games)[-2]]
        return now if now is not None and now.over and not now.annulled else None

    def enter(self, event: Event) -> Ruling | None:
        """Take in one event. Return the order that it reports as carried out, if it is such a report."""
        self.match.number = event.number
        try:
            self._enter(event)
        except ValueError as error:
            self.match.refuse(error)
        done = self.rulings.enter(event)
        if done is not None:
            self._rule(done)
        self._fold(event)
        if self.playing is not None:
            self._note(self.playing, event)
        return done

    def _enter(self, event: Event) -> None:
        """Take in one event, except in the game on the board. Raises ValueError where the match refuses it."""
        match event.body:
            case GameStarted() as begun:
                self._begin(event, begun)
                self.match.start(begun)
            case BoardFound() as found:
                self._place = found
            case VerdictGiven(instead_of=asked) as body:
                self.kinds[body.kind] += 1
                if not asked:  # an answer counts in the question's place
                    self._judge(event)
                    self.match.judge(body)
            case PositionSet() as laid:
                self.match.lay(laid)
            case GameOver() as over:
                self._ends.append(event)
                self.match.end(over)
            case RulingUndone(order=number, kept=kept):
                self._undo(number, kept)
            case _:
                self._enter_noted(event)

    def _enter_noted(self, event: Event) -> None:
        """Take in what people noted. Raises ValueError."""
        match event.body:
            case MatchAgreed() as agreed:
                self.match.agree(agreed)
            case TeamsNamed() as teams:
                self._name(event.number, teams)
                self.match.name(teams)
            case GameAnnulled(game=number, why=why):
                if number in self.games:
                    self.games[number].annulled = why
                self.match.annul(number)
            case Objected() as objected:
                self._object(event, objected)
            case ObjectionWithdrawn(objection=number):
                self._objections.pop(number, None)
            case _:
                pass

    def _fold(self, event: Event) -> None:
        try:
            self.game.fold(event)
            self.problem = ""
        except ValueError as error:
            self.problem = str(error)
            if isinstance(event.body, GameStarted):
                self.game = Game()  # its verdicts may still be read

    def verdict(self, number: int) -> ToldVerdict | None:
        """Return the verdict of that number, also of earlier games if it is a foul or was objected to."""
        move = self.game.verdicts.get(number)
        return self._earlier.get(number) if move is None else self._told(move)

    @property
    def fouls(self) -> list[Foul]:
        """All fouls with their rulings, newest first, except those of annulled games."""
        mine = (self._told(move) for move in self.game.verdicts.values() if move.body.kind == "illegal")
        found = (self._foul(one) for one in (*self._earlier.values(), *mine)
                 if one.game in self.games and not self.games[one.game].annulled)
        return sorted((foul for foul in found if foul is not None), key=lambda foul: -foul.number)

    def foul(self, number: int) -> Foul | None:
        """Return the foul of that verdict; None if the verdict is no foul or no longer stands."""
        told = self.verdict(number)
        return None if told is None else self._foul(told)

    def stood(self, order: int) -> bool:
        """Return whether that order lets a foul of an earlier game stand."""
        return order in self._late and self.rulings.holds(order)

    @property
    def objections(self) -> list[Objection]:
        """All objections, oldest first, except withdrawn ones."""
        return list(self._objections.values())

    @property
    def contested(self) -> list[tuple[Objection, ToldVerdict]]:
        """The objections without a ruling to verdicts that stand, each with its verdict: oldest first, one a move."""
        waiting = {one.verdict: one for one in reversed(self._objections.values()) if not one.ruled}
        found = ((one, self.verdict(one.verdict)) for one in reversed(waiting.values()))
        return [(one, told) for one, told in found if told is not None and told.gone is None]

    def _begin(self, event: Event, begun: GameStarted) -> None:
        objected = {one.verdict for one in self._objections.values()}
        kept = {n: one for n, one in self._earlier.items() if n in objected or self._foul(one) is not None}
        self._earlier = dict([*kept.items()][-MOST_EARLIER:]) | {
            n: self._told(move) for n, move in self.game.verdicts.items()}
        self.number, self.name, self._first, self._ends = event.number, begun.game, {}, []
        game, rules, board, start = map(intern, (begun.game, begun.rules, begun.board, begun.position))
        self.games[event.number] = PlayedGame(event.number, event.at, game, rules, board, start, event.number,
                                              begun.sets, self.teams, self._place)
        while len(self.games) > MOST_GAMES:
            self.games.popitem(last=False)

    def _judge(self, event: Event) -> None:
        self._first[event.number] = event
        if self.playing is not None:
            self.playing.verdicts.append(event.number)

    def _name(self, number: int, teams: TeamsNamed) -> None:
        """Note who plays from now on, also in the current game."""
        self.teams, self.teams_since, game = teams, number, self.playing
        if game is not None and not game.over and not game.annulled:
            game.teams, self.teams_since = teams, game.number

    def _undo(self, order: int, kept: bool) -> None:
        """Drop what a ruling led to, and what was played since."""
        for one in self._objections.values():
            one.ruled = 0 if one.ruled == order else one.ruled
        if self.playing is not None and not kept:
            self.playing.retractions = [one for one in self.playing.retractions if one.order < order]
        given = self.game.rulings.get(order)
        if given is not None and not kept:
            self.match.undo(given)

    def _note(self, game: PlayedGame, event: Event) -> None:
        """Note how the current game stands after the event."""
        game.last, end = event.number, self.game.end
        if isinstance(event.body, Objected | ObjectionWithdrawn):
            made = (one.verdict for one in self._objections.values() if one.number > game.number)
            game.objections = list(dict.fromkeys(made))
        if isinstance(event.body, VerdictGiven | PositionSet | RulingUndone):
            game.fouls = sum(move.body.kind == "illegal" and self._foul(self._told(move)) is not None
                             for move in self.game.verdicts.values())
        if end is self._end:
            return
        self._end = end
        before = event.body.order if isinstance(event.body, RulingUndone) else event.number + 1
        ats = [one.at for one in self._ends if one.number < before and one.body == end]
        game.end(end, ats[-1] if ats else event.at)

    def _told(self, move: JudgedMove) -> ToldVerdict:
        first = self._first[move.number]
        assert isinstance(first.body, VerdictGiven)
        return ToldVerdict(move.number, self.number, self.name, first.at, first.body, move.body,
                           self.game.gone.get(move.number))

    def _foul(self, told: ToldVerdict) -> Foul | None:
        if told.body.kind != "illegal" or (told.gone is not None and told.gone.how != "withdrawn"):
            return None
        if told.gone is not None:
            return Foul(told, "withdrawn")
        fate: Fate = "stands" if self.rulings.counted(told.first.answers) else "open"
        last = self.rulings.last(told.number)
        return Foul(told, fate) if last is None else Foul(told, FATES.get(type(last.body), fate), last.number)

    def _object(self, event: Event, body: Objected) -> None:
        waiting = next((one for one in self.objections if one.verdict == body.verdict and not one.ruled), None)
        if waiting is not None:
            waiting.why = body.why
        elif self.verdict(body.verdict) is not None:
            self._objections[event.number] = Objection(event.number, event.at, body.verdict, body.why)
            while len(self._objections) > MOST_OBJECTIONS:
                self._objections.pop(next(iter(self._objections)))

    def _rule(self, done: Ruling) -> None:
        """Take in an order that was carried out."""
        number, order = done.order.number, done.order.body
        if isinstance(order, Withdraw):
            self._retract(done.order, order)
        if isinstance(order, LetStand | Withdraw | NotAsSeen):
            foul = self.foul(order.verdict)
            if isinstance(order, LetStand) and foul is not None and foul.game != self.number:
                self._late.add(number)
            for one in self.objections:
                one.ruled = one.ruled or (number if one.verdict == order.verdict else 0)
        elif isinstance(order, Forfeit):  # this rules on the side's last foul, if that is open
            given_up = next((foul for foul in self.fouls if foul.game == self.number and foul.fate == "open"
                             and foul.told.body.player == order.side), None)
            if given_up is not None:
                self.rulings.rule(given_up.number, done)

    def _retract(self, done: Event, order: Withdraw) -> None:
        game, back = self.playing, self.game.verdicts.get(order.verdict)
        if game is not None and done.number > game.number:
            player, move = ("", "") if back is None else (back.body.player, back.body.move)
            game.retractions.append(Retraction(done.number, order.verdict, done.at, player, move, order))
