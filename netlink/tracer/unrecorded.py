#!/usr/bin/env python3
"""unrecorded.py SOURCES... -- COMPILER...: the calls of an MPI that a trace cannot have, as C.

The compiler finds the mpi.h of the MPI and the rows of ../vmpi/api/calls.def. Each function of mpi.h that has to do with
other ranks gets a wrapper that counts it, unless a row or one of SOURCES wraps it: so no MPI, however new, has calls that
are neither recorded nor noted.
"""
import pathlib
import re
import subprocess
import sys

# Objects that lead to other ranks; calls that only return facts of them, or that end with the rank's own memory.
OTHERS = re.compile(r'\bMPI_(Comm|Win|Request|Session|Message)\b')
LOCAL = re.compile(r'_(c2f|f2c|errhandler|keyval|attr|name|info)$|^T_|^(Session_(get|finalize)|Group_from|Comm_disconnect'
                   r'|Comm_get_parent|Parrived|Win_shared_query_c|File_.*_c$)')
ROWS = '''
#define CALL(result, name, params, doc, trace) @trace name@
#define EVENT(name, ...) @RECORDED name@
#define BEGUN EVENT
#define PREPARED EVENT
#define SYNC EVENT
#define SYNC_BEGUN EVENT
#define WAIT EVENT
#define WAIT_SOME EVENT
#define TEST EVENT
#define SPLIT EVENT
#define WINDOW EVENT
#define REFUSED(name, ...) @REFUSED name@
#include "call_arguments.h"
#include "calls.def"
#if MPI_VERSION >= 4
#define COLLECTIVE(...)
#define TRACED(name, ...) @RECORDED name##_init@
#include "collective_calls.def"
#endif
'''


def preprocessed(compiler, text):
    """The text after the C preprocessor, on one line."""
    done = subprocess.run([*compiler, '-E', '-P', '-x', 'c', '-'], input=text, text=True, capture_output=True, check=True)
    return re.sub(r'\s+', ' ', done.stdout)


def declared(header):
    """Name and parameters of each function of mpi.h that returns a status."""
    for found in re.finditer(r'\bint MPI_(\w+) ?\(((?:[^()]|\([^()]*\))*)\)', header):
        yield found[1], found[2].strip()


def names(parameters):
    """The names of parameters, by commas."""
    return ', '.join(re.search(r'(\w+) ?(?:\[[^]]*\] ?)*$', p.strip())[1] for p in parameters.split(','))


def main():
    end = sys.argv.index('--')
    sources, compiler = sys.argv[1:end], sys.argv[end + 1:]
    wrapped = set()
    for source in sources:
        wrapped |= set(re.findall(r'^(?:int MPI_|SPLIT\(|GROUP_MADE\()(\w+)', pathlib.Path(source).read_text(encoding='utf-8'), re.M))
    header = preprocessed(compiler, '#include <mpi.h>\n')
    rows = preprocessed(compiler, '#include <mpi.h>\n' + ROWS)
    wrapped |= {name for trace, name in re.findall(r'@ ?(\w+) (\w+) ?@', rows) if trace != 'REFUSED'}
    calls = [(name, params) for name, params in declared(header)
             if name not in wrapped and OTHERS.search(params) and not LOCAL.search(name)]
    print('/* Made by unrecorded.py: calls that a trace cannot have. */\n#include "traced_calls.h"\n')
    print('enum {' + ''.join(f'\n\tUNRECORDED_{name},' for name, _ in calls) + '\n};\n')
    print('const char *const unrecorded_names[] = {' + ''.join(f'\n\t"MPI_{name}",' for name, _ in calls) + '\n};')
    print(f'const unsigned unrecorded_calls = {len(calls)};')
    for name, params in calls:
        print(f'\nint MPI_{name}({params})\n{{\n\tcall_unrecorded(UNRECORDED_{name});')
        print(f'\treturn call_over(false, PMPI_{name}({names(params)}));\n}}')


main()
