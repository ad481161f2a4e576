"""Declares a tuned number with its unit, its range, its meaning and its source."""

from dataclasses import field
from typing import Any


def parameter(value: float | tuple[float, ...], unit: str, least: float, most: float, meaning: str,
              source: str = "guess") -> Any:
    """Return a field of a frozen dataclass of parameters. value: the number used; several numbers share one unit and
    range. least, most: the allowed range. source: a fit, what it was measured on, or "guess"."""
    return field(default=value, metadata={"unit": unit, "least": least, "most": most, "meaning": meaning,
                                          "source": source})
