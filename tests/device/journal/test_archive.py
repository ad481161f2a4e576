"""A table's whole data as one file, and back."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from device.cli.main import inkeek
from device.evidence.stills import Stills
from device.journal import Journal, JournalError
from device.journal.archive import archive, unarchive
from device.journal.backup import JOURNAL
from device.journal.events import StateEntered, VerdictGiven
from device.system.folder import DataFolder


def table(path: Path) -> DataFolder:
    """A folder with a verdict, its two stills and one that is gone."""
    data = DataFolder(path)
    data.make()
    stills = Stills(data.evidence)
    names = [stills.save(np.full((48, 64, 3), shade, np.uint8)) for shade in (40, 200)]
    with Journal(data.journal) as journal:
        for before, after in ((names[0], names[1]), (names[1], "f" * 64 + ".jpg")):
            journal.append(VerdictGiven(kind="legal", player="S", before="", position="", sentence="",
                                        still_before=before, still_after=after))
    (path / "page.pin").write_text("secret")
    (data.evidence / ("e" * 64 + ".jpg")).write_bytes(b"nobody names it")
    return data


def test_there_and_back(tmp_path: Path) -> None:
    data = table(tmp_path / "one")
    file = tmp_path / "all.zip"
    file.write_bytes(b"".join(archive(data.path)))
    with zipfile.ZipFile(file) as packed:
        assert packed.testzip() is None
        assert sorted(Path(name).suffix for name in packed.namelist()) == [".jpg", ".jpg", ".sqlite3"]
    other = DataFolder(tmp_path / "two")
    other.make()
    with Journal(other.journal) as journal:
        journal.append(StateEntered(state="watching"))
    copied = unarchive(file, other.path)
    assert (copied.events, copied.stills, copied.missing) == (2, 2, 1)
    with Journal(data.journal, readonly=True) as one, Journal(other.journal, readonly=True) as two:
        assert one.read() == two.read() and two.verify() is None
    assert len(list(other.path.glob("journal-*.sqlite3"))) == 1, "what was there is set aside"
    assert not (other.path / "page.pin").exists()
    assert not [p for p in other.path.iterdir() if p.name.startswith("inkeek-")], "nothing is left about"


@pytest.mark.parametrize(("names", "why"), [
    (["../../etc/passwd"], "it contains '../../etc/passwd'"), ([JOURNAL, "evidence/x.jpg"], "'evidence/x.jpg'"),
    (["/abs"], "'/abs'"), ([], ""), ([JOURNAL], "journal.sqlite3"),
])
def test_files_that_are_none(tmp_path: Path, names: list[str], why: str) -> None:
    data = table(tmp_path / "one")
    before = (data.path / JOURNAL).read_bytes()
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w") as out:
        for name in names:
            out.writestr(name, b"no journal")
    with pytest.raises(JournalError, match=why.replace(".", r"\.") or None):
        unarchive(file, data.path)
    file.write_bytes(b"no zip")
    with pytest.raises(JournalError, match="cannot be unpacked"):
        unarchive(file, data.path)
    assert (data.path / JOURNAL).read_bytes() == before and not (tmp_path / "etc").exists()


def test_damaged_journal_is_not_handed_out(tmp_path: Path) -> None:
    data = table(tmp_path)
    raw = bytearray(data.journal.read_bytes())
    at = raw.index(b"VerdictGiven")
    raw[at] ^= 1
    data.journal.write_bytes(raw)
    with pytest.raises(JournalError, match="damaged"):
        list(archive(tmp_path))


def test_at_the_command_line(tmp_path: Path) -> None:
    data, file = table(tmp_path / "one"), tmp_path / "all.zip"
    done = CliRunner().invoke(inkeek, ["backup", str(file), "--data", str(data.path)])
    assert done.exit_code == 0 and zipfile.is_zipfile(io.BytesIO(file.read_bytes())), done.output
    done = CliRunner().invoke(inkeek, ["restore", str(file), "--data", str(tmp_path / "two")])
    assert done.exit_code == 0 and "2 events and 2 stills are back" in done.output
    missing = CliRunner().invoke(inkeek, ["backup", str(tmp_path / "x.zip"), "--data", str(tmp_path / "none")])
    assert missing.exit_code == 1 and not (tmp_path / "x.zip").exists()
