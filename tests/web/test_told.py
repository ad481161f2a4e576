"""What the table says reaches people in their language: nothing it may say is without a message, and none is lost on
the way to the page, whoever draws it, server or script."""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import (
    Blind,
    CorrectPit,
    GameOver,
    LetStand,
    MatchAgreed,
    NewGame,
    OrderAnswered,
    PositionSet,
    StateEntered,
    TeamsNamed,
    UseCamera,
    Withdraw,
    translatable,
)
from device.journal.messages import MESSAGES as TABLE
from device.journal.messages import message
from engine.messages import Message, side
from engine.rules import game, games, page_messages, ruleset
from engine.tournaments.messages import TOURNAMENTS
from tests.web.catalogs import untranslated
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import Open, fits, until
from web.messages import MESSAGES
from web.messages.api import API
from web.messages.hall import HALL, TOURNAMENT
from web.messages.help import HELP
from web.messages.matches import MATCHES
from web.messages.one_lap import ONE_LAP
from web.messages.review import REVIEW
from web.messages.rules import HOUSE_RULES
from web.messages.setup import SETTING_UP
from web.messages.verdicts import VERDICTS as VERDICT_TEXTS
from web.readmodel.games import offers
from web.readmodel.reasons import MessageJson, message_json, reason_of, sentence
from web.readmodel.wording import sentence_of
from web.views.setup.steps import KEYS
from web.words import LANGUAGES, catalog

ROOT = Path(__file__).parents[2]
OTHERS = [code for code in LANGUAGES if code != "en"]
BRACE = re.compile(r"\{(\w+)\}")
STYLED = "[...document.querySelectorAll('link[rel=stylesheet]')].every(link => link.sheet)"
MAKERS = ("message", "words")
"""What the function that makes a message is called."""


# ---- in the source ---------------------------------------------------------------------------------------------

def calls(folder: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call in a folder's modules, with where it stands."""
    for file in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call):
                yield f"{file.relative_to(ROOT)}:{node.lineno}", node


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(
        call.func, ast.Attribute) else ""


def english_in(node: ast.AST) -> bool:
    """Whether words stand there that are no message's: two of them with a space between."""
    if isinstance(node, ast.Call) and name_of(node) in MAKERS:
        return False
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(re.search(r"\w \w", node.value))
    return any(english_in(child) for child in ast.iter_child_nodes(node))


def test_every_message_has_its_text_and_all_its_values() -> None:
    wrong, known = [], 0
    for place, call in [*calls("engine"), *calls("device"), *calls("web")]:
        if name_of(call) not in MAKERS or not call.args or not isinstance(call.args[0], ast.Constant):
            continue
        key = str(call.args[0].value)
        values = {one.arg for one in call.keywords}
        known += 1
        if key not in TABLE or set(BRACE.findall(TABLE[key])) != values - {"n"} | (values & set(
                BRACE.findall(TABLE[key]))):
            wrong.append((place, key))
    assert wrong == [] and known > 100


def made_from(key: str) -> str:
    """The key that the code names: it makes those of one thing, of several and of what can be done from it."""
    return key.removesuffix(".one").removesuffix("-all").removesuffix(".todo")


def test_no_message_is_left_over() -> None:
    text = "".join(file.read_text() for folder in ("engine", "device", "web") for file in (ROOT / folder).rglob("*.py")
                   if file.name != "messages.py" and file.parent.name != "messages")
    made = ("side.", "edge.", "camera.", "list.")
    own = {key for name in games() for key in game(name).messages}  # where a game's messages stand, they are named too
    seen = {f"reason.{one}" for one in re.findall(r'_trouble\("([a-z-]+)"', text)}
    left = [key for key in TABLE if not key.startswith(made) and key.removesuffix(".todo") not in seen
            and text.count(f'"{made_from(key)}"') < (2 if key in own else 1)]
    assert left == []


TOLD = {"Blind": 2, "PositionSet": 1, "OrderAnswered": 1, "GameOver": 1, "StateEntered": 1}
"""Events with sentences for people, and how many messages go with them."""
SPEAKS = {"CameraGone": "device", "TooFarBack": "device", "Answer": "device/table/orders.py", "enter": "device"}
REFUSES = {"device/table/orders.py": "ValueError", "device/table/arranging.py": "ValueError",
           "device/system/table_process.py": "CameraError", "device/cameras/usb.py": "CameraError",
           "device/cameras/pi.py": "CameraError"}
