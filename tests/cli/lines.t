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
