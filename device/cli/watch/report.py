"""`inkeek watch --report`: one self-contained HTML file with the moves, pictures of the fouls, and the score.

Jinja escapes everything that comes from a file. The report runs no script and fetches nothing, and its content security
policy forbids both.
"""

import os
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cv2
import jinja2
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from device.cli.files import unwritable
from device.cli.watch.output_forms import said_sure
from device.cli.watch.story import KINDS, Story, StoryVerdict, clock, printable
from device.evidence.stills import QUALITY
from device.films import carved
from device.system.replacement import replace_file
from engine import certainty
from engine.explain import listed
from engine.position import Position
from engine.rules import Rules
from vision.reading import Frame

LEFT, RIGHT, TOP, BOTTOM = 40, 630, 10, 140
"""Edges of the score curve in the drawing."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The score over time. south, north: the captured seeds of each, as SVG paths. most: seeds at the top edge. begin,
    end: seconds at the left and the right edge. words: the same for a screen reader."""

    south: str
    north: str
    most: int
    begin: float
    end: float
    words: str


def board_after(told: StoryVerdict) -> Markup:
    """The board after a verdict, as SVG with rings; "" if unknown."""
    lies = told.lies
    if lies is None:
        return Markup("")
    return _drawn(lies, told.kind, "is", {pit: ring for pit in range(lies.board.pits) if (ring := _ring(told, pit))})


def board_at(line: str) -> Markup:
    """The board of a position line, as SVG."""
    return _drawn(Position.parse(line), "legal", "is", {})


def board_due(told: StoryVerdict) -> Markup:
    """The board as it should be after a foul, as SVG with rings; "" if unknown."""
    due = told.due
    if due is None:
        return Markup("")
    return _drawn(due, told.kind, "due", {pit: ring for pit in range(due.board.pits)
                                          if (ring := _ring(told, pit)) and ring != "played"})


def _drawn(lies: Position, kind: str, where: str, rings: Mapping[int, str]) -> Markup:
    """A board with rings, in the page's colours for that kind of verdict. where: "is" or "due"."""
    bulls = {pit: owner.letter for pit, owner in enumerate(lies.bulls) if owner is not None}
    board = carved.board_svg(lies.board, lies.counts, bulls, lies.captured, rings, _words(lies))
    return Markup(f'<span class="{kind}"><span class="{where}">{board}</span></span>')


def _ring(told: StoryVerdict, pit: int) -> str:
    """The CSS classes of a pit's ring, as on the page; "" for no ring."""
    if told.kind in ("illegal", "tampered", "not-sure") and pit in told.named:
        return "odd"
    if pit in told.differing:
        return "odd follows"
    return "played" if pit == told.played else ""


def _words(lies: Position) -> str:
    """The counts of a board in words, row by row."""
    board = lies.board
    rows = [f"{board.owner(board.at(row, 0)).title}, {board.name(board.at(row, 0))} to "
            f"{board.name(board.at(row, board.cols - 1))}: {', '.join(map(str, counts))}"
            for row, counts in enumerate(lies.rows())]
    return f"{'; '.join(rows)}; captured: South {lies.captured[0]}, North {lies.captured[1]}"


def score_curve(start: str, told: Sequence[StoryVerdict]) -> Curve | None:
    """The score over time, from the verdicts that were not replaced; None if nothing was captured or seen.
    start: the position line that the game began from."""
    stood = [one for one in told if not one.replaced and one.lies is not None]
    if not start or not stood:
        return None
    began = Position.parse(start).captured
    points = [(0.0, began), *((float(one.form["t"]), one.lies.captured) for one in stood if one.lies is not None)]
    most, end = max(max(score) for _, score in points), points[-1][0]
    if not most or not end:
        return None
    south, north = (_path([(t, score[side]) for t, score in points], end, most) for side in (0, 1))
    said = "; ".join(f"{clock(t)} {score[0]}-{score[1]}" for t, score in points)
    return Curve(south, north, most, 0.0, end, f"Captured seeds, South and North: {said}")


def _path(points: Sequence[tuple[float, int]], end: float, most: int) -> str:
    """The SVG path of steps through the points (seconds, seeds)."""
    placed = [(LEFT + (RIGHT - LEFT) * t / end, BOTTOM - (BOTTOM - TOP) * n / most) for t, n in points]
    x, y = placed[0]
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in placed[1:])


