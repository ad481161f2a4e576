"""Limits every probability that is shown to the certainty that was measured.

The referee's posterior is only as good as its model. Its worth was measured on simulated clips that nobody had looked
at: of 552 statements that it gave more than 99 %, 98.7 % were right. So people are never told more than 98.7 %, on
the page, in tables, in records or at the command line. Whoever measures more changes the bound here.
"""

MOST = 0.987
"""The largest probability that is shown: the share of right ones among the surest statements."""

_STEP = 1000
"""Probabilities are shown in thousandths."""


def shown(p: float) -> float:
    """Return a probability as it may be shown: in thousandths, rounded down, at most `MOST`, and at least one
    thousandth for anything possible."""
    if not p > 0:
        return 0.0
    return max(1 / _STEP, min(MOST, int(p * _STEP + 1e-9) / _STEP))


NEAR = 3
"""Odds below which a second explanation is mentioned together with the first."""


def near(p: float, other: float) -> bool:
    """Whether two explanations are about equally likely, so that a sentence mentions both."""
    return p < NEAR * other


def percent(p: float) -> str:
    """The shown probability in per cent with one decimal, such as `98.7` or `62.0`."""
    return f"{100 * shown(p):.1f}"
