"""The files that commands write: replaced whole or not at all, and named as what they are."""

import json
import stat
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.journal import Journal
from device.journal.events import Sighted
from device.system.replacement import Replacement, replace_file
from tests.device.cli.test_main import inkeek, refused
from tests.device.cli.test_watched import ASKED, command, film, script
from tests.device.disks import small_disk
from tests.device.painted import Script

__all__ = ["film", "script"]


def held(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_watch_that_fails_leaves_every_older_file_as_it_was(tmp_path: Path) -> None:
    """Of a recording in which no board is to be seen."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for n in range(3):
        cv2.imwrite(str(pictures / f"{n}.png"), np.full((90, 160, 3), 90, np.uint8))
    (tmp_path / "old.log").write_bytes(b"inkeek-log 3\nmuch that vision said")
    for name in ("old.html", "old.mp4"):
        (tmp_path / name).write_text("older")
    before = held(tmp_path)
    refused(inkeek("watch", pictures, "--game", "endodoi", "--board", "2x6", "--log", tmp_path / "old.log",
                   "--report", tmp_path / "old.html", "--video", tmp_path / "old.mp4"), 1, "no board")
    assert held(tmp_path) == before


def test_a_watch_that_succeeds_replaces_the_log(film: Path, tmp_path: Path) -> None:
    log = tmp_path / "film.log"
    log.write_bytes(b"inkeek-log 1\nolder")
    log.chmod(0o640)
    assert command("watch", film, *ASKED, "--log", log)[0] == 0
    assert b"older" not in log.read_bytes() and stat.S_IMODE(log.stat().st_mode) == 0o640
    assert inkeek("judge", log).returncode == 0
    assert sorted(held(tmp_path)) == ["film.log", "film.mp4"]


def test_a_full_disk_costs_the_log_and_neither_the_verdicts_nor_the_report(
        film: Path, script: Script, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with small_disk(tmp_path / "card") as disk:
        log = disk.path / "film.log"
        log.write_bytes(b"inkeek-log 1\nolder")
        disk.fill()
        status, said = command("watch", film, *ASKED, "--json", "--log", log, "--report", tmp_path / "out.html")
        assert (status, said) == (1, f"inkeek: {log} cannot be written: No space left on device\n")
        assert log.read_bytes() == b"inkeek-log 1\nolder" and sorted(held(disk.path)) == ["ballast", "film.log"]
    assert "illegal" in {json.loads(line).get("kind") for line in capsys.readouterr().out.splitlines()}
    assert "1 foul" in (tmp_path / "out.html").read_text("utf-8")


def test_a_backup_that_fails_leaves_the_older_one(tmp_path: Path) -> None:
    data, older = tmp_path / "data", tmp_path / "all.zip"
    data.mkdir()
    older.write_bytes(b"an older backup")
    refused(inkeek("backup", older, "--data", data), 1, "journal")
    assert older.read_bytes() == b"an older backup", "there is no journal to back up"
    with Journal(data / "journal.sqlite3") as journal:
        journal.append(Sighted())
    with small_disk(tmp_path / "card") as disk:
        target = disk.path / "all.ZIP"
        target.write_bytes(b"an older backup")
        disk.fill(leave=4096)
        refused(inkeek("backup", target, "--data", data), 1, "No space left")
        assert target.read_bytes() == b"an older backup" and sorted(held(disk.path)) == ["all.ZIP", "ballast"]
    assert inkeek("backup", older, "--data", data).returncode == 0 and older.read_bytes()[:2] == b"PK"


def test_a_bundle_that_fails_leaves_the_older_one_and_nothing_beside_it(tmp_path: Path) -> None:
    with small_disk(tmp_path / "card", 64) as disk:
        target = disk.path / "help.tar.gz"
        target.write_bytes(b"an older bundle")
        disk.fill(leave=1024)
        refused(inkeek("doctor", "--no-look", "--data", tmp_path / "none", "--bundle", target), 1, "No space left")
        assert target.read_bytes() == b"an older bundle" and sorted(held(disk.path)) == ["ballast", "help.tar.gz"]


@pytest.mark.parametrize(("option", "name"), [("--video", "out.avi"), ("--report", "out.pdf")])
def test_a_name_that_says_another_form_is_refused(film: Path, tmp_path: Path, option: str, name: str) -> None:
    refused(inkeek("watch", film, *ASKED, option, tmp_path / name), 2, name, "ends in .")
    assert sorted(held(tmp_path)) == ["film.mp4"]


def test_other_forms_than_are_written_are_refused_everywhere(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((90, 160, 3), np.uint8))
    refused(inkeek("read", tmp_path / "a.png", "--overlay", tmp_path / "b.gpx"), 2, "b.gpx", ".png or .jpg")
    refused(inkeek("doctor", "--no-look", "--bundle", tmp_path / "help.zip"), 2, "help.zip", ".tar.gz")


def test_no_output_overwrites_what_is_read_or_another_output(film: Path, tmp_path: Path) -> None:
    film = film.rename(tmp_path / "film.html")
    refused(inkeek("watch", film, *ASKED, "--report", film), 2, "named twice")
    refused(inkeek("watch", film, *ASKED, "--report", tmp_path / "a.html", "--log", tmp_path / "." / "a.html"), 2,
            "named twice")
    picture = tmp_path / "a.png"
    cv2.imwrite(str(picture), np.zeros((90, 160, 3), np.uint8))
    before = held(tmp_path)
    refused(inkeek("read", picture, "--overlay", picture), 2, "named twice")
    assert held(tmp_path) == before


def test_a_replaced_file_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a").write_text("old")
    (tmp_path / "far" / "a").chmod(0o604)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "a")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "far" / "a").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "far" / "a").stat().st_mode) == 0o604
    with Replacement(tmp_path / "secret", mode=0o600) as file:
        file.put()
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_what_is_no_file_is_written_to_and_not_replaced() -> None:
    replace_file(Path("/dev/null"), b"gone")
    assert Path("/dev/null").is_char_device()
