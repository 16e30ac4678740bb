#!/usr/bin/env python3
"""outputs.py BUILD SOURCE: what docs/programs/common.md promises of every file that a program writes.

A row of ROWS is an output option of a program; an option of OPT_WRITES without a row is a failure. Each is tried as: an input,
another output, a link to nothing, a pipe, a device, a full device, a folder that is not there, and a full disk over an older
file; where the run fails after it; and beside other outputs and a report, which it does not cost.
"""
import os
import re
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
    ('psim --mcpat OUT hello.trace.gz', HELLO, '--accelergy'),
    ('psim --accelergy OUT hello.trace.gz', HELLO, '--mcpat'),
    ('psim --pipe OUT --window 0:100 hello.trace.gz', HELLO, '--stages-csv'),
    ('psim --energy-csv OUT -p energy.interval=100 hello.trace.gz', HELLO, '--stages-svg'),
    ('psim --stages-csv OUT hello.trace.gz', HELLO, '--stages-svg'),
    ('psim --stages-svg OUT hello.trace.gz', HELLO, '--stages-csv'),
    ('psim --counters-csv OUT -p energy.interval=100 hello.trace.gz', HELLO, '--stages-csv'),
    ('psim-trace --insns -o OUT hello.trace.gz', HELLO, ''),
    ('psim-trace -q --text OUT hello.trace.gz', HELLO, '--champsim'),
    ('psim-trace -q --champsim OUT hello.trace.gz', HELLO, '--text'),
    ('psim-trace -q --bbv OUT hello.trace.gz', HELLO, '--text'),
    ('psim-trace -q --cvp OUT hello.trace.gz', HELLO, '--text'),
    ('psim-trace -q --elastic OUT hello.trace.gz', HELLO, '--text'),
    ('psim-trace -q --elastic-fetch OUT hello.trace.gz', HELLO, '--text'),
    ('psim-trace -q --make OUT hello.text', 'hello.text', ''),
    ('psim-diff -o OUT a.json a.json', 'a.json', '--html'),
    ('psim-diff --html OUT a.json a.json', 'a.json', '--csv'),
    ('psim-diff --csv OUT --short a.json a.json', 'a.json', '--html'),
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
    ('psim-explore -q -j 1 --scaling strong --scaling-svg OUT system.ini', 'system.ini', '--html'),
    (RING + ' -o OUT ring.so', 'ring.so', '--matrix'),
    (RING + ' -o OUT -e table -p topology.dims=2x2 -p table.file=T ring.so', 'T', ''),
    (RING + ' --matrix OUT ring.so', 'ring.so', '--timeline'),
    (RING + ' --timeline OUT ring.so', 'ring.so', '--paje'),
    (RING + ' --paje OUT ring.so', 'ring.so', '--matrix'),
    (RING + ' --picture OUT ring.so', 'ring.so', '--matrix'),
    (RING + ' -c power.ini --power-picture OUT ring.so', 'power.ini', '--matrix'),
    (RING + ' --write-pattern OUT ring.so', 'ring.so', '--matrix'),
    (RING + ' --write-trace OUT ring.so', 'ring.so', '--write-pattern'),
    ('nsim -q -p topology.dims=2x2 --series-picture OUT --pattern-file p.txt', 'p.txt', '--matrix'),
    ('nsim -q -p topology.dims=2x2 --pattern uniform --load 0.1,0.2 --svg OUT', '', ''),
    (RING + ' -p topology.dims=2x2 --network-picture OUT ring.so', 'ring.so', '--matrix'),
    ('bsim -q -n 4 -p topology.dims=2x2 --series-picture OUT ring.so', 'ring.so', '--matrix'),
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
# bsim has the outputs of nsim, from the same source: what they cost is tried.
BESIDE = [(command.replace('nsim -q -n', 'bsim -q -n'), '', other) for command, _, other in ROWS
          if command.startswith(RING)]
