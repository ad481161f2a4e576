"""The journal folded into a match: the score of every form, and what rulings and undoing do to it."""

from __future__ import annotations

import pytest

from device.journal.events import (
    Forfeit,
    GameOver,
    GameStarted,
    LetStand,
    MatchAgreed,
    OrderAnswered,
    PositionSet,
    RulingUndone,
    StateEntered,
    TeamsNamed,
    VerdictGiven,
)
from engine.board import Side
from engine.match import GameStatus, Status
from engine.rules import ruleset
from tests.web.stage import Stage, replace_struct
from web.ledger import Ledger
from web.matches import MatchBook

STICKS = MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=3)


def folded(stage: Stage) -> MatchBook:
    ledger = Ledger()
    for event in stage.journal.read():
        ledger.enter(event)
    return ledger.match


def forfeit(stage: Stage, side: str) -> int:
    """A side gives up; the order's number."""
    other = "N" if side == "S" else "S"
    order = stage.journal.append(Forfeit(side=side)).number  # type: ignore[arg-type]  # S or N
    title = "South" if side == "S" else "North"
    stage.journal.append(GameOver(result="0-0", winner=other, reason=f"{title} forfeited"))
    stage.journal.append(OrderAnswered(order=order, done=True, sentence=f"{title} gives up."))
    return order


def score(stage: Stage) -> tuple[int, int]:
    state = folded(stage).state
    assert state is not None
    return state.tally.score


def test_no_match_without_agreement(stage: Stage) -> None:
    stage.begin()
    stage.legal()
    book = folded(stage)
    assert book.state is None and book.problems == {}


def test_three_games_for_sticks(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(STICKS)
    for loser in ("N", "S", "N"):
        stage.legal()
        stage.legal()
        forfeit(stage, loser)
        stage.begin()
    book = folded(stage)
    assert book.state is not None and book.problems == {}
    assert book.state.tally.score == (2, 1) and book.state.tally.unit == "inkeek"
    assert book.state.outcome is not None and book.state.outcome.winner is Side.SOUTH
    assert len(book.counted) == 3, "the game after it is none of the match"


def test_a_game_played_out_is_scored_by_the_rules(stage: Stage) -> None:
    stage.journal.append(STICKS)
    stage.begin()
    rules = ruleset("enkeshui")
    for _ in range(400):
        over = rules.over(stage.position)
        if over is not None:
            break
        stage.legal()
    assert over is not None
    winner = "" if over.winner is None else over.winner.letter
    stage.journal.append(GameOver(result=f"{over.result[0]}-{over.result[1]}", winner=winner, reason=over.reason))
    book = folded(stage)
    assert book.state is not None and book.problems == {}
    (game,) = book.state.games
    assert game.status is GameStatus.PLAYED and game.scored is not None and game.scored.result == over.result


def test_undone_forfeit_takes_its_stick_back(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(STICKS)
    stage.legal()
    order = forfeit(stage, "N")
    assert score(stage) == (1, 0)
    stage.journal.append(RulingUndone(order=order, position=str(stage.position)))
    assert score(stage) == (0, 0)
    stage.legal()
    forfeit(stage, "S")
    assert score(stage) == (0, 1)


def test_rulings_on_moves(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(STICKS)
    before = stage.position
    verdict = stage.cheat("c")
    order = stage.journal.append(LetStand(verdict=verdict)).number
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="It stands."))
    state = folded(stage).state
    assert state is not None and state.games[0].moves[0].status is Status.STANDS
    stage.journal.append(RulingUndone(order=order, position=str(stage.position), verdict=verdict))
    state = folded(stage).state
    assert state is not None and state.games[0].moves[0].status is Status.TRIAL
    stage.journal.append(VerdictGiven(kind="withdrawn", player="S", before=str(stage.position), position=str(before),
                                      sentence="Taken back.", answers=verdict))
    state = folded(stage).state
    assert state is not None and state.games[0].moves[0].status is Status.RETRACTED
    assert state.position == before


def test_not_as_seen_corrects_the_move(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(STICKS)
    move = stage.rules.play(stage.position, "c")
    verdict = stage.cheat("c")
    event = stage.journal.get(verdict)
    assert event is not None and isinstance(event.body, VerdictGiven)
    stage.journal.append(replace_struct(event.body, kind="legal", faults=[], expected="", answers=verdict,
                                        position=str(move.position)))
    book = folded(stage)
    assert book.state is not None and book.problems == {}
    (made,) = book.state.games[0].moves
    assert made.position == move.position and made.said is not None and made.said.kind == "legal"


def test_surplus_goes_on_from_what_is_due(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="surplus"))
    stage.journal.append(GameOver(result="30-18", winner="S", reason="North cannot move"))
    state = folded(stage).state
    assert state is not None and state.tally.score == (30, 18)
    due = state.due
    assert due.captured == (6, 0) and due.total == 48
    stage.journal.append(GameStarted(game="enkeshui", rules="driedger", board="2x8", position=str(due)))
    stage.journal.append(StateEntered(state="watching"))
    book = folded(stage)
    assert book.problems == {} and list(book.counted.values()) == [1, 2]


@pytest.mark.parametrize(("agreed", "unit"), [
    (MatchAgreed(game="endodoi", board="2x6", form="ol-alai", number=2), "ol alai"),
    (MatchAgreed(game="omweso", board="4x8", form="points", number=5, to_points=True), "points"),
])
def test_other_games_have_their_own_score(stage: Stage, agreed: MatchAgreed, unit: str) -> None:
    stage.journal.append(agreed)
    stage.begin(agreed.game, agreed.board)
    forfeit(stage, "S")
    book = folded(stage)
    assert book.state is not None and (book.state.tally.unit, book.state.tally.score) == (unit, (0, 1))


def test_a_game_that_is_left_is_annulled_and_replayed(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(STICKS)
    stage.legal()
    stage.begin()
    book = folded(stage)
    assert book.state is not None
    assert [game.status for game in book.state.games] == [GameStatus.ANNULLED, GameStatus.RUNNING]
    assert list(book.counted.values()) == [1]


def test_game_from_another_board_is_not_counted_and_says_why(stage: Stage) -> None:
    stage.journal.append(STICKS)
    stage.rules = ruleset("enkeshui")
    position = stage.rules.setup()
    counts = list(position.counts)
    counts[2], counts[9] = counts[2] - 1, counts[9] + 1
    line = str(position.with_counts(tuple(counts)))
    number = stage.journal.append(GameStarted(game="enkeshui", rules="driedger", board="2x8", position=line)).number
    stage.journal.append(PositionSet(position=line, why="again"))
    book = folded(stage)
    assert book.counted == {} and "are due" in book.problems[number]


def test_teams_come_and_go(stage: Stage) -> None:
    stage.journal.append(TeamsNamed(south=["Naserian"], north=["Lekishon", "Sironka"]))
    stage.begin()
    stage.journal.append(STICKS)
    stage.journal.append(TeamsNamed(south=["Naserian", "Lekishon"], north=["Sironka"]))
    state = folded(stage).state
    assert state is not None
    assert [team.members for team in state.teams] == [("Naserian", "Lekishon"), ("Sironka",)]


def test_agreement_that_cannot_be(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=0))
    book = folded(stage)
    assert book.state is None and any("agreed number" in why for why in book.problems.values())
