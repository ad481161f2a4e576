"""`python -m web.hall.demo`, for `make hall-demo`: a broker, simulated tables that publish to it, and the hall over
them. Everything runs on this machine and ends with this process."""

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
PIN = "123456"
GAMES = ("enkeshui", "endodoi", "omweso")
"""The tables' games, assigned in turn."""
END_S = 20.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run until stopped; return 1 if something is missing or one of the processes ends by itself."""
    parser = argparse.ArgumentParser(prog="python -m web.hall.demo", description="A hall of simulated tables.")
    parser.add_argument("--tables", type=int, default=3, help="how many (3); fewer on a small machine")
    parser.add_argument("--port", type=int, default=8080, help="of the hall's page (8080); the tables' follow it")
    given = parser.parse_args(argv)
    mosquitto = shutil.which("mosquitto", path=PATH)
    if mosquitto is None:
        print("inkeek: the demonstration needs a broker: apt install mosquitto", file=sys.stderr)
        return 1
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: ending.set())
    running: dict[Path, subprocess.Popen[bytes]] = {}
    with tempfile.TemporaryDirectory(prefix="inkeek-hall-") as folder:
        try:
            begin(running, Path(folder), mosquitto, given.tables, given.port)
            print(f"inkeek: the hall is at http://localhost:{given.port}, its PIN {PIN} (Ctrl-C ends all)", flush=True)
            while not ending.wait(1.0) and all(process.poll() is None for process in running.values()):
                pass
            for log in [log for log, process in running.items() if process.poll() is not None and not ending.is_set()]:
                print(f"inkeek: {log.stem} has ended: {said_last(log)}", file=sys.stderr)
        finally:
            end(list(running.values()))
    return 0 if ending.is_set() else 1


def begin(running: dict[Path, subprocess.Popen[bytes]], folder: Path, mosquitto: str, tables: int, port: int) -> None:
    """Start everything, the broker first. running: receives each process, keyed by its log file; folder: for all
    data."""
    from web.pin import PinFile

    broker = free_port()
    (folder / "mosquitto.conf").write_text(f"listener {broker} 127.0.0.1\nallow_anonymous true\n")
    start(running, [mosquitto, "-c", str(folder / "mosquitto.conf")], folder / "broker.log")
    url = f"mqtt://127.0.0.1:{broker}"
    for number in range(1, tables + 1):
        data = folder / f"table-{number}"
        data.mkdir()
        PinFile(data / "page.pin").set(PIN)
        start(running, [sys.executable, "-m", "device.cli.main", "run", "--camera", "sim", "--data", str(data),
                        "--game", GAMES[(number - 1) % len(GAMES)], "--port", str(port + number),
                        "--hall", url, "--table-name", f"Table {number}"], folder / f"table-{number}.log")
    (folder / "hall").mkdir()
    PinFile(folder / "hall" / "page.pin").set(PIN)
    start(running, [sys.executable, "-m", "device.cli.main", "hall", "--broker", url, "--data", str(folder / "hall"),
                    "--port", str(port)], folder / "hall.log")


def start(running: dict[Path, subprocess.Popen[bytes]], command: list[str], log: Path) -> None:
    """Start a process that writes its output to the file `log`. It gets no Ctrl-C: `end` stops it in its turn."""
    with log.open("wb") as out:
        running[log] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                        start_new_session=True)


def end(processes: list[subprocess.Popen[bytes]]) -> None:
    """Stop all processes and whatever they have started, the last first."""
    for process in reversed(processes):
        process.terminate()
    for process in reversed(processes):
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def said_last(log: Path) -> str:
    """Return the last line of a file; "" for an empty one."""
    return "".join(log.read_text(errors="replace").splitlines()[-1:])


def free_port() -> int:
    """Return a port that is free at this moment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
