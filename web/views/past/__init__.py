"""Games looked back at: their fouls, and the boards from move to move."""