BESIDE += [('psim-record -q --log-insns OUT -- exit.sparc', '', '-o')]
FOLDERS += [FOLDERS[0].replace('nsim', 'bsim', 1)]
SETUP = [
    'psim-trace -q --text hello.text -o r hello.trace.gz',
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
    'power.ini': '[power]\ncompute = 100\nwait = 50\n',
    'sim.cfg': '[wormhole]\nbuffer_flits = 4\n',
    'system.ini': 'simulator = bsim\n[set]\ntopology.dims = 2x2\n[sweep]\nrun.ranks = 2, 4\n[programs]\nring = ring.so\n',
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


def same(text, output):
    """A text without the name of the output, and without the host's time."""
    text = re.sub(r'^host.*?\n(\n|$)', '', text, flags=re.M | re.S)
    return text.replace(output, 'OUT').replace(output.replace('/', '\\/'), 'OUT')


def told(text):
    """The errors of a program: lines that are no notes, warnings or progress."""
    return [line for line in text.splitlines() if ': note: ' not in line and ': warning: ' not in line]


def outcome(command, other, output):
    """Runs a command with another output too; returns it, and what it wrote, without the name of the output."""
    os.mkdir('aside')
    words = command.split()
    done = run(' '.join([words[0], other, 'aside/other'][:3 if other else 1] + words[1:]), output=output)
    wrote = [done.stdout or '']
    if os.path.exists('aside/other'):
        # a simulator of inspire has the name of a temporary folder
        wrote.append('a program' if os.access('aside/other', os.X_OK) else read('aside/other').decode(errors='replace'))
    shutil.rmtree('aside')
    return done, [same(text, output) for text in wrote]


def try_costs(command, other):
    """An output that fails costs no report and no other output; the status and one line say that it failed."""
    if command.split()[0] == 'psim-record' and other == '--log-insns':
        return  # the log is of the instructions of a trace, which ends where it cannot be written
    if '--no-trace' in command:
        other = ''
    good, expected = outcome(command, other, '/dev/null')
    full, wrote = outcome(command, other, '/dev/full')
    expect(good.returncode == 0 and len(expected) == 1 + bool(other), command, '/dev/null', good, 'expected status 0')
    expect(full.returncode == 1, command, 'an output that fails', full, 'expected status 1')
    expect(len(told(full.stderr)) == 1 and '/dev/full' in full.stderr, command, 'an output that fails', full,
           'expected one line that names it')
    expect(wrote[:1] == expected[:1], command, 'an output that fails', full, 'the report is another or not there')
    expect(wrote[1:] == expected[1:], command, 'an output that fails', full, f'{other} is another or not there')


# Not a file that is written when the run ends, but a database that keeps each point (store-bits, tests/cli/explore.t); three files
# with names of their own (tests/cli/paraver.t).
OTHERS = {('psim-explore', '--output'), ('nsim', '--paraver'), ('bsim', '--paraver')}


def options(program):
    """{name: (letter, words)} of a program; {}: it is no program of the suite."""
    with open(program, 'rb') as f:
        if f.read(4) != b'\x7fELF':
            return {}
    listed = subprocess.run([program, '--list-options'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, encoding='utf-8').stdout
    rows = [line.split('\t') for line in listed.splitlines() if line.startswith('--')]
    return {row[0]: (row[1], row[-1]) for row in rows}


def check_rows():
    """Each option that the sources call OPT_WRITES has a row, with each program that has it."""
    written = set()
    for folder, _, names in os.walk(SOURCE):
        if os.path.basename(folder).startswith(('build', '.')):
            continue
        for name in names:
            if name.endswith('.c'):
                text = open(os.path.join(folder, name), encoding='utf-8').read()
                for option, row in re.findall(r'\{"([a-z0-9-]+)",([^{}]*?)OPT_WRITES', text):
                    written |= {('--' + option, words[:12]) for words in re.findall(r'"([^"]*)"', row)}
    if len(written) < 20:
        sys.exit('the sources have hardly an OPT_WRITES: the check looks in the wrong place')
    folder = os.path.join(BUILD, 'psim/bin')
    programs = [os.path.join(folder, name) for name in sorted(os.listdir(folder))] + ['./torus']
    for program in programs:
        if not os.path.isfile(program):
            continue
        name = os.path.basename(program) if program != './torus' else program
        mine = [command.split() for command, _, _ in ROWS + BESIDE if command.split()[0] == name]
        mine += [command.split() for command in FOLDERS if command.split()[0] == name]
        for option, (letter, words) in options(program).items():
            if (option, words[:12]) not in written or words.startswith('the same as') or (name, option) in OTHERS:
                continue
            if not any(command[n] in (option, letter) and command[n + 1] == 'OUT' for command in mine
                       for n in range(len(command) - 1)):
                failures.append(f'{name} {option}: no row of outputs.py, expected one')


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
            try_costs(command, other)
        for command, _, other in BESIDE:
            try_costs(command, other)
        for command in FOLDERS:
            try_told(command)
        check_rows()
        os.chdir('/')
    print('\n'.join(failures) or f'{len(ROWS)} rows, all promises hold')
    return bool(failures)


sys.exit(main())
