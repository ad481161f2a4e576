"""When a camera gave its frames, and how long the next one may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from device.eyes.frozen import Silence

SILENCE_S = 15.0
"""A live camera that gives no frame for so long is gone, should it not have said so itself."""
FIRST_S = 120.0
"""The first one may take longer: a camera warms up, the simulated table is drawn on a small machine."""


@dataclass
class Arrivals:
    """When a camera gave its frames, seconds of the monotonic clock.

    last: its last one, or when it was opened. longest_s: how long the next may take. waiting_since: when the table
    began to wait for it. silence: whether it takes longer than this camera's frames do.
    """

    last: float = field(default_factory=time.monotonic)
    longest_s: float = FIRST_S
    silence: Silence = field(default_factory=Silence)
    waiting_since: float = field(default_factory=time.monotonic)

    def heard(self) -> None:
        """A frame has come."""
        self.last, self.longest_s = time.monotonic(), SILENCE_S
        self.silence.heard(self.last)
