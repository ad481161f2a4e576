"""What `inkeek watch` gives people: the terminal's table, the report, the film, the start read off the board."""
