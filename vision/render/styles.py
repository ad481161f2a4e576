"""A random table: board, seeds, light, camera. A style and the counts determine a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.render import textures
from vision.render.materials import BY_NAME, Bag

F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lens:
    """The camera. tilt: radians off the plumb; bearing: direction of the tilt; roll: rotation of the picture; fill:
    share of the picture's size that the board takes; far: distance in board lengths; blur: sigma in pixels of a 1280 px
    wide picture; noise: at mid grey, 0…255; gain, white: exposure and white balance; jpeg: quality, 0 for none."""

    tilt: float
    bearing: float
    roll: float
    fill: float
    far: float
    k1: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    gain: float = 1.0
    white: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    blur: float = 0.6
    noise: float = 2.0
    vignette: float = 0.1
    jpeg: int = 90


@dataclass(frozen=True, slots=True, eq=False)
class SceneStyle:
    """The look of a table, apart from its seeds' counts. Lengths are column pitches."""

    rows: int
    cols: int
    stores: bool
    row_pitch: float
    pit_rx: float
    pit_ry: float
    square: float
    depth: float
    power: float
    lip: float
    jitter: float
    gap_axis: int
    gap: float
    outline: float
    margin: float
    thickness: float
    bevel: float
    rim_paint: float
    gloss: float
    grain: float
    wood: textures.Texture
    bowl: textures.Texture
    table: textures.Texture
    table_scale: float
    bag: Bag
    spread: float
    lamp: tuple[float, float, float]
    lamp_colour: tuple[float, float, float]
    softness: float
    sky: tuple[float, float, float]
    bounce: float
    lens: Lens
    seed: int
    window: tuple[float, float, float] = (0.0, 0.0, 1.0)
    window_strength: float = 0.0
    """Brightness of the window, visible only as a second highlight on glossy things."""
    room: tuple[float, float, float, float, float] = (1.0, 0.0, 0.0, 0.0, 0.0)
    """Mirrored, too: direction of the room's dark side 3, its darkness, and that of the camera and its operator."""
    varnish: float = 0.0
    """How strongly the wood mirrors room and lamp; 1 like a clear lacquer."""
    polish: float = 200.0
    """Phong's exponent: how small the lamp's mirror image in the wood is."""
    heel: float = 0.3
    """Probability that the seeds of a pit lie to one side."""
    uneven: float = 0.0
    """How much pits differ in size, shape and depth, as if carved by hand; 1 is the greatest difference."""
    floor: float = 0.0
    """1 where `bowl` is the picture of one pit's floor (`textures.floor`), which recurs in every pit."""

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        rows: int,
        cols: int,
        stores: bool | None = None,
        texture: int = 256,
        tilt: float = math.radians(32),
        turn: bool = True,
    ) -> SceneStyle:
        """Draw any table that people may put under a camera. tilt: greatest, radians; turn: the board may lie in any
        direction."""
        base = textures.WOODS[rng.integers(len(textures.WOODS))]
        wood = textures.carved(texture, rng, base) if rng.random() < 0.25 else textures.wood(texture, rng, base)
        how = rng.random()
        if how < 0.6:
            bowl = np.asarray(wood * rng.uniform(0.6, 1.25), np.float32)
        elif how < 0.85:
            bowl = textures.wood(texture, rng)
        else:
            bowl = np.asarray(textures.plain(texture, rng) * 0.9, np.float32)
        rx = float(rng.uniform(0.33, 0.46))
        ry = rx * float(rng.uniform(0.88, 1.12))
        pitch = float(max(2.12 * ry, rng.uniform(0.9, 1.5)))
        elevation = rng.uniform(0.35, 1.5)
        azimuth = rng.uniform(0, 2 * math.pi)
        lamp = (math.cos(azimuth) * math.cos(elevation), math.sin(azimuth) * math.cos(elevation), math.sin(elevation))
        warm = rng.uniform(-0.25, 0.35)
        key = rng.uniform(0.15, 1.3)
        sky = rng.uniform(0.25, 0.9) * (1.25 - 0.5 * key)
        return cls(
            rows=rows,
            cols=cols,
            stores=bool(rng.random() < 0.5) if stores is None else stores,
            row_pitch=pitch,
            pit_rx=rx,
            pit_ry=ry,
            square=2.0 if rng.random() < 0.8 else float(rng.uniform(2.5, 5.0)),
            depth=float(rng.uniform(0.10, 0.42)),
            power=float(rng.choice(np.array([2.0, 2.0, 3.0, 4.0, 6.0]))),
            lip=float(rng.uniform(0, 0.05)) if rng.random() < 0.25 else 0.0,
            jitter=float(rng.uniform(0, 0.04)) if rng.random() < 0.4 else 0.0,
            gap_axis=int(rng.choice(np.array([0, 0, 0, 1, 2]))),
            gap=float(rng.uniform(0.01, 0.25)),
            outline=float(np.exp(rng.uniform(math.log(2.6), math.log(40)))),
            margin=float(rng.uniform(0.06, 0.6)),
            thickness=float(rng.uniform(0.3, 0.8)),
            bevel=float(rng.uniform(0.02, 0.15)),
            rim_paint=float(rng.uniform(0, 0.7)) if rng.random() < 0.3 else 0.0,
            gloss=float(rng.uniform(0, 0.25)),
            grain=float(rng.uniform(0, 0.5)),
            wood=wood,
            bowl=bowl,
            table=textures.table(texture, rng),
            table_scale=float(np.exp(rng.uniform(math.log(0.05), math.log(0.6)))),
            bag=_bag(rng, min(rx, ry)),
            spread=float(rng.uniform(0.3, 0.95)),
            lamp=lamp,
            lamp_colour=(key * (1 + warm), key, key * (1 - warm)),
            softness=float(rng.uniform(0.02, 0.4)),
            sky=(sky, sky, sky * (1 + rng.uniform(-0.1, 0.3))),
            bounce=float(rng.uniform(0.05, 0.3)),
            lens=random_lens(rng, tilt, turn),
            seed=int(rng.integers(1 << 30)),
            **_window(rng),
        )

    @classmethod
    def house(cls, rows: int, cols: int, seed: int = 7) -> SceneStyle:
        """Return the simulated table's own board: warm wood, nickernut seeds, a lamp from the left, the camera almost
        straight above."""
        rng = np.random.default_rng(seed)
        style = cls.random(rng, rows, cols, stores=False)
        wood = textures.wood(512, rng, (0.40, 0.21, 0.10))
        bag = Bag.draw(rng, 0.115, BY_NAME["nickernut"])
        return replace(
            style,
            row_pitch=1.12,
            pit_rx=0.41,
            pit_ry=0.42,
            square=2.0,
            depth=0.26,
            power=3.0,
            lip=0.02,
            jitter=0.008,
            gap_axis=0,
            outline=8.0,
            margin=0.22,
            thickness=0.5,
            bevel=0.07,
            rim_paint=0.12,
            gloss=0.1,
            grain=0.2,
            wood=wood,
            bowl=np.asarray(wood * 0.85, np.float32),
            table=textures.planks(512, np.random.default_rng(seed + 3)) * np.float32(0.55),
            table_scale=0.12,
            bag=replace(bag, palette=(0,), pattern=0, gloss=0.8, shine=45.0, form=(1.0, 1.0, 1.0)),
            spread=0.6,
            lamp=(-0.50, -0.38, 0.78),
            window_strength=0.0,
            room=(1.0, 0.0, 0.0, 0.0, 0.0),
            varnish=0.0,
            lamp_colour=(1.06, 0.98, 0.86),
            softness=0.10,
            sky=(0.42, 0.44, 0.48),
            bounce=0.15,
            lens=Lens(
                tilt=math.radians(9),
                bearing=1.5,
                roll=0.0,
                fill=0.90,
                far=1.5,
                gain=1.05,
                noise=2.0,
                blur=0.5,
                vignette=0.15,
            ),
        )


