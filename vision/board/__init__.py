"""Finding the board: proposals of pits, rows and lattices of them, and hypotheses laid on the picture."""
