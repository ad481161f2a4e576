"""The renderer of the simulated table is compiled ahead, and it is said so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NO_NUMBA = """
import sys
sys.modules["numba"] = None
from device.sim.ahead import main
main()
"""


def test_every_part_of_the_renderer_is_compiled_before_a_table_needs_it(tmp_path: Path) -> None:
    """Afterwards a table with a hand over it is drawn, and numba compiles nothing any more."""
    pytest.importorskip("numba", reason="the simulated table (pip install 'inkeek[sim]')")
    code = ("from device.sim.ahead import compile_renderer, main; main()\n"
            "from vision.render import tracer\n"
            "from numba.core import event\n"
            "with event.install_recorder('numba:compile') as recorded: compile_renderer()\n"
            "print('compiled', len(recorded.buffer))")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    first, second, last = done.stdout.splitlines()
    assert "This is done once" in first and second.startswith("Done, in ") and last == "compiled 0"


def test_without_the_compiler_it_says_what_is_missing() -> None:
    done = subprocess.run([sys.executable, "-c", NO_NUMBA], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "numba" in done.stderr and "Traceback" not in done.stderr
