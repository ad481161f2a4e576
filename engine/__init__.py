"""The rules of the games, and the judge; pure: no clock, file, thread or camera (engine/README.md)."""
