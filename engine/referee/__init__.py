"""The referee: one belief over games, carried on from observation to observation."""
