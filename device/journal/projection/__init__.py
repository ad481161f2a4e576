"""The journal folded into what table, page, hall and records read."""
