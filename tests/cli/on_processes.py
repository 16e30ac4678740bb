#!/usr/bin/env python3
"""Repeats what sessions run on one process with several, and compares everything that comes out.

  on_processes.py BUILD [--processes 2,4] [--by fork,mpich,openmpi] [--every N] [--jobs N] [--one-core]
                  [--into FOLDER] [SESSION...]

Runs sessions (by default all of tests/cli, tests/bad and docs that call nsim or bsim). In place of nsim and bsim they
call this program, which runs the real one several times, each in a copy of the session's folder: as it is, then with
-j N (fork), or under mpirun.mpich or mpirun.openmpi. Standard output, standard error, status and all files have to be
the same, but for the command in a report. A run on several processes that reads a pipe is refused. The session gets
the output of the run on one process.

--every N compares each N-th command only; --jobs N runs N sessions at a time. --one-core keeps the processes of a run
on one core, where they take turns faster if others load the machine. --into keeps a file of results for each
session: a session that had no difference is not run again with the same options. Prints a line for each session, then
one for each kind of outcome; status 1 if any command differs or is too long.

Outcomes: `same`, simulated by all processes; `same, by one process`, which a note says; `refused: …`; `depends on the
host`, as it reads the host's clock, or as two runs on one process differ in the same; `too long`; `DIFFERENT`.
"""
import argparse, collections, concurrent.futures, hashlib, json, os, random, re, resource, shutil, signal, stat
import subprocess, sys, tempfile, time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENV = 'PSIM_ON_PROCESSES'
LIMIT_S = 300

# Refusals of several processes: docs/programs/parallel.md.
REFUSED = {
    'file': r'expected a file that several processes can open',
}
# Measured times may be equal in two runs by chance, and differ in the third: only the status is compared.
HOST_CLOCK = 'ranks.clock=host'
# Parts that differ between two runs on one process: the group `host` of a report in each format, and lines.
ALONE = re.compile(r': note: [^\n]*: one process (repeats the run|runs it)')
HOST = re.compile(r'^host: .*?(?=\n\n|\Z)|^ *"host": \{.*?\},?$|^host,[^\n]*$|\{"n":"host",.*?\]\}|'
                  r'^[^\n]*(its clock stands still|' + ALONE.pattern + r')[^\n]*\n?', re.M | re.S)
# With one processor for all processes, and as root, as in a container.
LAUNCHERS = {'mpich': ['mpirun.mpich'], 'openmpi': ['mpirun.openmpi', '--allow-run-as-root', '--oversubscribe']}
# Sessions that have several processes themselves.
LEFT_OUT = ('parallel', 'parallel-files', 'parallel-programs', 'parallel-skeletons', 'parallel-mpi')


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
            running = subprocess.Popen(command, cwd=os.path.join(self.top, inside), stdin=subprocess.PIPE, stdout=o,
                                       stderr=e, start_new_session=True)
            try:
                running.communicate(data, LIMIT_S)
                self.status = running.returncode
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                running.communicate()
                self.status = 'timeout'
        with open(out, 'rb') as o, open(err, 'rb') as e:
            self.out, self.err = o.read(), e.read()
        self.files = files_of(self.top)

    def finish(self):
        shutil.rmtree(self.work, ignore_errors=True)


def plain(data, command_parts):
    """Without the words of several processes, and the host's times."""
    if data[:2] == b'\x1f\x8b':
        import gzip
        data = gzip.decompress(data)
    text = data.decode('utf-8', 'replace')
    for part in command_parts:
        text = text.replace(part, '')
    return HOST.sub('', text)


def differences(one, many, parts, mpi):
    """Names of what differs."""
    found = []
    if one.status != many.status:
        found.append(f'status {one.status} and {many.status}')
    if plain(one.out, parts) != plain(many.out, parts):
        found.append('standard output')
    errors = [plain(r.err, parts).split('\n') for r in (one, many)]
    if mpi:  # the launcher says more
        errors = [[line for line in lines if line in errors[0] and line or re.match(r'[nb]sim:', line)] for lines in errors]
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


