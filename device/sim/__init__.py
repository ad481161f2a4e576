"""The simulated table: two players who move, sometimes cheat, and obey the referee. It gives only pictures."""
