"""This machine's health: its kind, heat, power, clock, memory, from the kernel's files. What a machine does not report
is left out."""

import os
import platform
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HOT_C = 80.0
"""Degrees Celsius at which a Raspberry Pi slows itself down."""
WARM_C = 70.0
BUILT = 1_760_000_000
"""Seconds since 1970, before this program existed: a clock that shows an earlier time was never set."""
LEAST_MEMORY = 200 << 20
LEAST_FREE = 500 << 20
"""Bytes that should be free for evidence."""

THROTTLED = {0: "its power supply is too weak right now: use one of 3 A or more, and a short cable",
             1: "its clock is held back right now", 2: "it is slowed down right now",
             3: "it is too hot right now: give it air",
             16: "its power supply was too weak since it was switched on: use one of 3 A or more, and a short cable",
             18: "it was slowed down since it was switched on", 19: "it was too hot since it was switched on"}
"""Bits of the Raspberry Pi firmware's `get_throttled`."""
WARNED = (0, 1, 2, 3, 16)


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check. what: a sentence, which says what to do if something is wrong."""

    well: bool
    what: str


def machine(root: Path = Path("/")) -> Iterator[Check]:
    """Check the machine's kind and health. root: the folder of /sys, /proc and /etc."""
    yield Check(True, ", ".join(filter(None, (
        _text(root / "proc/device-tree/model") or platform.machine(), _system(root), f"Linux {platform.release()}"))))
    yield from _heat(root)
    yield from _power(root)
    yield from _clock(root)
    yield from _memory(root)


def disk(folder: Path) -> Iterator[Check]:
    """Check the free room on the data folder's disk."""
    try:
        free = shutil.disk_usage(folder).free
        stat = os.statvfs(folder)
    except OSError as error:
        yield Check(False, f"the disk of {folder} cannot be looked at: {error.strerror or error}")
        return
    if stat.f_flag & os.ST_RDONLY:
        yield Check(False, f"the disk of {folder} can only be read, as when a disk fails: use another one")
    yield Check(free >= LEAST_FREE, f"{free >> 20} MiB are free on the disk"
                + ("" if free >= LEAST_FREE else f": make room, at least {LEAST_FREE >> 20} MiB"))
    if stat.f_files and stat.f_favail < 1000:
        yield Check(False, f"the disk has room for only {stat.f_favail} more files: delete some")


def _system(root: Path) -> str:
    for line in _text(root / "etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return ""


def _heat(root: Path) -> Iterator[Check]:
    found = []
    for zone in sorted((root / "sys/class/thermal").glob("thermal_zone*")):
        value = _text(zone / "temp")
        if value.lstrip("-").isdigit():
            found.append(int(value) / 1000)
    if not found:
        return
    hottest = max(found)
    advice = ": give it air or shade" if hottest >= WARM_C else ""
    yield Check(hottest < HOT_C, f"it is {hottest:.0f} °C warm inside{advice}")


def _power(root: Path) -> Iterator[Check]:
    bits = throttled(root)
    if bits is None:
        return
    flagged = [(bit, words) for bit, words in THROTTLED.items() if bits & (1 << bit)]
    for bit, words in flagged:
        yield Check(bit not in WARNED, words)
    if not flagged:
        yield Check(True, "its power supply is strong enough")


def throttled(root: Path = Path("/")) -> int | None:
    """The Raspberry Pi firmware's status bits for power and heat (`THROTTLED`); None on other machines."""
    for path in (root / "sys/devices/platform/soc").glob("*firmware/get_throttled"):
        return _hex(_text(path))
    if shutil.which("vcgencmd") is None or root != Path("/"):
        return None
    try:
        answered = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return _hex(answered.stdout.strip().partition("=")[2])


def _clock(root: Path) -> Iterator[Check]:
    now = time.time()
    stamp = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    if now < BUILT:
        yield Check(False, f"the clock says {stamp}, which is impossible: set it, or the journal's times will be wrong")
        return
    synchronised = (root / "run/systemd/timesync/synchronized").exists()
    kept = any((root / "sys/class/rtc").glob("rtc*"))
    how = "set by the network" if synchronised else "kept by its own clock" if kept else \
        "not set by a time server: without a network and a clock of its own it loses the time when it is switched off"
    yield Check(True, f"the clock says {stamp}, {how}")


def _memory(root: Path) -> Iterator[Check]:
    for line in _text(root / "proc/meminfo").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            free = int(value.split()[0]) << 10
            yield Check(free >= LEAST_MEMORY, f"{free >> 20} MiB of memory are free"
                        + ("" if free >= LEAST_MEMORY else ": end other programs"))


def _hex(text: str) -> int | None:
    try:
        return int(text, 16)
    except ValueError:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace").strip("\0\n ")
    except OSError:
        return ""
