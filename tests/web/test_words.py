"""Languages: no key is missing, no value is lost, and the words of the games stay as people say them."""

import gettext
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import Blind, GameOver, VerdictGiven, translatable
from device.journal.messages import MESSAGES as TABLE
from device.table import sight
from engine.messages import Message, message
from engine.position import Position
from engine.referee.parameters import FAULTS
from engine.rules import game, games, ruleset, rulesets
from engine.tournaments.messages import TOURNAMENTS
from tests.web import catalogs
from tests.web.stage import Stage, replace_struct
from tests.web.visits import Open, fits
from web.messages import MESSAGES
from web.messages.one_lap import ONE_LAP
from web.readmodel.reasons import reason_of
from web.words import DOMAIN, LANGUAGES, LOCALE, catalog

OTHERS = [code for code in LANGUAGES if code != "en"]
VALUE = re.compile(r"\{\w+\}")
MOST_UNTRANSLATED = 60
"""Sentences of a language that may wait for somebody who speaks it: some two games'."""
GAME_WORDS = ("inkeek", "ol alai", "Omweso", "JavaScript", "CSV", "PIN", "page.pin")
WEB = Path(__file__).parents[2] / "web"


@pytest.mark.parametrize("code", OTHERS)
def test_every_message_is_translated_but_for_a_games_worth(code: str) -> None:
    """An empty translation says "not translated yet", and is shown in English."""
    texts = catalogs.known(code)
    assert set(texts) == set(MESSAGES), ".venv/bin/python -m tests.web.catalogs brings them into step"
    assert len(catalogs.untranslated(code)) <= MOST_UNTRANSLATED, catalogs.missing(code)


def test_what_is_not_translated_yet_is_shown_in_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts = {**catalogs.known("sw"), "verdict.legal": ""}
    monkeypatch.setattr(catalogs, "known", lambda _: texts)
    folder = tmp_path / "sw" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / f"{DOMAIN}.mo").write_bytes(catalogs.compiled("sw"))
    monkeypatch.setattr("web.words.LOCALE", tmp_path)
    shown = catalog.__wrapped__("sw")
    assert shown["verdict.legal"] == MESSAGES["verdict.legal"]
    assert shown["verdict.illegal"] == texts["verdict.illegal"] != MESSAGES["verdict.illegal"]
    assert catalogs.untranslated("sw") == ["verdict.legal"]


def test_what_is_not_translated_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                                        tmp_path: Path) -> None:
    monkeypatch.setattr(catalogs, "LOCALE", tmp_path)
    monkeypatch.setattr(catalogs, "LANGUAGES", {"en": "English", "ja": "日本語"})
    monkeypatch.setattr(catalogs, "MESSAGES", {"new.title": "New game", "about.chess": "A game."})
    catalogs.main()
    assert capsys.readouterr().out == "ja: 2 without a translation: new.title, about.chess\n"
    po = catalogs.file_of("ja", "po")
    text = po.read_text("utf-8")
    po.write_text(text.replace('msgid "new.title"\nmsgstr ""', 'msgid "new.title"\nmsgstr "新"'), "utf-8")
    catalogs.main()
    assert capsys.readouterr().out == "ja: 1 without a translation: about.chess\n"
    monkeypatch.setattr(catalogs, "MESSAGES", {"new.title": "New game"})
    catalogs.main()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("code", OTHERS)
def test_no_value_is_lost(code: str) -> None:
    wrong = [key for key, text in catalog(code).items()
             if set(VALUE.findall(text)) != set(VALUE.findall(catalog("en")[key]))]
    assert wrong == []


@pytest.mark.parametrize("code", OTHERS)
def test_words_of_the_games_are_kept(code: str) -> None:
    lost = [(key, word) for key, text in catalog(code).items() for word in GAME_WORDS
            if word in catalog("en")[key] and word not in text]
    assert lost == []


