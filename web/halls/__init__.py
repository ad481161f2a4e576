"""The words of the hall, a room of its own (`hall/`): all that people read goes through the page's messages."""
