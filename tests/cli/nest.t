# A loop nest on the SIMD array: what psim-cc says of it, its kernel's inner loop, what the routine says of a run. docs/models/simd-nest.md
# explains each.
# needs: sparc64-linux-gnu-gcc sparc64-linux-gnu-objdump psim_simd.so

$ psim-cc -fpsim-explain -o dgemm traces/kernels/loops/dgemm.c
traces/kernels/loops/dgemm.c:7: on the array: 4 at a time, with 4 iterations of loop 1; 2 arrays dealt, 1 broadcast, 0 sums
traces/kernels/loops/dgemm.c:7: loop 0, i: lanes, n iterations; 0 operations, 0 loads, 0 stores
traces/kernels/loops/dgemm.c:7: loop 1, j: in each lane, n iterations; 0 operations, 0 loads, 1 stores
traces/kernels/loops/dgemm.c:7: loop 2, k: in loop 1, n iterations; 1 operations, 2 loads, 0 stores
traces/kernels/loops/dgemm.c:13: array 0: 8 bytes at a + 8 n i + 8 k: dealt, read
traces/kernels/loops/dgemm.c:13: array 1: 8 bytes at b + 8 j + 8 n k: broadcast, read
traces/kernels/loops/dgemm.c:14: array 2: 8 bytes at c + 8 n i + 8 j: dealt, stored
traces/kernels/loops/dgemm.c:7: psim_kernel.0: 4 lanes by 4 iterations of loop 1, about 24 registers
traces/kernels/loops/dgemm.c:7: psim_kernel.1: 2 lanes by 4 iterations of loop 1, about 14 registers
traces/kernels/loops/dgemm.c:7: psim_kernel.2: 2 lanes by 2 iterations of loop 1, about 8 registers
traces/kernels/loops/dgemm.c:7: psim_kernel.3: 2 lanes, about 5 registers
traces/kernels/loops/dgemm.c:7: psim_kernel.4: 1 lane, about 3 registers

# 4 x 4 sums: 16 multiply-adds (one in the branch's delay slot), loads of four numbers of a and four of b, a prefetch of b's next line.

$ sparc64-linux-gnu-objdump -d --no-show-raw-insn --disassemble=psim_kernel.0 dgemm | cut -f2- | awk '/ldd  \[ %g2 \]/ { inner = 1 } inner { n[$1]++ } slot { exit } inner && /bne/ { slot = 1 } END { print n["fmaddd"], n["ldd"], n["prefetch"] }'
16 8 1

$ psim-record --no-trace --env PSIM_NEST_REPORT=2 -- dgemm 128
traces/kernels/loops/dgemm.c:7: 128 lanes on 16 PEs, 4 at a time each, transfers overlapped; 262144 bytes in 4 transfers; from memory at least 65536 cycles of transfers, 132096 of arithmetic
traces/kernels/loops/dgemm.c:7: kernel of 4 lanes at a time; 2 phases
traces/kernels/loops/dgemm.c:7: array 0: fetched, 1 row of 4096 bytes in a PE; 2 buffers of 4096 bytes from byte 0 on
traces/kernels/loops/dgemm.c:7: array 1: broadcast
traces/kernels/loops/dgemm.c:7: array 2: stored, 1 row of 4096 bytes in a PE; 2 buffers of 4096 bytes from byte 8192 on
dgemm 128: c[1] = -9, 0 elements wrong

# The region's cycles: at least 132096 of arithmetic, 16384 for the first fetch, 16384 for the last store.

$ psim-record -q -o dgemm.trace.gz --warm-up 0 --region dgemm -- dgemm 128
dgemm 128: c[1] = -9, 0 elements wrong
$ psim -c configs/simd16.ini dgemm.trace.gz > report
$ awk '/^  cycles / { print $1, $2 } /^  (psim_kernel.0|psim_nest.phases|psim_nest.wait_until) / { print $1, $4 }' report
cycles 223...
psim_kernel.0 161...
psim_nest.phases 17...
psim_nest.wait_until 16...

# A call costs as much as a short nest: the first one's code comes from memory.

$ psim-cc -o triad traces/kernels/loops/triad.c
$ for n in 1 101; do psim-record -q -o t.trace.gz --warm-up 0 --region triad -- triad 16 $n; psim -c configs/simd16.ini t.trace.gz | awk '/^  (cycles|instructions) / { print $1, $2 }'; done
triad 16: a[1] = -14, 0 elements wrong
cycles 25...
instructions 48...
triad 16: a[1] = -14, 0 elements wrong
cycles 30...
instructions 49...

# The routine and the kernels are a part of the report: the sums of their functions. A kernel of one lane a PE has three
# loads, a multiply-add and a store: 101 * 5 * 16 instructions of the scalar loop at most. psim-record reckons with 4 * 16
# in a run, 23000 + 100 * 2900 cycles of calls, 101 * 384 / 4 of transfers and 40 for the begin of each.

$ psim -q -c configs/simd16.ini -v -f csv t.trace.gz | awk -F, '$1 == "functions" && $2 == "place" { name[$3] = $4 } $1 == "functions" && $2 == "cycles" { sum[name[$3] ~ /^psim_nest/ ? "routine" : name[$3] ~ /^psim_kernel/ ? "kernels" : "rest"] += $4 } $1 == "array_runtime" { told[$2] = $4 } END { print told["routine"] - sum["routine"], told["kernels"] - sum["kernels"], told["scalar_loops"] }'
0 0 8080
$ psim -q -c configs/simd16.ini t.trace.gz | grep '^  note'
  note                  loops on the array take more than twice as long as their scalar loops would; psim-record names them
$ psim -q -c configs/simd16.ini dgemm.trace.gz | grep -c '^  note'
0
[1]
$ psim-record --no-trace -- triad 16 101
triad 16: a[1] = -14, 0 elements wrong
psim-record: triad: traces/kernels/loops/triad.c:6: slower with the array: 101 runs: about 330000 cycles, the scalar loop alone 6500

# Each pair of bodies has a square root and a division, 29 + 19 cycles of a divider that works beside all else: 16 lanes of
# a PE by 256 pairs by 48 cycles, and a store for each lane.

$ psim-cc -fpsim-units=divide -o nbody traces/kernels/loops/nbody.c -lm
$ psim-record --no-trace --units divide --env PSIM_NEST_REPORT=1 -- nbody 256
traces/kernels/loops/nbody.c:10: 256 lanes on 16 PEs, 4 at a time each, transfers overlapped; 8192 bytes in 16 transfers; from memory at least 2048 cycles of transfers, 196624 of arithmetic
nbody 256: forces cancel to less than 1e-6
