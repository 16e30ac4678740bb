#!/usr/bin/env python3
"""outputs.py BUILD SOURCE: what docs/programs/common.md promises of every file that a program writes.

A row of ROWS is an output option of a program. Each is tried as: an input, another output, a link to nothing, a pipe, a
device, a full device, a folder that is not there, and a full disk over an older file; and where the run fails after it.
"""
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading

BUILD, SOURCE = (os.path.abspath(a) for a in sys.argv[1:3])
HELLO = 'hello.trace.gz'

# program, command with OUT, an input that it reads ('': none), another output option of the same command ('': none)
RING = 'nsim -q -n 4 -e linear'
ROWS = [
    ('psim -o OUT hello.trace.gz', HELLO, '--pipe'),
    ('psim -o OUT -c base.ini hello.trace.gz', 'base.ini', ''),
    ('psim -o OUT -c heir.ini hello.trace.gz', 'base.ini', ''),
    ('psim --html OUT hello.trace.gz', HELLO, '--csv'),
    ('psim --csv OUT hello.trace.gz', HELLO, '--html'),
    ('psim --pipe OUT --window 0:100 hello.trace.gz', HELLO, '--stages-csv'),
    ('psim --energy-csv OUT -p energy.interval=100 hello.trace.gz', HELLO, '--stages-svg'),
    ('psim --stages-csv OUT hello.trace.gz', HELLO, '--stages-svg'),
    ('psim --stages-svg OUT hello.trace.gz', HELLO, '--stages-csv'),
    ('psim-trace --insns -o OUT hello.trace.gz', HELLO, ''),
    ('psim-diff -o OUT a.json a.json', 'a.json', '--html'),
    ('psim-record -q -o OUT -- exit.sparc', 'exit.sparc', '--log-insns'),
    ('psim-record -q --no-trace --log-insns OUT -- exit.sparc', 'exit.sparc', '--output'),
    ('psim-fit -q --terms 1 -o OUT n=8:a.json n=9:a.json', 'a.json', '--model'),
    ('psim-fit -q --terms 1 --model OUT n=8:a.json n=9:a.json', 'a.json', '--picture'),
    ('psim-fit -q --terms 1 --picture OUT n=8:a.json n=9:a.json', 'a.json', '--model'),
    ('psim-explore -q -j 1 --csv OUT study.ini', 'study.ini', '--svg'),
    ('psim-explore -q -j 1 --csv OUT study.ini', HELLO, ''),
    ('psim-explore -q -j 1 --csv OUT study.ini', 'base.ini', ''),
    ('psim-explore -q -j 1 --svg OUT study.ini', 'study.ini', '--csv'),
    ('psim-explore -q -j 1 --tornado OUT study.ini', 'study.ini', '--output'),
    ('psim-explore -q -j 1 --html OUT study.ini', 'study.ini', '--csv'),
    (RING + ' -o OUT ring.so', 'ring.so', '--matrix'),
    (RING + ' -o OUT -e table -p topology.dims=2x2 -p table.file=T ring.so', 'T', ''),
    (RING + ' --matrix OUT ring.so', 'ring.so', '--timeline'),
    (RING + ' --timeline OUT ring.so', 'ring.so', '--paje'),
    (RING + ' --paje OUT ring.so', 'ring.so', '--matrix'),
    (RING + ' --picture OUT ring.so', 'ring.so', '--matrix'),
    (RING + ' --write-pattern OUT ring.so', 'ring.so', '--matrix'),
    (RING + ' --write-trace OUT ring.so', 'ring.so', '--write-pattern'),
    ('nsim -q -p topology.dims=2x2 --series-picture OUT --pattern-file p.txt', 'p.txt', '--matrix'),
    ('nsim -q -p topology.dims=2x2 -o OUT --mapping map.txt -n 4 ring.so', 'map.txt', ''),
    ('nsim -q -e linear -o OUT --replay t.txt', 't.txt', '--matrix'),
    ('bsim -q -n 4 --model k=M -o OUT ring.so', 'M', '--matrix'),
    ('bsim -q -n 4 --model k=M*2 -o OUT ring.so', 'M', '--matrix'),
    ('bsim-table -q -p topology.dims=2x2 --tables barrier -c base.cfg -o OUT', 'base.cfg', '--picture'),
    ('bsim-table -q --draw T --picture OUT', 'T', ''),
    ('nsim-calibrate -q -p topology.dims=4 --latency times.csv -o OUT', 'times.csv', '--protocol'),
    ('nsim-calibrate -q -p topology.dims=4 --latency times.csv --protocol OUT', 'times.csv', '--output'),
    ('mopt -q -t torus:2x2 -o OUT ring.matrix', 'ring.matrix', '--report'),
    ('mopt -q -t torus:2x2 -r OUT ring.matrix', 'ring.matrix', '--picture'),
    ('mopt -q -t torus:2x2 --picture OUT ring.matrix', 'ring.matrix', '--output'),
    ('mopt -q -t torus:2x2 --method keep --from map.txt -o OUT ring.matrix', 'map.txt', ''),
    ('inspire -o OUT net.ndl pu.c', 'net.ndl', '--keep-c'),
    ('inspire -o OUT net.ndl pu.c', 'pu.c', '--keep-c'),
    ('inspire --keep-c OUT net.ndl pu.c', 'net.ndl', '--output'),
    ('./torus -q -o OUT -c sim.cfg 2 2', 'sim.cfg', '--svg'),
    ('./torus -q --svg OUT --beside x=a.csv 2 2', 'a.csv', '--use-svg'),
    ('./torus -q --use-svg OUT 2 2', '', '--svg'),
]
FOLDERS = [RING + ' --write-otf2 OUT ring.so']
SETUP = [
    'psim -q -f json -o a.json hello.trace.gz',
    'nsimcc -O1 -o ring.so ring.c',
    'bsim-table -q -p topology.dims=2x2 --sizes 8,1KiB -o T',
    RING + ' --matrix ring.matrix --write-trace t.txt --write-pattern p.txt -o r ring.so',
    'mopt -q -t torus:2x2 -o map.txt -r r ring.matrix',
    'psim-fit -q --terms 1 --model M -o r n=8:a.json n=9:a.json',
    'inspire net.ndl -o torus',
    './torus -q -f csv -o a.csv --load 0.1,0.2 2 2',
]
TEXTS = {
    'base.ini': '[core]\nrob_entries = 64\n',
    'heir.ini': 'inherit = base.ini\n',
    'times.csv': 'bytes,latency_us\n0,2\n8,2.1\n64,2.2\n',
    'base.cfg': 'unused = allowed\n[engine]\nkind = linear\n',
    'sim.cfg': '[wormhole]\nbuffer_flits = 4\n',
    'study.ini': 'base = base.ini\n[sweep]\ncore.rob_entries = 32, 64\n[traces]\nhello = hello.trace.gz\n',
}
COPIES = {
    HELLO: 'traces/samples/hello.trace.gz',
    'ring.c': 'netlink/programs/examples/ring.c',
    'net.ndl': 'configs/ndl/torus.ndl',
    'pu.c': 'netlink/ndl/uniform.c',
}

