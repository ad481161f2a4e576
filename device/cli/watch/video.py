"""`inkeek watch --video`: write the recording as an MP4 with score, clock, counts and verdicts drawn in.

Each picture is drawn and encoded as soon as the table has taken in its frame, so only the newest is held in memory;
what stands around it is redrawn only when it changes. The file is written beside its place and renamed when whole.
"""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

import cv2
import numpy as np
from PIL import Image, ImageDraw

from device.cli.files import OutputError, unwritable
from device.cli.watch.output_forms import said_sure
from device.cli.watch.recorded_game import Seen
from device.cli.watch.story import KINDS, Story, StoryVerdict, clock, printable
from device.films.encoder import TICKS, Encoder, films_are_made
from device.films.letters import Colour, fitted, lines, width, write
from device.films.rings import INK, OCHRE, PALE, RED, Circle, RingedPit, overlay
from device.journal.states import State
from device.system.replacement import Replacement
from engine.position import Position
from vision.reading import BoardView, Frame

AT_REST = (State.WATCHING, State.OVER)
"""States in which the board matches the table's position."""
MOST_LINES = 3
"""Most lines of a verdict's sentence."""
HEAD, LETTERS, SENTENCE = 0.045, 0.022, 0.026
"""Shares of a picture's longer side: height of the band above, of its letters, and of the sentence's letters below."""
SPACING = 1.36
"""Height of a line, in heights of a letter."""
STAMPS: dict[str, Colour] = {"illegal": RED, "tampered": OCHRE, "not-sure": OCHRE, "blind": OCHRE}


