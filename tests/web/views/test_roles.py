"""Who may rule: the PIN, its sessions, its throttle; under which names the page answers."""

import stat
from pathlib import Path

import msgspec
import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from device.publishing.link_state import LinkState, only_publisher, write_link
from tests.quick_pin import set_pin
from tests.web.stage import Stage
from web import create_app, hosts
from web.__main__ import tell_pin
from web.at_machine import OneTimeLink
from web.pin import FREE, GAP_S, LONGEST_WAIT_S, MANY, Gate, PinError, PinFile

PIN = "271828"
ORDER = {"type": "CorrectPit", "pit": "a", "count": 1}
ELSEWHERE = {"REMOTE_ADDR": "192.168.7.20"}


@pytest.fixture
def pin(app: Flask) -> PinFile:
    kept: PinFile = app.extensions["pin"]
    set_pin(kept.path, PIN)
    return kept


def sign_in(client: FlaskClient, pin: str = PIN) -> int:
    return client.post("/referee/in", data={"pin": pin}).status_code


# ---- before a PIN is set

def test_the_machine_itself_rules_until_a_pin_is_set(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    assert 'data-role="open"' in client.get("/").text
    assert client.post("/orders", json=ORDER).status_code == 201


@pytest.mark.parametrize("environ", [{}, ELSEWHERE, {"REMOTE_ADDR": "::1"}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}])
def test_others_only_watch(stage: Stage, app: Flask, environ: dict[str, str]) -> None:
    """Behind a proxy that says nothing of it everybody comes from 127.0.0.1."""
    last = stage.begin()
    client = FlaskClient(app, Response)
    page = client.get("/", environ_overrides=environ)
    assert page.status_code == 200 and 'data-role="watch"' in page.text
    answer = client.post("/orders", json=ORDER, environ_overrides=environ)
    assert answer.status_code == 403 and "PIN" in answer.get_json()["error"]
    assert stage.journal.last == last
    assert "open the link that inkeek has printed" in client.get("/referee", environ_overrides=environ).text


def test_the_link_of_the_terminal_works_once(stage: Stage, app: Flask) -> None:
    stage.begin()
    link: OneTimeLink = app.extensions["link"]
    told: list[str] = []
    link.tell = lambda: told.append(link.path)
    path = link.path
    one, other = FlaskClient(app, Response), FlaskClient(app, Response)
    assert one.head(path).status_code == 404, "who only looks whether it is there does not use it up"
    assert one.get(path).location == "/" and one.post("/orders", json=ORDER).status_code == 201
    assert other.get(path).status_code == 404 and other.post("/orders", json=ORDER).status_code == 403
    assert told == [link.path] and link.path != path
    assert other.get(link.path).status_code == 303 and 'data-role="open"' in other.get("/").text
    app.extensions["pin"].set(PIN)
    assert one.post("/orders", json=ORDER).status_code == 403, "with a PIN set, the link opens nothing"


def test_a_page_under_a_further_name(tmp_path: Path) -> None:
    client = create_app({"DATA": str(tmp_path), "HOSTS": ("Table.club.example",)}).test_client()
    assert client.get("/", headers={"Host": "table.club.example"}).status_code == 200
    assert client.get("/", headers={"Host": "other.club.example"}).status_code == 421


def test_first_pin_is_set_at_the_machine_itself(client: FlaskClient, app: Flask) -> None:
    given = {"pin": PIN, "again": PIN}
    away = app.test_client().post("/referee/pin", data=given, environ_overrides=ELSEWHERE)
    assert away.status_code == 403 and not app.extensions["pin"].is_set
    kept = client.post("/referee/pin", data=given)
    assert kept.status_code == 303 and "PIN set." in client.get(kept.location).text
    assert "PIN set." not in app.test_client().get(kept.location).text, "who only watches has set none"
    assert app.extensions["pin"].fits(PIN)
    assert client.get("/token").get_json()["role"] == "referee"


# ---- with one

def test_without_the_pin_nobody_rules(stage: Stage, client: FlaskClient, pin: PinFile) -> None:
    last = stage.begin()
    answer = client.post("/orders", json=ORDER)
    assert answer.status_code == 403 and answer.get_json()["role"] == "watch"
    assert stage.journal.last == last


def test_signed_in_from_elsewhere(stage: Stage, app: Flask, pin: PinFile) -> None:
    stage.begin()
    client = app.test_client()
    answer = client.post("/referee/in", data={"pin": PIN}, environ_overrides=ELSEWHERE)
    assert answer.status_code == 303
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert client.post("/orders", json=ORDER, environ_overrides=ELSEWHERE).status_code == 201
    client.post("/referee/out", environ_overrides=ELSEWHERE)
    assert client.post("/orders", json=ORDER, environ_overrides=ELSEWHERE).status_code == 403


