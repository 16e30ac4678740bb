#!/usr/bin/env python3
"""Repeats random runs of nsim and bsim on several processes, and compares everything that comes out.

  random_processes.py BUILD [--seeds FROM:TO] [--processes 1,2,3,5,8] [--by fork,mpich,openmpi] [--jobs N] [-v]

Each seed is a small network of a random kind, routing, size, or description (NDL), with random parameters, placement,
jitter and noise; traffic, a program (tests/mpi/chance.c, which may fail in many ways), or its trace; an engine, logs and
views. Its run is compared as on_processes.py compares those of sessions. Prints a line for each kind of outcome; status 1
if any run differs. -v prints each command.
"""
import argparse, collections, concurrent.futures, os, random, shutil, subprocess, sys, tempfile

sys.dont_write_bytecode = True  # into the source tree
import on_processes

MPI = os.path.join(on_processes.SOURCE, 'tests/mpi')
NDL = os.path.join(on_processes.SOURCE, 'configs/ndl')

# A random tree of R routers, with P nodes at each: a port for each child, then nodes, then the parent's. Operands: seed R P.
TREE = '''
static int R = 8, P = 1, parent[99], nth[99], kids[99];
int net_config(int argc, char **argv)
{
	unsigned seed;
	if (argc < 4)
		return -1;
	seed = (unsigned)atoi(argv[1]), R = atoi(argv[2]), P = atoi(argv[3]);
	for (int i = 1; i < R; i++) {
		seed = seed * 1103515245u + 12345u;
		parent[i] = (int)(seed >> 16) % i;
		nth[i] = kids[parent[i]]++;
	}
	return 3;
}
var r in [0:R-1], c in [1:R-1], p in [0:P-1];
resource{
	node pu(P,R);
	switch sw(R);
	switch_size pu(p,r){i(1),o(1)}, sw(r){i(kids[r]+P+(r>0)),o(kids[r]+P+(r>0))};
}
connection{
	sw(c).o(kids[c]+P) | sw(parent[c]).i(nth[c]);
	sw(parent[c]).o(nth[c]) | sw(c).i(kids[c]+P);
	pu(p,r).o(0) | sw(r).i(kids[r]+p);
	sw(r).o(kids[r]+p) | pu(p,r).i(0);
}
routing{
	pu(p,r){
		route(0);
	}
	sw(r){
		int at = msg_dest_dim(1);
		if (at == r)
			route(kids[r] + msg_dest_dim(0));
		while (at > 0 && parent[at] != r)
			at = parent[at];
		if (at == 0)
			route(kids[r] + P);
		route(nth[at]);
	}
}
'''

# kind: sizes with their nodes, routings
KINDS = {
    'torus': ({'4x4': 16, '8x2': 16, '3x3x2': 18, '5x4': 20, '16': 16, '4x2x3': 24},
              ('dimension_order', 'adaptive', 'valiant', 'ugal')),
    'mesh': ({'4x4': 16, '5x3': 15, '3x3x2': 18}, ('dimension_order', 'adaptive', 'valiant', 'ugal')),
    'tofu': ({'2x1x1': 24, '2x2x1': 48}, ('dimension_order', 'adaptive')),
    'hypercube': ({'2^4': 16, '2^5': 32}, ('e_cube', 'adaptive', 'valiant', 'ugal')),
    'hyper_crossbar': ({'4x4': 16, '3x3x2': 18}, ('dimension_order', 'either_vc', 'adaptive', 'valiant')),
    'fat_tree': ({'4x4': 16, '2x2x4': 16, '2x9': 18}, ('destination_digits', 'source_digits', 'random', 'adaptive')),
    'dragonfly': ({'2x4x2': 72, '1x3x1': 12, '2x2x1': 12}, ('minimal', 'valiant', 'ugal', 'ugal_vc')),
}
# description: operands with their nodes
DESCRIBED = {
    'torus-dateline.ndl': {'4 4 1': 16, '3 3 2': 18}, 'hypercube.ndl': {'4': 16}, 'full-mesh.ndl': {'9 2': 18},
    'dragonfly.ndl': {'1 3 1': 12, '2 4 1': 40}, 'fat-tree.ndl': {'4 2': 16}, 'tofu.ndl': {'2 1 1': 24},
}
# Each with a probability of 1/8.
SETTINGS = (
    'router.vc_buffer=4KiB', 'router.arbitration=fcfs', 'router.arbitration=round_robin', 'router.queues=per_vc',
    'router.credits=any', 'router.input_port=one_packet', 'router.credit_delay=7ns', 'nic.service=fcfs',
    'nic.fifo=4KiB', 'nic.receive_fifo=4KiB', 'nic.mtu=512', 'nic.select=shortest', 'nic.control=in_order',
    'link.bandwidth=1GB/s', 'link.cable=3ns', 'link.nic_cable=2ns', 'node.memory=1GB/s', 'linear.sends=at_once',
    'engine.interval=700ns',
)
OF_RANKS = (
    'mpi.eager=0', 'mpi.eager=500', 'mpi.overhead=0', 'mpi.send_done=copied', 'mpi.payload=no', 'mpi.collectives=mpich',
    'mpi.collectives=openmpi', 'mpi.agent=100ns', 'mpi.control_bytes=16', 'ranks.start_jitter=3us',
    'ranks.noise_interval=20us', 'tree.operations=all', 'machine.slowdown=1.3', 'machine.spread=0.1', 'machine.variation=0.2', 'ranks.check=yes',
)
PATTERNS = (
    'all_to_all:size={size}', 'ring:size={size},repeat=3', 'random_ring:size={size},wait=yes', 'broadcast:size={size}',
    'uniform:size={size},messages=9', 'uniform:size={size},messages=30,load=0.4', 'bit_complement:size={size},messages=5',
    'hot_spot:size={size},messages=6', 'uniform:size={size},messages=9,outstanding=4,gap=90ns',
    'all_to_all:size={size},gap=120ns,wait=yes', 'tornado:size={size},messages=4', 'next_group:size={size},messages=5',
    'nearest:size={size},repeat=2,pause=300ns,overhead=50ns',
)
ENDS = ('abort', 'crash', 'error', 'stuck', 'leave', 'late', 'status')


