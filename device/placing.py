"""The eye, which takes people's word for where the board lies."""

from __future__ import annotations

from vision.eye import Eye
from vision.hands import HandWatch
from vision.reading import BoardView


class PlacingEye(Eye):
    """The eye that the product uses: where the board was found wrong, people say where it lies."""

    def place(self, view: BoardView) -> None:
        """From now on the board lies there; once it moves it is looked for again."""
        self.view, self.why, self._last = view, "", None
        self._watch = HandWatch(view)
