#!/usr/bin/env python3
"""store_bits.py BUILD SOURCE [FLIPS]: psim-explore takes no changed bit of its results file for a result.

One bit of the file is changed, by seed; then either the results are the right ones, or the status is not 0. A file that says
of itself that it cannot be written is named as such, and so is a damaged one.
"""
import os
import random
import subprocess
import sys
import tempfile

BUILD, SOURCE = (os.path.abspath(a) for a in sys.argv[1:3])
FLIPS = int(sys.argv[3]) if len(sys.argv) > 3 else 300
STUDY = f"""base = {SOURCE}/configs/sparc64v.ini
[sweep]
core.rob_entries = 16, 64
[traces]
hello = {SOURCE}/traces/samples/hello.trace.gz
"""


def explore(*options):
    program = os.path.join(BUILD, 'psim/bin/psim-explore')
    return subprocess.run([program, '-q', '-j', '1', *options], capture_output=True, text=True, errors='replace',
                          timeout=1200)


def results(content, *options):
    """The results, as CSV, of a file with this content; what the program said; its status."""
    for name in ('s.sqlite', 's.sqlite-wal', 's.sqlite-shm', 's.csv'):
        if os.path.exists(name):
            os.unlink(name)
    if content is not None:
        with open('s.sqlite', 'wb') as f:
            f.write(content)
    done = explore('-o', 's.sqlite', '--csv', 's.csv', *options, 's.ini')
    try:
        with open('s.csv') as f:
            return f.read(), done.stderr, done.returncode
    except OSError:
        return None, done.stderr, done.returncode


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open('s.ini', 'w') as f:
            f.write(STUDY)
        right, said, status = results(None)
        if status:
            sys.exit(said)
        with open('s.sqlite', 'rb') as f:
            whole = f.read()
        refused = 0
        for seed in range(FLIPS):
            bit = random.Random(seed).randrange(8 * len(whole))
            content = bytearray(whole)
            content[bit // 8] ^= 1 << bit % 8
            got, said, status = results(bytes(content))
            refused += status != 0
            if status == 0 and got != right:
                wrong.append(f'seed {seed}, bit {bit}: other results, status 0: {said.strip()}')
            if status not in (0, 1, 3):
                wrong.append(f'seed {seed}, bit {bit}: status {status}: {said.strip()}')
        # bytes 18 and 19 of the header: a later version of the format, which may be read only
        content = bytearray(whole)
        content[18] = 3
        _, said, status = results(bytes(content))
        if status != 1 or 's.sqlite: read-only: ' not in said:
            wrong.append(f'read-only: status {status}: {said.strip()}')
        os.chdir('/')
    print('\n'.join(wrong) or f'{FLIPS} bits, {refused} refused, no wrong result')
    return bool(wrong)


sys.exit(main())
