"""What waits for the referee: fouls and objections of all games."""
