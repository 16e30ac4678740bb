# Mistakes with psim-model.
# needs: sparc64-linux-gnu-gcc ninja

$ psim-model -o x.model --sizes 1:2:1
psim-model: expected one KERNEL; --help shows the options
[2]

$ psim-model dgemm zgemm -o x.model --sizes 16:64:16
psim-model: one KERNEL at a time, not also 'zgemm'
[2]

$ psim-model dgemm --sizes 16:64:16
psim-model: -o MODEL is missing: where does the model go?
[2]

$ psim-model dgemm -o x.model
psim-model: --sizes is missing: which sizes? For instance --sizes 32:256:32
[2]

$ psim-model dgemm -o x.model --sizes 16:64
psim-model: --sizes 16:64: expected FIRST:LAST:STEP, FIRST:LAST:xFACTOR or a list
[2]

$ psim-model dgemm -o x.model --sizes 64:16:16
psim-model: --sizes 64:16:16: expected FIRST:LAST:STEP or FIRST:LAST:xFACTOR, ascending
[2]

$ psim-model dgemm -o x.model --sizes 16:64:x1
psim-model: --sizes 16:64:x1: expected FIRST:LAST:STEP or FIRST:LAST:xFACTOR, ascending
[2]

$ psim-model dgemm -o x.model --sizes 16:64:0
psim-model: --sizes 16:64:0: '0', expected a whole number from 1 to 9007199254740992
[2]

$ psim-model dgemm -o x.model --sizes 16,x
psim-model: --sizes 16,x: 'x', expected a whole number from 1 to 9007199254740992
[2]

$ psim-model dgemm -o x.model --sizes 1:1000000000:1
psim-model: --sizes: more than 10000 runs
[2]

$ psim-model dgemm -o x.model --sizes 2n=16
psim-model: --sizes 2n=16: '2n' is no name of a variable
[2]

$ psim-model dgemm -o x.model --sizes 16 --sizes 32
psim-model: --sizes 32: 'n' has sizes already; NAME=LIST gives another variable's
[2]

$ psim-model dgemm -o x.model --sizes m=16
psim-model: --sizes m=...: no {m} among the program's arguments, {n}
[2]

$ psim-model dgemm -o x.model --sizes m=16,32 --sizes n=16
psim-model: --sizes m=...: no {m} among the program's arguments, {n}
[2]

$ psim-model fft -o x.model --sizes 100,200
psim-model: n=100: {log2(n)} is no whole number: sizes are powers of two, as 64:4096:x2
[2]

$ psim-model dot -o x.model --sizes 10
psim-model: dot: takes no size; --arguments says where else one goes
[2]

$ psim-model dgemm -o x.model --sizes 16 --arguments "{n} {m}"
psim-model: --arguments: {m}: expected one of {n} or {log2(n)}
[2]

$ psim-model dgemm -o x.model --sizes 16 --arguments "{n}'"
psim-model: --arguments {n}': No closing quotation
[2]

$ psim-model dgem -o x.model --sizes 16
psim-model: dgem: neither a kernel (psim-kernels --list) nor a source nor a program
[2]

$ psim-model dgemm -o x.model --sizes 16 -j 0
psim-model: --jobs 0: expected a number from 1
[2]

$ psim-model dgemm -o x.model --sizes 16:64:16
psim-model: --sizes: 4 runs, expected at least 6 to choose terms, or --terms, or --interpolate
[2]

$ psim-model dgemm -o x.model --sizes 16:96:16 -c none.ini
psim: none.ini: cannot open: ...
[2]

$ psim-model dgemm -o none/there/x.model --sizes 16
psim-model: none/there: not a folder, expected one for the model
[1]

$ psim-model dgemm -o x.model --sizs 16:96:16
psim-model: unknown option --sizs; did you mean --sizes?
[2]

$ psim-model dgemm -o x.model --p chip.cores=1 --sizes 16:96:16
psim-model: --p may be any of --param, --predict
[2]

$ psim-model dgemm -o x.model --size 16:64:16 --reg a
psim-model: --sizes: 4 runs, expected at least 6 to choose terms, or --terms, or --interpolate
[2]

$ psim-model dgemm -o x.model --sizes 16:96:16 --predict n=-3
psim-model: --predict n=-3: expected sizes above 0
[2]

$ psim-model simd-dgemm -o x.model --sizes 64:384:64 -c sparc64v.ini
psim-model: simd-dgemm: this kernel needs an array, and sparc64v.ini has none (simd.pes = 0): expected another, as -c simd16.ini
[2]

# Nothing is left of these.

$ ls -d x.model*
ls: cannot access 'x.model*': No such file or directory
[2]

# A size at which the program fails is named, with what it said, and the others are simulated.

$ psim-model -q fft -o x.model --sizes 8,16,32,1048576 -t n,1
fft: LOG2 is from 1 to 16, COUNT from 1 to 1024
psim-record: ...fft.sparc: ended with status 2 after ... instructions and recording never began (no region of that name): nothing was written
psim-model: fft-n=1048576.json: cannot be made, its run failed
[1]

$ ls x.model.runs | grep -c json
3

$ psim-model -q bad/none.c -o x.model --sizes 8,16,32 -t n,1
psim-model: bad/none.c: neither a kernel (psim-kernels --list) nor a source nor a program
[2]

$ printf 'int main(void) { return 1 }' > wrong.c; psim-model -q wrong.c -o y.model --sizes 8,16,32 -t n,1
...
...wrong.c:1:26: error: ...
...
psim-model: wrong.sparc: cannot be made, its run failed
[1]

$ printf 'int main(int n) { return n - 2; }' > whole.c; psim-model -q whole.c -o y.model --region none --sizes 8,16,32 -t n,1 -j 1
psim-record: ...whole.sparc: ended after ... instructions and recording never began (no region of that name): nothing was written
psim-model: whole-n=32.json and 2 more: cannot be made, their runs failed; this is what the first one said
[1]
