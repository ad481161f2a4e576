"""What is shown to libcamera's virtual camera; known outside and inside the Debian system."""

GAME, RULES = "endodoi", "merker"
START = "1,2,0,0,0,1/1,0,3,0,0,0 S 13-27 ply=34"
SCRIPT = ("!skip:c:1:0",)
"""The first turn leaves out a pit, and no other fault leaves the same board: a lone seed laid two pits on could as well
be called sown on."""
SEED = 2
"""After that, players of this seed play the game to its end in four turns."""
SIZE = (1280, 720)
RATE = 12.0
"""Pictures a second of the game's time."""
REPEATS = 4
"""libcamera's virtual camera shows every picture so often."""