"""What is refused in these modules is read on the page."""


def test_the_table_says_nothing_in_mere_english() -> None:
    bare = []
    for place, call in calls("device"):
        name, module = name_of(call), place.partition(":")[0]
        speaks = (name in SPEAKS and module.startswith(SPEAKS[name])) or REFUSES.get(module) == name
        if speaks and any(english_in(one) for one in [*call.args, *(word.value for word in call.keywords)]):
            bare.append(place)
        if name in TOLD and sum((word.arg or "").startswith("told") for word in call.keywords) != TOLD[name]:
            bare.append(place)
    assert bare == []


def test_the_rules_say_nothing_in_mere_english_that_people_see() -> None:
    """Why a game or a match ended, and what is wrong with a board."""
    bare = []
    for place, call in calls("engine"):
        ends = name_of(call) in ("Over", "Outcome") and place.startswith(("engine/games", "engine/match"))
        if (ends or (name_of(call) == "of" and place.startswith(("engine/games", "engine/match")))) and any(
                english_in(one) for one in call.args):
            bare.append(place)
    assert bare == []
    for name in games():
        rules = ruleset(name)
        lying = rules.setup().with_counts((0,) * rules.setup().board.pits)
        assert [str(one) for one in rules.problems(lying)] == rules.problem_sentences(lying) and rules.problems(lying)


def test_no_message_hides_another() -> None:
    own = ast.parse((ROOT / "web/messages/__init__.py").read_text())
    keys = [key.value for node in ast.walk(own) if isinstance(node, ast.Dict) for key in node.keys
            if isinstance(key, ast.Constant)]
    keys += [*TABLE, *SETTING_UP, *HOUSE_RULES, *VERDICT_TEXTS, *HELP, *MATCHES, *REVIEW, *ONE_LAP, *API,
             *page_messages(), *HALL, *TOURNAMENT, *TOURNAMENTS]
    assert len(keys) == len(set(keys)) == len(MESSAGES)
    assert [(name, key) for name in games() for key, text in game(name).page_messages().items()
            if MESSAGES[key] != text] == [], "two games say something else by the same key"


# ---- on the way to the page ------------------------------------------------------------------------------------

NESTED: dict[str, int | str | Message | list[Message]] = {
    "side": side(ruleset("enkeshui").setup().to_move), "other": side(ruleset("enkeshui").setup().to_move.other),
    "camera": message("camera.usb-number", number=2), "whose": message("answer.the-move"), "why": message("disk.full"),
    "edge": message("edge.left"), "what": message("contest.laid", game=3),
    "names": message("list.more", some=[message("answer.pit", pit="b", count=2),
                                        message("answer.pit-unseen", pit="A")]),
    "pits": [message("why.still.pit", pit="c", there=1, due=4), message("why.still.pit", pit="D", there=0, due=2)],
}
"""What may stand in a message and has to be worded too."""


def sample(key: str, n: int = 3) -> Message:
    """That message, with something in every place."""
    places = [name for name in BRACE.findall(TABLE[key]) if name != "n"]
    return message(key, n=n, **{name: NESTED.get(name, f"<{name}>") for name in places})


SAMPLES = [sample(key, n) for key in TABLE if not key.endswith(".one") for n in ((3, 1) if f"{key}.one" in TABLE else
                                                                                  (3,))]


@pytest.mark.parametrize("code", OTHERS)
def test_every_message_of_the_table_is_worded(client: FlaskClient, code: str) -> None:
    same = {one.key for one in SAMPLES if not re.search("[a-z]{2}", BRACE.sub("", TABLE[one.key]))}
    same.update(untranslated(code))
    with client.application.test_request_context(headers={"Accept-Language": code}):
        for one in SAMPLES:
            worded = reason_of(str(one), message_json(translatable(one)))
            assert "{" not in worded and (worded != str(one) or one.key in same), one.key
            assert all(name in NESTED or name == "n" or f"<{name}>" in worded for name in BRACE.findall(TABLE[one.key]))
        assert reason_of("as it was", {"key": "of.a.newer.table"}) == "as it was"
        assert reason_of("as it was", {"key": "answer.holds", "values": {"pit": "c"}}) == "as it was"


Worded = dict[str, Any]


