"""The journal folded into a match: the score of every form, and what rulings and undoing do to it."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import (
    AgreeEnd,
    Forfeit,
    GameAnnulled,
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
    translatable,
)
from device.journal.messages import message
from device.journal.projection.fold import Projection
from device.journal.projection.match import MatchBook
from device.table.orders import game_over
from engine.board import Side
from engine.rules import ruleset
from tests.web.stage import Stage, replace_struct
from tests.web.visits import Open, accessible
from web.readmodel.book import Book
from web.readmodel.scores import score as shown_score

STICKS = MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=3)


def folded(stage: Stage) -> MatchBook:
    now = Projection()
    for event in stage.journal.read():
        now.enter(event)
    return now.match


def forfeit(stage: Stage, side: str) -> int:
    """A side gives up; the order's number."""
    other = "N" if side == "S" else "S"
    order = stage.journal.append(Forfeit(side=side)).number  # type: ignore[arg-type]  # S or N
    title = "South" if side == "S" else "North"
    stage.journal.append(GameOver(result="0-0", winner=other, reason=f"{title} resigned",
                                  told=translatable(message("reason.forfeited", side=message(f"side.{side}")))))
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
    assert not game.running and game.scored is not None and game.scored.result == over.result


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
    stage.journal.append(RulingUndone(order=order, position=str(stage.position), verdict=verdict))
    state = folded(stage).state
    assert state is not None and not state.games[0].moves[0].retracted
    stage.journal.append(VerdictGiven(kind="withdrawn", player="S", before=str(stage.position), position=str(before),
                                      sentence="Taken back.", answers=verdict))
    state = folded(stage).state
    assert state is not None and state.games[0].moves[0].retracted
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
    assert made.position == move.position


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
    assert [game.running for game in book.state.games] == [False, True]
    assert book.state.games[0].scored is None
    assert list(book.counted.values()) == [1]


def test_a_game_stopped_for_another_is_left_and_the_other_is_outside(stage: Stage, client: FlaskClient) -> None:
    first = stage.begin() - 1
    stage.journal.append(STICKS)
    stage.legal()
    other = stage.begin("endodoi", "2x6") - 1
    match = folded(stage)
    assert match.state is not None and match.state.game is None and match.counted == {}
    assert match.problems == {first: "it was stopped before it ended",
                              other: "it is En Dodoi on 2 × 6; the match is Enkeshui on 2 × 8"}
    page = client.get("/match").text
    assert "Next: game 1 of 3" in page and "Now: " not in page
    assert "The game now on the board is not part of the match: it is En Dodoi on 2 × 6" in page
    sheet = client.get("/sheet").text
    assert sheet.count("in progress") == 1, "the other game's alone"
    assert "Not counted in the match: it was stopped before it ended." in sheet
    stage.begin()
    assert list(folded(stage).counted.values()) == [1], "the game that is due is counted"
    assert "not part of the match" not in client.get("/match").text


def test_a_match_agreed_on_after_moves_says_that_the_game_is_outside(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.legal()
    stage.journal.append(STICKS)
    assert "not part of the match: moves had been made when the match was agreed" in client.get("/match").text


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


def test_to_let_stand_twice_changes_nothing(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(STICKS)
    verdict = stage.cheat()
    for _ in range(2):
        order = stage.journal.append(LetStand(verdict=verdict)).number
        stage.journal.append(OrderAnswered(order=order, done=True, sentence="It stands."))
    assert folded(stage).problems == {}


# ---- annulled games

def test_annulled_game_counts_for_nothing_and_is_due_again(stage: Stage) -> None:
    first = stage.begin() - 1
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=3))
    stage.legal()
    stage.journal.append(GameAnnulled(game=first, why="over-time"))
    stage.legal()  # what is played on with is no game of the match
    match = folded(stage)
    assert match.counted == {} and match.problems == {}
    again = stage.begin() - 1
    assert folded(stage).counted == {again: 1}
    book = Book(stage.folder / "journal.sqlite3")
    book.refresh()
    assert [game.annulled for game in book.games()] == ["", "over-time"]


