"""Reviewing past games: their fouls, and their boards move by move."""
