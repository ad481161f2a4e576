"""Stills and clips, and their share of the disk."""
