"""The board found a column aside: what lies in it says so."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from device.cameras.base import CameraError
from device.cli.watch.watcher import Match, Watcher
from device.eyes.pipeline import InlineRunner
from device.journal import Journal
from device.journal.events import BoardFound, VerdictGiven
from device.south import South
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from device.table.placing import Placing
from engine.board import Board
from engine.rules import ruleset
from tests.device.painted import PaintedCamera, PaintedEye, Script
from tests.device.played_table import likelihoods
from vision.board.lattice import ring_order
from vision.reading import BoardView, Frame, Reading


class AsideEye(PaintedEye):
    """Finds the board `ASIDE` columns to the right at first, and reads what lies in the columns that it looks at."""

    ASIDE = 1
    placed: ClassVar[list[int]] = []

    def __init__(self, board: Board, south: South) -> None:
        super().__init__(board, south)
        self.aside = self.ASIDE

    def place(self, view: BoardView) -> None:
        self.view, self.aside = view, round(float(view.centres[0, 0, 0]) / 5.0)
        self.placed.append(self.aside)

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        reading = super().look(frame, count=count, revisit=revisit)
        if self.view is not None and self.aside == self.ASIDE != self.view.centres[0, 0, 0] / 5:
            self.view = moved(self.view, self.ASIDE)
        if not reading.counted:
            return reading
        rows, cols = self.board.rows, self.board.cols
        lie = np.zeros((rows, cols), int)
        for n, at in zip(reading.counts, ring_order(rows, cols), strict=True):
            lie[at] = n
        seen = np.zeros_like(lie)
        seen[:, :cols - self.aside] = lie[:, self.aside:]
        return replace(reading, loglik=likelihoods([int(seen[at]) for at in ring_order(rows, cols)]))


def moved(view: BoardView, columns: int) -> BoardView:
    return replace(view, centres=view.centres + np.array((5.0 * columns, 0.0)))


def beside(_: Any, view: BoardView) -> Iterator[BoardView]:
    yield moved(view, 1)
    yield moved(view, -1)


def watch(watcher: Watcher) -> None:
    """To its end, whether or not the start is found to lie there."""
    with suppress(CameraError):
        watcher.run()


def watched(script: Script, start: str, monkeypatch: Any) -> list[dict[str, Any]]:
    forms: list[dict[str, Any]] = []
    monkeypatch.setattr("device.table.placing._elsewhere", beside)
    AsideEye.placed.clear()
    match = Match(script.rules, script.position.board, start)
    watch(Watcher(PaintedCamera(script), match, forms.append, eye=AsideEye))
    return forms


def test_a_board_found_a_column_aside_is_found_by_what_it_begins_from(monkeypatch: Any) -> None:
    script = Script(ruleset("enkeshui", "driedger")).rest(2)
    start = str(script.position)
    forms = watched(script.move(), start, monkeypatch)
    assert [form["event"] for form in forms] == ["position", "verdict"]
    assert forms[0]["position"] == start and forms[1]["kind"] == "legal"
    assert AsideEye.placed[-1] == 0


class Shown(AsideEye):
    """Is shown pictures brighter than they were taken."""

    shown: NDArray[np.uint8] | None = None

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        self.shown = frame.image.copy()
        self.shown[-1] = 99
        return super().look(frame, count=count, revisit=revisit)


def test_it_is_looked_for_in_the_pictures_that_the_eye_is_shown(monkeypatch: Any) -> None:
    seen: list[int] = []

    def looked(image: NDArray[np.uint8], view: BoardView) -> Iterator[BoardView]:
        seen.append(int(image[-1].min()))
        return beside(image, view)

    monkeypatch.setattr("device.table.placing._elsewhere", looked)
    script = Script(ruleset("enkeshui", "driedger")).rest(2)
    match = Match(script.rules, script.position.board, str(script.position))
    watch(Watcher(PaintedCamera(script.move()), match, lambda _: None, eye=Shown))
    assert seen == [99] and AsideEye.placed[-1] == 0


def test_where_the_start_lies_nowhere_the_board_stays_and_that_is_said(monkeypatch: Any) -> None:
    script = Script(ruleset("enkeshui", "driedger"))
    start = str(script.position)
    script.position = script.position.with_counts((4,) * script.position.board.pits)
    forms = watched(script.rest(4), start, monkeypatch)
    assert forms and all("start is not recognised" in form["why"] for form in forms)
    assert 1 <= len(AsideEye.placed) <= 4, "it is not looked for again and again"


def test_while_the_board_is_being_laid_it_is_not_looked_for_elsewhere(monkeypatch: Any) -> None:
    script = Script(ruleset("enkeshui", "driedger"))
    start, setup = str(script.position), script.position
    script.position = setup.with_counts(tuple(n if p < 8 else 0 for p, n in enumerate(setup.counts)))
    watched(script.rest(3), start, monkeypatch)
    assert not AsideEye.placed


@pytest.mark.parametrize("sure", [True, False])
def test_where_hardly_a_seed_is_found_it_is_looked_for_elsewhere_if_it_is_known_to_be_laid(
    sure: bool, monkeypatch: Any
) -> None:
    """A pattern beside the board may look more like one, and nothing lies in it."""
    monkeypatch.setattr("device.table.placing._elsewhere", beside)
    AsideEye.placed.clear()
    script = Script(ruleset("enkeshui", "driedger"))
    setup = script.position
    script.position = setup.with_counts(tuple(n if p == 2 else 0 for p, n in enumerate(setup.counts)))
    match = Match(script.rules, setup.board, str(setup) if sure else "")
    watch(Watcher(PaintedCamera(script.rest(3)), match, lambda _: None, eye=AsideEye))
    assert bool(AsideEye.placed) is sure


def test_where_the_start_lies_it_is_not_looked_for_elsewhere(monkeypatch: Any) -> None:
    monkeypatch.setattr(AsideEye, "ASIDE", 0)
    script = Script(ruleset("enkeshui", "driedger")).rest(2)
    start = str(script.position)
    forms = watched(script.move(), start, monkeypatch)
    assert forms[-1]["kind"] == "legal" and not AsideEye.placed


def test_at_a_live_table_it_is_found_so_too(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("device.table.placing._elsewhere", beside)
    AsideEye.placed.clear()
    left = [6]

    def at_end() -> None:
        left[0] -= 1

    data = DataFolder(tmp_path / "data")
    camera = PaintedCamera(Script(ruleset("enkeshui", "driedger")).rest(2).move(), live=True, at_end=at_end)
    Loop(Wanted(data), lambda _game: camera, lambda: left[0] <= 0, AsideEye, InlineRunner()).run()
    with Journal(data.journal, readonly=True) as journal:
        bodies = [event.body for event in journal.read()]
    assert sum(isinstance(b, BoardFound) for b in bodies) == 2
    assert [b.kind for b in bodies if isinstance(b, VerdictGiven)] == ["legal"]


def test_found_aside_after_the_first_move_it_is_placed_where_that_lies(monkeypatch: Any) -> None:
    script = Script(ruleset("enkeshui", "driedger"))
    start = str(script.position)
    script.move(rest=4)
    script.images = script.images[25:]  # a hand was there from the first picture to that move's end
    forms = watched(script.move(), start, monkeypatch)
    assert AsideEye.placed[-1] == 0
    assert [form["kind"] for form in forms if form["event"] == "verdict"] == ["legal", "legal"]


def test_of_places_that_nearly_read_right_the_best_is_taken(monkeypatch: Any) -> None:
    rules = ruleset("enkeshui", "driedger")
    script = Script(rules, rules.setup().with_counts((1, 2, 3, 4, 5, 6, 7, 2, 1, 2, 3, 4, 5, 1, 2, 0)))
    start = str(script.position)
    unlike = {3: 3, 2: 2, 4: 3, 0: 5}
    monkeypatch.setattr("device.table.placing.Placing._unlike", lambda _self, _search, view:
                        unlike[round(float(view.centres[0, 0, 0]) / 5.0)])

    def places(_: Any, view: BoardView) -> Iterator[BoardView]:
        yield from (moved(view, by) for by in (2, 1, 3, -1))

    monkeypatch.setattr("tests.device.table.test_placing.beside", places)
    watched(script.rest(3), start, monkeypatch)
    assert AsideEye.placed[:1] == [2]
    unlike[2] = 4
    watched(script, start, monkeypatch)
    assert AsideEye.placed[:1] == [3]
    unlike[3] = unlike[4] = 4
    watched(script, start, monkeypatch)
    assert AsideEye.placed, "a quarter of the pits"
    unlike[2] = unlike[3] = unlike[4] = 5
    watched(script, start, monkeypatch)
    assert not AsideEye.placed


def test_in_a_dim_picture_it_is_looked_for_brighter(monkeypatch: Any) -> None:
    shown: list[int] = []

    def elsewhere(image: NDArray[np.uint8], _: BoardView) -> Iterator[BoardView]:
        shown.append(int(image.max()))
        yield from ()

    script = Script(ruleset("enkeshui", "driedger"))
    start, place = str(script.position), Placing(AsideEye, elsewhere)
    script.position = script.position.with_counts((4,) * script.position.board.pits)
    monkeypatch.setattr("device.cli.watch.watcher.Placing", lambda _, **__: place)
    script.rest(2)
    for image in script.images:
        assert image is not None
        image[image == 128] = 50
    watch(Watcher(PaintedCamera(script), Match(script.rules, script.position.board, start), lambda _: None,
                  eye=AsideEye))
    assert shown == [230]
