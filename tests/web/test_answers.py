"""What later moves show of a move that was asked about stands where the question stood, and counts there."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import (
    Explained,
    FaultSeen,
    HoldSet,
    LetStand,
    NotAsSeen,
    Shown,
    Undo,
    VerdictGiven,
    Withdraw,
)
from device.journal.game import Game
from device.journal.projection.fold import Projection
from device.journal.records import records
from engine.position import Position
from engine.records.record import UNREAD
from engine.records.replay import replay
from tests.web.stage import Stage, replace_struct
from tests.web.visits import PHONE, Open, accessible_in_each_theme, at_each_size
from web.messages import MESSAGES

LEFT = FaultSeen(code="left-seed", pit="c", lap=1, n=1)
SENTENCE = "South played c but left one seed in c in lap 1; a pit must be lifted whole."


@dataclass
class Asked:
    """A table at which a move was asked about. game, question, later: numbers of the game's event, of the question, and
    of the verdict on the next move."""

    stage: Stage
    game: int
    question: int
    later: int

    def answered(self, kind: str = "illegal", **changes: object) -> int:
        """The later move shows what the move was; the number of that event."""
        event = self.stage.journal.get(self.question)
        assert event is not None and isinstance(event.body, VerdictGiven)
        told: dict[str, object] = {"kind": kind, "pits": [], "instead_of": self.question, "shown_by": self.later,
                                   "still_before": "", "still_after": "", "confidence": 0.99}
        if kind == "illegal":
            told |= {"faults": [LEFT], "sentence": SENTENCE, "expected": event.body.position}
        else:
            told |= {"sentence": f"South sowed {event.body.move}."}
        return self.stage.journal.append(replace_struct(event.body, **(told | changes))).number


@pytest.fixture
def asked(stage: Stage) -> Asked:
    """One move is asked about, then one is played legally."""
    game = stage.begin() - 1
    question = stage.doubt("c", "d")
    event = stage.journal.get(question)
    assert event is not None and isinstance(event.body, VerdictGiven)
    stage.position = Position.parse(event.body.position)
    return Asked(stage, game, question, stage.legal())


def open_fouls(now: Projection) -> list[int]:
    """The fouls without a ruling."""
    return [foul.number for foul in now.fouls if foul.fate == "open"]


def kinds(client: FlaskClient, game: int) -> list[tuple[str, str]]:
    """Number and kind of the verdicts of a game, as its table of moves has them."""
    rows = csv.DictReader(io.StringIO(client.get(f"/games/{game}/moves.csv").text))
    return [(row["event"], row["verdict"]) for row in rows]


def test_an_answer_counts_in_the_question_s_place(asked: Asked, client: FlaskClient) -> None:
    stage = asked.stage
    before = Game.recalled(stage.journal.read())
    asked.answered()
    assert kinds(client, asked.game) == [(str(asked.question), "illegal"), (str(asked.later), "legal")]
    table = client.get("/table").get_json()["table"]
    assert table["table"]["fouls"] == 1
    assert table["table"]["position"]["line"] == str(stage.position) and table["table"]["last"]["number"] == asked.later
    assert next(csv.DictReader(io.StringIO(client.get("/games.csv").text)))["fouls"] == "1"
    assert [one["verdicts"] for one in csv.DictReader(io.StringIO(client.get("/games.csv").text))] == ["2"]
    after = Game.recalled(stage.journal.read())
    assert (after.position, after.history, after.synced) == (before.position, before.history, before.synced)
    assert [(move.number, move.body.kind) for move in after.moves if hasattr(move, "body")] == [
        (asked.question, "illegal"), (asked.later, "legal")]
    now = Projection()
    for event in stage.journal.read():
        now.enter(event)
    assert open_fouls(now) == [asked.question], "the hall counts it, too"
    page = client.get(f"/games/{asked.game}/{asked.question}").text
    assert "asked about at" in page and "The next move shows it:" in page and "left one seed in c" in page


@pytest.mark.parametrize(("kind", "word"), [("illegal", "c?"), ("legal", "c")])
def test_a_record_has_the_move_and_not_the_question(asked: Asked, kind: str, word: str) -> None:
    asked.answered(kind)
    record, = records(asked.stage.journal.read())
    assert record.items[0].word == word
    assert "asked about before" in record.items[0].comments[0] and len(record.items[0].comments) == 2
    assert replay(record).wrong is None


def test_an_answer_that_takes_back_another_counts_once(asked: Asked, client: FlaskClient) -> None:
    asked.answered()
    asked.answered("legal")
    assert client.get("/table").get_json()["table"]["table"]["fouls"] == 0
    assert kinds(client, asked.game) == [(str(asked.question), "legal"), (str(asked.later), "legal")]


def test_a_ruling_on_the_question_stands_above_the_answer(asked: Asked, client: FlaskClient) -> None:
    asked.stage.journal.append(LetStand(verdict=asked.question))
    asked.stage.take()
    asked.answered()
    assert client.get("/table").get_json()["table"]["table"]["fouls"] == 0, "it does not wait for a ruling"
    page = client.get(f"/games/{asked.game}/{asked.question}").text
    assert "The referee ruled on it before that; the ruling stands." in page and MESSAGES["fate.let-stand"] in page


def test_an_answer_goes_with_the_undone_ruling_after_which_it_was_shown(asked: Asked, client: FlaskClient) -> None:
    stage = asked.stage
    foul = stage.cheat()
    event = stage.journal.get(foul)
    assert event is not None and isinstance(event.body, VerdictGiven)
    withdraw = stage.journal.append(Withdraw(verdict=foul)).number
    stage.take()
    stage.journal.append(VerdictGiven(kind="withdrawn", player="N", before=event.body.position,
                                      position=event.body.before, sentence="", answers=foul))
    stage.position = Position.parse(event.body.before)
    asked.later = stage.legal()
    asked.answered()
    assert client.get("/table").get_json()["table"]["table"]["fouls"] == 1
    stage.journal.append(Undo(order=withdraw))
    stage.take()
    table = client.get("/table").get_json()["table"]
    question = next(item for item in table["items"] if item["number"] == asked.question)
    assert (question["verdict"], question["asked"], question["gone"]) == ("not-sure", None, None)
    assert table["table"]["fouls"] == 1, "the foul that was taken back stands again, and the answer does not"
    assert dict(kinds(client, asked.game))[str(asked.question)] == "not-sure"
    now = Projection()
    for told in stage.journal.read():
        now.enter(told)
    assert open_fouls(now) == [foul], "for the hall, too"
    records(stage.journal.read())


def withdrawn(stage: Stage, verdict: int) -> int:
    """People take the move of that verdict back, and lay the board as it was; the number of their order."""
    event = stage.journal.get(verdict)
    assert event is not None and isinstance(event.body, VerdictGiven)
    order = stage.journal.append(Withdraw(verdict=verdict)).number
    stage.take()
    body = event.body
    stage.journal.append(VerdictGiven(kind="withdrawn", player=body.player, before=body.position, position=body.before,
                                      sentence="", answers=verdict))
    stage.position = Position.parse(body.before)
    return order


def counted(stage: Stage, verdict: int) -> int:
    """People count another board after the move of that verdict than was seen; the number of their order."""
    order = stage.journal.append(NotAsSeen(verdict=verdict, counts=list(stage.position.counts))).number
    stage.take()
    return order


def asked_again(asked: Asked, client: FlaskClient) -> None:
    """The question stands again as it was asked: on the page, in the game, at the table, in the hall."""
    table = client.get("/table").get_json()["table"]
    question = next(item for item in table["items"] if item["number"] == asked.question)
    assert (question["verdict"], question["asked"], question["faults"]) == ("not-sure", None, [])
    assert question["pits"] == ["c", "d"], "these are to be counted"
    assert table["table"]["fouls"] == 0
    assert dict(kinds(client, asked.game))[str(asked.question)] == "not-sure"
    assert next(csv.DictReader(io.StringIO(client.get("/games.csv").text)))["fouls"] == "0"
    now = Projection()
    for told in asked.stage.journal.read():
        now.enter(told)
    assert asked.question not in open_fouls(now)
    ruled = now.game.move(asked.question)
    assert ruled is not None and ruled.body.kind == "not-sure"


@pytest.mark.parametrize("rule", [withdrawn, counted])
def test_an_answer_goes_with_the_move_that_showed_it(
        asked: Asked, client: FlaskClient, rule: Callable[[Stage, int], int]) -> None:
    asked.answered()
    order = rule(asked.stage, asked.later)
    asked_again(asked, client)
    asked.stage.journal.append(Undo(order=order))
    asked.stage.take()
    table = client.get("/table").get_json()["table"]
    question = next(item for item in table["items"] if item["number"] == asked.question)
    assert (question["verdict"], question["asked"]["next"]) == ("illegal", True), "what showed it stands again"
    assert dict(kinds(client, asked.game))[str(asked.question)] == "illegal"


def test_an_answer_stays_where_the_hand_goes_on_with_the_move_that_showed_it(
        asked: Asked, client: FlaskClient) -> None:
    asked.answered()
    goes_on = asked.stage.again(asked.later, "legal")
    assert dict(kinds(client, asked.game))[str(asked.question)] == "illegal"
    counted(asked.stage, goes_on)
    asked_again(asked, client)


def test_the_first_answer_holds_again_where_the_move_goes_that_showed_a_second(
        asked: Asked, client: FlaskClient) -> None:
    asked.answered("legal")
    asked.later = asked.stage.legal()
    asked.answered()
    assert dict(kinds(client, asked.game))[str(asked.question)] == "illegal"
    withdrawn(asked.stage, asked.later)
    assert dict(kinds(client, asked.game))[str(asked.question)] == "legal"


def test_what_was_taken_back_is_answered_in_vain(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    question = stage.doubt("c")
    event = stage.journal.get(question)
    assert event is not None and isinstance(event.body, VerdictGiven)
    stage.journal.append(VerdictGiven(kind="withdrawn", player="S", before=event.body.position,
                                      position=event.body.before, sentence="", answers=question))
    stage.journal.append(replace_struct(event.body, kind="illegal", faults=[LEFT], instead_of=question))
    table = client.get("/table").get_json()["table"]
    assert table["table"]["fouls"] == 0
    assert next(item for item in table["items"] if item["number"] == question)["verdict"] == "not-sure"
    assert Game.recalled(stage.journal.read()).moves == []


def test_an_answer_is_held_as_any_accusation_is(asked: Asked, client: FlaskClient) -> None:
    stage = asked.stage
    stage.journal.append(HoldSet(on=True))
    asked.answered()
    watching = {"REMOTE_ADDR": "10.0.0.7"}

    def seen() -> list[str]:
        items = client.get("/table", environ_base=watching).get_json()["table"]["items"]
        return [item["verdict"] for item in items if item["kind"] == "verdict"]

    assert seen() == ["not-sure", "legal"]
    assert client.get("/table").get_json()["table"]["table"]["waiting"] == [asked.question]
    stage.journal.append(Shown(verdict=asked.question))
    assert seen() == ["illegal", "legal"]


@pytest.mark.parametrize("rule", [withdrawn, counted])
def test_a_record_forgets_an_answer_with_the_move_that_showed_it(
        asked: Asked, rule: Callable[[Stage, int], int]) -> None:
    def words() -> str:
        record, = records(asked.stage.journal.read())
        assert replay(record).wrong is None
        return record.items[0].word

    asked.answered()
    assert words() == "c?"
    order = rule(asked.stage, asked.later)
    assert words() == UNREAD
    asked.stage.journal.append(Undo(order=order))
    asked.stage.take()
    assert words() == "c?", "what showed it stands again"


def test_a_record_has_the_last_of_two_answers(asked: Asked) -> None:
    asked.answered()
    asked.answered("legal")
    record, = records(asked.stage.journal.read())
    assert record.items[0].word == "c" and replay(record).wrong is None


@pytest.mark.browser
def test_the_answer_stands_where_the_question_stood(asked: Asked, visit: Open) -> None:
    asked.stage.live()
    page = visit(*PHONE, calm=True)
    card = page.locator(f"#feed [data-number='{asked.question}']")
    expect(card.locator(".stamp")).to_have_text("Not sure")
    other = Explained(kind="illegal", p=0.42, move="c", player="S", faults=[FaultSeen(code="skip", pit="d", lap=2)])
    asked.answered(confidence=0.55, others=[other],
                   sentence="South played c but left one seed in c in lap 1, or skipped d in lap 2.")
    expect(card.locator(".stamp")).to_have_text("Illegal")
    expect(card.locator(".asked")).to_contain_text("Move 1, asked about at ")
    expect(card.locator(".asked")).to_contain_text("The next move shows it:")
    expect(card.locator(".odds")).to_have_text(
        "55 % certain55 %: South played c, but left one seed in c in lap 1"
        "42 %: South played c, but skipped d in lap 2")
    expect(page.locator("#line")).to_contain_text("The next move shows it:")
    numbers = [one.get_attribute("data-number") for one in page.locator("#feed > li[data-number]").all()]
    assert numbers[:2] == [str(asked.later), str(asked.question)]
    for _ in at_each_size(page):
        expect(card.locator(".asked")).to_be_visible()
    accessible_in_each_theme(page, "#feed")
