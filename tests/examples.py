"""How many examples a test draws: a few in every run, as many as `INKEEK_EXAMPLES` says in a long one."""

import os


def examples(few: int) -> int:
    """`few`, or what `INKEEK_EXAMPLES` says."""
    return int(os.environ.get("INKEEK_EXAMPLES", few))
