#!/usr/bin/env python3
"""Dependencies point one way: a row a folder, with the folders that it may include.

Every #include "..." of the tree is resolved, against the file's folder and against the top. A file may include
its own folder and what its folder's row lists; a row with a header names that header alone. The graph between folders has
no cycle. A `*_state.h` is its folder's own, but for those of SHARED. Base names of sources are unique in the tree, names
of static functions in C in their library: so a name with its room says which file or function it is.

    layering.py SOURCE-ROOT
"""
import os
import re
import sys

BASE = "psim/base psim/base/config psim/base/report"
CLI = BASE + " psim/base/cli psim/base/image"
# Folders below the core and below the rooms around it.
CORE = BASE + " isa traces energy/energy.h energy/technology.def psim/machine psim/memory psim/bpred"
MAY = {
    "psim/base": "",
    "psim/base/config": "psim/base",
    "psim/base/report": "psim/base psim/base/config",
    "psim/base/image": "psim/base",
    "psim/base/cli": BASE + " psim/base/image",
    "isa": "psim/base",
    "isa/compiler": "",
    "traces": BASE + " isa",
    "traces/view": CLI + " isa traces",
    "traces/record": CLI + " isa isa/compiler/psim_nest.h traces",
    "energy": BASE,
    "psim/machine": BASE + " energy/gating.h energy/technology.def",
    "psim/memory": BASE + " isa psim/machine",
    "psim/bpred": BASE + " isa psim/machine",
    "psim/core": CORE,
    "psim/array": CORE + " psim/core",
    "psim/replay": CORE + " psim/core psim/array",
    "psim/segments": CORE + " psim/core psim/replay",
    "psim/pipe_trace": CORE + " psim/core",
    "psim/app": CORE + " psim/base/cli isa/compiler/psim_nest.h psim/core psim/replay/memo.h psim/segments psim/pipe_trace",
    "energy/explore": CLI + " psim/machine psim/core psim/app netlink/engine/net_config.h netlink/engine/net_uses.def"
                            " netlink/power netlink/cost netlink/reliability netlink/topology/topology_config.h netlink/vmpi/vmpi_config.h netlink/vmpi/vmpi_uses.def",
    "psim/report": CLI,
    "netlink/model": BASE,
    "netlink/model/fit": BASE + " netlink/model",
    "netlink/topology": BASE,
    "netlink/engine": BASE + " netlink/topology",
    "netlink/log": BASE + " netlink/topology netlink/engine",
    "netlink/times": BASE,
    "netlink/protocol": BASE,
    "netlink/curves": CLI,
    "netlink/reliability": BASE,
    "netlink/power": BASE + " netlink/topology",
    "netlink/cost": BASE + " netlink/topology",
    "netlink/engine/packet": BASE + " netlink/topology netlink/engine netlink/log",
    "netlink/engine/flow": BASE + " netlink/topology netlink/engine netlink/log",
    "netlink/engine/analytic": BASE + " netlink/topology netlink/engine netlink/times",
    "netlink/engine/protocol": BASE + " netlink/topology netlink/engine netlink/protocol",
    "netlink/engines": BASE + " netlink/engine netlink/engine/packet netlink/engine/flow netlink/engine/analytic"
                              " netlink/engine/protocol",
    "netlink/parallel": BASE + " netlink/topology netlink/engine",
    "netlink/traffic": BASE + " netlink/topology netlink/engine netlink/parallel",
    "netlink/mapping": BASE + " netlink/topology netlink/traffic",
    "netlink/wormhole": BASE,
    "netlink/ndl": BASE + " netlink/topology netlink/wormhole",
    "netlink/ndl/public": "netlink/wormhole",
    "netlink/ndl/sim": CLI + " netlink/curves netlink/topology netlink/traffic netlink/wormhole netlink/ndl",
    "netlink/vmpi": BASE + " netlink/engine",
    "netlink/vmpi/api": "",
    "netlink/vmpi/libc": "netlink/vmpi/api/thread_calls.def",
    "netlink/vmpi/objects": BASE + " netlink/vmpi/api",
    "netlink/vmpi/host": BASE + " netlink/protocol netlink/vmpi netlink/vmpi/api netlink/vmpi/objects",
    "netlink/vmpi/message": BASE + " netlink/vmpi/vmpi_config.h netlink/vmpi/api netlink/vmpi/host netlink/vmpi/objects",
    "netlink/vmpi/collectives": BASE + " netlink/vmpi netlink/vmpi/host/hosts.h netlink/vmpi/message"
                               " netlink/vmpi/objects/comm_table.h netlink/engine netlink/times",
    "netlink/vmpi/replay": BASE + " netlink/vmpi/vmpi_config.h netlink/vmpi/api netlink/vmpi/host netlink/vmpi/message",
    "netlink/vmpi/calls": BASE + " netlink/vmpi/vmpi_config.h netlink/vmpi/api netlink/vmpi/objects netlink/vmpi/message netlink/vmpi/collectives",
    "netlink/vmpi/run": BASE + " netlink/vmpi netlink/vmpi/host netlink/vmpi/message netlink/vmpi/collectives netlink/vmpi/calls"
                               " netlink/vmpi/replay",
    "netlink/tracer": "psim/base psim/base/report netlink/vmpi/api",
    "netlink/analysis": BASE + " netlink/engine netlink/vmpi",
    "netlink/apps/run": CLI + " netlink/model netlink/topology netlink/engine netlink/engines netlink/log netlink/times netlink/curves"
                              " netlink/protocol netlink/engine/protocol/protocol_engine.h"
                              " netlink/parallel netlink/traffic netlink/mapping netlink/wormhole netlink/ndl netlink/vmpi"
                              " netlink/vmpi/collectives netlink/vmpi/replay netlink/analysis netlink/power netlink/cost netlink/reliability",
    "netlink/apps/table": CLI + " netlink/topology netlink/engine netlink/engines netlink/times netlink/protocol netlink/vmpi"
                                " netlink/vmpi/collectives"
                                " netlink/apps/run",
    "netlink/apps/calibrate": CLI + " netlink/topology netlink/engine netlink/engines netlink/protocol netlink/vmpi netlink/apps/run",
    "netlink/apps/mopt": CLI + " netlink/topology netlink/engine netlink/mapping netlink/vmpi",
    "netlink/apps": CLI + " netlink/model/fit netlink/ndl netlink/apps/run",
}
# Programs that run on simulated machines: they include what is installed, and each has a name of its own for its user.
# States of the core, which its array, replay, segments and pictures read: docs/develop/design.md.
SHARED = ("psim/core/core_state.h", "psim/core/array_state.h")
GUESTS = ("traces/kernels", "traces/samples", "netlink/programs")
ROOMS = ("psim", "isa", "traces", "energy", "netlink")
# Two files of one name: the public name of an installed header, and the header.
TWICE = {"pu.h"}


