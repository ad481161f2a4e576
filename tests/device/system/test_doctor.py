"""`inkeek doctor`: what it finds on machines that are played, through cameras, and what its bundle leaves out."""

import json
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from device.cameras.base import CameraError, CameraGone
from device.journal import Journal
from device.journal.events import Blind, CameraNoted, NewGame, TableStarted, VerdictGiven
from device.publishing.link_state import LinkState, only_publisher, write_link
from device.system import doctor
from device.system.doctor import light, lines, look_through, picture_findings
from device.system.folder import DataFolder
from device.system.health import Check, disk, machine
from device.system.support_bundle import unnamed, write_bundle
from engine.rules import ruleset
from tests.device.disks import small_disk
from tests.device.painted import PaintedCamera, Script


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """A Raspberry Pi 4 that is well."""
    root = tmp_path / "pi"
    put(root, "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    put(root, "etc/os-release", 'NAME="x"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
    put(root, "sys/class/thermal/thermal_zone0/temp", "48312\n")
    put(root, "sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
    put(root, "proc/meminfo", "MemTotal: 3884356 kB\nMemAvailable:    3000000 kB\n")
    return root


def ill(findings: object) -> list[str]:
    assert hasattr(findings, "__iter__")
    return [finding.what for finding in findings if not finding.well]


def test_a_machine_that_is_well(pi: Path) -> None:
    found = list(machine(pi))
    assert ill(found) == []
    said = lines(found)
    assert said.startswith("ok  Raspberry Pi 4 Model B Rev 1.4, Debian GNU/Linux 12 (bookworm), Linux ")
    for words in ("48 °C warm inside", "its power supply is strong enough", "2929 MiB of memory",
                  "not set by a time server"):
        assert words in said


@pytest.mark.parametrize(("file", "text", "words"), [
    ("sys/class/thermal/thermal_zone0/temp", "83000", "83 °C warm inside: give it air"),
    ("sys/devices/platform/soc/soc:firmware/get_throttled", "50005", "power supply is too weak right now"),
    ("sys/devices/platform/soc/soc:firmware/get_throttled", "10000", "was too weak since it was switched on"),
    ("sys/devices/platform/soc/soc:firmware/get_throttled", "8", "too hot right now"),
    ("proc/meminfo", "MemAvailable: 90000 kB", "87 MiB of memory are free: end other programs"),
])
def test_a_machine_that_is_not(pi: Path, file: str, text: str, words: str) -> None:
    put(pi, file, text)
    assert any(words in what for what in ill(machine(pi)))


def test_a_clock_that_was_never_set(pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.system.health.time.time", lambda: 1_000_000.0)
    assert any("the clock says 1970-01-12" in what for what in ill(machine(pi)))


def test_what_a_machine_does_not_tell_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, "sys/class/thermal/thermal_zone0/temp", "nonsense")
    put(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", "nonsense")
    assert ill(machine(tmp_path)) == [] and len(list(machine(tmp_path))) == 2


def test_a_disk_that_is_small_or_can_only_be_read(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as played:
        assert any("make room" in what for what in ill(disk(played.path)))
        played.only_read(True)
        assert any("can only be read" in what for what in ill(disk(played.path)))
        played.only_read(False)
    assert "cannot be looked at" in ill(disk(tmp_path / "none"))[0]


@pytest.mark.parametrize(("level", "words"), [(10, "too dark"), (130, ""), (245, "blown out")])
def test_the_light(level: int, words: str) -> None:
    found = ill(light(np.full((90, 120, 3), level, np.uint8)))
    assert (words in found[0]) if words else not found


def test_a_lamp_in_the_picture_is_too_much_light() -> None:
    image = np.full((90, 120, 3), 120, np.uint8)
    image[:30, :60] = 255
    assert "17% of it are white" in ill(light(image))[0]


def test_it_looks_through_the_camera_and_closes_it() -> None:
    camera = PaintedCamera(Script(ruleset("enkeshui")).rest(5), live=True)
    image, bands = look_through(camera)
    assert bands == 0
    assert image is not None and image.shape == (48, 64, 3) and camera.opened == 1


@pytest.mark.parametrize("error", [CameraError("no camera was found"), CameraGone("it does not answer")])
def test_a_camera_that_fails_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    folder = DataFolder(tmp_path)
    folder.make()
    put(tmp_path, "inkeek.toml", 'camera = "usb"\n')

    def fails(_camera: object) -> None:
        raise error

    monkeypatch.setattr(doctor, "look_through", fails)
    assert list(picture_findings(folder)) == [Check(False, str(error))]


def test_a_running_tables_camera_is_left_to_it(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.make()
    put(tmp_path, "inkeek.toml", 'camera = "usb"\n')
    with folder.held():
        assert list(picture_findings(folder)) == [Check(True, "a table is running and shows no picture yet")]
        live = folder.make_live()
        cv2.imwrite(str(live / "frame.jpg"), np.full((90, 120, 3), 20, np.uint8))
        put(live, "state.json", json.dumps({"state": "blind", "why": "it is too dark", "pits": [], "fps": 2.0}))
        said = lines(picture_findings(folder))
        folder.drop_live()
    assert said == ("!!  the picture is too dark (level 20 of 255): turn on a lamp, or take the cap off the lens\n"
                    "!!  a table is running: blind, it is too dark\n!!  its board is not found\n"
                    "!!  it sees 2 pictures a second: too few for quick hands\n")


@pytest.mark.parametrize(("state", "said"), [
    ({"fps": 30.0, "given": 30.0}, ["ok  it sees 30 pictures a second"]),
    ({"fps": 9.0, "given": 30.0, "behind": True, "dropped": 210, "uncounted": 4},
     ["!!  it looks at 9 of the 30 pictures a second that its camera gives: end other programs, or use a faster "
      "machine",
      "ok  since it was started 210 pictures were dropped, and 4 times pits were not counted because others were being "
      "counted"])])
def test_what_a_running_table_has_no_time_for_is_told(tmp_path: Path, state: dict[str, object],
                                                      said: list[str]) -> None:
    folder = DataFolder(tmp_path)
    folder.make()
    live = folder.make_live()
    cv2.imwrite(str(live / "frame.jpg"), np.full((90, 120, 3), 100, np.uint8))
    put(live, "state.json", json.dumps({"state": "watching", "pits": [], **state}))
    assert lines(picture_findings(folder)).splitlines()[3:] == said


def test_a_live_state_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.make()
    live = folder.make_live()
    cv2.imwrite(str(live / "frame.jpg"), np.full((90, 120, 3), 100, np.uint8))
    put(live, "state.json", '{"pits": 3}')
    assert len(list(picture_findings(folder))) == 1


def test_what_the_table_noted_is_told_again(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.make()
    with Journal(folder.journal) as journal:
        journal.append(CameraNoted(sentence="of an earlier day"))
        journal.append(TableStarted(camera="USB camera 0", version="1"))
        for _ in range(3):
            journal.append(CameraNoted(sentence="the USB camera gives torn pictures"))
        journal.append(Blind(why="the board moved"))
    said = lines(doctor.examine(folder, look=False))
    assert "noted 3 times since the table was started" in said and "the USB camera gives torn pictures" in said
    assert "noted once" in said and "the board moved" in said and "earlier day" not in said


# ---- the bundle

@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    folder = DataFolder(tmp_path / "data")
    folder.make()
    (folder.evidence / ("ab" * 32 + ".jpg")).write_bytes(b"a face")
    with Journal(folder.journal) as journal:
        journal.append(NewGame(game="enkeshui", rules="driedger", board="2x8", by="Nashipae"))
        journal.append(Blind(why="the board moved"))
        journal.append(VerdictGiven(kind="illegal", player="S", before="", position="", sentence="South took two.",
                                    still_after="ab" * 32 + ".jpg"))
    return folder


def contents(path: Path) -> dict[str, str]:
    with tarfile.open(path) as archive:
        return {member.name.removeprefix("inkeek-support/"):
                archive.extractfile(member).read().decode()  # type: ignore[union-attr]  # all are plain files
                for member in archive}


def test_a_bundle_holds_neither_faces_nor_names(folder: DataFolder, tmp_path: Path) -> None:
    put(folder.make_live(), "frame.jpg", "a face")
    parts = write_bundle(tmp_path / "a.tar.gz", folder, "ok  well\n")
    folder.drop_live()
    found = contents(tmp_path / "a.tar.gz")
    assert sorted(found) == parts and not any(part.endswith(".jpg") for part in parts)
    everything = "".join(found.values())
    assert "Nashipae" not in everything and "a face" not in everything
    events = [json.loads(line) for line in found["events.jsonl"].splitlines()]
    assert [event["type"] for event in events] == ["NewGame", "Blind", "VerdictGiven"]
    assert "body" not in events[0] and events[1]["body"]["why"] == "the board moved"
    assert found["journal.txt"] == "3 events; whole\n" and found["doctor.txt"] == "ok  well\n"


def test_they_are_in_it_where_people_ask(folder: DataFolder, tmp_path: Path) -> None:
    put(folder.make_live(), "frame.jpg", "a face")
    write_bundle(tmp_path / "a.tar.gz", folder, "", pictures=True, names=True)
    folder.drop_live()
    found = contents(tmp_path / "a.tar.gz")
    assert found["pictures/live.jpg"] == "a face" and found["pictures/" + "ab" * 32 + ".jpg"] == "a face"
    assert "Nashipae" in found["events.jsonl"]


def test_a_damaged_journal_goes_in_as_far_as_it_is_sound(folder: DataFolder, tmp_path: Path) -> None:
    folder.journal.write_bytes(folder.journal.read_bytes().replace(b"South took two", b"South took ten"))
    write_bundle(tmp_path / "a.tar.gz", folder, "")
    found = contents(tmp_path / "a.tar.gz")
    assert "event 3 (VerdictGiven) was changed" in found["journal.txt"] and len(found["events.jsonl"].splitlines()) == 2


def test_homes_are_nobodys() -> None:
    assert unnamed("cannot open /home/nashipae/inkeek: no") == "cannot open /home/USER/inkeek: no"


def test_it_makes_no_folder_and_needs_leave_to_look_into_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = DataFolder(tmp_path / "none")
    assert "is made when inkeek first runs" in lines(doctor._folder(there)) and not there.path.exists()
    monkeypatch.setattr("os.access", lambda *_: False)
    there.path.mkdir()
    assert ill(doctor._folder(there)) == [f"the data folder {there.path} may not be looked into by this user: "
                                          "sudo inkeek doctor"]
    assert list(picture_findings(there)) == []


def test_doctor_at_the_command_line(folder: DataFolder, tmp_path: Path) -> None:
    began = time.time()
    done = subprocess.run([sys.executable, "-m", "device.cli.main", "doctor", "--no-look", "--data", str(folder.path),
                           "--bundle", str(tmp_path / "b.tar.gz")], capture_output=True, text=True, check=False)
    assert "journal of 3 events: the chain is whole" in done.stdout
    assert "without pictures and names" in done.stdout
    assert contents(tmp_path / "b.tar.gz")["doctor.txt"].splitlines()[0].startswith("ok  inkeek ")
    assert (tmp_path / "b.tar.gz").stat().st_mtime >= began - 5
    assert done.returncode in (0, 1)


def test_the_link_to_a_hall_is_told_and_what_is_wrong_with_it(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert list(doctor._hall(folder)) == []
    (tmp_path / "inkeek.toml").write_text('[hall]\naddress = "mqtt://table-3@hall"\n')
    assert ill(doctor._hall(folder)) == ["nothing publishes to the hall mqtt://table-3@hall:1883: "
                                         "sudo systemctl enable --now inkeek-hall-link"]
    (tmp_path / "inkeek.toml").write_text('[hall]\naddress = "hall"\n')
    assert ill(doctor._hall(folder))[0].startswith("'hall' is no address of a hall")
    state = LinkState("mqtt://table-3@hall:1883", "table-3", "2026-11-25T20:00:00.000Z", True)
    with only_publisher(tmp_path):
        for linked, sentence, fault, said in ((True, "", "", ""), (False, "", "", ", which is not reached yet"),
                                              (False, "nobody answers", "", ": nobody answers"),
                                              (True, "", "forked", ": forked")):
            write_link(tmp_path, msgspec.structs.replace(state, linked=linked, sentence=sentence, fault=fault))
            assert list(doctor._hall(folder)) == [
                Check(said == "", f"the table is table-3 at the hall mqtt://table-3@hall:1883{said}")]


@pytest.mark.parametrize(("runtime", "said"), [
    ("opencv", "opencv runs it, which is slower than ncnn (pip install 'inkeek[fast]')"), ("ncnn", "ncnn runs it")])
def test_what_runs_the_networks_is_said(runtime: str, said: str, tmp_path: Path,
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    if runtime == "ncnn":
        pytest.importorskip("ncnn", reason="the networks by ncnn (pip install 'inkeek[fast]')")
    monkeypatch.setenv("INKEEK_RUNTIME", runtime)
    assert f"the counting network loads; {said}" in [
        finding.what for finding in doctor.examine(DataFolder(tmp_path), look=False)]
