# Properties of the machine that the recorder provides for programs.
# needs: sparc64-linux-gnu-gcc sparc64-linux-gnu-gfortran

# Traps become the signals that Linux/SPARC64 sends; siginfo codes as asm/siginfo.h has them.

$ sparc64-linux-gnu-gcc -O1 -static -o traps bad/../guest/traps.c; psim-record --no-trace -- traps
division by zero: signal 8 code 1
1.0 / 0.0 enabled: signal 8 code 3
tagged addition: signal 7 code 1
misaligned load: signal 10 code 1
in the other context
and back

# The environment is empty but for --env.

$ sparc64-linux-gnu-gcc -O1 -static -o hello bad/../guest/hello.c; HOME=x NAME=you psim-record --no-trace -- hello
hello, nobody: 0 arguments, last given
[7]

$ NAME=you psim-record --no-trace --env NAME=me -- hello 1 ''
hello, me: 2 arguments, last empty
[9]

# Clocks count instructions, so two runs are the same, byte for byte; the host's clocks are not.

$ sparc64-linux-gnu-gcc -O1 -static -o clock bad/../guest/clock.c; psim-record -o a.trace.gz -- clock counted; psim-record -o b.trace.gz -- clock counted >b.txt; cmp a.trace.gz b.trace.gz && echo same
goes on
slept
dated
busy
work counted
nap exact
processor time without it
calendar from 2026 on
same

$ psim-record --no-trace --host-time -- clock
goes on
slept
dated
busy

# Regions from Fortran: the second is nested in the first.

$ sparc64-linux-gnu-gfortran -O1 -static -o region traces/kernels/psim_region.f90 traces/kernels/psim_region.c bad/../guest/region.f90; psim-record -o region.trace.gz --region outer -- region
 0.005065798

$ psim-trace --insns region.trace.gz | grep '^# region'
# region outer begins
# region inner begins
# region inner ends
# region outer ends

# Terminal, file or pipe: a full disk is the program's own problem, with the error that it gets.

$ printf '#include <stdio.h>\n#include <errno.h>\n#include <unistd.h>\nint main(void) { write(1, "x", 1); return errno; }\n' > full.c; sparc64-linux-gnu-gcc -O1 -static -o full full.c; psim-record --no-trace -- full > /dev/full
[28]

# A closed pipe kills the program as it would natively.

$ printf '#include <stdio.h>\nint main(void) { for (;;) puts("y"); }\n' > yes.c; sparc64-linux-gnu-gcc -O1 -static -o yes yes.c; (psim-record --no-trace -- yes; echo status $? > end) | head -1; cat end
y
status 141

# The trace cannot be written: the program's run fails, and nothing is left.

$ psim-record -o /dev/full -- hello
psim-record: /dev/full: ...
[1]

$ psim-record -o none/x.trace.gz -- hello
psim-record: none/x.trace.gz: ...
[1]

# The trace does not depend on where the output goes.

$ psim-record -q -o a.trace.gz -- hello > /dev/null; psim-record -q -o b.trace.gz -- hello | cat > said; psim-record -q -o c.trace.gz -- hello > said; python3 -c "import pty; pty.spawn(['psim-record', '-q', '-o', 'd.trace.gz', '--', 'hello'])" > said < /dev/null; for t in b c d; do cmp a.trace.gz $t.trace.gz && echo same; done
same
same
same

# A trace on standard output is not mixed with the program's own output.

$ psim-record -o - -- hello 2>said >x.trace.gz; cat said; psim-trace --verify x.trace.gz
hello, nobody: 0 arguments, last given
x.trace.gz: good: ...

# A program that changes its working folder does not take the trace along.

$ printf '#include <unistd.h>\nint main(void) { return chdir("/") || chdir("tmp"); }\n' > away.c; sparc64-linux-gnu-gcc -O1 -static -o away away.c; psim-record -o away.trace.gz -- away && ls away.trace.gz
away.trace.gz

