"""A Debian for 64-bit ARM in a folder, the program and all that it needs installed for it, and qemu to run them."""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.libcamera.debian import MIRROR, SUITE, NotHere, call

PACKAGES = ("python3", "libpython3-stdlib", "libstdc++6", "libgcc-s1")
"""All that a wheel takes for granted; they are unpacked, not installed, so nothing of them has to run for it."""
PYTHON = "3.13"
"""Debian trixie's."""
PLATFORMS = ("manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_27_aarch64", "manylinux_2_28_aarch64",
             "manylinux_2_34_aarch64", "manylinux_2_39_aarch64")
"""Of wheels that run there."""
QEMU = "qemu-aarch64-static"
RUN_S = 1800.0


@dataclass(frozen=True, slots=True)
class System:
    """folder: where the system is, or is to be; source: the program's."""

    folder: Path
    source: Path

    @property
    def root(self) -> Path:
        """The system's root."""
        return self.folder / "root"

    @property
    def needs(self) -> Path:
        """What the program needs: the very files that `make install` puts on a Pi."""
        return self.folder / "needs"

    @property
    def program(self) -> Path:
        """Where the program lies."""
        return self.folder / "program"

    def build(self) -> None:
        """Make the system, unless it is there already: some 100 MB from Debian's mirror and the package index. Raises
        `NotHere`."""
        if platform.machine() == "aarch64":
            raise NotHere("this machine is one itself: make test tries it there")
        for tool, package in ((QEMU, "qemu-user-static"), ("mmdebstrap", "mmdebstrap")):
            if shutil.which(tool) is None:
                raise NotHere(f"{tool} is missing: apt-get install {package}")
        done, pins = self.folder / "done", self.source / "device" / "service" / "pins.txt"
        mark = repr((SUITE, PACKAGES, PYTHON, PLATFORMS)) + pins.read_text()
        if done.exists() and done.read_text() == mark:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        call(["mmdebstrap", "--quiet", "--variant=extract", "--architectures=arm64", "--skip=check/qemu",
              f"--include={','.join(PACKAGES)}", SUITE, str(self.root), f"deb {MIRROR} {SUITE} main"],
             "a Debian system for it cannot be unpacked")
        for name in ("lib", "bin"):  # as Debian's base-files lays them
            if not (self.root / name).exists():
                (self.root / name).symlink_to(f"usr/{name}")
        _pip("what the program needs cannot be had for it", "--require-hashes", "--only-binary=:all:",
             "--implementation", "cp", "--python-version", PYTHON, *(f"--platform={name}" for name in PLATFORMS),
             "--target", str(self.needs), "--requirement", str(pins))
        done.write_text(mark)

    def furnish(self) -> None:
        """Install the program as it is now. Raises `NotHere`."""
        shutil.rmtree(self.program, ignore_errors=True)
        _pip("the program's own package cannot be built", "--no-deps", "--target", str(self.program), str(self.source))

    def inkeek(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the command line under qemu. Raises `subprocess.TimeoutExpired`."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
        environment |= {"PYTHONHOME": str(self.root / "usr"), "PYTHONPATH": f"{self.program}:{self.needs}",
                        "PYTHONNOUSERSITE": "1"}
        return subprocess.run([QEMU, "-L", str(self.root), str(self.root / "usr/bin/python3"), "-m", "device.cli.main",
                               *words], capture_output=True, text=True, timeout=RUN_S, check=False, env=environment,
                              stdin=subprocess.DEVNULL)


def _pip(said: str, *words: str) -> None:
    call([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words], said)
