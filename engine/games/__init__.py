"""The games. Each game is a `Rules` on top of the shared sowing; each ruleset is a set of field values."""
