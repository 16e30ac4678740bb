#!/usr/bin/env python3
"""Ends every loop of tests/mpi/loops.c by one signal, and checks that the run leaves its report.

    loops.py SIGNAL WHERE NAMES COMMAND...     NAMES: all, or names separated by commas; COMMAND: a run of loops.so

WHERE is an argument of the program: first, all, alone, thread, ignores. Each run is in a folder of its own; the signal comes when
the rank is in its loop. A run that has not ended a minute later is killed: it cannot be stopped.
"""
import concurrent.futures
import os
import signal
import subprocess
import sys
import tempfile
import time

POLL_SECONDS = 0.01
ENDLESS_SECONDS = 60
AT_ONE_TIME = 4
ENDED = "interrupted by "


def end_loop(name, number, where, command):
    """Returns what is wrong with the end of the run, "" if nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        told, report = os.path.join(folder, "told"), os.path.join(folder, "report")
        argv = command[:1] + ["-q", "-o", report] + command[1:] + [name, where, told]
        with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              start_new_session=True, env=dict(os.environ, ENDED_BY_SIGNAL="1")) as p:
            while p.poll() is None and not (os.path.exists(told) and os.path.getsize(told)):
                time.sleep(POLL_SECONDS)
            if p.returncode is not None:
                return "has ended before the signal: " + p.stderr.read()
            p.send_signal(number)
            began = time.monotonic()
            try:
                said = p.communicate(timeout=ENDLESS_SECONDS)[1]
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGKILL)
                p.communicate()
                return "cannot be stopped"
            if os.environ.get("LOOPS_TIMES"):
                print(f"{time.monotonic() - began:.2f} s {name}", file=sys.stderr)
        if p.returncode != 1 or ENDED not in said:
            return f"status {p.returncode}: {said}"
        with open(report, encoding="utf-8") as f:
            return "" if "complete              no" in f.read() else "its report does not say that it was interrupted"


def main():
    number, where = getattr(signal, "SIG" + sys.argv[1]), sys.argv[2]
    names, command = sys.argv[3].split(","), sys.argv[4:]
    if names == ["all"]:
        names = subprocess.run(command[:1] + ["-q", "-n", "1", "-o", os.devnull] + command[-1:] + ["list"],
                               check=True, capture_output=True, text=True).stdout.split()
    good = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONE_TIME) as pool:
        runs = [(name, pool.submit(end_loop, name, number, where, command)) for name in names]
        for name, run in runs:
            wrong = run.result()
            good += not wrong
            if wrong:
                print(f"{name}: {wrong}".strip())
    print("all loops end" if good == len(names) else f"{len(names) - good} of {len(names)} loops do not end")
    return good != len(names)


sys.exit(main())
