"""The page: reads the journal, shows what the table says, and takes people's orders. It never delays the table."""

from web.app import create_app

__all__ = ["create_app"]
