"""How a picture may show the board turned."""

from __future__ import annotations

from dataclasses import replace
from enum import IntFlag
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from device.journal.messages import message
from device.south import South
from engine.board import Board
from engine.messages import Message
from engine.position import Position
from engine.referee.emission import Memory
from engine.referee.observation import Observation

Pixel = TypeVar("Pixel", bound=np.generic)


class Turn(IntFlag):
    """How a picture turns the board: its columns, its rows or both are reversed. `^` combines two turns."""

    NONE = 0
    COLUMNS = 1
    ROWS = 2

    @property
    def word(self) -> str:
        """The turn's word in the journal: "", mirrored, flipped or turned."""
        return WORDS[self]

    @property
    def why(self) -> Message:
        """The message that the picture shows the board turned in this way."""
        return WHY[self]

    @property
    def done(self) -> Message:
        """The message that the picture is now turned in this way."""
        return DONE[self]

    @classmethod
    def of(cls, word: str) -> Turn:
        """The turn of a word. Raises ValueError for an unknown one."""
        for turn in TURNS:
            if turn.word == word:
                return turn
        raise ValueError(f"{word!r} is no way to turn a picture: mirrored, flipped or turned")

    def pits(self, board: Board) -> list[int]:
        """For each pit of the turned picture, along the ring: the real pit that it shows."""
        places = [board.place(pit) for pit in range(board.pits)]
        rows, cols = bool(self & Turn.ROWS), bool(self & Turn.COLUMNS)
        return [board.at(board.rows - 1 - row if rows else row, board.cols - 1 - col if cols else col)
                for row, col in places]

    def image(self, image: NDArray[Pixel], south: South) -> NDArray[Pixel]:
        """Turn a picture, [h, w] or [h, w, 3], to show the board as people see it. south: the edge where South sits."""
        along = 1 if south in ("bottom", "top") else 0
        axes = [axis for axis, part in ((along, Turn.COLUMNS), (1 - along, Turn.ROWS)) if self & part]
        return np.ascontiguousarray(np.flip(image, tuple(axes))) if axes else image

    def observation(self, seen: Observation, board: Board) -> Observation:
        """The observation as if the picture were turned, without the looks under hands."""
        pits, swapped = self.pits(board), bool(self & Turn.ROWS)
        return replace(
            seen, loglik=seen.loglik[pits], seen=seen.seen[pits], stays=seen.stays[pits], earlier=seen.earlier[pits],
            changed=seen.changed[pits], looks=(), hands=seen.hands[::-1] if swapped else seen.hands,
            earlier_s=-seen.earlier_s if swapped else seen.earlier_s,
            lasts=seen.lasts[::-1] if swapped else seen.lasts)

    def memory(self, memory: Memory, board: Board) -> Memory:
        """The memory of the pits as if the picture were turned."""
        pits = self.pits(board)
        return Memory(memory.stays[pits], memory.nats[pits])

    def counts(self, position: Position) -> tuple[int, ...]:
        """The counts that a turned picture would show if this position lay on the board, along the ring."""
        return tuple(position.counts[pit] for pit in self.pits(position.board))


WORDS = {Turn.NONE: "", Turn.COLUMNS: "mirrored", Turn.ROWS: "flipped", Turn.ROWS | Turn.COLUMNS: "turned"}
WHY = {Turn.COLUMNS: message("reason.mirrored"), Turn.ROWS: message("reason.flipped"),
       Turn.ROWS | Turn.COLUMNS: message("reason.turned")}
DONE = {Turn.COLUMNS: message("answer.mirrored"), Turn.ROWS: message("answer.flipped"),
        Turn.ROWS | Turn.COLUMNS: message("answer.turned")}


TURNS = tuple(turn for turn in WORDS if turn)
"""All turns but none."""