@pytest.mark.parametrize("code", OTHERS)
def test_sides_have_their_own_names(code: str) -> None:
    """Else a sentence speaks of South where the board says otherwise."""
    assert [key for key, text in catalogs.known(code).items() if re.search("South|North", text)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_compiled_catalogue_is_in_step(code: str) -> None:
    assert catalogs.file_of(code, "mo").read_bytes() == catalogs.compiled(code)
    assert gettext.translation(DOMAIN, LOCALE, [code]).gettext("verdict.legal") == catalogs.known(code)["verdict.legal"]


def test_every_message_is_used() -> None:
    files = [*WEB.rglob("*.py"), *WEB.rglob("*.html"), *WEB.glob("static/js/*.js")]
    text = "".join(file.read_text() for file in files if "messages" not in (file.stem, file.parent.name))
    made = ("fault.", "verdict.", "second.", "state.", "side.", "legend.", "row.", "path.", "form.", "unit.", "item.",
            "pin.", "new.", "setup.", "edge.", "about.", "hold.", "games.annulled.", "clock.", "fail.",
            "layout.", "retract.", "field.", "ruleset.", "source.", "said.", "match.number.", "help.", "term.", "demo.",
            "fate.", "game.show.", "match.place.", "object.why.", "api.op.", "api.tag.", "hall.need.",
            "status.", "wall.what.",
            "cup.by.", "cup.by-hand.", "cup.counts.", "cup.ended.", "cup.system.", "cup.take.")
    said = {f"{name}.{key}": key for name in games() for key in game(name).words}  # in the place of the page's own
    said |= {key: key.removeprefix("one-lap.") for key in ONE_LAP}
    assert set(said.values()) <= set(MESSAGES)
    unused = [key for key in MESSAGES
              if key not in (*TABLE, *TOURNAMENTS, *said) and not key.startswith(made)
              and not any(quote + re.sub("[.](one|few)$", "", key) + quote in text for quote in "\"'")]
    assert unused == []


def test_every_fault_has_its_words() -> None:
    assert [code for code in FAULTS if f"fault.{code}" not in MESSAGES] == []


def test_every_ruleset_has_a_name_to_read() -> None:
    """Else people read its key, such as "driedger"."""
    assert [name for game in games() for name in rulesets(game) if f"ruleset.{name}" not in MESSAGES] == []


def test_language_of_the_browser_and_of_choice(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept-Language": "sw-KE,sw;q=0.9,en;q=0.5"})
    assert '<html lang="sw"' in page.text and "Mwamuzi" in page.text
    assert '<html lang="en"' in client.get("/", headers={"Accept-Language": "fr, tlh"}).text
    answer = client.get("/language/ja?back=/games")
    assert answer.status_code == 303 and answer.headers["Location"] == "/games"
    assert '<html lang="ja"' in client.get("/games", headers={"Accept-Language": "sw"}).text


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil", "javascript:alert(1)", "/../x",
                                  ""])
def test_choosing_leads_nowhere_else(client: FlaskClient, back: str) -> None:
    assert client.get("/language/sw", query_string={"back": back}).headers["Location"] == "/"


@pytest.mark.parametrize("code", ["xx", "..", "en-GB"])
def test_languages_that_are_none(client: FlaskClient, code: str) -> None:
    assert client.get(f"/language/{code}").status_code == 404


@pytest.mark.parametrize("code", OTHERS)
def test_refusals_are_translated_too(stage: Stage, client: FlaskClient, code: str) -> None:
    stage.begin()
    answer = client.post("/orders", json={"type": "Undo", "order": 1}, headers={"Accept-Language": code})
    assert answer.get_json()["error"] == catalog(code)["order.no-undo"]


@pytest.mark.parametrize("code", OTHERS)
def test_pages_of_past_games_in_every_language(stage: Stage, client: FlaskClient, code: str) -> None:
    begun = stage.begin() - 1
    verdict = stage.cheat("c")
    event = stage.journal.get(verdict)
    assert event is not None and isinstance(event.body, VerdictGiven)
    followed = message("followed", what=message("followed.on", pit="d", n=5),
                             due=message("followed.due.end.there"))
    stage.journal.append(replace_struct(event.body, answers=verdict, followed=translatable(followed)))
    for path in ("/", "/games", f"/games/{begun}", f"/games/{begun}/{verdict}", "/match", "/sheet", "/referee"):
        page = client.get(path, headers={"Accept-Language": code})
        seen = re.sub(r"<script type=.application/json.*?</script>", "", page.text, flags=re.DOTALL)
        assert page.status_code == 200 and event.body.sentence not in seen
    said = catalog(code)["fault.double.one"].format(n=1, lap=1, pit=event.body.faults[0].pit)
    for path in (f"/games/{begun}", "/sheet"):
        page = client.get(path, headers={"Accept-Language": code})
        assert said in page.text and catalog(code)["followed.on"].format(pit="d", n=5) in page.text


