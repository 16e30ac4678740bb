#!/usr/bin/env python3
"""network_names.py: every output of a run on a named network has the names of nodes, routers and links, none an index alone.

SHOWS has a row for each option of nsim that writes a file or changes the report: "nodes" or "links", which its output then
has by name; "" where an output has neither, by ranks alone. An option without a row is a failure.
"""
import glob
import os
import re
import subprocess
import sys

PLATFORM = '''<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <host id="Tremblay" speed="1Gf"/> <host id="Jupiter" speed="1Gf"/> <host id="Fafard" speed="1Gf"/>
    <link id="wire" bandwidth="125MBps" latency="50us"/> <link id="cable" bandwidth="250MBps" latency="50us"/>
    <route src="Tremblay" dst="Jupiter"><link_ctn id="wire"/></route>
    <route src="Tremblay" dst="Fafard"><link_ctn id="wire"/><link_ctn id="cable"/></route>
    <route src="Jupiter" dst="Fafard"><link_ctn id="cable"/></route>
  </zone>
</platform>
'''
GRAPH = 'leaf spine up\nspine edge up\nnodes leaf 2\nnodes spine 0\n'
# file, names of nodes, of links
NETWORKS = [('p.xml', ['Tremblay', 'Jupiter', 'Fafard'], ['wire', 'cable']),
            ('g.graph', ['leaf.0', 'leaf.1', 'edge'], ['leaf-spine', 'spine-edge'])]

SHOWS = {
    '--each-rank -f csv -o OUT': 'nodes',
    '--each-rank --html OUT': 'nodes',
    '--hot-links -f csv -o OUT': 'links',
    '--hot-links --html OUT': 'links',
    '--verbose -f csv -o OUT': 'nodes links',
    '--timeline OUT': 'nodes',
    '--timeline OUT --log-packets': 'nodes links',
    '--paje OUT': 'nodes',
    '--paje OUT --log-packets': 'nodes links',
    '--paraver OUT.prv': 'nodes',
    '--write-otf2 OUT': 'nodes',
    '--network-picture OUT': '',
    '--picture OUT': '',
    '--series-picture OUT': '',
    '--series -f csv -o OUT': '',
    '-c power.ini --power-picture OUT': '',
    '-c power.ini --each-rank -f csv -o OUT': 'nodes',
    '--matrix OUT': '',
    '--write-pattern OUT': '',
    '--write-trace OUT': '',
    '--topology-report -f csv -o OUT': '',
    '--critical-path -f csv -o OUT': '',
    '--each-rank --csv OUT': 'nodes',
    '--each-rank --output OUT': 'nodes',
}
# Options of load curves, which have no node.
CURVES = {'--svg'}
# A word for a part of the network, and a number: an index.
INDEX = re.compile(r'\b(node|link|router|vertex)s?[ :_#]?"?\d+\b')

failures = []


def text_of(path):
    """All text below a path, also that of an archive."""
    if os.path.isdir(path):
        return subprocess.run(['otf2-print', '-G', os.path.join(path, 'traces.otf2')], text=True,
                              capture_output=True).stdout
    files = sorted(glob.glob(path + '*'))
    return '\n'.join(open(f, encoding='utf-8').read() for f in files)


def without_code(text):
    """The report of a page without its code, which counts nodes."""
    report = re.search(r'^const report = .*', text, re.M)
    return report[0] if report else text


def try_row(graph, nodes, links, options, shows):
    command = f'nsim -q -n 3 -e packet --graph {graph} {options} ring.so'.replace('OUT', 'x')
    subprocess.run('rm -rf x x.*', shell=True, check=True)
    done = subprocess.run(command.split(), text=True, capture_output=True)
    text = without_code(text_of('x'))
    if done.returncode or not text:
        failures.append(f'{command}: status {done.returncode}: {done.stderr.strip()}')
        return
    wanted = (nodes if 'nodes' in shows else []) + (links if 'links' in shows else [])
    failures.extend(f'{command}: no {name}' for name in wanted if name not in text)
    failures.extend(f'{command}: {found[0]}' for found in [INDEX.search(text)] if found)


def options_of_files():
    """Options of nsim that write a file or a folder."""
    text = subprocess.run(['nsim', '--help'], text=True, capture_output=True).stdout
    return set(re.findall(r'^ +(?:-\w, )?(--[\w-]+) (?:FILE|FOLDER)\S* +(?:write|draw|the same as)', text, re.M))


def main():
    open('p.xml', 'w').write(PLATFORM)
    open('g.graph', 'w').write(GRAPH)
    open('power.ini', 'w').write('[power]\ncompute = 100\nwait = 50\n')
    known = ' '.join(SHOWS)
    failures.extend(f'{o}: no row of SHOWS' for o in sorted(options_of_files()) if o not in known and o not in CURVES)
    for graph, nodes, links in NETWORKS:
        for options, shows in SHOWS.items():
            if 'otf2' in options and subprocess.run(['sh', '-c', 'command -v otf2-print'], capture_output=True).returncode:
                continue
            try_row(graph, nodes, links, options, shows)
    print('\n'.join(failures) if failures else f'{len(SHOWS)} outputs of {len(NETWORKS)} networks')
    sys.exit(bool(failures))


main()
