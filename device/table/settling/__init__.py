"""When a move is over, and whose it was."""
