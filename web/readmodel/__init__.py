"""The journal, folded into what the pages show."""
