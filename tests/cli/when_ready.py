#!/usr/bin/env python3
"""Runs a program and sends it a signal as soon as it has said how it takes signals.

    when_ready.py SIGNAL COMMAND...               SIGNAL: INT, TERM, KILL, USR1 …
    when_ready.py SIGNAL --written COMMAND...      as soon as part of its output is in a file, too
    when_ready.py SIGNAL --said FILE COMMAND...    as soon as there is something in FILE, too
    when_ready.py SIGNAL --child COMMAND...        to its first child, as soon as it has one
    when_ready.py SIGNAL --parent COMMAND...       as soon as it has a child, too

No time is waited for: the program is ready when it catches SIGTERM (Linux's /proc tells). SIGNAL given twice, as
TERM,TERM: the second is sent again and again, two seconds apart, until the program ends. Status: the program's,
128 and the signal's number if one killed it, 125 if it ended before it was ready.
"""
import glob
import os
import signal
import subprocess
import sys
import time

POLL_SECONDS = 0.01
APART_SECONDS = 2


def catches(pid, number):
    """Returns whether the process has a handler for the signal; False once it has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as f:
            masks = [line.split()[1] for line in f if line.startswith("SigCgt:")]
    except OSError:
        return False
    return bool(masks) and int(masks[0], 16) >> (number - 1) & 1 == 1


def has_written(pid):
    """Returns whether a file that the process has open for writing, other than its standard streams, has content."""
    for info in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            with open(info, encoding="ascii") as f:
                field = dict(line.split(":", 1) for line in f if ":" in line)
        except OSError:
            continue
        writes = int(field["flags"], 8) & os.O_ACCMODE != os.O_RDONLY
        if writes and int(os.path.basename(info)) > 2 and int(field["pos"]) > 0:
            return True
    return False


def children(pid):
    """The processes that the process has begun and that have not ended, in their order."""
    found = []
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat, encoding="ascii", errors="replace") as f:
                state, parent = f.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(stat.split("/")[2]))
    return sorted(found)


def there(pid, option, value):
    if option in ("--child", "--parent"):
        return children(pid) != []
    if option == "--written":
        return has_written(pid)
    return option is None or (os.path.exists(value) and os.path.getsize(value) > 0)


def main():
    names, command = sys.argv[1].split(","), sys.argv[2:]
    option = value = None
    if command[0] == "--said":
        option, value, command = command[0], command[1], command[2:]
    elif command[0] in ("--written", "--child", "--parent"):
        option, command = command[0], command[1:]
    numbers = [getattr(signal, "SIG" + name) for name in names]
    # tests/cli/on_processes.py compares no runs that a signal ends
    with subprocess.Popen(command, env=dict(os.environ, ENDED_BY_SIGNAL='1')) as p:
        while p.poll() is None and not (catches(p.pid, signal.SIGTERM) and there(p.pid, option, value)):
            time.sleep(POLL_SECONDS)
        if p.returncode is not None:
            print(f"{command[0]}: ended with status {p.returncode} before it was ready", file=sys.stderr)
            return 125
        if option == "--child":
            os.kill(children(p.pid)[0], numbers[0])
        else:
            p.send_signal(numbers[0])
        while len(numbers) > 1 and p.poll() is None:
            time.sleep(APART_SECONDS)
            p.send_signal(numbers[1])
        status = p.wait()
    return status if status >= 0 else 128 - status


sys.exit(main())
