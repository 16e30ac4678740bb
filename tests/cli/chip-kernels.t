# Kernels of one OpenMP program on the SIMD arrays of a chip's cores: the table of docs/programs/psim-threads.md. Eight cores print the
# sum that one prints.
# needs: sparc64-linux-gnu-gcc psim_simd.so

$ psim-cc -fopenmp -I traces/kernels -o kernels traces/kernels/threads/kernels.c -lm 2>/dev/null; for what in "dgemm 256" "zgemm 128" "fft 256" "triad 131072"; do for cores in 1 8; do rm -f work.*trace.gz; psim-record -q --cpus $cores --region work --warm-up 0 -o work.trace.gz -- kernels $what >sum; psim -q -c petascale-chip.ini -p chip.cores=$cores -f csv work.trace.gz $(ls work.?.trace.gz 2>/dev/null) 2>/dev/null | awk -F, -v what="$what on $cores: sum $(cat sum)" '/^(core|chip),gflops,/ { printf "%s, " ($4 < 10 ? "%.1f" : "%.0f") " GFlop/s\n", what, $4 }'; done; done
dgemm 256 on 1: sum 20, 34 GFlop/s
dgemm 256 on 8: sum 20, 16... GFlop/s
zgemm 128 on 1: sum -564, 29 GFlop/s
zgemm 128 on 8: sum -564, 10... GFlop/s
fft 256 on 1: sum -1536, 11 GFlop/s
fft 256 on 8: sum -1536, 29 GFlop/s
triad 131072 on 1: sum -50, 1.3 GFlop/s
triad 131072 on 8: sum -50, 3... GFlop/s
