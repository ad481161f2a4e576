"""Tests of `device.evidence`."""
