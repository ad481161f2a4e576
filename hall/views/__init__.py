"""The hall's pages."""
