"""The support bundle: what somebody far away needs to find a fault, without what identifies people.

Pictures, which may show faces, are left out, and so are names and typed text, unless a person asks for them.
"""

import getpass
import io
import json
import platform
import re
import socket
import subprocess
import tarfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from device.cameras.addresses import without_secrets
from device.journal import Journal, JournalError
from device.journal.backup import stills
from device.journal.events import (
    Blind,
    BoardFound,
    CameraNoted,
    Event,
    EvidenceDropped,
    GameOver,
    GameStarted,
    KeptInMemory,
    OrderAnswered,
    PositionSet,
    Sighted,
    StateEntered,
    TableStarted,
    VerdictGiven,
)
from device.system.folder import DataFolder
from device.system.replacement import Replacement

OURS = (TableStarted, GameStarted, BoardFound, StateEntered, Blind, Sighted, CameraNoted, KeptInMemory, EvidenceDropped,
        VerdictGiven, PositionSet, OrderAnswered, GameOver)
"""Events that the program writes. Of others, which hold what people typed, only the type is included."""
EVENTS = 500
"""How many of the last events are included."""
STILLS = 12
LOG_LINES = 3000


def write_bundle(path: Path, folder: DataFolder, doctor: str, *, pictures: bool = False,
                 names: bool = False) -> list[str]:
    """Write the bundle; return the names of its files. pictures: include the live picture and the last stills; names:
    include all events unchanged. Raises OSError.
    """
    parts: dict[str, bytes] = {
        "doctor.txt": doctor.encode(),
        "machine.txt": f"{platform.platform()}\nPython {platform.python_version()}\n".encode(),
        "packages.txt": "".join(sorted(_packages())).encode(),
        "log.txt": _log().encode(),
    }
    for name, file in (("inkeek.toml", folder.path / "inkeek.toml"), ("live.json", folder.live / "state.json")):
        data = _bytes(file)
        if data:
            parts[name] = without_secrets(data.decode(errors="replace")).encode()
    events: list[Event] = []
    try:
        with Journal(folder.journal, readonly=True) as journal:
            bad, events = journal.verify(), journal.sound()
            parts["journal.txt"] = f"{journal.last} events; {'whole' if bad is None else bad.reason}\n".encode()
    except JournalError as error:
        parts["journal.txt"] = f"{error}\n".encode()
    counts = Counter(event.type for event in events)
    parts["events-by-type.json"] = json.dumps(dict(counts.most_common()), indent=1).encode()
    parts["events.jsonl"] = "".join(_line(event, names) + "\n" for event in events[-EVENTS:]).encode()
    if not names:
        parts = {name: unnamed(data.decode(errors="replace")).encode() for name, data in parts.items()}
    if pictures:
        last = list(dict.fromkeys(name for name, _ in stills(reversed(events))
                                  if name.endswith(".jpg")))[:STILLS]
        files = [("pictures/live.jpg", folder.live / "frame.jpg"),
                 *((f"pictures/{name}", folder.evidence / name) for name in last)]
        parts |= {name: data for name, file in files if (data := _bytes(file))}
    _pack(path, parts)
    return sorted(parts)


def unnamed(text: str) -> str:
    """The text without the names of this machine, its user and home folders."""
    for secret, stands in ((socket.gethostname(), "HOST"), (_user(), "USER")):
        if len(secret) > 2 and secret not in ("root", "inkeek", "localhost"):
            text = re.sub(rf"\b{re.escape(secret)}\b", stands, text)
    return re.sub(r"/home/[^/\s\"']+", "/home/USER", text)


def _line(event: Event, names: bool) -> str:
    head = {"number": event.number, "at": event.at, "type": event.type}
    if names or isinstance(event.body, OURS):
        body = json.loads(msgspec.json.encode(event.body))
        if not names:
            body.pop("by", None)
        head["body"] = body
    return json.dumps(head, ensure_ascii=False)


def _packages() -> Iterable[str]:
    from importlib.metadata import distributions

    return {f"{d.metadata['Name']} {d.version}\n" for d in distributions() if d.metadata["Name"]}


def _log() -> str:
    """The services' log, as far as this user may read it."""
    try:
        done = subprocess.run(["journalctl", "--unit=inkeek-table", "--unit=inkeek-page", f"--lines={LOG_LINES}",
                               "--no-pager", "--output=short-iso", "--no-hostname"],
                              capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "there is no log of services here\n"
    return done.stdout or done.stderr


def _pack(path: Path, parts: dict[str, bytes]) -> None:
    with Replacement(path, mode=0o600) as file:
        with tarfile.open(file.new, "w:gz") as archive:
            for name, data in sorted(parts.items()):
                entry = tarfile.TarInfo(f"inkeek-support/{name}")
                entry.size, entry.mtime, entry.mode = len(data), int(time.time()), 0o600
                archive.addfile(entry, io.BytesIO(data))
        file.put()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""
