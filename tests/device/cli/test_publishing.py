"""`inkeek run --hall`: what cannot be is said before anything starts, and what can is handed on, but for the
password."""

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from device.publishing.address import PASSWORD
from device.publishing.link_state import only_publisher, read_link
from device.publishing.publisher_state import FILE
from device.system.supervisor import PERMANENT, Child, Supervisor
from tests.device.cli.test_main import inkeek, refused
from tests.device.publishing.broker import PASSWORD as SECRET
from tests.device.publishing.broker import Broker, mosquitto
from tests.device.publishing.small_hall import SmallHall
from tests.ports import free_port
from tests.waiting import wait_for as patiently
from tests.web.stage import Stage


def wait_for(what: Callable[[], object]) -> None:
    """As long as a slow machine may take."""
    patiently(what, 40.0)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Child]:
    """What `inkeek run` would have kept alive; nothing runs."""
    children: list[Child] = []

    def supervise(self: Supervisor) -> bool:
        children.extend(self.children)
        return True

    monkeypatch.setattr("signal.signal", lambda *_: None)  # this process keeps its own
    monkeypatch.setattr(Supervisor, "run", supervise)
    monkeypatch.delenv(PASSWORD, raising=False)
    return children


def run(data: Path, *words: str) -> object:
    return inkeek("run", "--data", data, "--port", str(free_port()), *words)


@pytest.mark.parametrize(("words", "said"), [
    (("--hall", "http://hall"), "'http://hall' is no address of a hall"),
    (("--hall", "mqtt://t:s3cret@hall"), "a password does not belong in the hall's address"),
    (("--hall", "mqtt://hall", "--hall-ca", "/none"), "--hall-ca is for an encrypted link"),
    (("--hall", "mqtts://hall", "--hall-ca", "/none"), "/none cannot be read"),
    (("--hall", "mqtt://t@hall", "--hall-password-file", "/none"), "cannot be read from /none"),
    (("--hall", "mqtt://hall", "--table-name", "x" * 81), "--table-name"),
    (("--only", "hall"), "no hall is named: use --hall, or address under [hall] in "),
])
def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path, started: list[Child], words: tuple[str, ...],
                                              said: str) -> None:
    result = inkeek("run", "--data", tmp_path, "--port", str(free_port()), *words)
    refused(result, 2, said)
    assert "s3cret" not in result.stderr and not started


def test_a_missing_library_is_named(tmp_path: Path, started: list[Child], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    refused(inkeek("run", "--data", tmp_path, "--port", str(free_port()), "--hall", "mqtt://hall"), 1,
            "pip install 'inkeek[hall]'")
    assert not started


def test_without_a_hall_nothing_is_published(tmp_path: Path, started: list[Child]) -> None:
    run(tmp_path)
    assert [child.name for child in started] == ["table", "page"] and not (tmp_path / FILE).exists()


def test_the_link_is_a_third_process_that_the_others_can_do_without(tmp_path: Path, started: list[Child],
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSWORD, "s3cret")
    run(tmp_path, "--hall", "mqtt://table-3@hall", "--table-name", "Table 3")
    assert [(child.name, child.vital) for child in started] == [("table", True), ("page", True),
                                                                ("link to the hall", False)]
    command = list(started[2].command(True))
    assert command[command.index("--hall") + 1] == "mqtt://table-3@hall"
    assert command[command.index("--table-name") + 1] == "Table 3"
    assert not any("s3cret" in word for child in started for word in child.command(True))
    assert "table-3" in (tmp_path / FILE).read_text(), "its user at the broker is its id"


def test_the_settings_name_a_hall_and_the_command_line_goes_before(tmp_path: Path, started: list[Child]) -> None:
    (tmp_path / "inkeek.toml").write_text('[hall]\naddress = "mqtt://hall"\nname = "Table 3"\n')
    run(tmp_path, "--only", "hall", "--hall", "mqtt://elsewhere")
    assert [child.name for child in started] == ["link to the hall"]
    command = list(started[0].command(True))
    assert "mqtt://elsewhere" in command and "Table 3" in command
    started.clear()
    run(tmp_path, "--only", "table")
    run(tmp_path, "--only", "page")
    assert [child.name for child in started] == ["table", "page"]


def test_a_setting_that_there_is_not_is_named(tmp_path: Path, started: list[Child]) -> None:
    (tmp_path / "inkeek.toml").write_text('[hall]\npassword = "s3cret"\n')
    refused(inkeek("run", "--data", tmp_path), 1, "inkeek.toml", "password", "hall")


def publisher(data: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "device.cli.main", "publish", "--data", str(data), *words],
                            stderr=subprocess.PIPE, text=True, env=os.environ | environment)


def test_a_second_publisher_says_so_and_is_not_started_again(tmp_path: Path) -> None:
    with only_publisher(tmp_path):
        second = publisher(tmp_path, "--hall", "mqtt://127.0.0.1:1")
        _, said = second.communicate(timeout=60)
    assert second.returncode == PERMANENT
    assert said == f"inkeek: another program publishes {tmp_path} to a hall: end it\n"


@mosquitto
def test_the_process_publishes_and_ends_in_order(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", "hall", "table-3")
    broker.start()
    with closing(Stage(tmp_path / "table")) as stage, SmallHall(broker.address("hall")) as hall:
        stage.begin()
        running = publisher(stage.folder, "--hall", f"mqtt://table-3@127.0.0.1:{broker.port}", "--table-name", "Meza",
                            "--host", "0.0.0.0", "--port", "8000", **{PASSWORD: SECRET})
        try:
            wait_for(lambda: hall.count("table-3") == stage.journal.last and "table-3" in hall.states)
            assert hall.publics["table-3"].name == "Meza" and hall.publics["table-3"].page == "http://127.0.0.1:8000"
            link = read_link(stage.folder)
            assert link is not None and link.linked and SECRET not in str(link)
            running.send_signal(signal.SIGTERM)
            _, said = running.communicate(timeout=30)
        finally:
            running.kill()
        assert (running.returncode, said) == (0, "")
        wait_for(lambda: hall.gone["table-3"])
    broker.kill()


@mosquitto
def test_a_hall_that_refuses_is_said_once_and_tried_again(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", "hall", "table-3")
    broker.start()
    (tmp_path / "password").write_text("wrong\n")
    running = publisher(tmp_path, "--hall", f"mqtt://table-3@127.0.0.1:{broker.port}", "--hall-password-file",
                        str(tmp_path / "password"))
    try:
        wait_for(lambda: (link := read_link(tmp_path)) is not None and "check user and password" in link.sentence)
        assert running.poll() is None
        running.terminate()
        _, said = running.communicate(timeout=30)
        assert said.count("\n") == 1 and said.startswith("inkeek: the hall's broker at mqtt://table-3@127.0.0.1:")
        assert "Traceback" not in said and running.returncode == 0
    finally:
        running.kill()
        broker.kill()
