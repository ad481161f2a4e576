"""What `inkeek run` says once it runs."""

from pathlib import Path

import pytest

from device.cli.processes import Processes
from device.system.folder import DataFolder


def test_a_person_is_told_where_the_page_is_and_where_the_games_are_kept(tmp_path: Path,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path.parent)
    processes = Processes(DataFolder(Path(tmp_path.name)), "sim", "bottom", "127.0.0.1", 8123, "", "", "", {})
    assert processes.welcome == f"inkeek is at http://localhost:8123 (Ctrl-C ends it). The games are kept in {tmp_path}"


@pytest.mark.parametrize(("host", "address"), [
    ("::", "http://localhost:8123"), ("2001:db8::7", "http://[2001:db8::7]:8123"),
    ("192.0.2.7", "http://192.0.2.7:8123")])
def test_an_address_has_brackets_where_its_host_has_colons(host: str, address: str, tmp_path: Path) -> None:
    assert Processes(DataFolder(tmp_path), "sim", "bottom", host, 8123, "", "", "", {}).address == address


def test_the_page_is_told_its_further_names(tmp_path: Path) -> None:
    names = ("table.club.example", "192.0.2.7")
    command = Processes(DataFolder(tmp_path), "sim", "bottom", "127.0.0.1", 8123, "", "", "", {}, names=names)
    assert command.page_command(first=False)[-2:] == ["--name=table.club.example", "--name=192.0.2.7"]
