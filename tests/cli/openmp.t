# Cycles of OpenMP programs, in the table of docs/programs/psim-threads.md: an atomic counter, a reduction, and a triad of 32 bytes an
# element at 4 bytes a cycle, which fills the channel.
# needs: sparc64-linux-gnu-gcc

$ sparc64-linux-gnu-gcc -O2 -fopenmp -static -I traces/kernels -o omp traces/kernels/threads/omp.c 2>/dev/null; printf 'what=$1 n=$2 cores=$3; shift 3; rm -f omp.*trace.gz; psim-record -q --warm-up 0 --cpus $cores --region omp -o omp.trace.gz -- omp $what $n >sum && psim -q -c sparc64v.ini "$@" -f csv omp.trace.gz $(ls omp.?.trace.gz 2>/dev/null) >omp.csv; awk -F, -v n=$n '"'"'/^(core|chip),cycles/ { printf "%%.2f ", $4 / n }'"'"' omp.csv\n' >omp.sh; for cores in 1 2 4; do sh omp.sh atomic 20000 $cores; done; echo; for cores in 1 2 4; do sh omp.sh reduction 400000 $cores; done; echo; for cores in 1 2 4; do sh omp.sh triad 131072 $cores -p l2.size=768KiB; done; echo; grep '^chip,memory_channel' omp.csv | cut -d, -f4 | cut -c1-4
25.26 43.54 44.26 
2.04 1.08 0.59 
18.79 9.62 7.80 
97.1