def of_network(r):
    """Arguments, and nodes."""
    if r.random() < 0.2:
        if r.random() < 0.5:
            routers, nodes = r.randint(8, 16), r.randint(1, 2)
            return ['--network', 'tree.ndl', '--network-args', f'{r.randint(1, 999)} {routers} {nodes}'], routers * nodes
        name = r.choice(sorted(DESCRIBED))
        operands = r.choice(sorted(DESCRIBED[name]))
        return ['--network', os.path.join(NDL, name), '--network-args', operands], DESCRIBED[name][operands]
    kind = r.choice(sorted(KINDS))
    sizes, routings = KINDS[kind]
    dims = r.choice(sorted(sizes))
    found = [f'topology.kind={kind}', f'topology.dims={dims}', f'topology.routing={r.choice(routings)}']
    if r.random() < 0.3:
        found.append(f'topology.nics={r.randint(2, 3)}')
        found += r.sample(['nic.receive=any', 'nic.receive=same'], r.randint(0, 1))
    if kind == 'torus' and r.random() < 0.4:
        found.append('topology.ties=' + r.choice(('positive', 'random', 'direct')))
    if kind == 'torus' and r.random() < 0.1:  # it may get stuck
        found += ['topology.routing=dimension_order', 'topology.dateline=none', 'router.vc_buffer=2KiB', 'nic.fifo=2KiB']
    return [word for setting in found for word in ('-p', setting)], sizes[dims]


def of_views(r, program):
    found = [v for v in (['--check'], ['--each-rank'], ['-v'], ['--topology-report']) if r.random() < 0.4]
    found += [v for v in (['--series'], ['--series-picture', 's.svg'], ['--timeline', 't.json'], ['--paje', 't.paje'],
                          ['--matrix', 'm.txt']) if r.random() < 0.25]
    if ['--timeline', 't.json'] in found or ['--paje', 't.paje'] in found:
        found += [v for v in (['--log-packets'], ['--window', '3us:0.00002'], ['--window-ranks', '2-9']) if r.random() < 0.3]
    if program:
        found += [v for v in (['--critical-path'], ['--picture', 'p.svg'], ['--write-trace', 'w.trace'],
                              ['--write-pattern', 'w.pat']) if r.random() < 0.25]
        if r.random() < 0.2:
            found.append(['--time-limit', f'{r.randint(1, 90)}us'])
    if r.random() < 0.5:
        found.append(['-f', r.choice(('json', 'csv', 'html'))])
    return [word for view in found for word in view]


