# Output that cannot be written: status 1, and nothing half-written under the final name.

$ psim --list-params > /dev/full
psim: standard output: cannot write: No space left on device
[1]

$ nsim --list-engines > /dev/full; nsim --list-collectives > /dev/full; nsim --list-patterns > /dev/full
nsim: standard output: cannot write: No space left on device
nsim: standard output: cannot write: No space left on device
nsim: standard output: cannot write: No space left on device
[1]

$ for option in help man version list-options; do for program in psim-cc psim-fc; do $program --$option >/dev/full 2>&1 && echo $program --$option; done; done; true

$ psim -o /dev/full traces/samples/hello.trace.gz
psim: /dev/full: cannot write: No space left on device
[1]

$ psim -o /nowhere/report traces/samples/hello.trace.gz
psim: /nowhere/report: cannot open for writing: No such file or directory
[1]

$ psim -o configs traces/samples/hello.trace.gz
psim: configs: cannot open for writing: Is a directory
[1]

$ psim --pipe /dev/full --window 0:100 -o /dev/null traces/samples/hello.trace.gz
psim: /dev/full: cannot write: No space left on device
[1]

$ psim --energy-csv /dev/full -p energy.interval=100 -o /dev/null traces/samples/hello.trace.gz
psim: /dev/full: cannot write: No space left on device
[1]

$ psim-trace --insns traces/samples/hello.trace.gz > /dev/full
psim-trace: standard output: cannot write: No space left on device
[1]

$ mkfifo closed; exec 3<>closed 4>closed 3<&-; rm closed; psim-trace --insns traces/samples/hello.trace.gz >&4; echo status $?
status 0

$ mkfifo closed; exec 3<>closed 4>closed 3<&-; rm closed; psim -f json traces/samples/hello.trace.gz >&4; echo status $?
status 0

# Output to files is complete nevertheless.

$ mkfifo closed; exec 3<>closed 4>closed 3<&-; rm closed; psim-fit --terms n --model kept.model bad/fit/three.csv >&4; echo status $?; grep -c psim-model kept.model; rm kept.model
status 0
1

# Closed standard descriptors are not reused for files: the trace is good, and lost output is an error.

$ sparc64-linux-gnu-gcc -O1 -static -o hello bad/../guest/hello.c; psim-record -o closed.trace.gz -- hello <&- >&- 2>&-; echo status $?; psim-trace --verify closed.trace.gz | cut -d: -f2; rm hello closed.trace.gz
status ...
 good
$ psim -o closed.txt traces/samples/hello.trace.gz <&- >&- 2>&-; echo status $?; head -1 closed.txt; rm closed.txt
status 0
run: identification of the run

$ psim-kernels --list >&-
psim-kernels: output: Bad file descriptor
[1]

# Output that would replace an input: status 2, and the input is kept.

$ cp traces/samples/hello.trace.gz in.trace.gz; ln -s in.trace.gz link; psim -o link in.trace.gz
psim: link: is also an input, expected another file to write to
[2]

$ psim --pipe in.trace.gz --window 0:10 in.trace.gz
psim: in.trace.gz: is also an input, expected another file to write to
[2]

$ psim --dump-config > in.ini; psim -c in.ini -o ./in.ini in.trace.gz
psim: ./in.ini: is also an input, expected another file to write to
[2]

$ psim-trace -o in.trace.gz in.trace.gz
psim-trace: in.trace.gz: is also an input, expected another file to write to
[2]

$ psim-record -o in.trace.gz -- in.trace.gz
psim-record: in.trace.gz: is also an input, expected another file to write to
[2]

$ psim --json -o in.json in.trace.gz; psim-diff -o in.json in.json in.json
psim-diff: in.json: is also an input, expected another file to write to
[2]

$ cmp in.trace.gz traces/samples/hello.trace.gz; rm in.* link

$ ls
bad
configs
examples
mpi
netlink
skeletons
traces
