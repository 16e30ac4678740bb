#!/usr/bin/env python3
"""psim -j 2 gives what psim gives: for each option of psim's own table, each configuration.

  psim_processes.py BUILD SOURCE

Each option of `psim --list-options` has a row here, and each file of configs is run. Standard output, status and all
files have to be the same, but for the command in a report. Where one process simulates the trace, a note says so and
names what it is for; these are listed, so that a further one is seen.
"""
import os, re, subprocess, sys, tempfile

BUILD, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PSIM = os.path.join(BUILD, 'psim/bin/psim')
TRACE = os.path.join(SOURCE, 'traces/samples/dgemm-packed.trace.gz')  # 3.8 million instructions: 17 segments
ARRAY = os.path.join(SOURCE, 'traces/samples/simd-dgemm.trace.gz')
INTERVAL = ['-p', 'energy.interval=30000']

# How each option is given, beside the trace. None: it answers without a run, or is what the test is about.
GIVEN = {
    'pipe': ['--pipe', 'x.kanata', '--window', '2000000:40'], 'pipe-format': ['--pipe', 'x', '--pipe-format', 'text'],
    'window': ['--pipe', 'x', '--window', '@region:dgemm:20'],
    'energy-csv': ['--energy-csv', 'x.csv'] + INTERVAL, 'counters-csv': ['--counters-csv', 'x.csv'] + INTERVAL,
    'mcpat': ['--mcpat', 'x.xml'], 'accelergy': ['--accelergy', 'x.yaml'],
    'stages-csv': ['--stages-csv', 'x.csv'], 'stages-svg': ['--stages-svg', 'x.svg'],
    'stages-rows': ['--stages-csv', 'x.csv', '--stages-rows', '128'],
    'core': ['--core', '0'], 'top': ['--top', '3'], 'annotate': ['--annotate', 'main'], 'misses': ['--misses'],
    'source': ['--annotate', 'main', '--source', '.'], 'no-profile': ['--no-profile'], 'skip': ['--skip', '1000000'],
    'region': ['--region', 'dgemm'], 'sample': ['--sample'], 'simpoints': ['--simpoints'], 'runs': ['--runs', '3'],
    'processes': None, 'checkpoint': ['--checkpoint', 'x.ck'],
    'checkpoint-minutes': ['--checkpoint', 'x.ck', '--checkpoint-minutes', '0'],
    'useful-flops': ['--useful-flops', '1000'], 'what-if': ['--what-if'], 'max-cycles': ['--max-cycles', '1000000'],
    'expect': ['--expect', 'core.ipc>=1'], 'no-memo': ['--no-memo'], 'memo-memory': ['--memo-memory', '8'],
    'memo-check': ['--memo-check', '1000'], 'every-cycle': ['--every-cycle'],
    'config': ['-c', os.path.join(SOURCE, 'configs/sparc64v-prefetched.ini')], 'param': ['-p', 'l2.size=256KiB'],
    'strict': ['--strict'], 'list-params': None, 'list-configs': None, 'dump-config': None,
    'output': ['-o', 'x.txt'], 'format': ['-f', 'csv'], 'json': ['--json'], 'csv': ['--csv', 'x.csv'],
    'html': ['--html', 'x.html'], 'quiet': ['-q'], 'verbose': ['-v'], 'check': ['--check'],
    'help': None, 'man': None, 'version': None,
}
ALONE = {'pipe', 'pipe-format', 'window', 'stages-csv', 'stages-svg', 'stages-rows', 'sample', 'simpoints',
         'max-cycles', 'html'}
ALONE_MACHINES = {'petascale-chip.ini': 'several cores', 'petascale-chip-prefetched.ini': 'several cores',
                  'memory.kind=dram': 'memory.kind = dram', 'chip.cores=2': 'several cores'}
NOTE = re.compile(r'^psim: note: -j and ([^:\n]*): [^\n]*: one process simulates the trace\n', re.M)
# the line of a report that has the command; in a page, the option of the command alone
COMMAND = re.compile(rb'^\s*"?command"?[ :][^\n]*\n|^[^\n,]*,command,[^\n]*\n|(?<=psim) -j 2(?= --html)', re.M)
failed = []


def run(arguments):
    """Everything that a run gives: its status, output, files; and what it says."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([PSIM] + arguments, cwd=folder, capture_output=True)
        files = {name: COMMAND.sub(b'', open(os.path.join(folder, name), 'rb').read())
                 for name in sorted(os.listdir(folder))}
        return (done.returncode, COMMAND.sub(b'', done.stdout), files), done.stderr.decode()


def check(name, arguments, alone):
    """`alone`: what one process simulates the trace for; or None."""
    one, said_one = run(arguments)
    two, said = run(['-j', '2'] + arguments)
    wrong = None
    if NOTE.findall(said) != ([alone] if alone else []):
        wrong = f'expected {"a note on " + alone if alone else "no note"}: {said.strip()[:200]}'
    elif one != two or said_one != NOTE.sub('', said):
        differs = [part for part, a, b in zip(('status', 'output', 'files'), one, two) if a != b]
        wrong = f'differs in {", ".join(differs) or "messages"}: {said.strip()[:200]}'
    print(f'{name}: {wrong or "same" + (", by one process" if alone else "")}', flush=True)
    if wrong:
        failed.append(name)


listed = subprocess.run([PSIM, '--list-options'], capture_output=True, text=True, check=True).stdout
options = [line.split('\t')[0][2:] for line in listed.splitlines()]
for name in options:
    if name not in GIVEN:
        print(f'--{name}: no row in {os.path.basename(__file__)}, expected how it is given')
        failed.append(name)
    elif GIVEN[name]:
        check('--' + name, GIVEN[name] + [TRACE], '--' + {'pipe-format': 'pipe', 'window': 'pipe',
              'stages-rows': 'stages-csv'}.get(name, name) if name in ALONE else None)
for name in GIVEN.keys() - set(options):
    print(f'--{name}: psim has no such option')
    failed.append(name)
for name in sorted(os.listdir(os.path.join(SOURCE, 'configs'))):
    if name.endswith('.ini'):
        check(name, ['-v', '-c', os.path.join(SOURCE, 'configs', name), TRACE], ALONE_MACHINES.get(name))
for value in ('memory.kind=dram', 'chip.cores=2'):
    check(value, ['-p', value, TRACE], ALONE_MACHINES[value])
for more in (['--region', 'dgemm', '-v'] + INTERVAL + ['--counters-csv', 'x.csv', '--energy-csv', 'y.csv'],
             ['--check', '--region', 'dgemm', '--misses'], ['--no-memo'] + INTERVAL + ['--counters-csv', 'x.csv'], ['--misses', '--region', 'dgemm', '--what-if']):
    check(' '.join(more), more + [TRACE], None)
check('an array', ['-v', '-c', os.path.join(SOURCE, 'configs/simd16.ini'), ARRAY], None)
sys.exit(1 if failed else 0)