@pytest.mark.browser
def test_a_foul_in_japanese(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    event = stage.journal.get(stage.cheat("c"))
    assert event is not None and isinstance(event.body, VerdictGiven)
    followed = message("followed", what=message("followed.end", pit="f"),
                             due=message("followed.due.on", pit="g"))
    stage.journal.append(replace_struct(event.body, answers=event.number, followed=translatable(followed)))
    page = visit(width=390, height=844, language="ja")
    expect(page.locator("#mood")).to_have_text("反則の手")
    expect(page.locator("#feed .illegal:not(.gone) .sentence")).to_have_text(
        "南は c を指したが、1 周目に d に 1 個多く入れた。 その結果、手は f で終わった。本来は g からまくはずだった。")
    expect(page.locator(".path-said")).to_contain_text("ここが誤り")
    expect(page.get_by_role("button", name="取り消す")).to_be_visible()
    fits(page, 390)


# ---- the table's reasons, which the journal keeps in English

def test_every_reason_for_blindness_is_known() -> None:
    """The table's own texts, so that a change there is missed here: every one has its words in every language."""
    troubles = [one for one in vars(sight).values() if isinstance(one, sight.Trouble)]
    texts = [text for one in troubles for text in (one.why, one.todo) if isinstance(text, Message)]
    assert texts and len(texts) == 2 * len(troubles)
    for code in OTHERS:
        assert [text.key for text in texts if not catalogs.known(code).get(text.key)] == [], code


@pytest.mark.parametrize(("game", "line"), [
    ("enkeshui", "0,0,4,4,4,4,4,4/0,0,0,0,0,0,0,0 S 24-0 ply=30"), ("endodoi", "4,4,4,4,4,4/0,0,0,0,0,0 S 24-0 ply=9"),
    ("omweso", "/".join(["1,1,1,1,1,1,1,1"] * 4) + " S 0-0 ply=9"),
    ("omweso", "/".join(["2,2,2,2,2,2,2,2"] * 4) + " S 0-0 ply=9 caps=0-2"),
    ("omweso", "/".join(["2,2,2,2,2,2,2,2"] * 4) + " N 0-0 ply=9 won=S"),
])
def test_every_end_of_a_game_is_known(game: str, line: str) -> None:
    over = ruleset(game, sets={"akakyala": "true"} if "caps" in line else {}).over(Position.parse(line))
    assert over is not None
    assert over.message is not None and str(over.message) == over.reason
    assert all(catalogs.known(code).get(over.message.key) for code in OTHERS)


@pytest.mark.parametrize("code", OTHERS)
def test_reasons_are_read_in_every_language(stage: Stage, client: FlaskClient, code: str) -> None:
    begun = stage.begin() - 1
    moved, stuck = sight.MOVED.why, message("reason.no-move", side=message("side.N"))
    stage.journal.append(Blind(why=str(moved), todo=str(sight.MOVED.todo), told=translatable(moved)))
    stage.journal.append(GameOver(result="24-24", winner="", reason=str(stuck), told=translatable(stuck)))
    north = catalog(code)["side.N"]
    for path in ("/sheet", f"/games/{begun}"):
        page = client.get(path, headers={"Accept-Language": code}).text
        assert catalog(code)["reason.no-move"].format(side=north) in page and "cannot move" not in page
    assert catalog(code)["reason.moved"] in client.get(f"/games/{begun}", headers={"Accept-Language": code}).text
    assert reason_of("somebody pulled the plug") == "somebody pulled the plug", "what is not known stays as it is"
