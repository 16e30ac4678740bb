# Mistakes with psim-kernels, psim-table2, and the kernels themselves.
# needs: sparc64-linux-gnu-gcc

$ psim-kernels dgem -o none; ls none
psim-kernels: unknown kernel 'dgem', did you mean dgemm?
ls: ...
[2]

$ psim-kernels nope
psim-kernels: unknown kernel 'nope', expected one of --list
[2]

$ psim-kernels --sources none --list
psim-kernels: none/kernels.table: not found, expected the kernels' directory as --sources FOLDER
[1]

$ psim-kernels --pes
psim-kernels: --pes needs a value; --help shows the options
[2]

$ psim-kernels -q --pes 33 simd-dot
psim-record: --pes 33: ...
[2]

$ psim-kernels -q -o /dev/null simd-dot
...
[1]

# Complex numbers take pairs of PEs; a transform of 512 points takes two arrays of that.

$ psim-kernels -q --no-trace --pes 3 simd-zgemm
complex numbers lie in pairs of PEs: their number must be even, here it is 3
[2]

$ psim-kernels -q --no-trace --sbm '4 KiB' simd-fft 9 1
an SBM of 4096 bytes is too small: this takes 8192
[2]

$ psim-kernels -q --no-trace simd-dgemm 0
dgemm: N is a number from 1 to 4096
[2]

$ psim-table2 --only hpl
psim-table2: --only hpl: expected dgemm, zgemm or fft
[2]

$ psim-table2 --config configs/sparc64v.ini
psim-table2: ...configs/sparc64v.ini: a processor without SIMD-PEs
[2]

$ psim-table2 --resume
psim-table2: --resume: --keep FOLDER says from where
[2]