failures = []


def make_inputs():
    for name, source in COPIES.items():
        shutil.copy(os.path.join(SOURCE, source), name)
    for name, text in TEXTS.items():
        with open(name, 'w') as f:
            f.write(text)
    shutil.copy(os.path.join(SOURCE, 'tests/guest/exit.sparc'), 'exit.sparc')
    for command in SETUP:
        done = run(command)
        if done.returncode:
            sys.exit(f'{command}: status {done.returncode}: {done.stderr}')


def run(command, limit=None, output='', stdout=subprocess.PIPE):
    """Runs a command with its output; `limit`: bytes that a file may have."""
    words = [w.replace('OUT', output) for w in command.split()]

    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True,
                          errors='replace', preexec_fn=before, timeout=1200)


def expect(condition, command, case, done, what):
    if not condition:
        failures.append(f'{command}: {case}: {what} (status {done.returncode}: {done.stderr.strip()[-200:]})')


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def try_input(command, input_name):
    os.mkdir('aside')
    os.symlink('../' + input_name, 'aside/link')
    for output in (input_name, './' + input_name, 'aside/link'):
        before = read(input_name)
        done = run(command, output=output)
        expect(done.returncode == 2, command, f'{output} is an input', done, 'expected status 2')
        expect(read(input_name) == before, command, f'{output} is an input', done, 'it has changed')
    shutil.rmtree('aside')


