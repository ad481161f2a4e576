"""Cameras that the page has others open: those in the network, before the table uses one."""
