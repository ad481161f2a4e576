"""Tests of `device.sim`."""