@pytest.mark.parametrize("path", ["/setup", "/setup/camera", "/setup/game", "/setup/first", "/match"])
def test_who_signs_in_comes_back_to_where_it_was_needed(stage: Stage, client: FlaskClient, pin: PinFile,
                                                        path: str) -> None:
    stage.begin()
    link = f'href="/referee?back={path}"'
    assert link in client.get(path).text
    assert f'name="back" value="{path}"' in client.get(f"/referee?back={path}").text
    wrong = client.post("/referee/in", data={"pin": "1", "back": path})
    assert wrong.status_code == 403 and f'name="back" value="{path}"' in wrong.text, "it is not forgotten"
    assert client.post("/referee/in", data={"pin": PIN, "back": path}).location == path
    assert link not in client.get(path).text


def test_who_looks_at_a_foul_that_nobody_ruled_on_is_led_to_the_pin(stage: Stage, client: FlaskClient,
                                                                    pin: PinFile) -> None:
    game = stage.begin() - 1
    foul, legal = f"/games/{game}/{stage.cheat('c')}", f"/games/{game}/{stage.legal()}"
    link = 'href="/referee?back={}"'
    assert link.format(foul) in client.get(foul).text and link.format(legal) not in client.get(legal).text
    assert client.post("/referee/in", data={"pin": PIN, "back": foul}).location == foul
    assert link.format(foul) not in client.get(foul).text and "Referee’s decision" in client.get(foul).text


@pytest.mark.parametrize("back", ["//elsewhere.example", "https://elsewhere.example", "/a\\b", "javascript:x", ""])
def test_signing_in_leads_nowhere_else(client: FlaskClient, pin: PinFile, back: str) -> None:
    assert 'name="back"' not in client.get("/referee", query_string={"back": back}).text
    assert client.post("/referee/in", data={"pin": PIN, "back": back}).location == "/"


def test_a_page_for_this_machine_alone_says_at_the_pin_how_phones_come_in(tmp_path: Path) -> None:
    for host, said in (("127.0.0.1", True), ("0.0.0.0", False)):
        page = create_app({"DATA": str(tmp_path), "SERVED_HOST": host}).test_client().get("/referee").text
        assert ("make run ARGS=" in page) is said


@pytest.mark.parametrize("wrong", ["", "271829", "2718281", "٢٧١٨٢٨", "x" * 4000, PIN + "\0"])
def test_wrong_pins(client: FlaskClient, pin: PinFile, wrong: str) -> None:
    answer = client.post("/referee/in", data={"pin": wrong})
    assert answer.status_code in (403, 413)
    assert client.get("/token").get_json()["role"] == "watch"


def test_a_changed_pin_ends_other_sessions(app: Flask, pin: PinFile) -> None:
    one, two = app.test_client(), app.test_client()
    assert sign_in(one) == sign_in(two) == 303
    assert two.post("/referee/pin", data={"pin": "314159", "again": "314159"}).status_code == 303
    assert [c.get("/token").get_json()["role"] for c in (one, two)] == ["watch", "referee"]


def test_session_of_another_folder(app: Flask, pin: PinFile, tmp_path: Path) -> None:
    other = create_app({"DATA": str(tmp_path / "other"), "WTF_CSRF_ENABLED": False,
                        "SECRET_KEY": app.config["SECRET_KEY"]})
    (tmp_path / "other").mkdir()
    other.extensions["pin"].set(PIN)
    client = app.test_client()
    sign_in(client)
    stolen = client.get_cookie("inkeek")
    assert stolen is not None
    foreign = other.test_client()
    foreign.set_cookie("inkeek", stolen.value)
    assert foreign.get("/token").get_json()["role"] == "watch", "the same PIN, but salted otherwise"


@pytest.mark.parametrize(("given", "again", "word"), [
    ("123", "123", "6 to 12"), ("1234567890123", "1234567890123", "6 to 12"), ("abcdef", "abcdef", "6 to 12"),
    ("١٢٣٤٥٦", "١٢٣٤٥٦", "6 to 12"), ("", "", "6 to 12"), ("123456", "123457", "differ"),
])
def test_pins_that_are_none(client: FlaskClient, app: Flask, given: str, again: str, word: str) -> None:
    answer = client.post("/referee/pin", data={"pin": given, "again": again})
    assert answer.status_code == 400 and word in answer.text
    assert not app.extensions["pin"].is_set


@pytest.mark.parametrize("path", ["/referee/in", "/referee/out", "/referee/pin", "/orders"])
def test_forms_need_the_pages_own_token(tmp_path: Path, path: str) -> None:
    client = create_app({"DATA": str(tmp_path)}).test_client()
    assert client.post(path, data={"pin": PIN, "again": PIN}).status_code == 400
    assert not (tmp_path / "page.pin").exists()


def test_what_is_kept_tells_no_pin(pin: PinFile) -> None:
    pin.set(PIN)
    kept = pin.path.read_text()
    assert PIN not in kept and PIN not in pin.mark
    assert stat.S_IMODE(pin.path.stat().st_mode) == 0o600


