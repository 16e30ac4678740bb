#!/usr/bin/env python3
"""door.py ROOT: files are written through psim/base/report/out.h and read through psim/base/input.h; lines on standard error
are printed by psim/base/message_line.h, which no name can leave.

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
    'psim/base/report/out.c': ('fopen open fdopen linkat remove rename unlink mkdir', 'the door for writers'),
    'psim/base/temporary.c': ('mkdtemp unlink rmdir', 'folders for files that nobody keeps'),
    'psim/base/input.c': ('open fdopen', 'the door for readers'),
    'psim/base/image/image_save.c': ('open', 'reads what the system says of this process, and its files'),
    'psim/base/image/image_files.c': ('open', 'opens files of a process again as they were'),
    'psim/base/cores.c': ('fopen', 'reads what the system says'),
    'psim/base/cli/opt.c': ('open', 'opens /dev/null in place of a closed standard descriptor'),
    'traces/reader.c': ('fopen', 'reads'),
    'traces/record/elf_image.c': ('open', 'reads'),
    'traces/record/line_table.c': ('open', 'reads'),
    'traces/record/source_line.c': ('open', 'reads'),
    'traces/record/guest.c': ('open', 'the folder of the guest'),
    'traces/record/sys_file.c': ('openat', "the guest's own system calls"),
    'traces/record/sys_path.c': ('openat unlinkat linkat', "the guest's own system calls"),
    'traces/record/place.c': ('open openat', "walks a path of the guest's, by descriptors that neither read nor write"),
    'traces/record/sandbox.c': ('open', 'names a folder to the fence'),
    'netlink/apps/run/program_run.c': ('freopen', 'sends what other processes print to /dev/null'),
    'netlink/apps/run/jobs_alone.c': ('open', 'the same, of a job alone'),
    'netlink/tracer/trace_part.c': ('fopen', 'reads'),
    'netlink/vmpi/calls/calls_file.c': ('unlink', 'MPI_File_delete of a rank'),
    'netlink/vmpi/message/mpi_file.c': ('open unlink', 'MPI_File_open of a rank'),
    'netlink/vmpi/libc/files.c': ('fopen creat tmpfile mkstemp', 'the C library of ranks'),
    'netlink/vmpi/libc/stdio.c': ('freopen', 'the C library of ranks'),
    'netlink/vmpi/host/library.c': ('fopen freopen fdopen', 'the C library of ranks'),
    'netlink/vmpi/host/process_state.c': ('open', "keeps the working folder while ranks have theirs"),
    'netlink/vmpi/host/context.c': ('fopen', 'reads what the system says'),
    'netlink/vmpi/host/elf_check.c': ('open', 'reads'),
    'netlink/vmpi/replay/otf2_write.c': ('fopen', "sets a number in the OTF2 library's file, in a folder without its name"),
    'energy/explore/system_run.c': ('tmpfile', 'what a run prints, which is read when it has ended'),
    'isa/gen.c': ('fopen', 'makes sources while the suite is built'),
}

# file: why it uses stderr itself
STDERR = {
    'psim/base/message_line.c': 'the door for lines',
    'psim/base/cli/progress.c': 'a line that moves the cursor; its note is escaped',
    'psim/base/err.c': 'a bug of ours, before abort()',
    'energy/explore/system_run.c': 'a process whose program cannot be run; the study reads it',
    'isa/gen.c': 'makes sources while the suite is built',
    'netlink/ndl/uniform.c': 'a processing unit, which is not linked with the suite',
    'netlink/apps/run/program_run.c': 'the output of ranks',
    'netlink/apps/run/job_list.c': 'the output of ranks',
    'netlink/apps/run/run_simulate.c': 'the output of ranks',
    'netlink/vmpi/api/make_large.c': 'makes sources while the suite is built',
    'netlink/vmpi/api/start.c': "the ranks' side",
    'netlink/vmpi/api/stubs_fortran.c': "the ranks' side",
    'netlink/vmpi/api/stubs_f08_sections.c': "the ranks' side",
    'netlink/vmpi/libc/getopt.c': 'the C library of ranks',
    'netlink/vmpi/host/output.c': 'the output of ranks',
    'netlink/vmpi/host/library.c': 'the C library of ranks',
    'netlink/vmpi/host/crash.c': 'flushes it before the end',
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


def found_words(text):
    return set(re.findall(r'\b(stderr)\b', without_comments(text)))


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
                wrong.append(f'{path}:{line}: {name}, expected a function of psim/base/report/out.h or psim/base/input.h, or a row of door.py')
        if 'stderr' in found_words(text) and path not in STDERR:
            wrong.append(f'{path}: stderr, expected message() of psim/base/message_line.h, or a row of door.py')
    for path in STDERR:
        with open(path) as f:
            if 'stderr' not in found_words(f.read()):
                wrong.append(f'door.py: {path} uses no stderr, expected no row')
    for path, (names, _) in EXCEPTIONS.items():
        wrong += [f'door.py: {path} has no {name}, expected no row' for name in names.split() if (path, name) not in used]
    print('\n'.join(wrong))
    return bool(wrong)


sys.exit(main())
