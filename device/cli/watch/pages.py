"""Compose the pictures of `inkeek watch --video`: the frame with score, clock, pits and verdict.

These parts are redrawn only when they change, and pasted onto every picture.
"""

from typing import Any

from PIL import Image, ImageDraw

from device.cli.watch.output_forms import said_sure
from device.cli.watch.recorded_game import Seen
from device.cli.watch.story import KINDS, Story, ToldVerdict, clock, printable
from device.films.letters import Colour, fitted, lines, width, write
from device.films.rings import INK, OCHRE, PALE, RED, Circle, RingedPit, overlay
from device.journal.states import State
from engine.position import Position
from vision.reading import BoardView

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
        self._told: ToldVerdict | None = None
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
                self._told, self._blind, self._sees = told, "", True
            case "position":
                self._told, self._blind, self._sees = None, "", True
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
        key = (self._number, rest, None if view is None else (*view.size, view.centres.round().tobytes()))
        if self._made is None or self._made[0] != key:
            self._made = key, self._bands(), None if view is None else self._over(view, rest)
        return self._made[1], self._made[2]

    def _over(self, view: BoardView, rest: bool) -> Image.Image | None:
        """The overlay with the board's pits. rest: the board matches the table's position, so show counts."""
        story, told = self._story, self._told
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
        told = self._told
        if told is None:
            return "", "", ""
        move = " ".join(filter(None, (told.who, str(told.form.get("move") or ""))))
        return told.kind, ", ".join(filter(None, (move, said_sure(told.form)))), printable(told.form["sentence"])


def _places(view: BoardView, position: Position, size: tuple[int, int]) -> list[Circle]:
    """The pits' circles in a picture of `size`, in the ring's order."""
    across, down = size[0] / view.size[0], size[1] / view.size[1]
    return [(float(view.centres[place][0]) * across, float(view.centres[place][1]) * down,
             float(view.radii[place]) * min(across, down))
            for place in map(position.board.place, range(position.board.pits))]


def _marks(told: ToldVerdict, places: list[Circle]) -> tuple[list[RingedPit], set[int]]:
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
