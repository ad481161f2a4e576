"""Tests of `device.system`."""
