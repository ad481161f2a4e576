"""Tests of `device.films`."""