def sources(root):
    found = []
    for top in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            folder = os.path.relpath(folder, root)
            if any(folder == g or folder.startswith(g + "/") for g in GUESTS):
                continue
            found += [f"{folder}/{name}" for name in names if re.search(r"\.(c|cc|h|hh|def|y|l)$", name)]
    return sorted(found)


def row_of(path):
    """The longest folder with a row that the file is in."""
    folder = os.path.dirname(path)
    while folder and folder not in MAY:
        folder = os.path.dirname(folder)
    return folder


def library_of(root, path):
    """The nearest folder above the file whose meson.build makes a library."""
    folder = os.path.dirname(path)
    while folder:
        build = os.path.join(root, folder, "meson.build")
        if os.path.exists(build) and "static_library(" in read(root, os.path.relpath(build, root)):
            break
        folder = os.path.dirname(folder)
    return folder


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return f.read()


def statics(root, path):
    """The static functions that a file defines."""
    text = re.sub(r"/\*.*?\*/", "", read(root, path), flags=re.S)
    return re.findall(r"^(?:__attribute__\(\(.*\)\) )?static [^;={(\n#]*?(\w+)\([^;{}]*\)\n\{", text, re.M)


def includes(root, path, known):
    for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', read(root, path), re.M):
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
        target = beside if beside in known else name
        if target in known:  # others are made by the build
            yield name, target


def cycle(edges):
    """The folders of a cycle, or nothing: what is left when those without edges are taken away."""
    left = {a: set(b) for a, b in edges.items()}
    while True:
        done = [a for a in left if not left[a] & set(left)]
        if not done:
            return sorted(left)
        for a in done:
            del left[a]


def main(root):
    bad, seen, edges, names, functions = [], 0, {}, {}, {}
    files = sources(root)
    known = set(files)
    for path in files:
        room = row_of(path)
        names.setdefault(os.path.basename(path), []).append(path)
        if re.search(r"\.[chyl]$", path):
            for name in statics(root, path):
                functions.setdefault((library_of(root, path), name), []).append(path)
        if not room:
            bad.append(f"{path}: its folder has no row in tests/lint/layering.py")
            continue
        may = MAY[room].split()
        for name, target in includes(root, path, known):
            other = row_of(target)
            seen += 1
            if other != room and other not in may and target not in may:
                bad.append(f"{path}: includes {name} of {other or 'no room'}, "
                           f"expected one of {MAY[room] or 'its own folder'}")
            if other != room and target.endswith("_state.h") and target not in SHARED:
                bad.append(f"{path}: includes {name}, the state of {other}, expected another header of it")
            if other and other != room:
                edges.setdefault(room, set()).add(other)
    for room, may in MAY.items():
        if not os.path.isdir(os.path.join(root, room)):
            bad.append(f"tests/lint/layering.py: {room} is no folder")
        for other in may.split():
            if other not in MAY and other not in known:
                bad.append(f"tests/lint/layering.py: {room} may include {other}, which is neither folder nor header")
    if cycle(edges):
        bad.append(f"folders that include each other: {', '.join(cycle(edges))}")
    for name, paths in names.items():
        if len(paths) > 1 and name not in TWICE:
            bad.append(f"{name}: expected one file of that name, found {' '.join(paths)}")
    for (library, name), paths in functions.items():
        if len(paths) > 1:
            bad.append(f"{name}: expected one static function of that name in {library}, found {' '.join(paths)}")
    if seen < 1000 or len(functions) < 1000:
        bad.append(f"only {seen} includes and {len(functions)} static functions found: the check sees the wrong folder")
    print("\n".join(bad), file=sys.stderr, end="\n" if bad else "")
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
