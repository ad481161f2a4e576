"""The page: reads the journal, shows the table's word, takes people's orders. Never in the table's way."""

from web.app import create_app

__all__ = ["create_app"]
