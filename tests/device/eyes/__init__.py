"""Tests of `device.eyes`."""