def verdict(kind: str, *faults: str, player: str = "S", best: Sequence[str] = (), pits: Sequence[str] = ()) -> Worded:
    """As much of a verdict as is worded."""
    made: Worded = {"verdict": kind, "kind": "verdict", "player": player, "move": "c", "sentence": "In English.",
                  "faults": [{"code": code, "pit": "D", "lap": 1, "n": 1} for code in faults], "pits": list(pits),
                  "confidence": 0.6, "others": [], "followed": None}
    return {**made, "best": [{**made, "kind": one, "p": 0.5} for one in best]}


VERDICTS = [
    verdict("legal"), verdict("legal", "late"), verdict("illegal", "double"), verdict("illegal", "skip", "late"),
    verdict("not-sure", pits=["d"]), verdict("not-sure", pits=["d", "E"]), verdict("rearranged"),
    verdict("not-sure", best=["legal", "illegal"], pits=["d"]), verdict("race", player=""), verdict("withdrawn"),
    verdict("tampered", player="")]
WAY: Worded = {**verdict("legal"), "captured": 5, "steps": [
    {"kind": "lift", "pit": "c", "lap": 1}, {"kind": "lift", "pit": "e", "lap": 2},
    {"kind": "bull", "pit": "D", "lap": 2}, {"kind": "capture", "pit": "f", "lap": 2}]}
"""A legal move of two laps, with what it won."""
NEAR: Worded = {**verdict("illegal", "double"), "others": [{**verdict("illegal", "skip"), "p": 0.3}]}
"""A foul that leaves the same board as another that is nearly as likely."""
FAR: Worded = {**verdict("illegal", "wrong-pit"), "others": [{**verdict("illegal", "skip"), "p": 0.19}]}
BULLS: Worded = {**verdict("legal"), "steps": [{"kind": "bull", "pit": "C,D,E", "lap": 1}]}
"""A legal move that made three bulls."""
VERDICTS += [WAY, BULLS, NEAR, FAR]


@pytest.mark.parametrize("code", OTHERS)
def test_every_verdict_is_worded(client: FlaskClient, code: str) -> None:
    table = catalog(code)
    with client.application.test_request_context(headers={"Accept-Language": code}):
        worded = [sentence_of(one) for one in VERDICTS]
        assert len(set(worded)) == len(worded) and not any("{" in one or "English" in one for one in worded)
        late, doubt = worded[1], worded[7]
        took = table["fault.late"].format(n=1)
        assert took in late and took not in worded[0]
        assert worded[0].rstrip(".。") in doubt, "what it perhaps was is said"
        skipped = table["fault.skip"].format(pit="D", lap=1)
        assert [skipped in sentence_of(one) for one in (NEAR, FAR)] == [True, False], "both where odds are near"


@pytest.mark.parametrize("code", OTHERS)
def test_a_legal_move_is_told_with_its_laps_captures_and_bulls(client: FlaskClient, code: str) -> None:
    table = catalog(code)
    with client.application.test_request_context(headers={"Accept-Language": code}):
        told = sentence_of(WAY)
        assert all(part in told for part in (table["said.laps"].format(n=2), table["said.captured"].format(n=5),
                                             table["said.bulls.one"].format(pits="D"))), told
        three = table["list.and"].format(some=table["list.comma"].join("CD"), last="E")
        assert table["said.bulls"].format(pits=three) in sentence_of(BULLS)
        once = sentence_of({**WAY, "steps": WAY["steps"][:1], "captured": 1})
        assert table["said.captured.one"] in once and table["said.laps"].format(n=1) not in once


@pytest.mark.browser
@pytest.mark.parametrize("code", OTHERS)
def test_scripts_word_every_message_as_the_server_does(stage: Stage, visit: Open, client: FlaskClient,
                                                       code: str) -> None:
    stage.begin()
    page = visit(language=code)
    sent: list[tuple[str, MessageJson | None]] = [(str(one), message_json(translatable(one))) for one in SAMPLES]
    sent += [("as it was", None), ("it is", {"key": "newer"})]
    worded, said_of_moves = page.evaluate("""async ([all, verdicts]) => {
        const { reason, sentence, sentenceOf } = await import("/static/now/js/words.js");
        const both = ([text, told]) => [reason(text, told), sentence(reason(text, told))];
        return [all.map(both), verdicts.map(sentenceOf)];
    }""", [sent, VERDICTS])
    with client.application.test_request_context(headers={"Accept-Language": code}):
        due = [[text, sentence(text)] for text in (reason_of(text, of) for text, of in sent)]
        assert said_of_moves == [sentence_of(one) for one in VERDICTS]
    assert worded == due


