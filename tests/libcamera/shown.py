"""What is shown to libcamera's virtual camera; known outside and inside the Debian system."""

from __future__ import annotations

GAME, RULES = "endodoi", "merker"
START = "1,2,0,0,0,1/1,0,2,0,0,0 S 13-28 ply=34"
SEED = 2
"""From `START`, players of this seed leave out a pit once and then play the game to its end in four turns."""
SIZE = (1280, 720)
RATE = 12.0
"""Pictures a second of the game's time."""
REPEATS = 4
"""libcamera's virtual camera shows every picture so often."""
