"""The local mains frequency, so that cameras can expose over whole flickers of a lamp."""

import os
from pathlib import Path

SIXTY = ("America/", "US/", "Canada/", "Asia/Seoul", "Asia/Taipei", "Asia/Manila", "Asia/Riyadh", "Pacific/Guam",
         "Pacific/Honolulu")
"""Time zones with 60 Hz mains. Japan has both: 50 in the east, 60 in the west."""
FIFTY = ("America/Argentina", "America/Buenos_Aires", "America/Santiago", "America/Punta_Arenas", "America/Montevideo",
         "America/Asuncion", "America/La_Paz", "America/Cayenne", "America/Jamaica", "America/Guadeloupe",
         "America/Martinique", "America/Barbados")
"""Exceptions within these that have 50 Hz, as nearly all other zones do."""
LOCALTIME = Path("/etc/localtime")


def mains_hz(zone: str | None = None) -> int:
    """The mains frequency, 50 or 60 Hz. zone: the time zone's name, such as "Africa/Nairobi"; this machine's unless
    given."""
    zone = _zone() if zone is None else zone
    return 60 if zone.startswith(SIXTY) and not zone.startswith(FIFTY) else 50


def _zone() -> str:
    """This machine's time zone; "" if unknown."""
    named = os.environ.get("TZ", "").lstrip(":")
    try:
        return named or str(LOCALTIME.resolve()).partition("zoneinfo/")[2]
    except OSError:
        return ""
