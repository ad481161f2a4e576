"""Cameras are asked to expose over whole flickers of the mains' lamps."""

import struct
from pathlib import Path

import pytest

from device.cameras.mains import mains_hz
from device.cameras.usb import expose_over_flickers


@pytest.mark.parametrize(("zone", "hz"), [
    ("Africa/Nairobi", 50), ("Africa/Kampala", 50), ("Europe/Berlin", 50), ("", 50), ("UTC", 50),
    ("America/New_York", 60), ("America/Argentina/Salta", 50), ("Asia/Manila", 60)])
def test_mains_by_time_zone(zone: str, hz: int) -> None:
    assert mains_hz(zone) == hz


def test_a_usb_camera_is_told_of_the_mains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    asked = []
    (tmp_path / "video0").touch()
    assert expose_over_flickers(tmp_path / "video0", lambda _device, call, told: asked.append((call, told)))
    assert asked == [(0xC008561C, struct.pack("=Ii", 0x980918, 2))]


def test_one_that_cannot_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    assert not expose_over_flickers(tmp_path / "video0") and not expose_over_flickers(tmp_path / "none")
