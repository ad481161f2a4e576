"""Counting the seeds: pits cut out, the networks, and what is known of every pit at this table."""
