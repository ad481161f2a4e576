"""The two processes that `inkeek run` keeps alive: the table and the page, each with the words that start it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from device.system.folder import DataFolder, South
from device.system.notifications import Notifier
from device.system.supervisor import Child, Supervisor, answers

LOOPBACK = "127.0.0.1"
EVERY_ADDRESS = "0.0.0.0"
LOCAL_HOSTS = (LOOPBACK, EVERY_ADDRESS, "::", "::1")
"""Hosts whose page a person at this machine reaches as localhost."""


@dataclass(frozen=True, slots=True)
class Processes:
    """What is to be run, as the words of the command line and the folder's settings say.

    folder: the table's data. camera, south: of the table. host, port: of the page. game, rules, board, fields: of the
    game that is to begin; "" or nothing for the journal's.
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

    def supervisor(self, only: str | None) -> Supervisor:
        """What keeps them alive. only: "table" or "page" for one of them, None for both."""
        children = {"table": Child("table", self.table_command, well=self.folder.lives),
                    "page": Child("page", self.page_command, well=self.page_answers)}
        ready = {"table": self.table_ready, "page": self.page_answers}
        chosen = [only] if only else list(children)
        supervisor = Supervisor([children[name] for name in chosen], manager=Notifier())
        supervisor.ready = lambda: all(ready[name]() for name in chosen)
        return supervisor

    def table_command(self, first: bool) -> list[str]:
        """The command that starts the table. first: it was not started before; a game that was asked for begins once,
        and a table that is started again goes on from the journal."""
        command = [sys.executable, "-m", "device.cli.main", "table", "--camera", self.camera, "--south", self.south,
                   "--data", str(self.folder.path)]
        if not first:
            return command
        sets = [word for name, value in self.fields.items() for word in ("--set", f"{name}={value}")]
        return [*command, "--game", self.game, "--rules", self.rules, "--board", self.board, *sets]

    def page_command(self, _first: bool) -> list[str]:
        """The command that starts the page."""
        return [sys.executable, "-m", "web", "--data", str(self.folder.path), "--host", self.host,
                "--port", str(self.port)]

    def table_ready(self) -> bool:
        """Whether the table shows what it sees, or cannot for want of a disk that takes it."""
        return self.folder.live.exists() or self.folder.only_read

    def page_answers(self) -> bool:
        """Whether the page answers on its port."""
        return answers(LOOPBACK if self.host == EVERY_ADDRESS else self.host, self.port)

    @property
    def address(self) -> str:
        """The page's address for a browser."""
        return f"http://{'localhost' if self.host in LOCAL_HOSTS else self.host}:{self.port}"