def try_twice(command, other):
    os.mkdir('aside')
    os.symlink('../both', 'aside/link')
    for second in ('both', './both', 'aside/link'):
        done = run(f'{command.split()[0]} {other} {second} {" ".join(command.split()[1:])}', output='both')
        expect(done.returncode == 2, command, f'{other} {second} too', done, 'expected status 2')
        expect(not os.path.exists('both'), command, f'{other} {second} too', done, 'a file was made')
    shutil.rmtree('aside')


def try_link(command):
    os.mkdir('aside')
    os.symlink('target', 'aside/link')
    done = run(command, output='aside/link')
    expect(done.returncode == 0, command, 'a link', done, 'expected status 0')
    expect(os.path.islink('aside/link') and os.path.exists('aside/link') and os.path.getsize('aside/link') > 0, command,
           'a link', done, 'expected the file that it names')
    expect(sorted(os.listdir('aside')) == ['link', 'target'], command, 'a link', done, 'other files were left')
    shutil.rmtree('aside')


def try_pipe(command):
    got = []

    def reader():
        with open('pipe', 'rb') as f:
            got.append(f.read())

    os.mkfifo('pipe')
    thread = threading.Thread(target=reader, daemon=True)
    thread.start()
    done = run(command, output='pipe')
    expect(done.returncode == 0, command, 'a pipe', done, 'expected status 0')
    expect(stat.S_ISFIFO(os.lstat('pipe').st_mode), command, 'a pipe', done, 'the pipe is gone')
    if thread.is_alive():
        os.close(os.open('pipe', os.O_RDWR | os.O_NONBLOCK))
    thread.join(600)
    expect(got and got[0], command, 'a pipe', done, 'nothing came out')
    os.unlink('pipe')


def try_devices(command):
    for device, status in (('/dev/null', 0), ('/dev/full', 1)):
        done = run(command, output=device)
        expect(done.returncode == status, command, device, done, f'expected status {status}')
        expect(stat.S_ISCHR(os.lstat(device).st_mode), command, device, done, 'the device is gone')
        expect(not status or 'No space left on device' in done.stderr, command, device, done, 'expected the cause')


def try_failure(command):
    done = run(command, output='nosuch/file')
    expect(done.returncode == 1 and 'nosuch/file' in done.stderr and 'No such file' in done.stderr, command,
           'no folder', done, 'expected status 1, file and cause')
    os.mkdir('aside')
    with open('aside/file', 'w') as f:
        f.write('older\n')
    os.chmod('aside/file', 0o640)
    done = run(command, limit=0, output='aside/file')
    expect(done.returncode == 1, command, 'a full disk', done, 'expected status 1')
    expect(read('aside/file') == b'older\n', command, 'a full disk', done, 'the older file has changed')
    left = set(os.listdir('aside')) - {'file.part'}  # bsim-table continues with it
    expect(left == {'file'}, command, 'a full disk', done, 'files were left')
    done = run(command, output='aside/file')
    mode = stat.S_IMODE(os.stat('aside/file').st_mode)
    expect(done.returncode == 0 and read('aside/file') != b'older\n', command, 'an older file', done, 'not replaced')
    expect(mode & 0o666 == 0o640, command, 'an older file', done, f'its mode is {mode:o}')
    shutil.rmtree('aside')


def try_told(command):
    """The report of a run fails after its other outputs: each is not there, or a message names it."""
    os.mkdir('aside')
    with open('/dev/full', 'w') as full:
        done = run(command, output='aside/file', stdout=full)
    left = os.listdir('aside')
    expect(done.returncode in (0, 1), command, 'a report that fails', done, 'expected status 0 or 1')
    expect(not done.returncode or not left or (left == ['file'] and 'aside/file was written' in done.stderr), command,
           'a report that fails', done, f'{left} is left, and no message says so')
    shutil.rmtree('aside')


def main():
    os.environ['PATH'] = os.path.join(BUILD, 'psim/bin') + ':' + os.environ['PATH']
    only = sys.argv[3] if len(sys.argv) > 3 else ''
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_inputs()
        seen = set()
        for command, input_name, other in ROWS:
            if only not in command:
                continue
            if input_name:
                try_input(command, input_name)
            if other:
                try_twice(command, other)
            if (command.split()[0], other) in seen:
                continue
            seen.add((command.split()[0], other))
            try_link(command)
            try_pipe(command)
            try_devices(command)
            try_failure(command)
            try_told(command)
        for command in FOLDERS:
            try_told(command)
        os.chdir('/')
    print('\n'.join(failures) or f'{len(ROWS)} rows, all promises hold')
    return bool(failures)


sys.exit(main())