# ---- on the page -----------------------------------------------------------------------------------------------

def spoken(stage: Stage) -> tuple[int, int]:
    """A journal in which the table has said something of every kind; numbers of its game and of a verdict."""
    game = stage.begin() - 1
    stage.journal.append(TeamsNamed(south=["一"], north=["二"]))
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=1))
    stage.legal()
    verdict = stage.cheat("C")
    stage.journal.append(LetStand(verdict=verdict))
    stage.take()
    for order in (LetStand(verdict=1), CorrectPit(pit="c", count=9), CorrectPit(pit="c", count=500),
                  NewGame(game="enkeshui", rules="driedger", board="2x8", position="lies"), Withdraw(verdict=verdict)):
        stage.journal.append(order)
        stage.take()
    camera = stage.journal.append(UseCamera(camera="usb:7")).number
    why = message("reason.usb-none", node="/dev/video7")
    stage.journal.append(OrderAnswered(order=camera, done=False, sentence=str(why), told=translatable(why)))
    for why in (message("set.as-it-lies"), message("set.stolen"), message("set.people", pit="c", count=5)):
        stage.journal.append(PositionSet(position=str(stage.position), why=str(why), told=translatable(why)))
    silent = message("reason.silent", camera=message("camera.pi"))
    for why, todo in ((message("reason.frozen"), message("reason.no-camera.todo")),
                      (silent, message("reason.lost.todo"))):
        stage.journal.append(Blind(why=str(why), todo=str(todo), told=translatable(why), told_todo=translatable(todo)))
    why = message("reason.forfeited", side=side(stage.position.to_move))
    stage.journal.append(GameOver(result="9-4", winner="S", reason=str(why), told=translatable(why)))
    return game, verdict


FOREIGN = re.compile(r"[A-Za-z]{3,}")
NAMES = re.compile("|".join((
    "inkeek restore FILE", "make run ARGS=&#34;--host 0.0.0.0&#34;", "make", "inkeek run --host 0.0.0.0", "inkeek run",
    "inkeek e-nkeshui", "inkeek", "Oware Society", *(game(name).title for name in games()), "Igisoro", "OpenSpiel",
    "oware", "ol alai",
    "English", "Kiswahili", "Luganda", "JavaScript", "JSON", "CSV", "PNG", "OBS", "PIN",
    "USB", "QR", "Shift", "Raspberry Pi", "Wikipedia", "Mancala World", "Driedger",
    "Merker, Die Masai", "Merker", "Russ", r"--camera \S+", r"/dev/\S+", r"ply=\d+", r"usb:\d", "stage", r"\bsim\b", r"http://\S+")))
"""Names, which stay in every language, the games' among them. A new game adds those of its sources."""


def waiting(code: str) -> str:
    """What finds the parts of sentences that have no translation yet, as a page shows them in English."""
    parts = {escape(part.strip()) for key in untranslated(code) for part in re.split(r"\{\w+\}", MESSAGES[key])}
    return "|".join(re.escape(part) for part in sorted(parts, key=len, reverse=True) if part) or r"(?!)"


def foreign(html: str) -> list[str]:
    """Words of the Latin alphabet that a page in Japanese shows in its text or reads aloud, but for names and for what
    has no translation yet."""
    body = re.sub(r"(?s)<script.*?</script>|<style.*?</style>", " ", html)
    aloud = re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', body)
    text = " ".join([re.sub(r"<[^>]*>", " ", body), *aloud])
    return FOREIGN.findall(NAMES.sub(" ", re.sub(waiting("ja"), " ", text)))


def pages(game: int, number: int) -> list[str]:
    """Every page that the server makes, of that game and that verdict."""
    return ["/", "/board", "/overlay", "/games", f"/games/{game}", f"/games/{game}/{number}", "/match", "/sheet",
            "/fouls?show=all",
            "/referee", "/setup", *(f"/setup/{key}" for key in KEYS), "/help", *(f"/help/{name}" for name in games()),
            "/nowhere"]


