# Source lines: psim-record takes them from the debugging information, psim-trace lists them.
# needs: sparc64-linux-gnu-gcc sparc64-linux-gnu-addr2line

$ sparc64-linux-gnu-gcc -g -std=gnu17 -O3 -mcpu=ultrasparc3 -static -o stencil traces/kernels/stencil.c && psim-record -q --warm-up 0 --from main -o stencil.trace.gz -- stencil 8 8 8 >/dev/null; psim-trace --insns stencil.trace.gz >listing

# The line of each instruction is what binutils says (which read the same information with other code). Code of the C library
# has no lines.

$ awk '/^# .*:[0-9]+$/ { line = $2; next } /^# source unknown/ { line = "??:0"; next } /^ / { print $2, line }' listing | sort -u >ours; cut -d ' ' -f 1 ours | sparc64-linux-gnu-addr2line -e stencil | sed -e 's/ (disc.*//' -e 's|.*/||' -e 's/^[^:]*:[?]$/??:0/' | paste -d ' ' - ours | awk '{ seen[$3 == "??:0"]++ } $1 != $3 { print; bad++ } END { print (seen[0] > 50), (seen[1] > 50), bad + 0 }'
1 1 0

# A program without debugging information gives a trace of the version before lines.

$ sparc64-linux-gnu-gcc -std=gnu17 -O3 -mcpu=ultrasparc3 -static -o plain traces/kernels/stencil.c && psim-record -q --warm-up 0 --from main -o plain.trace.gz -- plain 8 8 8 >/dev/null; for f in plain stencil; do od -An -j 17 -N 1 -t u1 $f.trace.gz; done; psim-trace --insns plain.trace.gz | grep -c '^# [^r]'
   2
   4
0
[1]

# psim names loops and functions by them. A chain of a multiplication and an addition, 4 cycles each: each of the two is what the
# run waits for, and the latency is theirs (latency.fp_mul, latency.fp_add).

$ printf '%s\n' '#include <stdlib.h>' 'int main(int argc, char *argv[])' '{' '	long n = atol(argv[1]);' '	double s = argc;' '	for (long i = 0; i < n; i++)' '		s = s * 0.5' '		    + 1;' '	return s < 0;' '}' > chain.c; sparc64-linux-gnu-gcc -g -O1 -mcpu=ultrasparc3 -static -o chain chain.c && psim-record -q --warm-up 0 --from main -o chain.trace.gz -- chain 10000

$ psim -q -c sparc64v-prefetched.ini --annotate chain.c:7 -f csv chain.trace.gz >fit.csv; grep -E '^loops,source,0' fit.csv; for what in fmuld faddd; do row=$(grep "^annotate,instruction,.*$what" fit.csv | cut -d, -f 3); grep -E "^annotate,(latency|cause),$row," fit.csv; done
loops,source,0,chain.c:6-7,
annotate,latency,...,4,cycles
annotate,cause,...,fp_latency,
annotate,latency,...,4,cycles
annotate,cause,...,fp_latency,

# The lines' text is that of the file.

$ psim -q -c sparc64v-prefetched.ini --annotate main --annotate chain.c:7 -v chain.trace.gz | sed -n '/^annotate_source/,/^$/p' | grep -c 's = s [*] 0.5'
2

# The text comes from a copy of the sources, by the longest end of the path that is there; without one the lines have no text.

$ d=$(pwd -P); mkdir -p far/src copy/src && cp chain.c far/src/c.c && cp chain.c copy/src/c.c && sparc64-linux-gnu-gcc -g -O1 -mcpu=ultrasparc3 -static -o c $d/far/src/c.c && psim-record -q --warm-up 0 --from main -o c.trace.gz -- c 10 && rm -r far; for s in '' '--source copy' '--source copy/src' '--source traces'; do psim -q -c sparc64v.ini --annotate c.c:7 $s c.trace.gz | grep -c 's = s \* 0.5'; done
0
1
1
0
[1]
$ psim -q -c sparc64v.ini --annotate c.c:7 --source nowhere c.trace.gz; psim -q -c sparc64v.ini --source copy c.trace.gz
psim: --source nowhere: No such file or directory
psim: --source copy: it has no effect without --annotate or --html
[2]
