"""Make recordings of the simulated table with their truth:
`python -m tests.bench.simulated_clips OUTDIR --clips N --seed S`.

Each clip has another table: board, game, light, seeds, hands, seat, pace. The truth is one JSON object:
{game, rules, board, start, south, pace, moves: [{player, move, kind, fault, at, t_in, t_out, position}]}, times in
seconds of the recording, moves in order of time, positions as lines.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
import cv2
import numpy as np

from device.sim.fouls import CODES
from device.sim.gestures import PACES
from device.sim.picture import TablePicture
from device.sim.players import Players
from device.sim.world import World
from device.south import SOUTHS, South
from engine.board import Board
from engine.position import Position
from engine.rules import Rules, games, ruleset
from vision.render.skin import HandStyle
from vision.render.styles import SceneStyle

GAMES = tuple((name, *played) for name in games() for rules in (ruleset(name),)
              for played in rules.demonstrations or [(rules.name, str(b)) for b in rules.boards if rules.setups(b)])
"""What a clip may show: game, ruleset and board, by default the first ruleset on all boards with a set-up."""
TILT = 0.26
"""The camera's largest tilt from straight above, radians: people put a referee's camera above the board."""
SMALLEST_SEED = 0.05
"""Least half length of a seed, in column pitches."""
QUIET_S = 2.5


class ClipError(Exception):
    """A clip cannot be written. One sentence."""


@dataclass(frozen=True, slots=True)
class Clip:
    """What a clip shows. moves: number of turns; cheats: share of them with a fault, out of `codes`; script: as in
    `Players`; styles: the look of table and hands, None to choose it at random."""

    rules: Rules
    start: Position
    seed: int
    pace: str = "normal"
    south: South = "bottom"
    moves: int = 5
    cheats: float = 0.25
    codes: tuple[str, ...] = CODES
    size: tuple[int, int] = (1280, 720)
    fps: float = 15.0
    samples: int = 2
    script: tuple[str, ...] = ()
    styles: tuple[SceneStyle, HandStyle, HandStyle] | None = field(default=None, repr=False)


def drawn(clip: Clip) -> TablePicture:
    """The picture of a clip's table; the clip's seed chooses its look."""
    rng = np.random.default_rng((clip.seed, 1))
    board = clip.start.board
    if clip.styles is not None:
        style, south, north = clip.styles
    else:
        style = _style(board, rng)
        size = float(np.clip(rng.normal(2.5, 0.25), 1.9, 3.1)) * 8 / max(8, board.cols - 2)
        south, north = (HandStyle.random(rng, int(rng.integers(1, 7)), size) for _ in range(2))
    return TablePicture(board, style, (south, north), size=clip.size, south=clip.south, samples=clip.samples)


def _style(board: Board, rng: np.random.Generator) -> SceneStyle:
    """A random table, seen as by a referee's camera: the board fills the picture, and a seed is a few pixels wide."""
    while True:
        style = SceneStyle.random(rng, board.rows, board.cols, tilt=TILT, turn=False)
        if style.bag.radius >= SMALLEST_SEED:
            return replace(style, lens=replace(style.lens, fill=float(rng.uniform(0.78, 0.97))))


