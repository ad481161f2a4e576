"""A kept clip as an MP4 that any phone plays: H.264, with the counts and the verdict drawn into the pictures.

The clip's pictures (`device/evidence/clips.py`) keep their times; a gap in which the camera gave none is shortened and
named. Before the first hand the board shows its counts; while hands are over it the pits show their letters only; after
the last hand it shows the new counts and what is wrong with them. The last picture stays for some seconds, so that the
verdict can be read.
"""

from __future__ import annotations

import io
import json
import math
import tempfile
import time
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from PIL import Image, ImageDraw

from device.evidence.clips import MOST_PICTURES, gaps
from device.films.encoder import Encoder
from device.films.letters import fitted, lines, width, write
from device.films.rings import INK, OCHRE, PALE, RED
from web.sharing.clip_file import read_part
from web.sharing.rings import Phase, overlay, scaled
from web.sharing.told import SharedVerdict
from web.words import say

WIDTH = 960
"""Pixels of the film's width."""
MOST_PIXELS = 4_000_000
"""Most pixels of one picture of a clip; the table writes no larger one."""
MOST_INDEX_BYTES = 100_000
HOLD_S = (1.0, 2.0, 3.0)
"""Seconds after the last picture at which it is shown again."""
GAP_S = 2.0
"""Seconds for which a gap without pictures is shown."""
MOST_S = 90.0
"""Most seconds that making a film may take."""
HEAD, LETTERS = 40, 22
"""Pixels of the band above the pictures, and of its letters."""
SENTENCE, MOST_LINES, SPACING = 27, 4, 1.36
"""Pixels of the sentence's letters, its most lines, and the height of a line in letter heights."""


class FilmError(Exception):
    """The clip cannot be made into a film: it is broken, or it takes too long."""


def film(clip: Path, told: SharedVerdict) -> bytes:
    """Return the MP4 of a kept clip. Raises FilmError."""
    try:
        with zipfile.ZipFile(clip) as file:
            return _encoded(file, told)
    except (OSError, LookupError, ValueError, zipfile.BadZipFile, Image.DecompressionBombError) as error:
        raise FilmError(str(error)) from error


def _encoded(file: zipfile.ZipFile, told: SharedVerdict) -> bytes:
    began, times, first = time.monotonic(), _times(file), _picture(file, 0)
    if told.place is not None and not scaled(told.place, first.size):
        raise FilmError("the clip shows another picture than the board was found in")
    sheet = Sheet(told, first.size)
    with tempfile.TemporaryDirectory(prefix="inkeek-") as folder:
        path = Path(folder) / "clip.mp4"
        with Encoder(path, sheet.size) as out:
            for at, picture in _shown(file, times, sheet):
                if time.monotonic() - began > MOST_S:
                    raise FilmError(f"it takes more than {MOST_S:.0f} seconds")
                out.add(picture, at)
        return path.read_bytes()


def _times(file: zipfile.ZipFile) -> list[float]:
    """Return the seconds of the clip's pictures since the first. Raises ValueError if they are invalid."""
    if file.getinfo("clip.json").file_size > MOST_INDEX_BYTES:
        raise ValueError("the clip's index is too long")
    times = [float(t) for t in json.loads(file.read("clip.json"))["times"]]
    if not 0 < len(times) <= MOST_PICTURES or times != sorted(times):
        raise ValueError("the clip's times are none")
    return times


def _picture(file: zipfile.ZipFile, number: int) -> Image.Image:
    """Return one picture of the clip, no wider than the film. Raises LookupError, ValueError, and as Pillow."""
    picture = Image.open(io.BytesIO(read_part(file, str(number))[0]), formats=["WEBP", "JPEG"])
    if picture.width * picture.height > MOST_PIXELS:
        raise ValueError("a picture of the clip is too large")
    scale = min(1.0, WIDTH / picture.width)
    size = (max(2, round(picture.width * scale / 2) * 2), max(2, round(picture.height * scale / 2) * 2))
    return picture.convert("RGB") if size == picture.size else picture.convert("RGB").resize(size, reducing_gap=2.0)


