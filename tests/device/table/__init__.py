"""Tests of `device.table`."""
