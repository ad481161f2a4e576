"""The renderer of the simulated table is compiled ahead, and it is said so."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DRAWS = """
import sys
from device.sim.camera import SimCamera
from device.sim.ahead import main
from engine.rules import ruleset
def compiled():
    return {(module, name, str(types)) for module in list(sys.modules) if module.startswith("vision.render")
            for name, one in vars(sys.modules[module]).items() for types in getattr(one, "signatures", ())}
main()
before = compiled()
camera = SimCamera(ruleset("enkeshui"), live=False, seconds=30.0, fps=0.5, size=(640, 360))
camera.open()
while not camera.world.hands():
    camera.read(0.0)
camera.read(0.0)
print(len(before) > 0, compiled() - before)
"""
NO_NUMBA = """
import sys
sys.modules["numba"] = None
from device.sim.ahead import main
main()
"""


def test_every_part_of_the_renderer_is_compiled_before_a_table_needs_it(tmp_path: Path) -> None:
    """Afterwards a table with a hand over it is drawn, and numba needs nothing that is not compiled."""
    pytest.importorskip("numba", reason="the simulated table (pip install 'inkeek[sim]')")
    done = subprocess.run([sys.executable, "-c", DRAWS], cwd=ROOT, capture_output=True, text=True, check=True)
    first, second, last = done.stdout.splitlines()
    assert "This happens once" in first and second.startswith("Done, in ") and last == "True set()"


def test_without_the_compiler_it_says_what_is_missing() -> None:
    done = subprocess.run([sys.executable, "-c", NO_NUMBA], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "numba" in done.stderr and "Traceback" not in done.stderr
