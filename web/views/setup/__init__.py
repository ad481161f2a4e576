"""Setting a table up, step by step."""