def write(clip: Clip, stem: Path) -> dict[str, object]:
    """Write `stem`.mp4 and `stem`.truth.json; return the truth. Raises ClipError."""
    picture = drawn(clip)
    picture.show(clip.start.counts)
    players = Players(clip.script, clip.cheats, clip.codes, 40 if clip.pace == "fast" else 30)
    world = World(clip.rules, clip.start, players, clip.pace, clip.seed, reach=picture.reach, until=1.5)
    noise = np.random.default_rng((clip.seed, 2))
    film = cv2.VideoWriter(str(stem.with_suffix(".mp4")), cv2.VideoWriter.fourcc(*"mp4v"), clip.fps, clip.size)
    if not film.isOpened():
        raise ClipError(f"the video '{stem.with_suffix('.mp4')}' cannot be written")
    number, end = 0, float("inf")
    try:
        while world.clock < end:
            film.write(picture.frame(world.hands(), noise))
            number += 1
            world.advance(number / clip.fps)
            picture.show(world.counts)
            if end == float("inf") and (len(world.truths) >= clip.moves or world.ended):
                end = world.clock + min(QUIET_S, max(world.until - world.clock - 0.2, 0.5))
    finally:
        film.release()
    truth: dict[str, object] = {
        "game": clip.rules.game,
        "rules": clip.rules.name,
        "board": str(clip.start.board),
        "start": str(clip.start),
        "south": clip.south,
        "pace": clip.pace,
        "moves": [t.plain() for t in world.truths[: clip.moves]],
    }
    stem.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1))
    return truth


def lead_in(rules: Rules, board: Board, turns: int, rng: np.random.Generator) -> Position:
    """The position after at most `turns` random legal turns; the game is not over in it."""
    position, players = rules.setup(board=board), Players(cheats=0)
    for number in range(turns):
        turn = players.turn(rules, position, number, rng)
        if turn is None or rules.over(turn.after) is not None:
            break
        position = turn.after
    return position


def chosen(seed: int, number: int, pace: str | None = None, south: str | None = None, *, moves: int = 5,
           size: tuple[int, int] = (1280, 720)) -> Clip:  # fmt: skip
    """Clip `number` of a seed's series. pace, south: random if None."""
    rng = np.random.default_rng((seed, number))
    kind, name, board = GAMES[int(rng.integers(len(GAMES)))]
    rules = ruleset(kind, name)
    start = lead_in(rules, Board.parse(board), int(rng.integers(0, 9)), rng)
    seats = [s for s in SOUTHS if s == south] or [SOUTHS[int(rng.choice(4, p=(0.55, 0.15, 0.15, 0.15)))]]
    paces = [p for p in PACES if p == pace] or [("calm", "normal", "fast")[int(rng.choice(3, p=(0.2, 0.5, 0.3)))]]
    return Clip(rules, start, int(rng.integers(1 << 30)), paces[0], seats[0], moves, size=size)


@click.command()
@click.argument("outdir", type=click.Path(file_okay=False, path_type=Path))
@click.option("--clips", default=4, show_default=True, type=click.IntRange(1, 9999), help="How many.")
@click.option("--seed", default=1, show_default=True, help="Seed of the random choices.")
@click.option("--moves", default=5, show_default=True, type=click.IntRange(1, 100), help="Turns per clip.")
@click.option("--pace", type=click.Choice(list(PACES)), help="Random unless given.")
@click.option("--south", type=click.Choice(SOUTHS), help="The edge where South sits; random unless given.")
@click.option("--size", default="1280x720", show_default=True, help="Width and height in pixels.")
def main(outdir: Path, clips: int, seed: int, moves: int, pace: str | None, south: str | None, size: str) -> None:
    """Write clips of simulated games, with their truth, to OUTDIR."""
    width, x, height = size.partition("x")
    if not (x and width.isdigit() and height.isdigit() and 64 <= int(width) <= 4096 and 64 <= int(height) <= 4096):
        raise click.BadParameter(
            f"{size[:30]!r} is not a size such as 1280x720, each from 64 to 4096", param_hint="--size"
        )
    outdir.mkdir(parents=True, exist_ok=True)
    for number in range(clips):
        clip = chosen(seed, number, pace, south, moves=moves, size=(int(width), int(height)))
        stem = outdir / f"clip_{number:03d}"
        truth = write(clip, stem)
        turns = truth["moves"]
        shown = len(turns) if isinstance(turns, list) else 0
        click.echo(f"{stem}.mp4: {truth['game']} {truth['rules']} {truth['board']}, {truth['pace']}, {shown} turns")


if __name__ == "__main__":
    main()