def test_annulling_on_the_page(stage: Stage, client: FlaskClient, app: Flask) -> None:
    game = stage.begin("omweso", "4x8") - 1
    stage.legal()
    page = client.get(f"/games/{game}").text
    assert 'value="agreed"' in page and 'value="over-time"' in page and "/annul" in page
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    watching = app.test_client()
    assert "/annul" not in watching.get(f"/games/{game}", environ_overrides=elsewhere).text
    last = stage.journal.last
    assert watching.post(f"/games/{game}/annul", environ_overrides=elsewhere).status_code == 403
    assert stage.journal.last == last
    assert client.post(f"/games/{game}/annul", data={"why": "over-time"}).status_code == 303
    assert stage.journal.read()[-1].body == GameAnnulled(game=game, why="over-time", by="page")
    for path in ("/games", f"/games/{game}", "/sheet"):
        assert "annulled: a move took too long" in client.get(path).text
    assert client.post(f"/games/{game}/annul").status_code == 409, "once is enough"
    assert client.get("/api/v1/games").get_json()["games"][0]["annulled"] == "over-time"
    assert "over-time" in client.get("/games.csv").text


def test_agreeing_to_stop_on_the_page(stage: Stage, client: FlaskClient, app: Flask) -> None:
    game = stage.begin("oware", "2x6") - 1
    stage.legal()
    page = client.get(f"/games/{game}").text
    assert f"/games/{game}/agree" in page and "each gets the seeds in its own row: 24 – 24" in page
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    watching, last = app.test_client(), stage.journal.last
    assert "/agree" not in watching.get(f"/games/{game}", environ_overrides=elsewhere).text
    assert watching.post(f"/games/{game}/agree", environ_overrides=elsewhere).status_code == 403
    assert stage.journal.last == last
    assert client.post(f"/games/{game}/agree").status_code == 303
    order = stage.journal.read()[-1]
    assert order.body == AgreeEnd(by="page")
    over = stage.rules.agreed(stage.position)
    assert over is not None
    stage.journal.append(game_over(over))
    stage.journal.append(OrderAnswered(order=order.number, done=True, sentence="Agreed.", told=translatable(
        message("answer.agreed"))))
    assert "both sides agreed to stop" in client.get(f"/games/{game}").text
    assert client.post(f"/games/{game}/agree").status_code == 409
    assert "/agree" not in client.get(f"/games/{stage.begin() - 1}").text


def test_only_the_game_that_is_on(stage: Stage, client: FlaskClient) -> None:
    first = stage.begin() - 1
    stage.begin()
    assert client.post(f"/games/{first}/annul").status_code == 409
    assert "/annul" not in client.get(f"/games/{first}").text


def test_untimed_game_is_annulled_by_agreement_alone(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    page = client.get(f"/games/{game}").text
    assert 'value="agreed"' in page and 'value="over-time"' not in page
    assert client.get("/table").get_json()["table"]["table"]["game"]["clock"] is None


@pytest.mark.browser
def test_clock_of_a_turn(stage: Stage, visit: Open) -> None:
    stage.begin("omweso", "4x8")
    verdict = stage.journal.get(stage.legal())
    assert verdict is not None and isinstance(verdict.body, VerdictGiven)
    stage.journal.append(replace_struct(verdict.body, hands_in=90.0, hands_out=100.0, t=100.6))
    stage.live(t=102.0)
    page = visit()
    clock = page.get_by_role("timer")
    expect(clock).to_have_text("North must start within 1 s")
    stage.live(t=104.5)
    expect(clock).to_have_class("clock late")
    stage.live("hands-in", t=105.0)
    expect(clock).to_have_text("North – 3:00 left")
    stage.live("hands-in", t=170.0)
    expect(clock).to_have_text("North – 1:55 left")
    accessible(page)
    stage.begin()
    stage.live()
    expect(clock).to_have_count(0)


# ---- rules that a table changed, and starts that were agreed on

TEN = "6,3,3,0,3,3,0,3,3,0/5,3,3,1,3,3,0,3,3,0 S 0-0 ply=0"


def test_a_match_keeps_the_rules_and_the_start_that_were_agreed_on(stage: Stage) -> None:
    sets = {"race_winner": "went_farthest", "endless": "withdrawn"}
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x10", form="sticks", rules="wikipedia", number=3,
                                     sets=sets, start=TEN))
    stage.journal.append(GameStarted(game="enkeshui", rules="wikipedia", board="2x10", position=TEN, sets=sets))
    stage.journal.append(StateEntered(state="watching"))
    book = folded(stage)
    assert book.problems == {} and list(book.counted.values()) == [1]
    assert book.state is not None and book.state.rules.sets == sets and str(book.state.due) == TEN
    shown = shown_score(book)
    assert shown is not None and (shown["rules"], shown["sets"], shown["due"]) == ("wikipedia", sets, TEN)


