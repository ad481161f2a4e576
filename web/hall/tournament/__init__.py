"""The hall's tournament: its log on the disk, and results from the tables' journals. Rules: `engine/tournaments`."""
