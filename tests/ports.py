"""Ports of this machine that a test's servers are given."""

import socket


def free_port() -> int:
    """One that nobody holds just now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
