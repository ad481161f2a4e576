"""A table's data folder without a table: journals and live files as the table writes them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np

from device.evidence.clips import narrowed, packed
from device.journal.events import (
    BoardFound,
    ClipKept,
    Explained,
    FaultSeen,
    GameStarted,
    OrderAnswered,
    StateEntered,
    TableStarted,
    VerdictGiven,
    translatable,
)
from device.journal.game import Game
from device.journal.store import Journal
from device.table.orders import answer
from device.table.verdict_events import drawn
from engine.board import Board
from engine.messages import Message
from engine.position import Position
from engine.rules import Move, Rules, ruleset
from engine.trace import Drop, Trace
from engine.verdict import Fault


class Stage:
    """Plays a game into the journal of `folder`, move by move, and shows its live files."""

    def __init__(self, folder: Path) -> None:
        """Make an empty journal in the folder, and the folders of live files and evidence."""
        self.folder = folder
        (folder / "live").mkdir(parents=True, exist_ok=True)
        (folder / "evidence").mkdir(exist_ok=True)
        self.journal = Journal(folder / "journal.sqlite3")
        self.rules: Rules = ruleset("enkeshui")
        self.position: Position = self.rules.setup()

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()

    def begin(self, game: str = "enkeshui", board: str = "2x8", sets: dict[str, str] | None = None) -> int:
        """The table starts, and a game with it; the last event's number. sets: changed fields of the rules."""
        self.rules = ruleset(game, None, sets or {})
        self.position = self.rules.setup(board=Board.parse(board))
        self.journal.append(TableStarted(camera="stage", version="0"))
        self.journal.append(GameStarted(game=game, rules=self.rules.name, board=board, position=str(self.position),
                                        sets=sets or {}))
        return self.journal.append(StateEntered(state="watching")).number

    def place(self) -> None:
        """The board is found where `live` shows it, and where the photographs have it."""
        board = self.position.board
        self.journal.append(BoardFound(size=(640, 360), pits=[
            (40.0 + 70 * col, 120.0 + 90 * row, 28.0) for row, col in map(board.place, range(board.pits))]))

    def legal(self, name: str = "") -> int:
        """The named move (default: the first that there is), said to be legal."""
        move = self._move(name)
        number = self.journal.append(self._verdict("legal", move, move.position, f"Legal: {move.name}.")).number
        self.position = move.position
        return number

    def cheat(self, name: str = "") -> int:
        """The named move with one seed smuggled from one pit into another, caught."""
        move = self._move(name)
        counts = list(move.position.counts)
        into = next(step.pit for step in move.trace if isinstance(step, Drop))
        full = [pit for pit, n in enumerate(counts) if n > 1 and pit != into]
        counts[into] += 1
        counts[full[-1]] -= 1
        lies = replace(move.position, counts=tuple(counts))
        fault = FaultSeen(code="double", pit=lies.board.name(into), lap=1, n=1)
        said = self._verdict("illegal", move, lies, f"{move.name}: two seeds into {fault.pit}; one was due.")
        said = replace_struct(said, steps=drawn(lies.board, doubled(move.trace, into), [Fault("double", into, 1, 1)]))
        best = [Explained(kind="illegal", p=0.99, move=move.name, player=said.player, faults=[fault]),
                Explained(kind="legal", p=0.004, move=move.name, player=said.player)]
        read = list(lies.counts)  # by itself the camera reads one pit otherwise than the referee, who knows the game
        read[full[-1]] += 1
        body = replace_struct(said, faults=[fault], expected=str(move.position), best=best, counts=read)
        number = self.journal.append(body).number
        self.position = lies
        return number

    def doubt(self, *pits: str) -> int:
        """A move that the table is not sure of, because of `pits`."""
        move = self._move("")
        said = self._verdict("not-sure", move, move.position, "Not sure of this one.")
        return self.journal.append(replace_struct(said, pits=list(pits), confidence=0.6)).number

    def again(self, verdict: int, kind: str) -> int:
        """That verdict's move, judged again as being of that kind."""
        event = self.journal.get(verdict)
        assert event is not None and isinstance(event.body, VerdictGiven)
        said = f"Judged again: {event.body.move}."
        return self.journal.append(replace_struct(event.body, kind=kind, faults=[], expected="", best=[],
                                                  sentence=said, answers=verdict)).number

    def take(self) -> None:
        """The newest order is taken up, or refused, as the table does it where no camera is needed."""
        game = Game.recalled(self.journal.read())
        number = self.journal.last
        reply = answer(game.pending[number], game, None)
        for body in reply.bodies:
            self.journal.append(body)
            if isinstance(body, GameStarted):
                self.rules, self.position = ruleset(body.game, body.rules), Position.parse(body.position)
        self.journal.append(OrderAnswered(order=number, done=reply.done, sentence=reply.sentence,
                                          told=translatable(reply.message)))

    def live(self, state: str = "watching", why: Message | str = "", doubtful: tuple[str, ...] = (), *,
             counts: Mapping[str, int] | None = None, covered: tuple[str, ...] = (), **more: object) -> None:
        """The live files: a grey picture with the pits in it. counts: of pits that read otherwise than the game stands;
        more: further fields."""
        board = self.position.board
        pits = []
        for pit in range(board.pits):
            row, col = board.place(pit)
            name = board.name(pit)
            pits.append({"name": name, "x": 40.0 + 70 * col, "y": 120.0 + 90 * row, "r": 28.0,
                         "seen": name not in covered, "count": (counts or {}).get(name, self.position.counts[pit]),
                         "p": 0.5 if name in doubtful else 0.99})
        shown = {"t": 1.0, "state": state, "why": str(why), "told": msgspec.to_builtins(translatable(why)),
                 "size": [640, 360], "pits": pits, "hands": [0.0, 0.0], "position": str(self.position), "fps": 15.0,
                 "light": 90.0, "sharp": 2.6, "south": "bottom", **more}
        self._put("frame.jpg", jpeg())
        self._put("state.json", json.dumps(shown).encode())

    def still(self, shade: int) -> str:
        """A still in the evidence folder; its name."""
        picture = jpeg(shade)
        name = f"{hashlib.sha256(picture).hexdigest()}.jpg"
        (self.folder / "evidence" / name).write_bytes(picture)
        return name

    def clip(self, verdict: int, pictures: int = 8) -> str:
        """A clip of that verdict's move, kept; its name."""
        data = packed([(0.2 * i, webp(60 + 15 * i)) for i in range(pictures)])
        name = f"{hashlib.sha256(data).hexdigest()}.zip"
        (self.folder / "evidence" / name).write_bytes(data)
        self.journal.append(ClipKept(verdict=verdict, clip=name))
        return name

    def _put(self, name: str, content: bytes) -> None:
        half = self.folder / "live" / f"{name}.half"
        half.write_bytes(content)
        half.replace(self.folder / "live" / name)

    def _move(self, name: str) -> Move:
        moves = self.rules.moves(self.position).moves
        return next(move for move in moves if not name or move.name == name)

    def _verdict(self, kind: str, move: Move, lies: Position, sentence: str) -> VerdictGiven:
        return VerdictGiven(
            kind=kind, player=self.position.to_move.letter,  # type: ignore[arg-type]  # any kind can be staged
            before=str(self.position), position=str(lies), sentence=sentence, move=move.name,
            steps=drawn(lies.board, move.trace), captured=move.captured, confidence=0.99,
            still_before=self.still(90), still_after=self.still(140))


def replace_struct(body: VerdictGiven, **changes: object) -> VerdictGiven:
    """The verdict with some fields changed."""
    fields = {name: getattr(body, name) for name in body.__struct_fields__}
    return VerdictGiven(**(fields | changes))


def doubled(trace: Trace, pit: int) -> Trace:
    """The trace with a second seed into `pit` in its first lap."""
    at = trace.index(Drop(pit))
    return (*trace[:at], Drop(pit), *trace[at:])


@cache
def webp(shade: int) -> bytes:
    """A plain picture as clips keep it."""
    return narrowed(jpeg(shade))


@cache
def jpeg(shade: int = 120) -> bytes:
    """A plain picture."""
    done, data = cv2.imencode(".jpg", np.full((360, 640, 3), shade, np.uint8))
    assert done
    return bytes(data)