SHOWN = ("illegal", "not-sure", "tampered")
"""Verdicts shown with pictures: those that accuse, or ask people."""
MOST_SHOWN = 200
"""Most verdicts with pictures; a recording of some hours could fill a disk."""
WIDEST = 960
"""Pixels of a still's width."""
SECTIONS = {"illegal": "fouls", "not-sure": "doubts", "tampered": "boards changed without a move"}
"""Section headings for the verdicts shown with pictures."""
PLAYED = (".mp4", ".m4v", ".mov", ".webm", ".ogv")
"""Suffixes of films that browsers play."""
LEAD_S = 1.0
"""Links start the film this long before the hand came."""


@dataclass(frozen=True, slots=True)
class MovePictures:
    """JPEGs of the board at rest before a move and at the verdict; None if there was none."""

    before: bytes | None
    after: bytes | None


class Report:
    """Collects frames and events of a recording; `write_out` makes the file."""

    def __init__(self, path: Path, name: object, rules: Rules, film: Path | None = None) -> None:
        """path: the file; name: the recording's; rules: the game's; film: the recording, or the film made of it, to
        which the times link."""
        self._path, self._name, self._rules = path, name, rules
        self._film = film if film is not None and film.suffix.lower() in PLAYED else None
        self._story = Story()
        self._shown: dict[int, MovePictures] = {}
        self._calm: NDArray[np.uint8] | None = None
        self._now: NDArray[np.uint8] | None = None

    def frame(self, frame: Frame, _duration_s: float | None) -> None:
        """Take the next frame of the recording."""
        self._now = frame.image

    def event(self, form: dict[str, Any]) -> None:
        """Take the next event, in its output form. The board is at rest at a verdict and when a position is set."""
        told = self._story.take(form)
        if told is not None and told.kind in SHOWN and len(self._shown) < MOST_SHOWN:
            self._shown[len(self._story.verdicts) - 1] = MovePictures(_jpeg(self._calm), _jpeg(self._now))
        if form["event"] in ("verdict", "position"):
            self._calm = self._now

    def write_out(self) -> None:
        """Write the file, whole or not at all. Raises `OutputError`."""
        try:
            replace_file(self._path, self.html().encode())
        except OSError as error:
            raise unwritable(self._path, error) from error

    def html(self) -> str:
        """The report so far, as HTML."""
        template = _templates().get_template("report.html")
        story, film = self._story, self._film
        shown = [(number, one, self._shown.get(number - 1)) for number, one in enumerate(story.verdicts, 1)
                 if one.kind in SHOWN]
        return template.render(
            name=printable(self._name), rules=self._rules, story=story, numbered=list(enumerate(story.verdicts, 1)),
            shown=shown, heading=_heading({one.kind for _, one, _ in shown}), board_after=board_after,
            board_due=board_due, board_at=board_at, paints=Markup(carved.PAINTS),
            styles=Markup(carved.STYLES.read_text("utf-8")),
            most=certainty.percent(1.0), curve=score_curve(story.start, story.verdicts),
            film=None if film is None else _address(film, self._path),
            film_name="" if film is None else printable(film.name))


def _heading(kinds: set[str]) -> str:
    """The heading above the verdicts shown with pictures."""
    found = [heading for kind, heading in SECTIONS.items() if kind in kinds] or [*SECTIONS.values()][:2]
    return listed(found).capitalize()


def _headed(told: StoryVerdict) -> str:
    """The heading of a verdict: `illegal: South c`."""
    if told.kind == "tampered":
        return "board changed without a move"
    about = " ".join(filter(None, (told.who, str(told.form.get("move") or ""))))
    return f"{KINDS[told.kind]}: {about}" if about else KINDS[told.kind]


def _address(film: Path, report: Path) -> str:
    """The film's URL relative to the report."""
    return quote(os.path.relpath(film.resolve(), report.resolve().parent))


def _begins(told: StoryVerdict) -> str:
    """The second from which the film shows the move."""
    return f"{max(0.0, float(told.form.get('hands_in') or told.form['t']) - LEAD_S):.1f}"


def _templates() -> jinja2.Environment:
    made = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
                              undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    filters: dict[str, Callable[..., Any]] = {"clock": clock, "printable": printable, "percent": certainty.percent,
                                              "sure": said_sure,
                                              "kind": lambda kind: KINDS.get(kind, kind), "data": _data,
                                              "begins": _begins, "headed": _headed}
    made.filters.update(filters)
    return made


def _data(jpeg: bytes) -> str:
    """A picture as a data URL."""
    return f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"


def _jpeg(image: NDArray[np.uint8] | None) -> bytes | None:
    """The picture as a JPEG, at most `WIDEST` wide; None for None, or if encoding fails."""
    if image is None:
        return None
    height, width = image.shape[:2]
    if width > WIDEST:
        image = np.asarray(cv2.resize(image, (WIDEST, max(1, round(height * WIDEST / width))),
                                      interpolation=cv2.INTER_AREA), np.uint8)
    packed, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if packed else None
