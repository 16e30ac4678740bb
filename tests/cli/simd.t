# Programs for the SIMD array, with its instructions as functions, in C and in Fortran: docs/models/simd-isa.md.
# needs: sparc64-linux-gnu-gcc sparc64-linux-gnu-gfortran

$ sparc64-linux-gnu-gcc -std=gnu17 -O3 -static -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -o axpy traces/kernels/simd/axpy.c
$ psim-record -o axpy.trace.gz --warm-up 0 --region axpy -- axpy
axpy 1000 on 16 PEs: 0 wrong
$ psim-record --no-trace --pes 4 --sbm 1MiB -- axpy 60000
axpy 60000 on 4 PEs: 0 wrong
$ psim-trace --insns --range 1000:7 axpy.trace.gz
...axpy+...>...ldd  [ %i2 + %g1 ], %s8               @0x5000000...
...
$ sparc64-linux-gnu-gfortran -O3 -static -mcpu=ultrasparc3 -fno-inline -fno-ipa-ra -fno-tree-loop-distribute-patterns -o axpyf traces/kernels/psim_simd.f90 traces/kernels/psim_simd.c traces/kernels/simd/axpy.f90
$ psim-record --no-trace -- axpyf
axpy 1000 on 16 PEs: 0 wrong
