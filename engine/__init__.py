"""The rules of the games, and the referee. Pure: no clock, file, thread or camera (engine/README.md)."""
