"""Drawings of boards and over pictures of boards, and films, for the command line and the page."""
