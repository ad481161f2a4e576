"""Track when a camera's frames arrive, and how long the next one may take."""

import time
from dataclasses import dataclass, field

from device.eyes.frozen import Silence

SILENCE_S = 15.0
"""A live camera without a frame for this long counts as gone, even if it reports no error."""
FIRST_S = 120.0
"""The first frame may take longer: a camera warms up, a small machine draws the simulated table."""


@dataclass
class Arrivals:
    """Arrival times of a camera's frames, seconds of the monotonic clock.

    last: the last frame's, or when the camera was opened. longest_s: how long the next frame may take. waiting_since:
    when the table began to wait for it. silence: tells whether it takes longer than usual.
    """

    last: float = field(default_factory=time.monotonic)
    longest_s: float = FIRST_S
    silence: Silence = field(default_factory=Silence)
    waiting_since: float = field(default_factory=time.monotonic)

    def heard(self) -> None:
        """Note that a frame has come."""
        self.last, self.longest_s = time.monotonic(), SILENCE_S
        self.silence.heard(self.last)
