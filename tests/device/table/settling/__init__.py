"""Tests of `device.table.settling`."""
