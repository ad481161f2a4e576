"""The data folder, the processes, the machine's health, and the log."""
