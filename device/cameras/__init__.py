"""The cameras and their common base."""
