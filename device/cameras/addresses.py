"""Camera addresses. Only the host is ever shown: any other part may hold a user or a password."""

import re
from urllib.parse import urlsplit

from device.cameras.base import UnusableWord

SCHEMES = ("rtsp", "rtsps", "http", "https", "onvif")
IN_TEXT = re.compile(rf"\b(?:{'|'.join(SCHEMES)})://[^\s\"']+", re.IGNORECASE)


def host_of(address: str) -> str:
    """The host of an address, with its port if it has one. Raises `UnusableWord`, which quotes no other part."""
    try:
        parts = urlsplit(address)
        host, port, inside = parts.hostname, parts.port, "@" in parts.netloc
    except ValueError:  # the error's message holds the address
        host, port, inside = None, None, False
    # An unescaped "/" in a password ends the part of the address that holds the host.
    if not host or ("@" in address and not inside):
        raise UnusableWord(f"the address that begins with {address.partition(':')[0][:20]}:// names no camera: write "
                           "rtsp://USER:PASSWORD@HOST/PATH, and in the password %40 for @, %2F for / and %3A for :")
    shown = f"[{host}]" if ":" in host else host
    return shown if port is None else f"{shown}:{port}"


def public_word(word: str) -> str:
    """A `--camera` word without secrets: an address is cut down to scheme and host."""
    scheme, _, rest = word.partition(":")
    if scheme.lower() not in SCHEMES or not rest.startswith("//"):
        return word
    try:
        return f"{scheme}://{host_of(word)}"
    except UnusableWord:
        return f"{scheme}:"


def without_secrets(text: str) -> str:
    """The text with every camera address in it cut down to scheme and host."""
    return IN_TEXT.sub(lambda found: public_word(found[0]), text)