def _window(rng: np.random.Generator) -> dict[str, Any]:
    """Draw the surroundings that shiny things mirror: the room, and in two rooms of three a window."""
    a, up = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 1.4)
    strength = float(rng.uniform(0.5, 3.0)) if rng.random() < 0.67 else 0.0
    return {
        "window": (math.cos(a) * math.cos(up), math.sin(a) * math.cos(up), math.sin(up)),
        "window_strength": strength,
        "room": _room(rng),
        "varnish": float(rng.uniform(0.2, 1.6)) if rng.random() < 0.4 else 0.0,
        "polish": float(np.exp(rng.uniform(math.log(40), math.log(900)))),
    }


def _room(rng: np.random.Generator) -> tuple[float, float, float, float, float]:
    a, up = rng.uniform(0, 2 * math.pi), rng.uniform(-0.6, 0.9)
    dark = float(rng.uniform(0.2, 0.95)) if rng.random() < 0.7 else 0.0
    person = float(rng.uniform(0.2, 0.9)) if rng.random() < 0.5 else 0.0
    return math.cos(a) * math.cos(up), math.sin(a) * math.cos(up), math.sin(up), dark, person


def _bag(rng: np.random.Generator, pit: float) -> Bag:
    """Draw seeds whose size suits the pit; now and then small balls in a wide bowl."""
    ratio = (
        float(np.exp(rng.uniform(math.log(0.16), math.log(0.5))))
        if rng.random() < 0.8
        else float(np.exp(rng.uniform(math.log(0.062), math.log(0.2))))
    )
    return Bag.draw(rng, ratio * pit)


def random_lens(rng: np.random.Generator, tilt: float, turn: bool) -> Lens:
    """Draw a random camera: mostly looking down, sometimes from the side."""
    w = np.exp(rng.normal(0, 0.10, 3))
    return Lens(
        tilt=float(tilt * rng.beta(1.0, 1.6)),
        bearing=float(rng.uniform(0, 2 * math.pi)),
        roll=float(rng.uniform(0, 2 * math.pi)) if turn else float(rng.normal(0, 0.06)),
        fill=float(rng.uniform(0.55, 0.97)),
        far=float(rng.uniform(0.9, 3.0)),
        k1=float(rng.normal(0, 0.02)),
        shift=(float(rng.normal(0, 0.03)), float(rng.normal(0, 0.03))),
        gain=float(np.exp(rng.normal(0.1, 0.3))),
        white=(float(w[0]), float(w[1]), float(w[2])),
        contrast=float(rng.uniform(0.75, 1.35)),
        blur=float(rng.choice(np.array([0.3, 0.6, 1.0, 1.6])) * rng.uniform(0.6, 1.4)),
        noise=float(np.exp(rng.uniform(-0.5, 2.3))),
        vignette=float(rng.uniform(0, 0.4)),
        jpeg=int(rng.integers(40, 98)) if rng.random() < 0.7 else 0,
    )
