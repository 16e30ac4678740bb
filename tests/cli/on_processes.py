#!/usr/bin/env python3
"""Repeats what sessions run on one process with several, and compares everything that comes out.

  on_processes.py BUILD [--processes 2,4] [--mpirun LAUNCHER] [--every N] [-v] [SESSION...]

Runs sessions (by default all of tests/cli, tests/bad and docs that call nsim or bsim). In place of nsim and bsim they
call this program, which runs the real one several times, each in a copy of the session's folder: as it is, then with
-j N, or under LAUNCHER -n N. Standard output, standard error, status and all files have to be the same, but for the
command in a report. A run on several processes may be refused, with a message that docs/programs/parallel.md has.
The session gets the output of the run on one process.

--every N compares each N-th command only. Prints a line for each kind of outcome; status 1 if any command differs.
"""
import argparse, collections, hashlib, json, os, re, resource, shutil, stat, subprocess, sys, tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENV = 'PSIM_ON_PROCESSES'
LIMIT_S = 300

# Refusals of several processes: docs/programs/parallel.md.
REFUSED = {
    'engine': r'the engine \w+ runs on one process',
    'network too small': r'cannot be divided among \d+ processes',
    'routing': r'several processes: this routing looks at routers elsewhere',
    'nodes': r'several processes: node\.injection|several processes: .*NIC',
    'links': r'several processes: links take no time|several processes: .*(latency|times? above 0|take no time)',
    'file': r'expected a file that several processes can open',
}
# Lines that differ between two runs on one process.
HOST = re.compile(r'\bhost|computes without calls|CPU time|: note: .*: one process (repeats the run|runs it)')
# Sessions whose commands are not compared.
LEFT_OUT = {
    'signals': 'signals go to this program',
    'runner': 'is about sessions',
    'parallel': 'has several processes', 'parallel-files': 'likewise', 'parallel-programs': 'likewise',
    'parallel-skeletons': 'likewise', 'parallel-mpi': 'likewise',
}


# ---- in place of nsim and bsim ----

def top_of(folder):
    """The session's folder, which run.sh names `here`."""
    at = folder
    while os.path.basename(at) != 'here' and at != '/':
        at = os.path.dirname(at)
    return at if at != '/' else folder


def files_of(top):
    """Contents of all files, without links, by name."""
    found = {}
    for folder, folders, names in os.walk(top):
        folders[:] = [f for f in folders if not os.path.islink(os.path.join(folder, f))]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, 'rb') as f:
                    found[os.path.relpath(path, top)] = f.read()
    return found


def copy_folder(top, to):
    """Copies all files, links, and pipes, which copytree refuses."""
    pipes = []

    def skip(folder, names):
        found = [n for n in names if stat.S_ISFIFO(os.lstat(os.path.join(folder, n)).st_mode)]
        pipes.extend(os.path.relpath(os.path.join(folder, n), top) for n in found)
        return found

    shutil.copytree(top, to, symlinks=True, ignore=skip)
    for pipe in pipes:
        os.mkfifo(os.path.join(to, pipe))


class Run:
    """A run in a copy of the session's folder."""

    def __init__(self, command, top, inside, data):
        self.work = tempfile.mkdtemp(prefix='on-processes-')
        self.top = os.path.join(self.work, 'here')
        copy_folder(top, self.top)
        out, err = os.path.join(self.work, 'out'), os.path.join(self.work, 'err')
        with open(out, 'wb') as o, open(err, 'wb') as e:
            try:
                self.status = subprocess.run(command, cwd=os.path.join(self.top, inside), input=data, stdout=o,
                                             stderr=e, timeout=LIMIT_S).returncode
            except subprocess.TimeoutExpired:
                self.status = 'timeout'
        with open(out, 'rb') as o, open(err, 'rb') as e:
            self.out, self.err = o.read(), e.read()
        self.files = files_of(self.top)

    def finish(self):
        shutil.rmtree(self.work, ignore_errors=True)


def plain(data, command_parts):
    """Without the words of several processes, and lines of the host's times."""
    if data[:2] == b'\x1f\x8b':
        import gzip
        data = gzip.decompress(data)
    text = data.decode('utf-8', 'replace')
    for part in command_parts:
        text = text.replace(part, '')
    return '\n'.join(line for line in text.split('\n') if not HOST.search(line))


def differences(one, many, parts, mpi):
    """Names of what differs."""
    found = []
    if one.status != many.status:
        found.append(f'status {one.status} and {many.status}')
    if plain(one.out, parts) != plain(many.out, parts):
        found.append('standard output')
    errors = [plain(r.err, parts) for r in (one, many)]
    if mpi:  # the launcher says more
        errors = ['\n'.join(x for x in e.split('\n') if re.match(r'[nb]sim:', x)) for e in errors]
    if errors[0] != errors[1]:
        found.append('standard error')
    for name in sorted(set(one.files) | set(many.files)):
        if name not in one.files or name not in many.files:
            found.append(f'{name} is not there')
        elif one.files[name] != many.files[name] and plain(one.files[name], parts) != plain(many.files[name], parts):
            found.append(name)
    return found


def refusal(many):
    if many.status != 2:
        return None
    text = many.err.decode('utf-8', 'replace')
    for name, pattern in REFUSED.items():
        if re.search(pattern, text):
            return name
    return None