def command_of(by, n, program, arguments):
    """Command of n processes, and what it has in excess of one process' command."""
    if by == 'fork':
        return [program, '-j', str(n)] + arguments, [f'-j {n} ', f'"-j", "{n}", ']
    return LAUNCHERS[by] + ['-n', str(n), program] + arguments, []


def run_alone(by, n, program, arguments, top, inside, data, many):
    """Returns the note that one process simulated it, which --quiet leaves out."""
    text = many.err
    if {'-q', '--quiet'} & set(arguments):
        loud = Run(command_of(by, n, program, [a for a in arguments if a not in ('-q', '--quiet')])[0], top, inside, data)
        text = loud.err
        loud.finish()
    return ALONE.search(text.decode('utf-8', 'replace'))


def judge(how, program, arguments, top, inside, data, one):
    """Outcomes, by kind and number of processes."""
    outcomes, alone = [], None
    for by, n in how['ways']:
        command, parts = command_of(by, n, program, arguments)
        many = Run(command, top, inside, data)
        found = differences(one, many, parts, by != 'fork')
        kind = 'DIFFERENT'
        if 'timeout' in (one.status, many.status):
            kind = 'too long'
        elif not found:
            if alone is None and n > 1:  # it depends on the run, not on the way
                alone = run_alone(by, n, program, arguments, top, inside, data, many) or False
            kind = 'same, by one process' if alone else 'same'
        elif refusal(many):
            kind = f'refused: {refusal(many)}'
        elif HOST_CLOCK in arguments and one.status == many.status:
            kind = 'depends on the host'
        else:  # some commands differ from run to run
            again = Run([program] + arguments, top, inside, data)
            if set(found) <= set(differences(one, again, [], False)):
                kind = 'depends on the host'
            again.finish()
        outcomes.append({'way': f'{by} {n}', 'kind': kind, 'what': found,
                         'said': many.err.decode('utf-8', 'replace')[:400] if kind == 'DIFFERENT' else ''})
        many.finish()
    return outcomes


def stand_in():
    how = json.loads(os.environ[ENV])
    name, arguments = os.path.basename(sys.argv[0]), sys.argv[1:]
    if how['one_core']:
        os.sched_setaffinity(0, {random.choice(sorted(os.sched_getaffinity(0)))})
    program = os.path.join(how['bin'], name)
    # neither runs that a signal ends, nor those on a disk that is full for this program, too
    if 'ENDED_BY_SIGNAL' in os.environ or resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        os.execv(program, [program] + arguments)
    cwd = os.getcwd()
    top = top_of(cwd)
    data = b'' if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    asks = [a for a in arguments if re.match(r'-j|--proc|--parallel|--help|--version|--list|--dump|--describe|-h$|-V$', a)]
    before = files_of(top)
    key = json.dumps([name] + arguments).encode()
    if asks or int(hashlib.sha256(key).hexdigest(), 16) % how['every']:
        sys.stdout.flush()
        sys.exit(subprocess.run([program] + arguments, input=data).returncode)
    one = Run([program] + arguments, top, os.path.relpath(cwd, top), data)
    outcomes = judge(how, program, arguments, top, os.path.relpath(cwd, top), data, one)
    with open(how['log'], 'a') as log:
        log.write(json.dumps({'command': [name] + arguments, 'outcomes': outcomes}) + '\n')
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
                if name.endswith(ending) and re.search(r'^\$ .*\b[nb]sim ', open(path).read(), re.M):
                    yield path