def test_the_next_game_of_a_match_begins_by_its_rules(stage: Stage, client: FlaskClient) -> None:
    sets = {"race_winner": "went_farthest"}
    stage.begin()
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x10", form="sticks", rules="wikipedia", number=3,
                                     sets=sets, start=TEN))
    order = {"type": "NewGame", "game": "enkeshui", "rules": "driedger", "board": "2x10", "position": "due"}
    assert client.post("/orders", json=order).status_code == 201
    stage.take()
    begun = [event.body for event in stage.journal.read() if isinstance(event.body, GameStarted)][-1]
    assert (begun.rules, begun.sets, begun.position) == ("wikipedia", sets, TEN)
    match = folded(stage)
    assert list(match.counted.values()) == [1] and not match.problems.keys() & match.counted.keys()
    table = client.get("/api/v1/table").get_json()
    assert (table["sets"], table["match"]["sets"], table["match"]["rules"]) == (sets, sets, "wikipedia")
    assert client.get("/api/v1/games").get_json()["games"][0]["sets"] == sets


@pytest.mark.parametrize("sets", [{"clocks": "no"}, {"race_winner": "x"}, {"": ""}])
def test_orders_with_rules_that_cannot_be(stage: Stage, client: FlaskClient, sets: dict[str, str]) -> None:
    last = stage.begin()
    order = {"type": "NewGame", "game": "enkeshui", "rules": "", "board": "2x8", "position": "", "sets": sets}
    answer = client.post("/orders", json=order, headers={"Accept-Language": "ja"})
    assert answer.status_code == 400 and stage.journal.last == last
    assert "no field" not in answer.get_json()["error"] and "first_to_sleep or" not in answer.get_json()["error"]


def test_changed_rules_of_omweso_time_the_turns_that_are_shown(stage: Stage) -> None:
    ledger = Book(stage.folder / "journal.sqlite3")
    line = str(ruleset("omweso").setup())
    for sets, clock in (({"begin_seconds": "7"}, (7, 180)), ({"clocks": "false"}, None)):
        stage.journal.append(GameStarted(game="omweso", rules="wikipedia", board="4x8", position=line, sets=sets))
        ledger.refresh()
        assert ledger.table["game"] and ledger.table["game"]["clock"] == clock and ledger.games()[0].sets == sets


@pytest.mark.parametrize(("change", "at"), [
    ({"start-enkeshui-S": "5 3"}, "start-enkeshui-S"), ({"start-enkeshui-N": "1 x 3"}, "start-enkeshui-N"),
    ({"start-enkeshui-S": "9 3 3 1 3 3 0 3 3 0"}, "start-enkeshui"), ({"number": "0"}, "number"),
    ({"board-enkeshui": "2x10/2x8-left"}, "board-enkeshui"), ({"set-enkeshui-max_laps": "0"}, "set-enkeshui-max_laps"),
    ({"form": "enkeshui/surplus"}, "board-enkeshui"),
])
def test_what_is_wrong_in_a_match_is_said_at_its_field(stage: Stage, client: FlaskClient, change: dict[str, str],
                                                       at: str) -> None:
    last = stage.begin()
    form = {"form": "enkeshui/sticks", "number": "3", "board-enkeshui": "2x10/lies",
            "start-enkeshui-S": "4 3 3 1 3 3 0 3 3 0", "start-enkeshui-N": "0 3 3 0 3 3 0 3 3 7"} | change
    answer = client.post("/match/agree", data=form)
    assert answer.status_code == 400 and stage.journal.last == last
    assert re.findall(r'id="wrong-([^"]*)" role="alert"', answer.text) == [at]


def test_a_match_is_offered_by_the_rules_and_the_start_of_the_game_that_is_on(stage: Stage,
                                                                              client: FlaskClient) -> None:
    stage.journal.append(GameStarted(game="enkeshui", rules="wikipedia", board="2x10", position=TEN,
                                     sets={"race_winner": "went_farthest"}))
    page = client.get("/match").text
    assert '<option value="2x10/lies" selected>' in page and 'name="rules-enkeshui" value="wikipedia" checked>' in page
    assert '<option value="went_farthest" selected>' in page and 'value="5 3 3 1 3 3 0 3 3 0"' in page
