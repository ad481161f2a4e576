"""Addresses of cameras that people entered on the page, in a file of the data folder that only its owner may read.

An address may hold a password, so orders and journal name such a camera by its public word; only this file has the
address itself.
"""

import logging
from pathlib import Path

import msgspec

from device.cameras import choose
from device.cameras.addresses import host_of, public_word
from device.journal.events import translatable
from device.journal.live_state import CameraChoice
from device.journal.messages import message
from device.system.replacement import Replacement

log = logging.getLogger(__name__)

KEPT = "cameras.json"
"""The file's name in the data folder."""


def kept_addresses(data: Path) -> dict[str, str]:
    """The addresses kept in a data folder, by their public words; empty if the file cannot be read."""
    file = data / KEPT
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError):
        log.warning("the kept addresses of cameras cannot be read: delete %s and enter them again", file)
        return {}


def keep_address(data: Path, address: str) -> None:
    """Keep an address; it replaces an older one of the same host. Raises OSError."""
    with Replacement(data / KEPT, mode=0o600) as file:
        file.new.write_bytes(msgspec.json.encode(kept_addresses(data) | {public_word(address): address}))
        file.put()


def cameras(data: Path) -> list[CameraChoice]:
    """The cameras that people can choose now: those of this machine, then the addresses kept in the data folder."""
    named = {word: message("camera.network", host=host_of(word)) for word in kept_addresses(data)}
    return [*choose.cameras(), *(CameraChoice(word, str(name), translatable(name)) for word, name in named.items())]