@pytest.mark.parametrize("spoilt", [b"", b"{}", b"null", b"\xff", b'{"salt":"00","digest":"00"}'])
def test_spoilt_file_opens_nothing(client: FlaskClient, pin: PinFile, spoilt: bytes) -> None:
    pin.path.write_bytes(spoilt)
    assert client.get("/token").get_json()["role"] == "watch"
    assert sign_in(client) == 403 and sign_in(client, "") == 403


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(PinError) as raised:
        PinFile(tmp_path / "never" / "page.pin").set(PIN)
    assert raised.value.key == "pin.unkept"


# ---- guessing

def test_ten_wrong_guesses_are_slowed(client: FlaskClient, pin: PinFile) -> None:
    assert [sign_in(client, f"{n:06d}") for n in range(FREE)] == [403] * FREE
    answer = client.post("/referee/in", data={"pin": PIN})
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 5
    assert "seconds" in answer.text, "and the right one is not looked at either"
    assert client.get("/token").get_json()["role"] == "watch"


def test_who_guesses_on_waits_longer_and_longer() -> None:
    now, gate, waits = [0.0], None, []
    gate = Gate(clock=lambda: now[0])
    for _ in range(FREE):
        assert gate.guess("a", lambda: False) is None
    for _ in range(12):
        wait = gate.guess("a", lambda: True)
        assert wait
        waits.append(wait)
        now[0] += wait
        assert gate.guess("a", lambda: False) is None
    assert waits == sorted(waits) and waits[:3] == [10, 20, 40] and waits[-1] == LONGEST_WAIT_S
    assert gate.guess("b", lambda: True) == 0, "others are not slowed for it"


def test_guesses_from_ever_new_addresses_are_slowed_too() -> None:
    now = [0.0]
    gate = Gate(clock=lambda: now[0])
    for n in range(MANY):
        assert gate.guess(f"10.0.0.{n}", lambda: False) is None
    assert gate.guess("10.0.1.1", lambda: True) == GAP_S
    now[0] += GAP_S
    assert gate.guess("10.0.1.1", lambda: True) == 0


def test_a_right_guess_forgives() -> None:
    gate = Gate(clock=lambda: 0.0)
    for _ in range(FREE - 1):
        gate.guess("a", lambda: False)
    assert gate.guess("a", lambda: True) == 0
    assert gate.guess("a", lambda: False) is None and gate.guess("a", lambda: True) == 0


# ---- the first start

def test_first_start_for_other_machines_tells_a_pin(app: Flask, capsys: pytest.CaptureFixture[str]) -> None:
    tell_pin(app, "0.0.0.0")
    told = capsys.readouterr().out
    words = [word.strip(";") for word in told.split()]
    assert any(word.isdigit() and app.extensions["pin"].fits(word) for word in words)
    tell_pin(app, "0.0.0.0")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_a_page_for_this_machine_alone_needs_none(app: Flask, capsys: pytest.CaptureFixture[str], host: str) -> None:
    tell_pin(app, host)
    assert capsys.readouterr().out == "" and not app.extensions["pin"].is_set


# ---- names

@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "192.168.7.20",
                                  "LOCALHOST.", "table.localhost:80"])
def test_own_names(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example",
                                  "localhost.evil.example", "", "a b", "127.0.0.1:8000@evil", "[::1", "localhost:x",
                                  "x" * 300])
def test_foreign_names(stage: Stage, client: FlaskClient, host: str) -> None:
    last = stage.begin()
    for answer in (client.get("/", headers={"Host": host}), client.get("/table", headers={"Host": host}),
                   client.post("/orders", json=ORDER, headers={"Host": host})):
        assert answer.status_code == 421 and "csrf" not in answer.text and "Set-Cookie" not in answer.headers
    assert stage.journal.last == last


def test_further_names_by_configuration(tmp_path: Path) -> None:
    client = create_app({"DATA": str(tmp_path), "HOSTS": ("Table7.example",)}).test_client()
    assert client.get("/", headers={"Host": "table7.example:8000"}).status_code == 200


def test_this_machines_name_is_known() -> None:
    assert "localhost" in hosts.own_names() and all(hosts.is_own(name, hosts.own_names()) for name in hosts.own_names())


def test_no_page_of_ours_is_framed(client: FlaskClient) -> None:
    headers = client.get("/referee").headers
    assert headers["X-Frame-Options"] == "DENY" and "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_who_may_rule_reads_whether_a_hall_hears_of_the_table(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    assert "mqtt://hall" not in client.get("/referee").text
    state = LinkState("mqtt://table-3@hall:1883", "table-3", "2026-11-25T20:00:00.000Z", True)
    with only_publisher(stage.folder):
        write_link(stage.folder, state)
        assert "reports to the hall at mqtt://table-3@hall:1883" in client.get("/referee").text
        write_link(stage.folder, msgspec.structs.replace(state, linked=False, sentence="nobody answers"))
        assert "cannot be reached just now. The table goes on without it" in client.get("/referee").text
        write_link(stage.folder, msgspec.structs.replace(state, fault="forked"))
        assert "holds a different journal under this table’s name" in client.get("/referee").text
        set_pin(stage.folder / "page.pin", "271828")
        assert "mqtt://table-3@hall" not in client.get("/referee").text
