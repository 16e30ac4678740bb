# From source to cycles, with the cross compiler.
# needs: sparc64-linux-gnu-gcc

$ sparc64-linux-gnu-gcc -O2 -static -o hello traces/kernels/hello.c

$ psim-record -o hello.trace.gz -- hello
hello, world: 42 text 3.142

$ psim-record -v -o main.trace.gz --from main -- hello; rm main.trace.gz
hello, world: 42 text 3.142
psim-record: ... instructions run, ... recorded in main.trace.gz, ...

$ psim-trace --verify hello.trace.gz
hello.trace.gz: good: ...

$ psim -c configs/sparc64v.ini hello.trace.gz
...
...hello...
...

# Output, input, arguments and exit status pass through.

$ printf '#include <stdio.h>\nint main(int argc, char **argv) { int c; while ((c = getchar()) != EOF) putchar(c); fprintf(stderr, "%%d %%s\\n", argc, argv[1]); return 7; }\n' > cat.c; sparc64-linux-gnu-gcc -O2 -static -o cat.sparc cat.c

$ echo text | psim-record -o cat.trace.gz -- cat.sparc --json
2 --json
text
[7]

$ psim-trace --verify cat.trace.gz
cat.trace.gz: good: ...

# The trace may go through a pipe, separate from the program's output.

$ psim-record -o piped.trace.gz -- hello > printed; cat printed; cmp piped.trace.gz hello.trace.gz && echo same
hello, world: 42 text 3.142
same

# Only running leaves no file.

$ psim-record --no-trace -- hello
hello, world: 42 text 3.142

$ ls *.gz
cat.trace.gz
hello.trace.gz
piped.trace.gz

# A crash gives the exit status of a shell; the trace up to it is valid.

$ printf 'int main(void) { return *(volatile int *)8; }\n' > crash.c; sparc64-linux-gnu-gcc -O2 -static -o crash crash.c; psim-record -o crash.trace.gz -- crash
psim-record: ... killed by SIGSEGV
[139]

$ psim-trace --verify crash.trace.gz
crash.trace.gz: good: ...

# A dynamically linked program is refused.

$ sparc64-linux-gnu-gcc -O2 -o dynamic traces/kernels/hello.c; psim-record -o x.trace.gz -- dynamic
psim-record: dynamic:...expected one linked with -static...
[3]

# An external signal ends the recording with a complete trace up to it.

$ printf 'int main(void) { for (;;) ; }\n' > loop.c; sparc64-linux-gnu-gcc -O2 -static -o loop loop.c; python3 bad/../cli/when_ready.py INT psim-record -q -o loop.trace.gz -- loop; psim-trace --verify loop.trace.gz
...
loop.trace.gz: good: ...

# A program gives the same trace from every folder, since it sees its path as ./NAME.

$ mkdir -p a a-folder-with-a-longer-name; cp hello a; cp hello a-folder-with-a-longer-name
$ for d in a a-folder-with-a-longer-name; do psim-record -q -o $d/t.gz -- $d/hello >/dev/null; done; cmp a/t.gz a-folder-with-a-longer-name/t.gz