def command(seed):
    """The program and its arguments."""
    r = random.Random(seed)
    network, nodes = of_network(r)
    settings = [s for s in SETTINGS if r.random() < 1 / 8]
    what = r.choice(('pattern', 'program', 'program', 'fails', 'trace'))
    per_node = r.choice((1, 1, 1, 2)) if nodes <= 32 else 1
    engine = r.choice(('packet', 'packet', 'packet', 'linear', 'table'))
    arguments = ['-q', '--seed', str(seed), '-e', engine] + network
    settings += [f'ranks.per_node={per_node}', 'ranks.placement=' + r.choice(('block', 'cyclic', 'random'))]
    if engine == 'table':
        settings.append('table.file=p2p.times')
    views = of_views(r, what in ('program', 'fails'))
    if what == 'pattern':
        operands = ['--pattern', r.choice(PATTERNS).format(size=r.choice((0, 4, 700, 3000, 9000)))]
    else:
        settings += [s for s in OF_RANKS if r.random() < 1 / 8]
        end = r.choice(ENDS) if what == 'fails' else 'well'
        operands = ['--replay', 'chance.trace'] if what == 'trace' else ['./chance.so', str(seed), end]
        ranks = min(64, nodes * per_node, 12 if what == 'trace' else r.randint(8, 64))
        operands = ['-n', str(ranks)] + operands
        if what != 'trace' and '--time-limit' not in views:
            views += ['--time-limit', '1ms']  # ranks poll one that waits for ever
    return r.choice(('nsim', 'nsim', 'bsim')) if what in ('program', 'fails') else 'nsim', \
        arguments + [word for s in settings for word in ('-p', s)] + views + operands


def prepare(programs, folder):
    """Makes what the commands read."""
    with open(os.path.join(folder, 'tree.ndl'), 'w') as f:
        f.write(TREE)
    with open(os.path.join(folder, 'p2p.times'), 'w') as f:
        f.write('message-times 1\ntable p2p\nbytes 0 1KiB 1MiB\n0 300ns 1us 100us\n1 2us 3us 300us\n9 3us 4us 310us\n')
    subprocess.run([os.path.join(programs, 'nsimcc'), '-O1', '-o', 'chance.so', os.path.join(MPI, 'chance.c')],
                   cwd=folder, check=True)
    subprocess.run([os.path.join(programs, 'nsim'), '-q', '-p', 'topology.dims=4x3', '-o', 'report', '--write-trace',
                    'chance.trace', 'chance.so', '2'], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def run_seed(seed, programs, folder, how):
    name, arguments = command(seed)
    program = os.path.join(programs, name)
    one = on_processes.Run([program] + arguments, folder, '.', b'')
    outcomes = on_processes.judge(how, program, arguments, folder, '.', b'', one)
    one.finish()
    return seed, [name] + arguments, one, outcomes


def main():
    options = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    options.add_argument('build')
    options.add_argument('--seeds', default='1:200')
    options.add_argument('--processes', default='1,2,3,5,8')
    options.add_argument('--by', default='fork')
    options.add_argument('--jobs', type=int, default=1)
    options.add_argument('-v', action='store_true')
    a = options.parse_args()
    programs = os.path.join(os.path.abspath(a.build), 'bin')
    how = {'ways': [[by, int(n)] for by in a.by.split(',') for n in a.processes.split(',')]}
    begin, end = (int(n) for n in a.seeds.split(':'))
    folder = tempfile.mkdtemp(prefix='random-processes-')
    prepare(programs, folder)
    kinds, statuses = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for seed, words, one, outcomes in pool.map(lambda s: run_seed(s, programs, folder, how), range(begin, end + 1)):
            statuses[one.status] += 1
            kinds.update((o['way'], o['kind']) for o in outcomes)
            if a.v:
                print(f'{seed}: status {one.status}, {"/".join(o["kind"] for o in outcomes)}: {" ".join(words)}: '
                      f'{one.err.decode("utf-8", "replace")[:100]!r}', flush=True)
            for o in outcomes:
                if o['kind'] == 'DIFFERENT':
                    print(f'DIFFERENT by {o["way"]}: seed {seed}: {" ".join(words)}: {"; ".join(o["what"])}: {o["said"]}',
                          flush=True)
    shutil.rmtree(folder)
    print(f'{end - begin + 1} runs, statuses:',
          ', '.join(f'{n} of {status}' for status, n in sorted(statuses.items(), key=str)))
    for (way, kind), count in sorted(kinds.items()):
        print(f'{way}: {count} {kind}')
    return any(kind == 'DIFFERENT' for _, kind in kinds)


if __name__ == '__main__':
    sys.exit(main())