def test_pages_in_japanese_show_no_english(stage: Stage, client: FlaskClient) -> None:
    """A language in another script shows what was forgotten."""
    game, number = spoken(stage)
    layouts = {name for one in offers() for board in one["boards"] for name in board["setups"]}
    assert {f"layout.{how}" for name in layouts if (how := name.partition("-")[2])} <= set(MESSAGES)
    stage.live("blind", message("reason.silent", camera=message("camera.usb")),
               cameras=[["sim", "simulated table", {"key": "camera.sim"}]])
    found = {path: words for path in pages(game, number) if (words := foreign(
        client.get(path, headers={"Accept-Language": "ja", "Accept": "text/html"}).text))}
    assert found == {}


@pytest.mark.parametrize(("state", "why"), [
    ("starting", message("why.opening", camera=message("camera.sim"))),
    ("searching", message("why.searching")),
    ("setting-up", message("why.read.look", right=14, pits=16, names="c, D")), ("withdrawing", message("why.lay-back")),
    ("watching", message("disk.memory", why=message("disk.full"), entries=6, pictures=5))])
def test_what_the_table_is_doing_in_japanese(stage: Stage, client: FlaskClient, state: str, why: Message) -> None:
    stage.begin()
    stage.journal.append(StateEntered(state=state, why=str(why), told=translatable(why)))
    stage.live(state, why)
    head = {"Accept-Language": "ja", "Accept": "text/html"}
    assert foreign(client.get("/", headers=head).text) == foreign(client.get("/setup/laid", headers=head).text) == []
    api = client.get("/api/v1/table").get_json()
    assert api["why"] == str(why) and api["told"]["key"] == why.key
    state_told = json.loads(client.get("/table").data)["live"]["state"]["told"]
    assert state_told == message_json(translatable(why))


@pytest.mark.browser
def test_what_scripts_make_of_it_in_japanese(stage: Stage, visit: Open) -> None:
    spoken(stage)
    notice = message("disk.memory", why=message("disk.read-only"), entries=6, pictures=5)
    stage.live("watching", notice=str(notice), notice_told=msgspec.to_builtins(translatable(notice)))
    page = visit(width=390, height=844, language="ja")
    expect(page.locator("#notice")).to_contain_text("記録 6 件、写真 5 枚")  # whatever else the page has to say
    expect(page.locator("#feed > li").nth(10)).to_be_attached()
    expect(page.locator("#picture .overlay g")).to_have_count(16)  # drawn at once; the picture lies below the screen
    page.evaluate("document.querySelectorAll('#feed details').forEach((node) => { node.open = true; })")
    shown: Any = page.evaluate("""() => {
        const read = (node) => node.getAttribute("aria-label") ?? node.getAttribute("alt");
        const nodes = [...document.querySelectorAll("[aria-label], [alt]")];
        return [document.body.innerText, ...nodes.map(read)].join("\\n");
    }""")
    assert FOREIGN.findall(NAMES.sub(" ", shown)) == []
    fits(page, 390)


@pytest.mark.browser
@pytest.mark.parametrize("code", OTHERS)
def test_long_words_fit_the_smallest_phone(stage: Stage, served: Served, visit: Open, code: str) -> None:
    game, number = spoken(stage)
    stage.live("blind", message("reason.pi-none"), cameras=[["sim", "simulated table", {"key": "camera.sim"}]])
    page = visit(width=320, height=640, language=code)
    page.locator("#feed > li").first.wait_for()
    wide = []
    for path in ("", *pages(game, number)):
        if path:
            page.goto(served.url.rstrip("/") + path, wait_until="domcontentloaded")
            until(page, STYLED, bool)  # under load the page may stand there before its styles do
        if page.evaluate("document.documentElement.scrollWidth") > 320:
            wide.append(path)
    assert wide == []


@pytest.mark.parametrize(("method", "path", "status"), [
    ("post", "/games", 405), ("post", "/games/2/5/rule", 400), ("get", "/nowhere", 404)])
def test_what_fails_is_said_in_the_visitors_language(stage: Stage, client: FlaskClient, method: str, path: str,
                                                     status: int) -> None:
    stage.begin()
    head = {"Accept-Language": "ja", "Accept": "text/html"}
    answer = client.open(path, method=method.upper(), headers=head)
    assert answer.status_code == status and answer.mimetype == "text/html" and foreign(answer.text) == []
    plain = client.open(path, method=method.upper(), headers={"Accept-Language": "ja"})
    assert plain.status_code == status and "<" not in plain.text and not FOREIGN.search(plain.text)
