"""Past games: their moves, fouls, rulings and figures, and what of them can be shared."""
