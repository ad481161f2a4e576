"""The rules of the games, and the referee; pure: no clock, file, thread or camera (engine/README.md)."""