def run_session(path, how, one_core, build, folder, work):
    """Result of a session: that in the folder, if it is of the same options and without differences."""
    name = os.path.relpath(path, SOURCE)
    kept = os.path.join(folder, name.replace('/', '+') + '.json')
    if os.path.exists(kept):
        with open(kept) as f:
            result = json.load(f)
        if result['how'] == how and not bad_outcomes(result) and not result['broken']:
            return result
    log = os.path.join(work, name.replace('/', '+'))
    open(log, 'w').close()
    env = dict(os.environ, BUILD=build, LC_ALL='C', PATH=f'{work}:{build}/bin:{build}/tests/cli:{os.environ["PATH"]}')
    env.setdefault('MPI_KIND', 'mpich')
    env[ENV] = json.dumps(dict(how, one_core=one_core, bin=os.path.join(build, 'bin'), log=log))
    begin = time.monotonic()
    said = subprocess.run(['sh', os.path.join(SOURCE, 'tests/cli/run.sh'), SOURCE, path], env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace').stdout
    with open(log) as f:
        result = {'session': name, 'how': how, 'seconds': round(time.monotonic() - begin),
                  'broken': [line for line in said.split('\n') if line.startswith('not ok') or '# SKIP' in line],
                  'commands': [json.loads(line) for line in f]}
    with open(kept, 'w') as f:
        json.dump(result, f)
    return result


def main():
    options = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    options.add_argument('build')
    options.add_argument('sessions', nargs='*')
    options.add_argument('--processes', default='2,4')
    options.add_argument('--by', default='fork')
    options.add_argument('--every', type=int, default=1)
    options.add_argument('--jobs', type=int, default=1)
    options.add_argument('--one-core', action='store_true')
    options.add_argument('--into')
    a = options.parse_intermixed_args()
    work = tempfile.mkdtemp(prefix='on-processes-')
    folder = a.into or os.path.join(work, 'results')
    os.makedirs(folder, exist_ok=True)
    for name in ('nsim', 'bsim'):
        os.symlink(os.path.abspath(__file__), os.path.join(work, name))
    how = {'every': a.every, 'ways': [[by, int(n)] for by in a.by.split(',') for n in a.processes.split(',')]}
    paths = [os.path.abspath(s) for s in a.sessions] or sessions()
    results = []
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        running = [pool.submit(run_session, path, how, a.one_core, os.path.abspath(a.build), folder, work) for path in paths
                   if os.path.splitext(os.path.basename(path))[0] not in LEFT_OUT]
        for one in concurrent.futures.as_completed(running):
            results.append(one.result())
            print(line_of(results[-1]), flush=True)
    shutil.rmtree(work)
    return report(results)


def outcomes_of(results):
    return [(c, o) for r in results for c in r['commands'] for o in c['outcomes']]


def bad_outcomes(result):
    return [(c, o) for c, o in outcomes_of([result]) if o['kind'] in ('DIFFERENT', 'too long')]


def line_of(result):
    kinds = collections.Counter(o['kind'] for _, o in outcomes_of([result]))
    return f'{result["session"]}: {len(result["commands"])} commands, {result["seconds"]} s: ' + \
        ', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))


def report(results):
    results.sort(key=lambda r: r['session'])
    print(f'{sum(len(r["commands"]) for r in results)} commands of {sum(1 for r in results if r["commands"])} sessions')
    kinds = collections.Counter((o['way'], o['kind']) for _, o in outcomes_of(results))
    for (way, kind), count in sorted(kinds.items()):
        print(f'{way}: {count} {kind}')
    for r in results:
        for line in r['broken']:
            print(f'{r["session"]}: does not pass with this program in between: {line[:160]}')
    for r in results:
        for c, o in bad_outcomes(r):
            print(f'{o["kind"]} by {o["way"]}: {r["session"]}: {" ".join(c["command"])}: {"; ".join(o["what"])}: {o["said"]}')
    return any(bad_outcomes(r) for r in results)


if __name__ == '__main__':
    sys.exit(main() if os.path.basename(sys.argv[0]) not in ('nsim', 'bsim') else stand_in())
