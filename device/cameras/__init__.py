"""The cameras, and what they share."""
