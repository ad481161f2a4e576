"""The table: the state machine between eye and referee."""