def judge(how, program, arguments, top, inside, data, one):
    """Outcomes, by number of processes."""
    outcomes = []
    for n in how['processes']:
        if how['mpirun']:
            command, parts = [how['mpirun'], '-n', str(n), program] + arguments, []
        else:
            command, parts = [program, '-j', str(n)] + arguments, [f'-j {n} ', f'"-j", "{n}", ']
        many = Run(command, top, inside, data)
        found = differences(one, many, parts, how['mpirun'])
        refused = refusal(many) if found else None
        if found and not refused:  # some commands differ from run to run
            again = Run([program] + arguments, top, inside, data)
            own = differences(one, again, [], False)
            again.finish()
            if set(found) <= set(own):
                refused = 'differs from run to run'
        kind = 'same' if not found else f'refused: {refused}' if refused and refused in REFUSED else refused
        outcomes.append({'processes': n, 'kind': kind or 'DIFFERENT', 'what': found if not kind else [],
                         'said': many.err.decode('utf-8', 'replace')[:400] if not kind else ''})
        many.finish()
    return outcomes


def stand_in():
    how = json.loads(os.environ[ENV])
    name, arguments = os.path.basename(sys.argv[0]), sys.argv[1:]
    program = os.path.join(how['bin'], name)
    # neither runs that a signal ends, nor those on a disk that is full for this program, too
    if 'ENDED_BY_SIGNAL' in os.environ or resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        os.execv(program, [program] + arguments)
    cwd = os.getcwd()
    top = top_of(cwd)
    data = b'' if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    asks = [a for a in arguments if re.match(r'-j|--proc|--parallel|--help|--version|--list|--dump|-h$|-V$', a)]
    before = files_of(top)
    key = json.dumps([name] + arguments).encode()
    if asks or int(hashlib.sha256(key).hexdigest(), 16) % how['every']:
        sys.stdout.flush()
        sys.exit(subprocess.run([program] + arguments, input=data).returncode)
    one = Run([program] + arguments, top, os.path.relpath(cwd, top), data)
    outcomes = judge(how, program, arguments, top, os.path.relpath(cwd, top), data, one)
    with open(how['log'], 'a') as log:
        log.write(json.dumps({'session': how['session'], 'command': [name] + arguments, 'outcomes': outcomes}) + '\n')
    for path, content in one.files.items():
        if before.get(path) != content:
            os.makedirs(os.path.dirname(os.path.join(top, path)), exist_ok=True)
            with open(os.path.join(top, path), 'wb') as f:
                f.write(content)
    for path in set(before) - set(one.files):
        os.unlink(os.path.join(top, path))
    one.finish()
    try:
        sys.stdout.buffer.write(one.out)
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    sys.stderr.buffer.write(one.err)
    sys.stderr.flush()
    os._exit(one.status if isinstance(one.status, int) and one.status >= 0 else 125)


# ---- all sessions ----

def sessions():
    for folder, ending in (('tests/cli', '.t'), ('tests/bad', '.t'), ('docs', '.md')):
        for at, _, names in sorted(os.walk(os.path.join(SOURCE, folder))):
            for name in sorted(names):
                path = os.path.join(at, name)
                if name.endswith(ending) and re.search(r'^\$ (.*[ (;])?[nb]sim ', open(path).read(), re.M):
                    yield path


def main():
    options = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    options.add_argument('build')
    options.add_argument('sessions', nargs='*')
    options.add_argument('--processes', default='2,4')
    options.add_argument('--mpirun')
    options.add_argument('--every', type=int, default=1)
    options.add_argument('-v', action='store_true')
    a = options.parse_intermixed_args()
    build = os.path.abspath(a.build)
    work = tempfile.mkdtemp(prefix='on-processes-')
    log = os.path.join(work, 'log')
    for name in ('nsim', 'bsim'):
        os.symlink(os.path.abspath(__file__), os.path.join(work, name))
    how = {'bin': os.path.join(build, 'bin'), 'log': log, 'every': a.every, 'mpirun': a.mpirun,
           'processes': [int(n) for n in a.processes.split(',')]}
    env = dict(os.environ, BUILD=build, LC_ALL='C', PATH=f'{work}:{build}/bin:{os.environ["PATH"]}')
    open(log, 'w').close()
    broken = []
    for path in [os.path.abspath(s) for s in a.sessions] or sessions():
        name = os.path.splitext(os.path.basename(path))[0]
        if name in LEFT_OUT:
            continue
        env[ENV] = json.dumps(dict(how, session=name))
        said = subprocess.run(['sh', os.path.join(SOURCE, 'tests/cli/run.sh'), SOURCE, path], env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace').stdout
        broken += [f'{name}: {line}' for line in said.split('\n') if line.startswith('not ok')]
        if a.v:
            print(name, flush=True)
    status = report([json.loads(line) for line in open(log)], broken)
    shutil.rmtree(work)
    return status


def report(results, broken):
    kinds = collections.Counter((o['processes'], o['kind']) for r in results for o in r['outcomes'])
    print(f'{len(results)} commands of {len(set(r["session"] for r in results))} sessions')
    for (n, kind), count in sorted(kinds.items()):
        print(f'{n} processes: {count} {kind}')
    for line in broken:
        print('session does not pass with this program in between:', line[:160])
    for r in results:
        for o in r['outcomes']:
            if o['kind'] == 'DIFFERENT':
                print(f'DIFFERENT on {o["processes"]}: {r["session"]}: {" ".join(r["command"])}: {"; ".join(o["what"])}: '
                      f'{o["said"]}')
    return any(kind == 'DIFFERENT' for _, kind in kinds)


if __name__ == '__main__':
    sys.exit(main() if os.path.basename(sys.argv[0]) not in ('nsim', 'bsim') else stand_in())
