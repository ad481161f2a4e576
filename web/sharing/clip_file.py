"""Reads a clip's file as `device.evidence.clips` packs it: its index, and its pictures by number."""

import json
import re
import zipfile
from pathlib import Path

INDEX = "clip.json"
PART = re.compile(r"clip\.json|[0-9]{1,3}")
"""The names under which a page asks for a clip's parts."""
MOST_BYTES = 4_000_000
"""Most bytes of one part; the table writes no larger one."""
KINDS = {".webp": "image/webp", ".jpg": "image/jpeg", ".json": "application/json"}
"""Media types by file ending. Clips from before 27 November 2026 hold JPEGs."""


def part_of(path: Path, asked: str) -> tuple[bytes, str]:
    """Return a part of the clip at `path`, and its media type. asked: `clip.json`, or a picture's number. Raises
    LookupError if there is no such part or the clip cannot be read."""
    if not PART.fullmatch(asked):
        raise LookupError(asked)
    try:
        with zipfile.ZipFile(path) as file:
            return read_part(file, asked)
    except (OSError, zipfile.BadZipFile) as error:
        raise LookupError(asked) from error


def moment_in(path: Path, back: float) -> tuple[bytes, str]:
    """Return the first picture of the clip at `path` that is at most `back` seconds older than its last, and its media
    type. Raises LookupError if there is none or the clip cannot be read."""
    data, _ = part_of(path, INDEX)
    try:
        times = [float(at) for at in json.loads(data)["times"]]
    except (ValueError, TypeError, KeyError) as error:
        raise LookupError(INDEX) from error
    return part_of(path, str(next((i for i, at in enumerate(times) if at >= times[-1] - back), 0)))


def read_part(file: zipfile.ZipFile, asked: str) -> tuple[bytes, str]:
    """Return the same from an open clip. Raises LookupError, OSError or `zipfile.BadZipFile`."""
    names = [INDEX] if asked == INDEX else [f"{int(asked):03d}{ending}" for ending in (".webp", ".jpg")]
    there = next(iter(set(names) & set(file.namelist())), None)
    if there is None or file.getinfo(there).file_size > MOST_BYTES:
        raise LookupError(asked)
    return file.read(there), KINDS[Path(there).suffix]
