"""Written games: their format, reader and replay."""
