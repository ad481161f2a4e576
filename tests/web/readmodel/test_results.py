"""No result is lost: whatever people order, rule and undo in whatever order, a finished game stays finished until a
ruling says that it was not, and table, journal, records, match and page agree about it."""

import tempfile
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from device.journal.events import (
    Body,
    CorrectPit,
    Event,
    Forfeit,
    GameOver,
    GameStarted,
    LetStand,
    MatchAgreed,
    NotAsSeen,
    Order,
    OrderAnswered,
    PositionSet,
    RulingUndone,
    Undo,
    VerdictGiven,
    Withdraw,
)
from device.journal.game import Game
from device.journal.projection.fold import Projection
from device.journal.records import records
from device.journal.states import State
from device.journal.store import Journal
from engine.position import Position
from engine.rules import ruleset
from tests.device.played_table import Played
from tests.examples import examples
from web.readmodel.book import Book

NEAR_THE_END = {
    "enkeshui": "0,1,0,0,0,1,0,8s/0,10n,0,0,0,7s,0,1 N 13-7 ply=21",
    "endodoi": "0,1,0,2,0,2/1,0,0,0,0,0 S 16-26 ply=38",
    "oware": "0,0,1,0,1,1/0,0,0,0,1,1 S 23-20 ply=38",
    "omweso": "2,8,6,2,8,2,1,5/4,1,0,1,0,5,10,4/0,0,0,0,0,1,1,0/0,0,0,0,2,1,0,0 N 0-0 ply=31 caps=4-4",
}
"""Positions in which two or three moves, each the first that there is, end the game."""
FORMS = {"enkeshui": "sticks", "endodoi": "ol-alai", "omweso": "points", "oware": "games"}


