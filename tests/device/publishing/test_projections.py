"""How the game stands, as a hall is told: the same as the page says of the same journal."""

import random
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from device.journal.events import (
    Body,
    Forfeit,
    GameAnnulled,
    GameStarted,
    HoldSet,
    LetStand,
    NotAsSeen,
    OrderAnswered,
    Shown,
    TeamsNamed,
    Undo,
    VerdictGiven,
    Withdraw,
)
from device.journal.game import Game, JudgedMove
from device.publishing.projections import GameProjections
from engine.position import Position
from tests.web.stage import Stage
from web.readmodel.book import Book


def projections(stage: Stage) -> GameProjections:
    found = GameProjections()
    for event in stage.journal.read():
        found.enter(event)
    return found


class Played:
    """A table at which people play, cheat and rule by lot."""

    def __init__(self, folder: Path, seed: int) -> None:
        """A game begins."""
        self.stage, self._lot = Stage(folder), random.Random(seed)
        self._game = self.stage.begin() - 1
        self._verdicts: list[int] = []

    def step(self) -> None:
        """Something happens."""
        what = self._lot.choices(
            (self._move, self._cheat, self._rule, self._count, self._undo, self._forfeit, self._hold, self._anew),
            weights=(4, 5, 5, 2, 3, 1, 2, 1))[0]
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
    over = book.table["over"] is not None
    return (position["line"], "" if over else position["turn"],
            sorted(foul.number for foul in book.fouls() if foul.fate == "open"))


@pytest.mark.parametrize("seed", range(8))
def test_the_hall_is_told_what_the_page_shows(tmp_path: Path, seed: int) -> None:
    played = Played(tmp_path, seed)
    page, everybody = Book(tmp_path / "journal.sqlite3"), Book(tmp_path / "journal.sqlite3", public=True)
    for step in range(25):
        played.step()
        found = projections(played.stage)
        for book, course in ((page, found.whole), (everybody, found.public)):
            book.refresh()
            told = course.standing
            assert (told.position, told.turn, course.fouls) == shown(book), (step, played.stage.journal.last)
        assert found.holding == everybody.held
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
    assert projections(stage).whole.fouls == [again] == shown(book)[2]
    stage.close()


def test_who_plays_is_told_and_a_game_of_unknown_rules_is_passed_over(tmp_path: Path,
                                                                      caplog: pytest.LogCaptureFixture) -> None:
    stage = Stage(tmp_path)
    stage.begin()
    stage.journal.append(TeamsNamed(south=["Nâisiae"], north=["Sironka", "Lesian"]))
    stage.legal()
    stage.journal.append(GameStarted(game="of tomorrow", rules="new", board="2x8", position="?"))
    found = projections(stage).whole.standing
    assert (found.south, found.north, found.game) == (("Nâisiae",), ("Sironka", "Lesian"), "enkeshui")
    assert "event 6 of the journal cannot be told to the hall" in caplog.text
    stage.close()
