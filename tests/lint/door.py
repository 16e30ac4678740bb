#!/usr/bin/env python3
"""door.py ROOT: files are written through psim/base/report/out.h, and read where a row below says so.

Each call of a function that opens, removes or renames a file belongs to a file of EXCEPTIONS, with the reason. A row that
no call needs is an error too. Options that name a file say what the program does with it (OPT_READS, OPT_WRITES).
"""
import os
import re
import subprocess
import sys

NAMES = ('fopen', 'freopen', 'fdopen', 'open', 'openat', 'creat', 'remove', 'rename', 'unlink', 'unlinkat', 'mkdir', 'rmdir',
         'mkstemp', 'mkdtemp', 'tmpfile', 'truncate', 'symlink', 'link', 'linkat')

# file: its calls, the reason
EXCEPTIONS = {
    'psim/base/report/out.c': ('fopen open fdopen linkat remove rename unlink mkdir', 'the door'),
    'psim/base/temporary.c': ('mkdtemp unlink rmdir', 'folders for files that nobody keeps'),
    'psim/base/input.c': ('open fdopen', 'reads'),
    'psim/base/json_file.c': ('fopen', 'reads'),
    'psim/base/cores.c': ('fopen', 'reads what the system says'),
    'psim/base/config/config_files.c': ('fopen', 'reads'),
    'psim/base/config/config_read.c': ('fopen', 'reads'),
    'psim/base/cli/opt.c': ('open', 'opens /dev/null in place of a closed standard descriptor'),
    'psim/core/annotate.c': ('fopen', 'reads'),
    'traces/reader.c': ('fopen', 'reads'),
    'traces/record/elf_image.c': ('open', 'reads'),
    'traces/record/line_table.c': ('open', 'reads'),
    'traces/record/source_line.c': ('open', 'reads'),
    'traces/record/guest.c': ('open', 'the folder of the guest'),
    'traces/record/sys_file.c': ('openat', "the guest's own system calls"),
    'traces/record/sys_path.c': ('openat unlinkat linkat', "the guest's own system calls"),
    'traces/record/place.c': ('open openat', "walks a path of the guest's, by descriptors that neither read nor write"),
    'traces/record/sandbox.c': ('open', 'names a folder to the fence'),
    'energy/explore/study_read.c': ('fopen', 'reads'),
    'netlink/apps/mopt/mopt_main.c': ('fopen', 'reads'),
    'netlink/apps/run/run_machine.c': ('fopen', 'reads'),
    'netlink/apps/run/program_run.c': ('freopen', 'sends what other processes print to /dev/null'),
    'netlink/apps/table/bsim_table_main.c': ('fopen', 'reads'),
    'netlink/model/fit/points_table.c': ('fopen', 'reads'),
    'netlink/ndl/build.c': ('fopen', 'reads'),
    'netlink/ndl/sim/pictures.c': ('fopen', 'reads'),
    'netlink/times/times.c': ('fopen', 'reads'),
    'netlink/tracer/trace_part.c': ('fopen', 'reads'),
    'netlink/traffic/pattern_file.c': ('fopen', 'reads'),
    'netlink/vmpi/calls/calls_file.c': ('unlink', 'MPI_File_delete of a rank'),
    'netlink/vmpi/message/mpi_file.c': ('open unlink', 'MPI_File_open of a rank'),
    'netlink/vmpi/libc/stdio.c': ('freopen', 'the C library of ranks'),
    'netlink/vmpi/host/library.c': ('fopen freopen fdopen', 'the C library of ranks'),
    'netlink/vmpi/host/process_state.c': ('open', "keeps the working folder while ranks have theirs"),
    'netlink/vmpi/host/context.c': ('fopen', 'reads what the system says'),
    'netlink/vmpi/host/elf_check.c': ('open', 'reads'),
    'netlink/vmpi/replay/otf2_write.c': ('fopen', "sets a number in the OTF2 library's file, in a folder without its name"),
    'isa/gen.c': ('fopen', 'makes sources while the suite is built'),
}


def without_comments(text):
    blank = lambda m: re.sub(r'[^\n]', ' ', m.group(0))
    return re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: '""', re.sub(r'/\*.*?\*/|//[^\n]*', blank, text, flags=re.S))


def calls(path):
    with open(path) as f:
        text = f.read()
    found = {}
    for m in re.finditer(r'(?<![\w.>])(' + '|'.join(NAMES) + r')\s*\(', without_comments(text)):
        found.setdefault(m.group(1), text.count('\n', 0, m.start()) + 1)
    return found, text


def options(path, text):
    """Rows of options whose argument is a file, with a type that says nothing about it."""
    row = r'\{"([a-z0-9-]+)",\s*(?:0|\'.\'),\s*"[^"]*(?:FILE|FOLDER|CSV)[^"]*",[^{}]*?(OPT_TEXT|OPT_LIST),'
    return [f'{path}: --{m.group(1)} is {m.group(2)}, expected OPT_READS, OPT_READS_EACH or OPT_WRITES'
            for m in re.finditer(row, text)]


def main():
    os.chdir(sys.argv[1])
    wrong = []
    used = set()
    listed = subprocess.run(['git', 'ls-files', '*.c', '*.h', '*.cc'], capture_output=True, text=True, check=True)
    for path in listed.stdout.split():
        if path.startswith(('tests/', 'docs/', 'isa/compiler/', 'traces/kernels/', 'netlink/programs/')):
            continue
        found, text = calls(path)
        wrong += options(path, text)
        allowed = EXCEPTIONS.get(path, ('', ''))[0].split()
        for name, line in found.items():
            used.add((path, name))
            if name not in allowed:
                wrong.append(f'{path}:{line}: {name}, expected a function of psim/base/report/out.h, or a row of door.py')
    for path, (names, _) in EXCEPTIONS.items():
        wrong += [f'door.py: {path} has no {name}, expected no row' for name in names.split() if (path, name) not in used]
    print('\n'.join(wrong))
    return bool(wrong)


sys.exit(main())
