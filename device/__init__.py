"""The machine: cameras, table, journal, evidence, command line and services."""
