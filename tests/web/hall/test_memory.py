"""What the hall lets go of goes back to the machine: what is large has pages of its own, and all threads one arena."""

import platform
import re
import subprocess
import sys

import pytest

LOOK = """
import ctypes, sys, threading

if sys.argv[1] == "yes":
    from web.hall.program import give_back
    give_back()
held, at_once = [], threading.Barrier(9)

def work():
    held.append(bytes(100_000))
    at_once.wait()
    at_once.wait()

for _ in range(8):
    threading.Thread(target=work).start()
at_once.wait()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
told = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, told)
libc.fclose(told)
at_once.wait()
"""
"""Eight threads hold a page of a hundred kilobytes each while the C library tells what it has."""


def told(give_back: str) -> tuple[int, int]:
    """How many arenas the C library has, and how many bytes have pages of their own."""
    done = subprocess.run([sys.executable, "-c", LOOK, give_back], capture_output=True, text=True, check=True)
    large = re.search(r'<total type="mmap" count="\d+" size="(\d+)"', done.stdout)
    assert large is not None
    return done.stdout.count("<heap nr="), int(large[1])


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="memory that goes back (glibc)")
def test_what_many_threads_let_go_of_goes_back() -> None:
    arenas, large = told("yes")
    assert arenas == 1 and large >= 800_000
    arenas, large = told("no")
    assert arenas > 1 and large < 800_000
