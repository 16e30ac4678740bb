"""Programs with hostile names in every output format: hostile_names.py names-writer

Runs in the folder of a session. The rule: what a program prints is UTF-8 without control characters but newlines and
tabs of its own, JSON and pictures parse, and the script of a page ends where the page ends it. Prints a line a program.
"""
import glob
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import xml.dom.minidom

NAMES = {
    'terminal': b'\x1b[31mred\x1b]0;title\x07\x9b1m\xc2\x9b2m\x7f',
    'lines': b'one\ntwo\rthree\tfour\xe2\x80\xa8five\xe2\x80\xa9',
    'page': b'<!--<script>&lt;"quotes\', and commas',
    'script': b'folder<!-- </script><script>alert(1)',
    'bytes': b'\xff\xfe\xc3(\xe2\x80\xed\xa0\x80\xe2\x80\xae\xef\xbf\xbf',
}
# a file of this name begins another folder behind each slash; a symbol does not
SYMBOLS = {**NAMES, 'script': b'</script><script>alert(1)</script>'}
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
WRONG = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]')
faults = []
outputs = 0


class Page(html.parser.HTMLParser):
    """Elements, the policy and the scripts of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.tags, self.policy, self.script, self.inside = [], '', '', False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        self.inside = tag == 'script'
        if attrs.get('http-equiv') == 'Content-Security-Policy':
            self.policy = attrs['content']

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.script += data


def check_page(text):
    page = Page(text)
    assert page.tags.count('script') == 1 and page.policy.startswith(POLICY), (page.tags, page.policy)
    data = re.search(r'^const report = (.*);$', page.script, re.MULTILINE).group(1)
    assert not set('<>&\u2028\u2029') & set(data), 'data'
    json.loads(data)


CHECKS = {'json': json.loads, 'html': check_page, 'svg': xml.dom.minidom.parseString}


def check(kind, data, command):
    """Checks an output of a command in the format `kind`."""
    global outputs
    outputs += 1
    try:
        text = data.decode('utf-8')
        wrong = WRONG.search(text)
        assert not wrong, f'{wrong.group()!r} at {text[max(0, wrong.start() - 30):wrong.start()]!r}'
        assert text, 'empty'
        if kind in CHECKS:
            CHECKS[kind](text)
    except (AssertionError, ValueError, AttributeError, xml.parsers.expat.ExpatError) as fault:
        faults.append(f'{command}: {kind}: {str(fault)[:200]}')


def run(kinds, *command):
    """Runs a command that writes the files of `kinds` ({kind: file}); its streams are texts of the kind 'text'."""
    done = subprocess.run(command, capture_output=True, check=False)
    shown = ' '.join(os.fsdecode(part).encode('ascii', 'backslashreplace').decode() for part in command)[:150]
    if done.returncode:
        faults.append(f'{shown}: status {done.returncode}: {done.stderr[:200]}')
        return
    for stream in (done.stdout, done.stderr):
        if stream:
            check('text', stream, shown)
    for kind, file in kinds.items():
        with open(file, 'rb') as f:
            check(kind.split()[0], f.read(), shown)


def reports(*command, other=()):
    """The formats that a report has."""
    run({'csv': 'r.csv', 'html': 'r.html'}, *command, '--csv', 'r.csv', '--html', 'r.html', *other)
    run({'json': 'r.json'}, *command, '-f', 'json', '-o', 'r.json')
    run({}, *command, '-v')


def psim(writer, symbol, name):
    trace = name + b'.trace.gz'
    os.makedirs(os.path.dirname(trace) or b'.', exist_ok=True)
    subprocess.run([writer, trace, symbol], check=True)
    run({}, 'psim-trace', '--insns', trace)
    for kind in ('json', 'csv'):
        run({kind: 'r'}, 'psim-trace', '--mix', '-f', kind, '-o', 'r', trace)
    reports('psim', '-q', trace)
    shutil.copy('r.json', name + b'.json')
    run({'svg': 's.svg', 'csv': 's.csv'}, 'psim', '-q', '--stages-svg', 's.svg', '--stages-csv', 's.csv', trace)
    for form in ('kanata', 'text'):
        run({'text': 'p'}, 'psim', '-q', '--pipe', 'p', '--pipe-format', form, '--window', '0:60', trace)


def psim_diff(name):
    run({'json': name + b'2.json'}, 'psim', '-q', '-p', 'core.rob_entries=32', '-f', 'json', '-o', name + b'2.json',
        name + b'.trace.gz')
    run({'csv': 'r.csv', 'html': 'r.html'}, 'psim-diff', '--csv', 'r.csv', '--html', 'r.html', name + b'.json',
        name + b'2.json')
    run({'json': 'r.json'}, 'psim-diff', '-f', 'json', '-o', 'r.json', name + b'.json', name + b'2.json')
    run({}, 'psim-diff', '--short', name + b'.json', name + b'2.json')


def psim_explore(name):
    title = re.sub(rb'[\0-\x1f\x7f]', b'', name)  # a study file has no control characters
    with open('study.ini', 'wb') as f:
        f.write(b'title = ' + title + b'\nbase = configs/sparc64v.ini\n[sweep]\ncore.rob_entries = 32, 64\n'
                b'[traces]\nt = study.trace.gz\n')
    shutil.copy(name + b'.trace.gz', 'study.trace.gz')
    for file in glob.glob('study.sqlite*'):
        os.remove(file)
    run({'csv': 'r.csv', 'html': 'r.html', 'svg a': 'a.svg', 'svg b': 'b.svg'}, 'psim-explore', '-q', '--pareto',
        '--sensitivity', '--csv', 'r.csv', '--html', 'r.html', '--svg', 'a.svg', '--tornado', 'b.svg', 'study.ini')
    done = subprocess.run(('psim-explore', '-q', '--no-run', '-f', 'json', 'study.ini'), capture_output=True, check=False)
    check('json', done.stdout, 'psim-explore -f json')


def nsim(name):
    program = name + b'.so'
    shutil.copy('ring.so', program)
    common = ('nsim', '-p', 'topology.dims=4', '-n', '4')
    call = (b'./' + program, '3', name)
    for kind in ('json', 'csv', 'html'):
        run({kind: 'r'}, *common, '-q', '-f', kind, '-o', 'r', *call)
    run({'json': 'r.json', 'svg a': 'a.svg', 'svg b': 'b.svg', 'text': 'r.paje'}, *common, '-v', '--timeline', 'r.json',
        '--picture', 'a.svg', '--series-picture', 'b.svg', '--paje', 'r.paje', *call)


def main():
    parts = {
        'psim': lambda kind: psim(sys.argv[1], SYMBOLS[kind], NAMES[kind]),
        'psim-diff': lambda kind: psim_diff(NAMES[kind]),
        'psim-explore': lambda kind: psim_explore(NAMES[kind]),
        'nsim': lambda kind: nsim(NAMES[kind]),
    }
    for program, part in parts.items():
        for kind in NAMES:
            part(kind)
        print(f'{program}: {"wrong" if faults else "right"}')
        for fault in faults[:8]:
            print(' ', fault.encode('ascii', 'backslashreplace').decode())
        faults.clear()
    print('outputs checked:', 'more than 150' if outputs > 150 else outputs)


main()
