"""The table's eye: it prepares the camera's pictures for the networks, and decides how many are read."""