def _shown(file: zipfile.ZipFile, times: list[float], sheet: Sheet) -> Iterator[tuple[float, Image.Image]]:
    """Yield the film's pictures, each with its seconds since the beginning."""
    told, last = sheet.told, len(times) - 1
    began = float(json.loads(file.read("clip.json")).get("began", told.t - times[-1]))
    unwatched = dict(gaps(times))  # from when, until when
    watched_s, skipped_s = min(unwatched, default=times[-1]), 0.0
    for number, at in enumerate(times):
        phase = Phase.AFTER if number == last else phase_at(told, began + at, began + watched_s)
        yield at - skipped_s, sheet.page(_picture(file, number), phase, times[-1] - at)
        if at in unwatched:
            yield at - skipped_s + GAP_S / 4, sheet.page(_picture(file, number), Phase.GAP, times[-1] - at)
            skipped_s += unwatched[at] - at - GAP_S
    for hold in HOLD_S:
        yield times[-1] - skipped_s + hold, sheet.page(_picture(file, last), Phase.AFTER, -hold)


def phase_at(told: SharedVerdict, t: float, watched: float = math.inf) -> Phase:
    """Return which part of the move a picture shows. t, watched: seconds of the table's clock, the latter until when
    the camera gave pictures without a gap. If no hand was seen, nobody knows when the board changed, so no counts are
    shown until the verdict; and none between a gap and the hands."""
    if told.hands_in == told.hands_out or watched < t < told.hands_in or told.hands_in <= t <= told.hands_out:
        return Phase.HANDS
    return Phase.BEFORE if t < told.hands_in else Phase.AFTER


class Sheet:
    """The bands around every picture of a film and the marks over it, drawn once for each phase."""

    def __init__(self, told: SharedVerdict, picture: tuple[int, int]) -> None:
        """picture: size of the clip's pictures as shown, in pixels."""
        self.told, self._picture = told, picture
        self._sentence = lines(told.sentence, SENTENCE, picture[0] - 32, MOST_LINES)
        self._line = round(SENTENCE * SPACING)
        foot = self._line * (1 + len(self._sentence)) + 20
        self.size = (picture[0], HEAD + picture[1] + foot + foot % 2)
        """The film's size in pixels: even numbers, as H.264 requires."""
        self._overlays = {phase: overlay(told, picture, phase) for phase in Phase}
        self._bands = {phase: self._around(phase) for phase in Phase}

    def page(self, picture: Image.Image, phase: Phase, before_end_s: float) -> Image.Image:
        """Return one picture of the film. before_end_s: seconds until the verdict."""
        if picture.size != self._picture:
            raise ValueError("the clip's pictures differ in size")
        made = self._bands[phase].copy()
        made.paste(picture, (0, HEAD))
        over = self._overlays[phase]
        made.paste(over, (0, HEAD), over)
        clock = (self.told.at - timedelta(seconds=max(0.0, before_end_s))).strftime("%Y-%m-%d %H:%M:%S")
        write(ImageDraw.Draw(made), (self.size[0] - 16, HEAD / 2), clock, LETTERS, PALE, align=1)
        return made

    def _around(self, phase: Phase) -> Image.Image:
        """Return the bands above and below the picture: the players, and the sentence."""
        made = Image.new("RGB", self.size, INK[:3])
        draw = ImageDraw.Draw(made)
        room = self.size[0] - 48 - width("0000-00-00 00:00:00", LETTERS)
        write(draw, (16, HEAD / 2), fitted("   ".join(self.told.teams), LETTERS, room), LETTERS, PALE)
        y = HEAD + self._picture[1] + 10 + self._line / 2
        before, _, _ = self.told.headings
        heading = {Phase.BEFORE: before, Phase.HANDS: self.told.move, Phase.AFTER: self.told.stamp,
                   Phase.GAP: say("film.gap")}[phase]
        accused = phase is Phase.AFTER and self.told.kind in ("illegal", "tampered", "not-sure")
        if accused:
            wide = width(heading, SENTENCE) + 28
            draw.rounded_rectangle((14, y - self._line / 2, 14 + wide, y + self._line / 2), 8,
                                   fill=RED if self.told.kind == "illegal" else OCHRE)
        colour = INK if accused and self.told.kind != "illegal" else PALE
        write(draw, (28 if accused else 16, y), heading, SENTENCE, colour)
        if phase is Phase.AFTER:
            for line in self._sentence:
                y += self._line
                write(draw, (16, y + 6), line, SENTENCE, PALE)
        return made
