"""Tests of `device`, in folders that mirror its rooms; beside them what several rooms' tests use."""
