#!/usr/bin/env python3
"""Public functions that no product code calls: dead ones, and those that only tests call.

    uncalled.py SOURCE-ROOT BUILD-ROOT LIBRARY...

A function of a library is called if an object outside of tests needs its symbol, or if the sources outside of tests
have its name more often than a declaration and a definition do: its own file calls it, or an inline function does.
Functions of headers that programs of others include are called by these.
"""
import collections
import pathlib
import re
import subprocess
import sys

# Only tests call these: why they stay.
EXCEPTIONS = {
    "best_offset_score": "scores are in no report; a test compares each with a round worked out by hand",
    "memo_statistics": "reports are equal with replay and without, so none may have its counts",
    "net_flow_fluid": "the solver's counts, which figures and benchmarks of the flow engine print",
    "net_packet_counts": "the engine's counts, which figures and benchmarks of the packet engine print",
    "param_cost_at": "a test makes the machine dearer by each row",
    "trace_writer_chunks": "tests of seeking and of damage need chunks of a few instructions",
}
# Interfaces of programs: headers that are installed, or that make their names public.
INTERFACES = re.compile(r"/(vmpi/api|vmpi/calls|wormhole/pu)|/wormhole/(pu|network|routing)\.h")
# Made by flex and bison.
MADE = re.compile(r"ndl_yy")


def listing(objects):
    text = subprocess.run(["nm", "-A", "-P", *objects], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        _, _, rest = line.partition(": ")
        yield rest.split()[:2]


def product(build):
    """Objects of the build outside of tests."""
    return [p for p in sorted(build.rglob("*.o")) if p.relative_to(build).parts[0] != "tests"]


def mentions(root):
    """Counts each name in the sources outside of tests, comments left out: {name: number}, and those of interfaces."""
    count, interface = collections.Counter(), set()
    kinds = ["*.c", "*.h", "*.def", "*.cc", "*.py", "*.in"]
    files = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", *kinds],
                           capture_output=True, text=True, check=True).stdout.split("\n")
    for name in files:
        path = root / name
        if not name or name.startswith("tests/") or not path.is_file():
            continue
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(), flags=re.S)
        words = re.findall(r"(?<!struct )(?<!enum )\b[A-Za-z_]\w*", text)
        count.update(words)
        if INTERFACES.search("/" + name):
            interface.update(words)
    return count, interface


def main(source, build, *libraries):
    root, build = pathlib.Path(source), pathlib.Path(build)
    needed = {name for name, kind in listing(product(build)) if kind == "U"}
    defined = {name for name, kind in listing(libraries) if kind == "T"}
    count, interface = mentions(root)
    uncalled = {name for name in defined - needed - interface if count[name] in (1, 2) and not MADE.match(name)}
    for name in sorted(uncalled - set(EXCEPTIONS)):
        print(f"{name}: only tests call this function, or nothing does; expected a caller, or `static` in a test",
              file=sys.stderr)
    for name in sorted(set(EXCEPTIONS) - uncalled):
        print(f"uncalled.py: {name} is an exception, but has a caller or is gone", file=sys.stderr)
    return 1 if uncalled != set(EXCEPTIONS) else 0


sys.exit(main(*sys.argv[1:]))
