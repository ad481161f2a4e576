"""Follows the hands: the board laid flat, what covers it, from which side it came, and whether the board moved."""
