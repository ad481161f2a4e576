"""The written game: its format, its reader, its replay."""
