"""Table, page and hall say the same of the same journal: position, end, fouls and objections."""

import random
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.journal.events import (
    Body,
    Forfeit,
    GameAnnulled,
    GameStarted,
    HoldSet,
    LetStand,
    NotAsSeen,
    Objected,
    ObjectionWithdrawn,
    OrderAnswered,
    Shown,
    TeamsNamed,
    Undo,
    VerdictGiven,
    Withdraw,
)
from device.journal.game import Game, JudgedMove
from device.journal.projection.fold import Projection
from device.publishing.composer import standing_of
from device.publishing.projections import GameProjections
from engine.position import Position
from tests.examples import examples
from tests.web.stage import Stage
from web.readmodel.book import Book
from web.readmodel.feed import VerdictItem


def projections(stage: Stage) -> GameProjections:
    found = GameProjections()
    for event in stage.journal.read():
        found.enter(event)
    return found


class Played:
    """A table at which people play, cheat, object and rule by lot."""

    def __init__(self, folder: Path, lot: random.Random) -> None:
        """A game begins."""
        self.stage, self._lot = Stage(folder), lot
        self._game = self.stage.begin() - 1
        self._verdicts: list[int] = []

    def step(self) -> None:
        """Something happens."""
        what = self._lot.choices(
            (self._move, self._cheat, self._rule, self._count, self._undo, self._forfeit, self._hold, self._anew,
             self._doubt, self._answer, self._object), weights=(4, 5, 5, 2, 3, 1, 2, 1, 2, 3, 3))[0]
        what()

    def _game_now(self) -> Game:
        return Game.recalled(self.stage.journal.read())

    def _order(self, order: Body) -> bool:
        number = self.stage.journal.append(order).number
        self.stage.take()
        answered = self.stage.journal.get(self.stage.journal.last)
        assert answered is not None and isinstance(answered.body, OrderAnswered) and answered.body.order == number
        return answered.body.done

    def _move(self) -> None:
        game = self._game_now()
        assert game.position is not None
        self.stage.position = game.position
        if not game.over and game.withdrawing is None and self.stage.rules.moves(game.position).moves:
            self._verdicts.append(self.stage.legal())

    def _cheat(self) -> None:
        game = self._game_now()
        assert game.position is not None
        self.stage.position = game.position
        if not game.over and game.withdrawing is None and self.stage.rules.moves(game.position).moves:
            with suppress(IndexError):  # no seed is left to smuggle
                self._verdicts.append(self.stage.cheat())

    def _doubt(self) -> None:
        """The table asks about the next move."""
        game = self._game_now()
        if game.position is not None and not game.over and game.withdrawing is None:
            self.stage.position = game.position
            if self.stage.rules.moves(game.position).moves:
                self._verdicts.append(self.stage.doubt("c"))

    def _answer(self) -> None:
        """Later moves show what an earlier one was."""
        standing = [move for move in self._game_now().moves if isinstance(move, JudgedMove)]
        if len(standing) > 1:
            asked = self._lot.choice(standing[:-1])
            later = min(move.number for move in standing if move.number > asked.number)
            kind = self._lot.choice(("legal", "illegal", "not-sure"))
            self.stage.journal.append(msgspec.structs.replace(
                asked.body, kind=kind, instead_of=asked.number, shown_by=later, answers=0, sentence="It was shown."))

    def _object(self) -> None:
        """Somebody objects to a move, or takes an objection back."""
        objected = [event.number for event in self.stage.journal.read() if isinstance(event.body, Objected)]
        if objected and self._lot.random() < 0.3:
            self.stage.journal.append(ObjectionWithdrawn(objection=self._lot.choice(objected)))
        elif self._verdicts:
            self.stage.journal.append(Objected(verdict=self._lot.choice(self._verdicts[-4:]), why="count"))

    def _rule(self) -> None:
        if not self._verdicts:
            return
        verdict = self._lot.choice(self._verdicts[-6:])
        if self._lot.random() < 0.6:
            self._order(LetStand(verdict=verdict))
        elif self._order(Withdraw(verdict=verdict)) and self._lot.random() < 0.8:
            self._laid_back(verdict)

    def _laid_back(self, verdict: int) -> None:
        """The board lies as before that move, and the table says so."""
        event = self.stage.journal.get(verdict)
        assert event is not None and isinstance(event.body, VerdictGiven)
        self.stage.journal.append(msgspec.structs.replace(
            event.body, kind="withdrawn", position=event.body.before, answers=verdict, faults=[]))

    def _count(self) -> None:
        standing = [move for move in self._game_now().moves if isinstance(move, JudgedMove)]
        if standing:
            move = self._lot.choice(standing[-3:])
            lies = Position.parse(self._lot.choice((move.body.expected or move.body.position, move.body.position)))
            self._order(NotAsSeen(verdict=move.number, counts=list(lies.counts)))

    def _undo(self) -> None:
        orders = list(self._game_now().rulings) + list(self._game_now().stood)
        if orders:
            self._order(Undo(order=self._lot.choice(orders)))

    def _forfeit(self) -> None:
        self._order(Forfeit(side=self._lot.choice(("S", "N"))))

    def _hold(self) -> None:
        held = projections(self.stage).held
        self.stage.journal.append(Shown(verdict=held[0]) if held and self._lot.random() < 0.5
                                  else HoldSet(on=self._lot.random() < 0.7))

    def _anew(self) -> None:
        if self._lot.random() < 0.4:
            self.stage.journal.append(GameAnnulled(game=self._game))
        else:
            self._game = self.stage.begin() - 1


