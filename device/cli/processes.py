"""The processes that `inkeek run` keeps alive (table, page, and link to a hall if there is one) and their commands."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from device.south import South
from device.system.folder import DataFolder
from device.system.notifications import Notifier
from device.system.supervisor import Child, Supervisor, answers

LOOPBACK = "127.0.0.1"
EVERY_ADDRESS = "0.0.0.0"
CAMERA_VARIABLE = "INKEEK_CAMERA"
"""The environment variable that passes `--camera` to the table."""
LOCAL_HOSTS = (LOOPBACK, EVERY_ADDRESS, "::", "::1")
"""Hosts whose page is reached as localhost on this machine."""


@dataclass(frozen=True, slots=True)
class Hall:
    """The hall to publish to, as given on the command line: the broker's address, the CA file, the password file, and
    the table's name there; "" for what is not given."""

    address: str
    ca: str = ""
    password_file: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Processes:
    """What to run, by the command line and the folder's settings.

    folder: the table's data. camera, south: the table's. host, port: the page's. game, rules, board, fields: those of a
    game to begin; empty to go on with the journal's game. hall: None for none. start: the position line to begin a game
    from, "" for none. names: the page's other host names.
    """

    folder: DataFolder
    camera: str
    south: South
    host: str
    port: int
    game: str
    rules: str
    board: str
    fields: Mapping[str, str]
    hall: Hall | None = None
    start: str = ""
    names: tuple[str, ...] = ()

    @property
    def welcome(self) -> str:
        """The sentence for people when all processes run: where the page is, and where the games are kept."""
        return f"inkeek is at {self.address} (Ctrl-C ends it). The games are kept in {self.folder.path.absolute()}"

    def supervisor(self, only: str | None) -> Supervisor:
        """The supervisor of the processes. only: "table", "page" or "hall" for one of them, None for all."""
        # Not in the command, where every user could read the camera's address and the password in it.
        children = {"table": Child("table", self.table_command, well=self.folder.lives,
                                   environment={CAMERA_VARIABLE: self.camera}),
                    "page": Child("page", self.page_command, well=self.page_answers)}
        if self.hall is not None:
            children["hall"] = Child("link to the hall", self.hall_command, vital=False)
        ready: dict[str, Callable[[], bool]] = {"table": self.table_ready, "page": self.page_answers,
                                                "hall": lambda: True}
        chosen = [only] if only else list(children)
        supervisor = Supervisor([children[name] for name in chosen], manager=Notifier())
        supervisor.ready = lambda: all(ready[name]() for name in chosen)
        return supervisor

    def table_command(self, first: bool) -> list[str]:
        """The command that starts the table. first: begin the game that was asked for; when started again, the table
        goes on from the journal."""
        command = [sys.executable, "-m", "device.cli.main", "table", "--south", self.south,
                   "--data", str(self.folder.path)]
        if not first:
            return command
        sets = [word for name, value in self.fields.items() for word in ("--set", f"{name}={value}")]
        return [*command, "--game", self.game, "--rules", self.rules, "--board", self.board, "--start", self.start,
                *sets]

    def page_command(self, first: bool) -> list[str]:
        """The command that starts the page. first: open it in a browser, only at the first start."""
        return [sys.executable, "-m", "web", "--data", str(self.folder.path), "--host", self.host,
                "--port", str(self.port), *(f"--name={name}" for name in self.names), *(["--open"] if first else [])]

    def hall_command(self, _first: bool) -> list[str]:
        """The command that starts the link to the hall. It holds no password, as every user could read it."""
        assert self.hall is not None, "there is a hall"
        words = {"--hall": self.hall.address, "--hall-ca": self.hall.ca, "--table-name": self.hall.name,
                 "--hall-password-file": self.hall.password_file, "--host": self.host, "--port": str(self.port)}
        return [sys.executable, "-m", "device.cli.main", "publish", "--data", str(self.folder.path),
                *(part for word, value in words.items() if value for part in (word, value))]

    def table_ready(self) -> bool:
        """Whether the table writes its live state, or cannot because the disk is read-only."""
        return self.folder.live.exists() or self.folder.only_read

    def page_answers(self) -> bool:
        """Whether the page answers on its port."""
        return answers(LOOPBACK if self.host == EVERY_ADDRESS else self.host, self.port)

    @property
    def address(self) -> str:
        """The page's address for a browser."""
        host = "localhost" if self.host in LOCAL_HOSTS else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"
