"""Tests of `device.cli`."""
