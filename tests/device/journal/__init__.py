"""Tests of `device.journal`."""
