"""How sure anything may be shown to be: never surer than it was measured to be.

The judge's posterior is a number of its model's. What it is worth was measured on simulated clips that nobody had
looked at: 3 of 758 legal moves were accused falsely (tests/bench/RESULTS.md). Whatever the model says, 99.6 % is
the most that people are told, on the page, in tables, in records and at the command line. Whoever measures more changes
the bound here.
"""

from __future__ import annotations

MOST = 0.996
"""The largest probability that is shown: what 3 false accusations in 758 bear out."""

_STEP = 1000
"""Probabilities are shown in thousandths."""


def shown(p: float) -> float:
    """A probability as it may be shown: in thousandths, rounded down, so that nothing looks surer than it is; `MOST` at
    the most, and of what is possible at all one thousandth at the least."""
    if not p > 0:
        return 0.0
    return max(1 / _STEP, min(MOST, int(p * _STEP + 1e-9) / _STEP))


NEAR = 3
"""Odds under which an explanation is told together with the other."""


def near(p: float, other: float) -> bool:
    """Whether two explanations are nearly equally likely, so that a sentence says both."""
    return p < NEAR * other


def percent(p: float) -> str:
    """The same in per cent, with one decimal: `99.9`, `62.0`."""
    return f"{100 * shown(p):.1f}"
