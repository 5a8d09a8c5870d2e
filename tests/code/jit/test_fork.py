"""A process that is forked while another thread compiles can compile too."""

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.ci, pytest.mark.posix]

PROGRAM = """
import os, signal, threading, time
import equamo as eq

eom = eq.derive(eq.load("puma560"))
eq.compile(eom, cache=False).gravity([0.1] * 6)  # imports are not what is tested
stop = False

def work():
    while not stop:
        eq.compile(eom, cache=False).mass_matrix([0.1] * 6)

thread = threading.Thread(target=work, daemon=True)
thread.start()
for _ in range(8):
    time.sleep(0.05)
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        value = eq.compile(eom, cache=False).gravity([0.1] * 6)
        os._exit(0 if value.shape == (6,) else 1)
    assert os.waitpid(child, 0)[1] == 0
stop = True
thread.join()
"""


def test_fork_while_a_thread_compiles() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], check=True, timeout=120)
