"""The services' files: they are laid in place, systemd takes them, and they are shut as tightly as was meant."""

import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as Xml
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from device.system.folder import DataFolder, Settings

ROOT = Path(__file__).resolve().parents[3]
MOST_EXPOSED = 3.0
UNITS = ("inkeek-table.service", "inkeek-page.service", "inkeek-hall-link.service")

systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None,
                             reason="the services' units (apt install systemd)")
make = pytest.mark.skipif(shutil.which("make") is None, reason="laying the services' files (apt install make)")


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stage that the files were laid into, for a program under `/usr`."""
    stage = tmp_path_factory.mktemp("stage")
    program = stage / "opt" / "bin" / "inkeek"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    done = subprocess.run(["make", "-s", "install-files", f"DESTDIR={stage}", f"PREFIX={stage / 'opt'}"], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return stage


def unit(stage: Path, name: str) -> Path:
    return stage / "etc" / "systemd" / "system" / name


@make
def test_all_is_laid_in_place(laid: Path) -> None:
    for name in UNITS:
        text = unit(laid, name).read_text()
        assert f"ExecStart={laid / 'opt'}/bin/inkeek run --only" in text and "@PREFIX@" not in text
    assert (laid / "usr/lib/sysusers.d/inkeek.conf").read_text().splitlines()[1].startswith("u inkeek ")
    assert (laid / "usr/local/bin/inkeek").resolve() == laid / "opt/bin/inkeek", "people find the command"
    Xml.parse(laid / "etc/avahi/services/inkeek.service")
    folder = DataFolder(laid / "var/lib/inkeek")
    settings = folder.settings()
    assert settings.camera in ("usb", "pi"), "what this machine has"
    assert settings == Settings(camera=settings.camera, host="0.0.0.0", evidence_mb=4000)


def test_what_is_installed_is_pinned_by_its_hash() -> None:
    pins = (ROOT / "device/service/pins.txt").read_text().replace("\\\n", " ").splitlines()[1:]
    pinned: dict[str, list[str]] = {}
    for line in pins:
        requirement, *hashes = re.split(r"\s+--hash=", line)
        name, version = requirement.split()[0].split("==")
        pinned.setdefault(name.casefold(), []).append(version)
        assert hashes and all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", one) for one in hashes), name
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    for wanted in map(Requirement, (*project["project"]["dependencies"], *extras["sim"], *extras["pi"], *extras["fast"],
                                    *extras["clips"], *extras["hall"], *project["build-system"]["requires"])):
        versions = pinned.get(wanted.name.casefold(), [])
        assert versions and all(wanted.specifier.contains(v) for v in versions), f"make pins: {wanted}"


@make
def test_settings_that_people_wrote_are_kept(laid: Path) -> None:
    settings = laid / "var/lib/inkeek/inkeek.toml"
    settings.write_text('camera = "usb:3"\n')
    subprocess.run(["make", "-s", "install-files", f"DESTDIR={laid}", f"PREFIX={laid / 'opt'}"], cwd=ROOT, check=True)
    assert settings.read_text() == 'camera = "usb:3"\n'


@make
@systemd
@pytest.mark.parametrize("name", UNITS)
def test_systemd_takes_the_units(laid: Path, name: str) -> None:
    done = subprocess.run(["systemd-analyze", "verify", str(unit(laid, name))], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and name not in done.stderr, done.stderr


@make
@systemd
@pytest.mark.parametrize("name", UNITS)
def test_the_units_are_shut(laid: Path, name: str) -> None:
    if "--offline" not in subprocess.run(["systemd-analyze", "--help"], capture_output=True, text=True,
                                         check=False).stdout:
        pytest.skip("how shut the services are (systemd 250 or newer)")
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED * 10:.0f}",
                           str(unit(laid, name))], capture_output=True, text=True, check=False)
    verdict = done.stdout.strip().splitlines()[-1]
    assert done.returncode == 0, verdict
    score = float(verdict.partition(f"{name}: ")[2].split()[0])
    assert score <= MOST_EXPOSED


@pytest.mark.parametrize("name", UNITS)
def test_what_the_units_must_say(name: str) -> None:
    lines = (ROOT / "device" / "service" / name).read_text().splitlines()
    for line in ("Type=notify", "User=inkeek", "ProtectSystem=strict", "NoNewPrivileges=yes", "StateDirectory=inkeek",
                 "DevicePolicy=closed", "RemoveIPC=no"):
        assert line in lines
    assert any(line.startswith("WatchdogSec=") for line in lines)
    devices = [line.partition("=")[2] for line in lines if line.startswith("DeviceAllow=")]
    assert devices == (["char-video4linux rw", "char-media rw", "char-dma_heap rw"] if "table" in name else [])
    if "hall" not in name:  # a hall may be anywhere
        assert "IPAddressDeny=any" in lines, "the internet is closed to table and page"
    families = next(line for line in lines if line.startswith("RestrictAddressFamilies=")).split()
    local = next((line for line in lines if line.startswith("IPAddressAllow=")), "192.168.0.0/16")
    assert "AF_INET" in families and "192.168.0.0/16" in local, "a camera in the network can be reached, and phones"