class Pages:
    """Takes each event by `event`, and makes the film's pictures by `page`."""

    def __init__(self, name: object, picture: tuple[int, int]) -> None:
        """name: the recording's; picture: (width, height) at which its pictures are shown, pixels, both even."""
        self._name, self.picture, self._story = printable(name), picture, Story()
        self._verdict: StoryVerdict | None = None
        self._blind, self._sees = "", True
        """When and why the table could not see, until the next verdict or position; and whether it sees now."""
        self._number = 0
        side = max(picture)
        self._head = round(side * HEAD / 2) * 2
        self._letters, self._sentence = round(side * LETTERS), round(side * SENTENCE)
        self._line = round(self._sentence * SPACING)
        foot = self._line * (1 + MOST_LINES) + self._sentence
        self.size = (picture[0], self._head + picture[1] + foot + foot % 2)
        """(width, height) of the film, pixels: even numbers, as H.264 needs."""
        self._made: tuple[tuple[object, ...], Image.Image, Image.Image | None] | None = None

    def event(self, form: dict[str, Any]) -> None:
        """Take the next event, in its output form."""
        self._number += 1
        told = self._story.take(form)
        match form["event"]:
            case "verdict":
                self._verdict, self._blind, self._sees = told, "", True
            case "position":
                self._verdict, self._blind, self._sees = None, "", True
            case "blind" | "sighted":
                self._sees = form["event"] == "sighted"
                self._blind = f"Not watched from {self._story.unwatched[-1]}"

    def page(self, picture: Image.Image, seen: Seen) -> Image.Image:
        """One picture of the film. picture: the frame's, of the size `picture` of the constructor; seen: the frame, and
        what the table knew then."""
        bands, over = self._around(seen)
        made = bands.copy()
        made.paste(picture, (0, self._head))
        if over is not None:
            made.paste(over, (0, self._head), over)
        write(ImageDraw.Draw(made), (self.size[0] - self._letters, self._head / 2), clock(seen.frame.time_ns / 1e9),
              self._letters, PALE, align=1)
        return made

    def _around(self, seen: Seen) -> tuple[Image.Image, Image.Image | None]:
        """The bands above and below, and the overlay for the picture; None for no overlay if no board is seen."""
        rest, view = seen.state in AT_REST and not seen.hand, seen.view if self._sees else None
        key = (self._number, rest, None if view is None else (*view.picture_size, view.centres.round().tobytes()))
        if self._made is None or self._made[0] != key:
            self._made = key, self._bands(), None if view is None else self._over(view, rest)
        return self._made[1], self._made[2]

    def _over(self, view: BoardView, rest: bool) -> Image.Image | None:
        """The overlay with the board's pits. rest: the board matches the table's position, so show counts."""
        story, told = self._story, self._verdict
        if not story.position:
            return None
        position = Position.parse(story.position)
        board = position.board
        if (view.rows, view.cols) != (board.rows, board.cols):
            return None
        places = _places(view, position, self.picture)
        unsure = told is not None and told.kind == "not-sure"
        named, faint = _marks(told, places) if rest and told is not None else ([], set())
        return overlay(self.picture, places, [board.name(pit) for pit in range(board.pits)],
                       position.counts if rest and not unsure else None, named, faint)

    def _bands(self) -> Image.Image:
        """The bands above and below: the state of the game, and the last verdict."""
        made = Image.new("RGB", self.size, INK[:3])
        draw, edge = ImageDraw.Draw(made), self._letters
        room = self.size[0] - 3 * edge - width("0:00:00.0", self._letters)
        write(draw, (edge, self._head / 2), fitted(self._standing(), self._letters, room), self._letters, PALE)
        kind, heading, sentence = self._said()
        y = self._head + self.picture[1] + self._sentence / 2 + self._line / 2
        stamp = KINDS.get(kind, kind).capitalize()
        x, colour = float(edge), STAMPS.get(kind)
        if colour is not None:
            wide = width(stamp, self._sentence) + self._sentence
            draw.rounded_rectangle((x, y - self._line / 2, x + wide, y + self._line / 2), self._sentence / 3,
                                   fill=colour)
            write(draw, (x + wide / 2, y), stamp, self._sentence, PALE if colour is RED else INK, align=0.5)
            x += wide + self._sentence / 2
        elif stamp:
            heading = f"{stamp}: {heading}" if heading else stamp
        write(draw, (x, y), fitted(heading, self._sentence, self.size[0] - x - edge), self._sentence, PALE)
        for line in lines(sentence, self._sentence, self.size[0] - 2 * edge, MOST_LINES):
            y += self._line
            write(draw, (edge, y + self._sentence / 4), line, self._sentence, PALE)
        return made

    def _standing(self) -> str:
        """Score and turn or outcome; the recording's name before the game begins."""
        story = self._story
        if not story.position:
            return self._name
        south, north = story.score
        now = story.outcome if story.end is not None else f"{Position.parse(story.position).to_move.title} to move"
        return f"South {south}, North {north}; {now}"

    def _said(self) -> tuple[str, str, str]:
        """Kind, heading and sentence of the last verdict or blindness."""
        if self._blind:
            return "blind", "", printable(self._blind)
        told = self._verdict
        if told is None:
            return "", "", ""
        move = " ".join(filter(None, (told.who, str(told.form.get("move") or ""))))
        return told.kind, ", ".join(filter(None, (move, said_sure(told.form)))), printable(told.form["sentence"])


def _places(view: BoardView, position: Position, size: tuple[int, int]) -> list[Circle]:
    """The pits' circles in a picture of `size`, in the ring's order."""
    across, down = size[0] / view.picture_size[0], size[1] / view.picture_size[1]
    return [(float(view.centres[place][0]) * across, float(view.centres[place][1]) * down,
             float(view.radii[place]) * min(across, down))
            for place in map(position.board.place, range(position.board.pits))]


def _marks(told: StoryVerdict, places: list[Circle]) -> tuple[list[RingedPit], set[int]]:
    """The pits that a verdict names, each with its label; and the others that changed as a result."""
    position, due = Position.parse(told.form["position"] or told.before), told.due
    middle = sum(y for _, y, _ in places) / len(places)
    return [RingedPit(pit, _label(pit, position, due), OCHRE if due is None else RED, places[pit][1] < middle)
            for pit in sorted(told.named)], told.differing - told.named


def _label(pit: int, lies: Position, due: Position | None) -> str:
    """The label of a pit that a verdict names. due: the board as it should be, None if unknown."""
    name, n = lies.board.name(pit), lies.counts[pit]
    if due is None:
        return f"{name}: {n}?"
    return f"{name}: {n}" if due.counts[pit] == n else f"{name}: {n}, should be {due.counts[pit]}"


LONGEST, SHORTEST = 1280, 640
"""Most and fewest pixels of the pictures' longer side: the letters must be legible."""
HOLD_S = (1.0, 2.0, 3.0)
"""Seconds after the end at which the last picture is repeated, so that the last verdict can be read."""


