"""The simulated table: two players with hands, who move, cheat now and then, and hear the referee. It makes
pictures only."""