@dataclass
class Told:
    """A game near its end at a table without pictures, and a model of how it ended: `end`, changed by what this test
    knows of rulings alone. given: how the game stood when each order was given."""

    game: str
    played: Played = field(default_factory=Played)
    end: GameOver | None = None
    given: dict[int, GameOver | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rules = ruleset(self.game)
        near = Position.parse(NEAR_THE_END[self.game])
        form = FORMS[self.game]
        self.played.append(MatchAgreed(game=self.game, board=str(near.board), form=form, number=3))  # type: ignore[arg-type]  # one of them
        self.played.start(self.game, str(rules.setup(board=near.board)))
        self.played.table._context.say(PositionSet(position=str(near), why="they play on from here"))
        self.played.counts = list(near.counts)
        self.played.frames(1.0)
        assert self.played.at(State.WATCHING)

    @property
    def over(self) -> GameOver | None:
        """How the table says that the game ended."""
        return self.played.game.end

    def verdict(self, pick: int) -> int | None:
        """One of the verdicts that stand."""
        standing = [move for move in self.played.game.moves if hasattr(move, "body")]
        return standing[pick % len(standing)].number if standing else None

    # ---- what may happen

    def play(self, _pick: int) -> None:
        """The next move, where one is due."""
        if self.played.at(State.WATCHING) and not self.played.game.over and self.played.game.synced:
            rules, position = self.played.game.playing
            if rules.over(position) is None:
                self.played.play()
                self.end = self.over  # people have played: that is no order

    def lay_back(self, _pick: int) -> None:
        """The board is laid as a withdrawal wants it: the move that ended the game, if it had ended, is no more. What
        people counted before may be a game's end itself."""
        taken = self.played.game.withdrawing
        if taken is not None:
            self.played.move(taken.before.counts, taken.before.to_move)
            assert self.played.game.withdrawing is None
            assert (self.over is not None) == (self.played.game.playing[0].over(taken.before) is not None)
            self.end = self.over

    def stand(self, pick: int) -> None:
        self.rule(lambda verdict: LetStand(verdict=verdict), pick)

    def withdraw(self, pick: int) -> None:
        self.rule(lambda verdict: Withdraw(verdict=verdict), pick)

    def as_read(self, pick: int) -> None:
        """Not as seen; and yet people count what was read."""
        ruled = self.played.game.move(self.verdict(pick) or 0)
        if ruled is not None:
            self.recount(ruled.number, ruled.after)

    def otherwise(self, pick: int) -> None:
        """Not as seen: another legal move was made."""
        ruled = self.played.game.move(self.verdict(pick) or 0)
        if ruled is not None:
            moves = self.played.game.playing[0].moves(ruled.before).moves
            if moves:
                self.recount(ruled.number, moves[pick % len(moves)].position)

    def nonsense(self, pick: int) -> None:
        """Not as seen: people count what no move explains."""
        ruled = self.played.game.move(self.verdict(pick) or 0)
        if ruled is not None:
            self.recount(ruled.number, ruled.before.with_counts(tuple(reversed(ruled.after.counts))))

    def recount(self, verdict: int, lies: Position) -> None:
        forfeited = self.end is not None and self.end.forfeited
        if self.order(NotAsSeen(verdict=verdict, counts=list(lies.counts))):
            rules, position = self.played.game.playing
            due = rules.over(position)
            assert (self.over is not None) == (due is not None or forfeited)
            self.end = self.over

    def correct(self, pick: int) -> None:
        self.order(CorrectPit(pit=self.played.game.playing[1].board.name(pick % 12), count=pick % 3))

    def forfeit(self, pick: int) -> None:
        if self.order(Forfeit(side="SN"[pick % 2])):  # type: ignore[arg-type]  # S or N
            assert self.over is not None
            self.end = self.over

    def undo(self, pick: int) -> None:
        """Any ruling of the game, whatever was played and ruled since."""
        game = self.played.game
        rulings = sorted({*game.rulings, *game.stood})
        if rulings and self.order(Undo(order=(order := rulings[pick % len(rulings)]))):
            kept = self.played.said(RulingUndone)[-1].kept
            self.end = self.end if kept else self.given[order]

    def start_again(self, _pick: int) -> None:
        """The table's process dies, and the next one reads the journal."""
        self.played.game = Game.recalled(self.played.events)
        self.played.table = self.played._table()
        self.played.frames(0.3)
        self.end = self.end or self.over  # it may see now that the board lies as at a game's end, and takes no end back

    def rule(self, order: Callable[[int], Order], pick: int) -> None:
        verdict = self.verdict(pick)
        if verdict is not None:
            self.order(order(verdict))

    def order(self, order: Order) -> bool:
        self.given[len(self.played.events) + 1] = self.end
        return self.played.order(order)

    # ---- what has to be true then

    def agree(self) -> None:
        """Table, journal, records, match and page know of the same end."""
        assert self.over == self.end
        anew, game = Game.recalled(self.played.events), self.played.game
        assert (anew.end, anew.position, anew.synced, anew.withdrawing) == (
            game.end, game.position, game.synced, game.withdrawing)
        if self.end is not None and game.withdrawing is None:
            assert self.played.at(State.OVER)
        now = Projection()
        for event in self.played.events:
            now.enter(event)
        (told,) = now.games.values()
        assert (told.over, told.result, told.winner, told.reason) == parts(self.end)
        (record,) = records(self.played.events)
        assert (record.result is not None) == (self.end is not None)
        if self.end is not None and record.result is not None:
            assert "{}-{}".format(*record.result) == self.end.result
        match = now.match
        if match.counted and not match.problems:
            assert match.state is not None
            assert (match.state.games[-1].scored is not None) == (self.end is not None)

    def page_agrees(self, folder: Path) -> None:
        """What the page would show of this journal."""
        with Journal(folder / "journal.sqlite3") as journal:
            for event in self.played.events:
                body: Body = event.body  # type: ignore[assignment]  # none of them is unknown
                journal.append(body)
        book = Book(folder / "journal.sqlite3")
        book.refresh()
        table = book.since(0)["table"]
        assert (table["over"] and table["over"]["result"]) == (self.end and self.end.result)
        assert bool(table["laying"]) == (self.played.game.withdrawing is not None)
        (game,) = book.games()
        assert (game.over, game.result, game.winner, game.reason) == parts(self.end)
        assert table["position"] and table["position"]["line"] == str(self.played.game.position)
        shown = [(True, item["result"], item["winner"], item["reason"]) for item in book.since(0)["items"]
                 if item["kind"] == "over" and not item.get("repeats")]
        assert shown == ([] if self.end is None else [parts(self.end)]), "the feed shows the end that holds"
        book.close()


def parts(end: GameOver | None) -> tuple[bool, str, str, str]:
    return (False, "", "", "") if end is None else (True, end.result, end.winner, end.reason)


DEEDS = ("play", "lay_back", "stand", "withdraw", "as_read", "otherwise", "nonsense", "correct", "forfeit", "undo",
         "start_again")


def tell(told: Told, deeds: list[tuple[str, int]]) -> None:
    told.agree()
    for deed, pick in deeds:
        getattr(told, deed)(pick)
        told.agree()
    with tempfile.TemporaryDirectory() as folder:
        told.page_agrees(Path(folder))


@settings(max_examples=examples(10), deadline=None, suppress_health_check=list(HealthCheck))
@given(game=st.sampled_from(sorted(NEAR_THE_END)), played=st.integers(0, 4),
       deeds=st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 11)), max_size=9))