class Video:
    """A film in the making, from events and frames as they come; `write_out` puts the file in place. A context manager,
    which removes an unfinished file."""

    def __init__(self, path: Path, name: str) -> None:
        """path: the file; name: the recording's. Raises `OutputError`."""
        if not films_are_made():
            raise OutputError("--video needs PyAV: pip install 'inkeek[clips]'")
        self._path, self._name = path, name
        try:
            self._file = Replacement(path)
        except OSError as error:
            raise unwritable(path, error) from error
        self._early: list[dict[str, Any]] = []
        self._pages: Pages | None = None
        self._film: Encoder | None = None
        self._last: Seen | None = None
        self._began_ns = 0
        self._failed: OSError | None = None

    def __enter__(self) -> Self:
        """The film, ready for events and frames."""
        return self

    def __exit__(self, error: type[BaseException] | None, what: BaseException | None,
                 where: TracebackType | None) -> None:
        """Remove the file if it was not put in place."""
        try:
            self._close(error or OutputError)
        finally:
            self._file.__exit__(error, what, where)

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """Ignore the frame: it is drawn by `seen`, after the table has taken it in."""

    def event(self, form: dict[str, Any]) -> None:
        """Take the next event, in its output form."""
        if self._pages is None:
            self._early.append(form)  # events before the first frame: a few
        else:
            self._pages.event(form)
            if "since" in form:
                self._stand_still(form["since"])

    def seen(self, seen: Seen) -> None:
        """Take the next frame, with what the table knows after it; the last one comes again at the end."""
        if self._failed is not None:
            return
        try:
            self._take(seen)
        except OSError as error:  # reported at the end, as the verdicts are worth more than the film
            self._failed = error

    def _stand_still(self, since: float) -> None:
        """Repeat the last picture with its notice: no frames have come since `since`, seconds."""
        at = since + 1 / TICKS - self._began_ns / 1e9
        if self._last is not None and self._failed is None and at > self._at(self._last):
            try:
                self._add(self._last, at)
            except OSError as error:
                self._failed = error

    def _take(self, seen: Seen) -> None:
        if self._last is None:
            self._began_ns = seen.frame.time_ns
            self._begin(seen.frame)
        elif self._at(seen) - self._at(self._last) < 1 / TICKS:
            self._last = seen
            return
        self._last = seen
        self._add(seen, self._at(seen))

    def _at(self, seen: Seen) -> float:
        """The frame's time in the film, seconds."""
        return (seen.frame.time_ns - self._began_ns) / 1e9

    def _begin(self, frame: Frame) -> None:
        """Begin the film, at the size of its first picture."""
        self._pages = Pages(self._name, _size(frame))
        for form in self._early:
            self._pages.event(form)
        self._film = Encoder(self._file.new, self._pages.size)
        self._film.__enter__()

    def _add(self, seen: Seen, at_s: float) -> None:
        assert self._pages is not None and self._film is not None
        self._film.add(self._pages.page(_picture(seen.frame, self._pages.picture), seen), at_s)

    def write_out(self) -> None:
        """Hold the last picture for some seconds, and put the file in place. Raises `OutputError`."""
        try:
            if self._last is not None and self._failed is None:
                for hold in HOLD_S:
                    self._add(self._last, self._at(self._last) + hold)
            self._close(None)
            if self._failed is not None:
                raise self._failed
            self._file.put()
        except OSError as error:
            raise unwritable(self._path, error) from error

    def _close(self, error: type[BaseException] | None) -> None:
        """Close the film, once. error: the reason why it is discarded, None to keep it."""
        film, self._film = self._film, None
        if film is not None:
            film.__exit__(error or (None if self._failed is None else OSError), None, None)


def _size(frame: Frame) -> tuple[int, int]:
    """(width, height) at which a frame is shown, pixels: even numbers."""
    height, width = frame.image.shape[:2]
    longer = max(width, height)
    scale = min(max(longer, SHORTEST), LONGEST) / longer
    return max(2, round(width * scale / 2) * 2), max(2, round(height * scale / 2) * 2)


def _picture(frame: Frame, size: tuple[int, int]) -> Image.Image:
    """The frame's picture, RGB, scaled to that size."""
    image = frame.image
    if image.shape[1::-1] != size:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Image.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
