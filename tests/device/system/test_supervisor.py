"""The supervisor: children that die come back, those that cannot go on end it, and nobody outlives it."""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from device.system import supervisor as module
from device.system.log import LineFormatter, to_standard_error
from device.system.notifications import Notifier
from device.system.supervisor import PERMANENT, Child, PortError, Supervisor, answers, check_port


def child(tmp_path: Path, code: str, name: str = "child") -> Child:
    """A child that writes a line into a file at each start, then runs `code`."""
    note = f"import os, sys, time; open({str(tmp_path / name)!r}, 'a').write(f'{{os.getpid()}}\\n'); "
    return Child(name, lambda _first: [sys.executable, "-c", note + code])


def starts(tmp_path: Path, name: str = "child") -> list[int]:
    path = tmp_path / name
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def wait_until(what: object, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not what():  # type: ignore[operator]  # a callable
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def in_background(supervisor: Supervisor) -> tuple[threading.Thread, list[bool]]:
    result: list[bool] = []
    thread = threading.Thread(target=lambda: result.append(supervisor.run()))
    thread.start()
    return thread, result


def test_a_child_that_is_killed_is_started_again_and_the_other_goes_on(tmp_path: Path) -> None:
    supervisor = Supervisor([child(tmp_path, "time.sleep(60)", "a"), child(tmp_path, "time.sleep(60)", "b")])
    thread, result = in_background(supervisor)
    wait_until(lambda: starts(tmp_path, "a") and starts(tmp_path, "b"))
    os.kill(starts(tmp_path, "a")[0], signal.SIGKILL)
    wait_until(lambda: len(starts(tmp_path, "a")) == 2)
    supervisor.stop.set()
    thread.join(10)
    assert result == [True] and len(starts(tmp_path, "b")) == 1
    for pid in starts(tmp_path, "a") + starts(tmp_path, "b"):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_child_that_cannot_go_on_ends_all(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    supervisor = Supervisor([child(tmp_path, f"print('no camera', file=sys.stderr); sys.exit({PERMANENT})"),
                             child(tmp_path, "time.sleep(60)", "b")])
    assert supervisor.run() is False
    assert capfd.readouterr().err == "no camera\n"
    assert len(starts(tmp_path)) == 1


def test_a_child_that_always_dies_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                              caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(module, "BACK_OFF_S", (0.0,))
    monkeypatch.setattr(module, "MOST_DEATHS", 3)
    assert Supervisor([child(tmp_path, "sys.exit(1)")]).run() is False
    assert len(starts(tmp_path)) == 3
    assert "died 3 times in a row" in caplog.text


def test_a_child_that_hangs_is_killed_and_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                        caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.05)
    hanging = child(tmp_path, "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)")
    hanging.well, hanging.patience_s = lambda: len(starts(tmp_path)) != 1, 0.3
    supervisor = Supervisor([hanging])
    thread, _ = in_background(supervisor)
    wait_until(lambda: len(starts(tmp_path)) == 2, 20)
    time.sleep(0.6)
    assert len(starts(tmp_path)) == 2, "the second one is well"
    assert "hangs and is ended" in caplog.text
    monkeypatch.setattr(module, "END_S", 0.1)
    supervisor.stop.set()
    thread.join(10)


def test_the_service_manager_hears_of_it(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10)
        env = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000", "WATCHDOG_PID": str(os.getpid())}
        supervisor = Supervisor([child(tmp_path, "time.sleep(60)")], manager=Notifier(env))
        assert env == {}, "children are not to speak for it"
        supervisor.ready = lambda: bool(starts(tmp_path))
        thread, _ = in_background(supervisor)
        heard = [manager.recv(1000).decode() for _ in range(6)]
        supervisor.stop.set()
        while heard[-1] != "STOPPING=1":
            heard.append(manager.recv(1000).decode())
        thread.join(10)
    assert [h for h in heard if h.startswith("READY=1")] == ["READY=1\nSTATUS=the child runs"]
    assert heard.count("WATCHDOG=1") >= 4


@pytest.mark.parametrize("env", [{}, {"NOTIFY_SOCKET": "relative"}, {"NOTIFY_SOCKET": "/nowhere/at/all"},
                                 {"NOTIFY_SOCKET": "@inkeek-nobody-listens", "WATCHDOG_USEC": "x"}])
def test_where_nobody_listens_nothing_happens(env: dict[str, str]) -> None:
    notifier = Notifier(env)
    notifier.ready("well")
    notifier.alive()
    assert notifier.watchdog_s == 0


def test_a_watchdog_of_another_process_is_not_ours() -> None:
    assert Notifier({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}).watchdog_s == 0
    assert Notifier({"WATCHDOG_USEC": "3000000"}).watchdog_s == 3


def test_lines_for_the_journal_have_levels_and_stay_lines() -> None:
    record = logging.LogRecord("a", logging.ERROR, "", 0, "one\ntwo %s", ("\n<0>three",), None)
    assert LineFormatter(True).format(record) == "<3>one | two  | <0>three"
    assert LineFormatter(False).format(record).startswith("inkeek: one")


def test_people_see_warnings_and_the_journal_all(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        for env, seen in (({}, "inkeek: careful\n"), ({"JOURNAL_STREAM": "8:1"}, "<6>well\n<4>careful\n")):
            to_standard_error(env)
            logging.getLogger("device.x").info("well")
            logging.getLogger("device.x").warning("careful")
            assert capsys.readouterr().err == seen
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def test_the_first_start_is_told_apart(tmp_path: Path) -> None:
    asked: list[bool] = []

    def command(first: bool) -> list[str]:
        asked.append(first)
        return [sys.executable, "-c", "pass"]

    supervisor = Supervisor([Child("child", command)])
    thread, _ = in_background(supervisor)
    wait_until(lambda: len(asked) >= 2)
    supervisor.stop.set()
    thread.join(10)
    assert asked[:2] == [True, False]


def test_told_once_when_ready(tmp_path: Path) -> None:
    supervisor = Supervisor([child(tmp_path, "time.sleep(60)")])
    told: list[int] = []
    supervisor.ready, supervisor.tell = lambda: bool(starts(tmp_path)), lambda: told.append(1)
    thread, _ = in_background(supervisor)
    wait_until(lambda: told)
    time.sleep(0.3)
    supervisor.stop.set()
    thread.join(10)
    assert told == [1]


def test_children_end_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    note = f"import os, time; open({str(tmp_path / 'child')!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(60)"
    code = f"""
import sys
from device.system.supervisor import Child, Supervisor
Supervisor([Child("child", lambda _first: [sys.executable, "-c", {note!r}])]).run()
"""
    parent = subprocess.Popen([sys.executable, "-c", code])
    wait_until(lambda: starts(tmp_path))
    parent.kill()
    parent.wait()
    (pid,) = starts(tmp_path)
    wait_until(lambda: not _alive(pid))


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_port_in_use_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortError, match=f"port {port} is in use"):
            check_port("127.0.0.1", port)
        assert answers("127.0.0.1", port)
    check_port("127.0.0.1", port)
    assert not answers("127.0.0.1", port)


@pytest.mark.parametrize("host", ["no such host", "192.0.2.1", "2001:db8::1"])
def test_an_address_that_is_not_this_machines_is_said(host: str) -> None:
    with pytest.raises(PortError, match="the page cannot be served on"):
        check_port(host, 8000)


def test_one_that_is_not_vital_is_given_up_and_the_others_go_on(tmp_path: Path,
                                                                caplog: pytest.LogCaptureFixture) -> None:
    lost = child(tmp_path, f"sys.exit({PERMANENT})", "link to the hall")
    lost.vital = False
    supervisor = Supervisor([lost, child(tmp_path, "time.sleep(60)", "table")])
    thread, result = in_background(supervisor)
    wait_until(lambda: "the link to the hall is given up; all else goes on" in caplog.text)
    wait_until(lambda: starts(tmp_path, "table"))
    assert thread.is_alive() and len(starts(tmp_path, "link to the hall")) == 1
    supervisor.stop.set()
    thread.join(10)
    assert result == [True]


def test_one_that_is_not_vital_but_alone_ends_it(tmp_path: Path) -> None:
    lost = child(tmp_path, f"sys.exit({PERMANENT})")
    lost.vital = False
    assert Supervisor([lost]).run() is False