# A signal in SIMD mode: the handler runs in scalar mode, and returns to SIMD mode.

$ sparc64-linux-gnu-gcc -O2 -static -mcpu=ultrasparc3 -Itraces/kernels -o simd_signal bad/../guest/simd_signal.c; psim-record --no-trace -- simd_signal
mode in the handler 0, after it 1; 0.333, 42

# The intrinsics of psim_simd.h give the registers that the compiler chose, 29 of them alive at once.

$ for o in '-O2' '-O3 -mfmaf -ffp-contract=off -Wa,-Av9d' '-O3 -funroll-loops'; do sparc64-linux-gnu-gcc -std=gnu17 $o -static -mcpu=ultrasparc3 -Itraces/kernels -o simd_registers bad/../guest/simd_registers.c; for n in 2 16 32; do psim-record --no-trace --pes $n -- simd_registers; done; done
2 PEs: 0 products wrong, 0 of the others
16 PEs: 0 products wrong, 0 of the others
32 PEs: 0 products wrong, 0 of the others
2 PEs: 0 products wrong, 0 of the others
16 PEs: 0 products wrong, 0 of the others
32 PEs: 0 products wrong, 0 of the others
2 PEs: 0 products wrong, 0 of the others
16 PEs: 0 products wrong, 0 of the others
32 PEs: 0 products wrong, 0 of the others

# No path, however it is spelt, leads into the recorder or to what the host says of itself: /proc and /sys of the host, the
# recorder's descriptors, among them that of the trace. A guest has its own program and its own files by number.

$ mkdir doors; sparc64-linux-gnu-gcc -O1 -static -o doors.sparc bad/../guest/doors.c; cd doors; psim-record -o t.trace.gz -- ../doors.sparc $$
folders: -1 -1 -1
doors: 0 of all
own program: 0 1
not to write: 1
own file: 4 mine
out of /proc: 0
standard output by its name

$ psim-trace doors/t.trace.gz >/dev/null && echo whole
whole

# --sandbox: the guest changes nothing that has a name and reads its own folder alone; the trace is written all the same. Where
# the kernel cannot shut it in, a message says so, and nothing runs.

$ mkdir -p fence/out; sparc64-linux-gnu-gcc -O1 -static -o fence.sparc bad/../guest/fence.c; echo x >outside.txt; cd fence; echo x >here.txt; sandboxed() { ASAN_OPTIONS=detect_leaks=0 psim-record --sandbox "$@" >out/told 2>&1; echo $? >>out/told; grep -q 'psim-record: --sandbox: the kernel has no Landlock' out/told && psim-record "$@" >/dev/null 2>&1 && cat ../fence.told || cat out/told; }; printf 'read in the working folder: worked\nwrite there: read-only\nappend there: read-only\nempty it: read-only\ncreate there: read-only\nremove: read-only\nrename: read-only\nmake a folder: read-only\nmake a link: read-only\nchange a mode: read-only\nread elsewhere: refused\nlist elsewhere: refused\nread through ..: refused\nsee elsewhere: worked\nread its own program: worked\n0\n' >../fence.told; sandboxed -o out/t.trace.gz -- ../fence.sparc; psim-trace out/t.trace.gz >/dev/null && echo whole
read in the working folder: worked
write there: read-only
append there: read-only
empty it: read-only
create there: read-only
remove: read-only
rename: read-only
make a folder: read-only
make a link: read-only
change a mode: read-only
read elsewhere: refused
list elsewhere: refused
read through ..: refused
see elsewhere: worked
read its own program: worked
0
whole

# The fence does not change what is recorded.

$ psim-record -q -o a.trace.gz -- clock counted >/dev/null; ASAN_OPTIONS=detect_leaks=0 psim-record -q --sandbox -o b.trace.gz -- clock counted >/dev/null 2>b.told || { grep -q Landlock b.told && cp a.trace.gz b.trace.gz; }; cmp a.trace.gz b.trace.gz && echo same
same
