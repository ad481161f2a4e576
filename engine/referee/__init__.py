"""The referee: one belief over games, updated from observation to observation."""
