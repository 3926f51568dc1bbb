"""Processes that fork after they have used the library: multiprocessing by its default way, and os.fork."""

import subprocess
import sys

PROGRAM = """
import multiprocessing, os, sys, threading
import cosched

def makespan(threads):
    study = cosched.simulate_rigid(sys.argv[1], 4000, policy="easy", mean_failure_probability=0.2, scenarios=20, threads=threads)
    return float(study.array("makespan", "easy").mean())

if __name__ == "__main__":
    cosched.generate_rigid(sys.argv[1], jobs=6)
    expected = makespan(4)
    with multiprocessing.get_context(sys.argv[2] or None).Pool(2) as pool:
        assert pool.map_async(makespan, [0, 1, 2, 4]).get(timeout=60) == [expected] * 4
    ends = threading.Event()

    def work():
        while not ends.is_set():
            makespan(2)

    busy = threading.Thread(target=work)
    busy.start()
    for _ in range(5):
        child = os.fork()
        if child == 0:
            import signal
            signal.alarm(60)
            os._exit(makespan(2) != expected)
        assert os.waitpid(child, 0)[1] == 0
    ends.set()
    busy.join()
    print("fine")
"""


def answer(tmp_path, way):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    # From Python 3.12 on os.fork() warns of the other thread, which the program means to have.
    done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", program, tmp_path / "jobs.csv", way], capture_output=True, text=True, timeout=300, check=False)
    return done.stdout, done.stderr


def test_children_made_by_default_use_the_library(tmp_path):
    assert answer(tmp_path, "") == ("fine\n", "")


def test_children_made_by_fork_use_the_library(tmp_path):
    assert answer(tmp_path, "fork") == ("fine\n", "")
