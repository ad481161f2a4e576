"""The state machine between the eye and the referee."""