@example(game="endodoi", played=2, deeds=[("nonsense", 0), ("withdraw", 0), ("lay_back", 0)])
@example(game="endodoi", played=1, deeds=[("correct", 1), ("withdraw", 0), ("lay_back", 0)])
def test_no_order_ruling_or_undoing_loses_a_result(game: str, played: int, deeds: list[tuple[str, int]]) -> None:
    tell(Told(game), [("play", 0)] * played + deeds)


@cache
def ended(game: str) -> Told:
    """After three moves, which end it: played once, to be copied."""
    told = Told(game)
    tell(told, [("play", 0)] * 3)
    return told


@pytest.mark.parametrize("game", sorted(NEAR_THE_END))
def test_three_moves_end_each_game(game: str) -> None:
    assert ended(game).end is not None


@pytest.mark.parametrize("deeds", [
    "as_read undo", "otherwise undo", "nonsense undo", "withdraw undo", "withdraw stand", "withdraw lay_back undo",
    "as_read withdraw undo", "as_read as_read undo", "withdraw start_again stand", "correct undo",
    "correct as_read undo", "withdraw lay_back forfeit otherwise undo"])
@pytest.mark.parametrize("game", sorted(NEAR_THE_END))
def test_the_ways_in_which_results_were_lost(game: str, deeds: str) -> None:
    """The last move, which ended the game, is ruled on."""
    told = deepcopy(ended(game))
    tell(told, [(deed, -1) for deed in deeds.split()])
    assert told.end is not None or not deeds.endswith("undo") or "forfeit" in deeds


def test_a_game_that_was_given_up_stays_given_up_when_a_move_is_judged_again() -> None:
    told = Told("enkeshui")
    tell(told, [("play", 0), ("forfeit", 0), ("as_read", 0)])
    assert told.end is not None and told.end.forfeited and told.end.winner == "N"


def test_an_order_that_was_written_before_the_end_is_undone_after_it() -> None:
    """The page writes while the table says that the game is over: which comes first in the journal is chance."""
    told = Told("endodoi")
    for _ in range(3):
        told.play(0)
    events, verdict = told.played.events, told.verdict(-1)
    assert verdict is not None and told.end is not None
    at = next(n for n, event in enumerate(events) if isinstance(event.body, GameOver))
    order = Event.spoken(at + 1, NotAsSeen(verdict=verdict, counts=list(told.played.counts)))
    events[at:] = [order, *(replace_number(event, event.number + 1) for event in events[at:])]
    game = Game.recalled(events)
    played = Played(game, events=events)
    played.counts = list(told.played.counts)
    played.frames(0.3)
    assert played.table.order(order.number) and played.said(OrderAnswered)[-1].done
    assert played.order(Undo(order=order.number))
    undone = played.said(RulingUndone)[-1]
    assert undone.over and undone.end == told.end
    told = replace_told(told, played)
    told.agree()


def replace_number(event: Event, number: int) -> Event:
    return Event.spoken(number, event.body)  # type: ignore[arg-type]  # none of them is unknown


def replace_told(told: Told, played: Played) -> Told:
    """The same model, of another table."""
    other = object.__new__(Told)
    other.game, other.played, other.end, other.given = told.game, played, told.end, {}
    return other


def test_a_new_game_leaves_the_result_of_the_last() -> None:
    told = Told("endodoi")
    tell(told, [("play", 0)] * 3)
    told.played.frames(1.0)
    setup = told.played.game.playing[0].setup(board=told.played.game.playing[1].board)
    told.played.move(setup.counts, setup.to_move, pause=6.0)
    assert len(told.played.said(GameStarted)) == 2, "the next game's set-up lies there"
    verdict = next(e.number for e in reversed(told.played.events) if isinstance(e.body, VerdictGiven))
    assert not told.played.order(NotAsSeen(verdict=verdict, counts=list(setup.counts)))
    now = Projection()
    for event in told.played.events:
        now.enter(event)
    assert next((game.over, game.result) for game in now.games.values()) == parts(told.end)[:2]
