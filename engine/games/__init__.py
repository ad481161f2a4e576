"""The games: each a `Rules` over the one shared sowing, each ruleset a row of field values."""