def shown(book: Book) -> tuple[object, ...]:
    """Of the page: the position, whose turn it is, and the fouls that nobody has ruled on."""
    position = book.table["position"]
    assert position is not None
    over = book.table["over"] is not None
    return (position["line"], "" if over else position["turn"],
            sorted(foul.number for foul in book.fouls() if foul.fate == "open"))


def ruled(item: VerdictItem) -> bool:
    """Whether the feed shows a ruling that decides about the verdict."""
    return any(one["what"] != "not-as-seen" and not one["undone"] for one in item["ruled"])


def feed_agrees(book: Book, now: Projection) -> None:
    """The feed's items say of this game's verdicts what the projection does."""
    mine = [item for item in book.verdicts_after(now.number) if item["gone"] is None]
    standing = {move.number: move.body.kind for move in now.game.moves if isinstance(move, JudgedMove)}
    assert {item["number"]: item["verdict"] for item in mine if item["verdict"] != "withdrawn"} == standing
    unruled = {item["number"] for item in mine if item["verdict"] == "illegal" and not ruled(item)}
    found = [foul for foul in now.fouls if foul.number in standing and foul.fate in ("open", "stands")]
    assert now.games[now.number].annulled or unruled == {foul.number for foul in found}


def objections_agree(book: Book, now: Projection) -> None:
    """The feed's items show the objections of this game that wait."""
    shown = [one for item in book.verdicts_after(now.number) if item["gone"] is None for one in item["objections"]]
    waiting = {one.verdict for one, told in book.contested() if told.game == now.number}
    assert {one["number"] for one in shown if not one["ruled"]} == {
        one.number for one in now.objections if one.verdict in waiting and not one.ruled}


@settings(max_examples=examples(8), deadline=None, suppress_health_check=list(HealthCheck))
@given(lot=st.randoms(use_true_random=False), steps=st.integers(1, 30))
def test_table_page_and_hall_agree(lot: random.Random, steps: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        played = Played(folder, lot)
        page, everybody = Book(folder / "journal.sqlite3"), Book(folder / "journal.sqlite3", public=True)
        for step in range(steps):
            played.step()
            hall, table = projections(played.stage), Game.recalled(played.stage.journal.read())
            for book, now in ((page, hall.whole), (everybody, hall.public)):
                book.refresh()
                told = standing_of(now)
                fouls = [foul.number for foul in reversed(now.fouls) if foul.fate == "open"]
                assert (told["position"], told["turn"], fouls) == shown(book), (step, played.stage.journal.last)
                feed_agrees(book, now)
                objections_agree(book, now)
            assert (hall.whole.game.position, hall.whole.game.end) == (table.position, table.end)
            assert hall.holding == everybody.held
        played.stage.close()


def test_a_count_that_the_table_refused_settles_no_foul(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begin()
    foul = stage.cheat()
    order = stage.journal.append(NotAsSeen(verdict=foul, counts=[])).number
    stage.journal.append(OrderAnswered(order=order, done=False, sentence=""))
    again = stage.again(foul, "illegal")
    book = Book(tmp_path / "journal.sqlite3")
    book.refresh()
    assert projections(stage).fouls == [again] == shown(book)[2]
    stage.close()


def test_who_plays_is_told_and_a_game_of_unknown_rules_is_passed_over(tmp_path: Path,
                                                                      caplog: pytest.LogCaptureFixture) -> None:
    stage = Stage(tmp_path)
    stage.begin()
    stage.journal.append(TeamsNamed(south=["Nâisiae"], north=["Sironka", "Lesian"]))
    stage.legal()
    stage.journal.append(GameStarted(game="of tomorrow", rules="new", board="2x8", position="?"))
    found = standing_of(projections(stage).whole)
    assert found == {"south": ["Nâisiae"], "north": ["Sironka", "Lesian"]}
    assert "event 6 of the journal cannot be told to the hall" in caplog.text
    stage.close()
