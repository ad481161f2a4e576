"""The virtual clock of a slower machine."""

from __future__ import annotations

import pytest

from device.table.settling import looks_since
from engine.decoder import decode
from tests.bench.slow_table import DECODING_MS, Clock, decoding_takes_time
from tests.engine.decoder.sown import RULES, Eye, position


def test_the_next_frame_waits_for_the_decoder() -> None:
    """By as much as that machine is slower; and the decoder answers as it does."""
    before, clock = position(), Clock(2.0, busy_until=1.0)
    eye = Eye(before.counts)
    eye.look(times=3)
    with decoding_takes_time(clock):
        found = vars(looks_since)["decode"](RULES, [(before, 1.0)], eye.looks())
    assert clock.busy_until == pytest.approx(1.0 + 2 * DECODING_MS / 1000)
    same = decode(RULES, [(before, 1.0)], eye.looks())
    assert found is not None and same is not None and found.p == same.p
    assert vars(looks_since)["decode"] is decode
