"""Tests of `device.cameras`."""
