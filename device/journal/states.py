"""The states of a table, by the names that the journal, the live state and the page use."""

from enum import StrEnum


class State(StrEnum):
    """What the table is doing."""

    STARTING = "starting"
    """The camera is being opened."""
    SEARCHING = "searching"
    """Frames come, the board has not been found yet."""
    SETTING_UP = "setting-up"
    """The board is seen and compared with the position that the game begins from."""
    WATCHING = "watching"
    """No hand is near: the board matches the game's position."""
    HANDS_IN = "hands-in"
    """Hands are over the board."""
    SETTLING = "settling"
    """The hands have left; quiet readings are gathered."""
    JUDGING = "judging"
    """The referee is weighing what was read."""
    WITHDRAWING = "withdrawing"
    """A move was withdrawn; the board is to be laid as it was before."""
    BLIND = "blind"
    """The table cannot see."""
    OVER = "over"
    """The game has ended; a new set-up laid on the board begins the next."""

    @property
    def passing(self) -> bool:
        """Whether the state comes and goes with every move: shown live, not written to the journal."""
        return self in (State.HANDS_IN, State.SETTLING, State.JUDGING, State.STARTING)
