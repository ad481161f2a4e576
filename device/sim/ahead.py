"""Compile the simulated table's renderer before it is needed: `python -m device.sim.ahead`.

numba keeps the machine code beside the renderer's source, or in NUMBA_CACHE_DIR. Compiling takes half a minute on a PC;
if it was done before, this takes two seconds.
"""

import sys
import time

from device.cameras.base import CameraError
from device.sim.camera import SimCamera
from engine.rules import ruleset

LONGEST_S = 30.0
"""Simulated seconds within which a hand comes over the board."""
FPS = 2.0
SIZE = (320, 180)
"""Size of the pictures drawn; the compiled code is the same for any size."""


def compile_renderer() -> float:
    """Draw pictures until one has a hand in it, so that every part of the renderer is compiled. Returns the seconds it
    took. Raises `CameraError` if numba is not installed."""
    began = time.monotonic()
    camera = SimCamera(ruleset("enkeshui"), live=False, seconds=LONGEST_S, fps=FPS, size=SIZE)
    camera.open()
    try:
        while not camera.world.hands():
            camera.read(0.0)
        camera.read(0.0)
    finally:
        camera.close()
    return time.monotonic() - began


def main() -> None:
    """Compile the renderer, and print what happens and how long it took."""
    print("Compiling the simulated table's renderer. This happens once and takes about half a minute on a PC.",
          flush=True)
    try:
        print(f"Done, in {compile_renderer():.0f} s.", flush=True)
    except CameraError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
