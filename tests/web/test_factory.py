"""The factory: what holds for every answer, and what the page is without a table."""

import re
import stat
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.stage import Stage
from web import app as page_app
from web import create_app
from web.messages import MESSAGES


def test_page_keeps_to_itself(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not re.search(r"""(?:src|href|action|srcset|poster)=["']?(?:https?:)?//""", answer.text)


def test_page_has_nothing_inline(client: FlaskClient) -> None:
    page = client.get("/").text
    scripts = re.findall(r"<script([^>]*)>", page)
    assert scripts and all("src=" in script or 'type="application/json"' in script for script in scripts)
    assert "<style" not in page and " style=" not in page and not re.search(r"\son\w+=", page)


@pytest.mark.parametrize("path", ["/live/frame.jpg", "/nowhere", "/evidence/x.jpg", "/static/now/js/main.js",
                                  "/events"])
def test_every_answer_is_guarded(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_messages_that_the_scripts_ask_for_exist() -> None:
    static = Path(__file__).parents[2] / "web" / "static" / "js"
    scripts = "".join(file.read_text() for file in static.glob("*.js"))
    asked = set(re.findall(r"""\bt\(["']([^"'`$]+)["']""", scripts))
    assert len(asked) > 40
    assert asked - set(MESSAGES) == set()


def test_messages_that_the_template_asks_for_exist() -> None:
    page = (Path(__file__).parents[2] / "web" / "templates" / "index.html").read_text()
    asked = set(re.findall(r"t\['([^']+)'\]", page))
    assert asked and asked <= set(MESSAGES)


def test_without_a_table(client: FlaskClient) -> None:
    news = client.get("/table").get_json()
    assert news["live"].pop("free_gb") > 0
    assert news["live"] == {"running": False, "frame": "0", "state": None}
    assert news["table"]["number"] == 0 and news["table"]["table"]["game"] is None
    assert MESSAGES["state.off"] == "inkeek has stopped watching"


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    app = create_app({"DATA": str(tmp_path / "never" / "made")})
    assert app.test_client().get("/").status_code == 200
    assert not (tmp_path / "never").exists(), "the page makes no folders: the table's are the table's"


def test_key_survives_a_restart(tmp_path: Path) -> None:
    first, second = (create_app({"DATA": str(tmp_path)}).config["SECRET_KEY"] for _ in range(2))
    assert first == second and len(first) == 32
    assert stat.S_IMODE((tmp_path / "page.key").stat().st_mode) == 0o600


def test_journal_that_is_none(tmp_path: Path, client: FlaskClient) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(b"this is a shopping list, not a journal" * 40)
    news = client.get("/table").get_json()
    assert "journal.sqlite3" in news["table"]["table"]["problem"]
    assert client.get("/").status_code == 200


def test_new_games_on_offer(client: FlaskClient) -> None:
    page = client.get("/").text
    assert '"2x8-right"' in page and '"En Dodoi"' in page


def test_token_is_not_kept(stage: Stage, client: FlaskClient) -> None:
    answer = client.get("/token")
    assert answer.headers["Cache-Control"] == "no-store" and len(answer.get_json()["token"]) > 30


def test_address_that_leads_nowhere(client: FlaskClient) -> None:
    answer = client.get("/games/77", headers={"Accept": "text/html"})
    assert answer.status_code == 404 and "Page not found." in answer.text and 'href="/games"' in answer.text
    assert "<html" not in client.get("/nowhere", headers={"Accept": "image/*"}).text


def test_the_dark_look_is_the_same_whoever_chooses_it() -> None:
    css = (Path(page_app.__file__).parent / "static" / "css" / "page.css").read_text("utf-8")
    looks = [re.findall(r"[\w-]+: [^;]+;", css.split(head)[1].split("}")[0])
             for head in (':root:not([data-theme="light"]) {', ':root[data-theme="dark"] {')]
    assert looks[0] == looks[1] and len(looks[0]) > 15
