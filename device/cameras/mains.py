"""How often the mains lamps of this place flicker, so that cameras can expose over whole flickers."""

from __future__ import annotations

import os
from pathlib import Path

SIXTY = ("America/", "US/", "Canada/", "Asia/Seoul", "Asia/Taipei", "Asia/Manila", "Asia/Riyadh", "Pacific/Guam",
         "Pacific/Honolulu")
"""Time zones where mains have 60 Hz. Japan has both: its east 50, its west 60."""
FIFTY = ("America/Argentina", "America/Buenos_Aires", "America/Santiago", "America/Punta_Arenas", "America/Montevideo",
         "America/Asuncion", "America/La_Paz", "America/Cayenne", "America/Jamaica", "America/Guadeloupe",
         "America/Martinique", "America/Barbados")
"""Those of them that have 50 Hz, as nearly all others have."""
LOCALTIME = Path("/etc/localtime")


def mains_hz(zone: str | None = None) -> int:
    """50 or 60. zone: the time zone's name, such as "Africa/Nairobi"; this machine's unless given."""
    zone = _zone() if zone is None else zone
    return 60 if zone.startswith(SIXTY) and not zone.startswith(FIFTY) else 50


def _zone() -> str:
    """This machine's time zone; "" where it is not named."""
    named = os.environ.get("TZ", "").lstrip(":")
    try:
        return named or str(LOCALTIME.resolve()).partition("zoneinfo/")[2]
    except OSError:
        return ""
