"""What people are given of a recording while it is refereed, and afterwards: the terminal, the report, the start."""
