"""The hall as a program: how it is started, and what it says where that cannot be."""

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.publishing.address import HallPage
from tests.device.publishing.broker import mosquitto
from tests.ports import free_port
from tests.waiting import wait_for
from tests.web.hall.conftest import Hall
from web.hall.program import main

HALL = (sys.executable, "-m", "device.cli.main", "hall")


@contextmanager
def running(*words: str, environment: dict[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """A hall that runs as one begun in the background by a shell, which has it ignore Ctrl-C's, and ends at one."""
    deaf = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")
    process = subprocess.Popen([*deaf, *HALL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=os.environ | (environment or {}))
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def got(port: int, path: str = "/", host: str = "localhost") -> tuple[int, str]:
    """Status and text of a page; 0 where nobody answers."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        line.request("GET", path, headers={"Host": host})
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    except OSError:
        return 0, ""
    finally:
        line.close()


@pytest.mark.parametrize(("page", "sentence"), [
    (HallPage("hall.local", ""), "is no address of a hall"),
    (HallPage("mqtt://hall:secret@hall.local", ""), "a password does not belong in the hall's address"),
    (HallPage("mqtts://hall.local", "", ca="/nowhere/ca.pem"), "/nowhere/ca.pem cannot be read"),
    (HallPage("mqtt://hall@hall.local", "", password_file="/nowhere/word"), "be read from /nowhere/word")])
def test_a_broker_that_cannot_be_is_refused_in_a_sentence(page: HallPage, sentence: str,
                                                          capsys: pytest.CaptureFixture[str]) -> None:
    assert main(page) == 2
    text = capsys.readouterr().err
    assert sentence in text and "secret" not in text and len(text.splitlines()) == 1


def test_a_folder_that_is_something_else_is_refused_in_a_sentence(tmp_path: Path,
                                                                  capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hall.sqlite3").write_text("no database, but long enough to be looked at by SQLite" * 40)
    assert main(HallPage("mqtt://127.0.0.1", str(tmp_path))) == 1
    text = capsys.readouterr().err
    assert "hall.sqlite3 cannot be used" in text and len(text.splitlines()) == 1


def test_it_serves_with_and_without_a_broker_and_ends_at_ctrl_c(hall: Hall) -> None:
    stage, port = hall.seat("t1"), free_port()
    hall.publish()
    (hall.folder / "word").write_text(hall.broker.address("hall").password + "\n")
    hall.broker.kill()
    with running("--broker", f"mqtt://hall@127.0.0.1:{hall.broker.port}", "--data", str(hall.folder / "hall"),
                 "--port", str(port), "--hall-password-file", str(hall.folder / "word")) as process:
        wait_for(lambda: "does not answer" in got(port)[1], 60)
        hall.broker.start()
        wait_for(lambda: 'id="card-t1"' in got(port)[1], 60)
        assert got(port, host="stranger.example")[0] == 421, "another name may lead here (DNS rebinding)"
        stage.legal("c")
        wait_for(lambda: "South c" in got(port, "/table/t1")[1], 60)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_a_ctrl_c_while_it_loads_ends_it_without_a_word(tmp_path: Path) -> None:
    words = ("--broker", "mqtt://127.0.0.1:9", "--data", str(tmp_path), "--port", str(free_port()))
    process = subprocess.Popen([*HALL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: b"\0-m\0web.hall\0" in Path(f"/proc/{process.pid}/cmdline").read_bytes(), 30)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=30)
    assert (process.returncode, out, said) == (-signal.SIGINT, "", "")


@mosquitto
def test_a_ctrl_c_ends_the_whole_demonstration_without_a_word() -> None:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "web.hall.demo", "--tables", "0", "--port", str(port)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None and f"http://localhost:{port}" in process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: the hall is loading
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, "")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
