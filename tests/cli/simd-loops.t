# Loops that psim-cc puts on the array: what docs/programs/psim-cc.md does not show of its examples.
# needs: sparc64-linux-gnu-gcc psim_simd.so

# A triad: 2.4 MB at 4 bytes a cycle are 600000 cycles from memory, and the first call takes 23000. The scalar loop has 4 instructions
# a turn, and 37500 lines at 45 cycles if they come from memory; figures have two digits.

$ psim-cc -fpsim-report -o triad traces/kernels/loops/triad.c; psim-record --no-trace --env PSIM_NEST_REPORT=1 -- triad 100000
traces/kernels/loops/triad.c:6: on the array: 8 at a time; 3 arrays dealt, 0 broadcast, 0 sums
traces/kernels/loops/triad.c:6: 100000 lanes on 16 PEs, 1360 at a time each, transfers overlapped; 2400000 bytes in 15 transfers; from memory at least 600000 cycles of transfers, 6250 of arithmetic
triad 100000: a[1] = -14, 0 elements wrong
psim-record: triad: traces/kernels/loops/triad.c:6: slower with the array if its data are in caches before: 1 run: about 620000 cycles, the scalar loop alone 400000, with data from memory 2100000

# The matrix of 240 * 240 numbers moves once; without the directive it would move in each step.

$ psim-cc -fpsim-report -o richardson traces/kernels/loops/richardson.c; psim-record --no-trace --env PSIM_NEST_REPORT=1 -- richardson 240 2
traces/kernels/loops/richardson.c:13: on the array: 8 at a time; 2 arrays dealt, 1 broadcast, 0 sums; arrays stay in the block of line 11
traces/kernels/loops/richardson.c:21: on the array: 8 at a time; 3 arrays dealt, 0 broadcast, 0 sums; arrays stay in the block of line 11
traces/kernels/loops/richardson.c:13: 240 lanes on 16 PEs, 8 at a time each, transfers overlapped; 460800 bytes in 2 transfers; 0 bytes not moved; from memory at least 115200 cycles of transfers, 3615 of arithmetic
traces/kernels/loops/richardson.c:21: 240 lanes on 16 PEs, 8 at a time each, transfers overlapped; 3840 bytes in 4 transfers; 1920 bytes not moved; from memory at least 960 cycles of transfers, 30 of arithmetic
traces/kernels/loops/richardson.c:13: 240 lanes on 16 PEs, 8 at a time each, transfers overlapped; 1920 bytes in 2 transfers; 462720 bytes not moved; from memory at least 480 cycles of transfers, 3615 of arithmetic
traces/kernels/loops/richardson.c:21: 240 lanes on 16 PEs, 8 at a time each, transfers overlapped; 0 bytes in 0 transfers; 5760 bytes not moved; from memory at least 0 cycles of transfers, 30 of arithmetic
traces/kernels/loops/richardson.c:25: 1920 bytes back to memory in 2 transfers
richardson 240: 0.1255 from the solution after 2 steps

# A loop that the array cannot run stays scalar, and is right.

$ psim-cc -o nbody traces/kernels/loops/nbody.c -lm; psim-record --no-trace -- nbody
traces/kernels/loops/nbody.c:18: not on the array: a division or square root, for which PEs need -fpsim-units=divide
nbody 64: forces cancel to less than 1e-6

# Its trace needs no array.

$ psim-record -q -n 20000 -o nbody.trace.gz -- nbody >said; psim -q -c sparc64v.ini -f csv nbody.trace.gz | grep -c '^core,instructions,,200..,'
1

# With PEs that divide it runs there, to the same result; those that cannot leave it to the scalar core.

$ psim-cc -fpsim-units=divide -o nbody traces/kernels/loops/nbody.c -lm; psim-record --no-trace --units divide --check-simd -- nbody
nbody 64: forces cancel to less than 1e-6
$ psim-record --no-trace --env PSIM_NEST_REPORT=1 -- nbody
3 kernels need what the PEs cannot do, expected psim-record --units as -fpsim-units
traces/kernels/loops/nbody.c:10: 64 lanes on the scalar core: no array
nbody 64: forces cancel to less than 1e-6
$ psim-cc -fpsim-units=divid -o divide bad/simd/divide.c 2>&1 | grep -c "unknown unit .divid., expected divide, select"
1

# Every wrong directive of a program.

$ psim-cc -o directives bad/simd/directives.c; psim-record --no-trace --check-simd -- directives
psim-record: directives: bad/simd/directives.c:18: the directive is wrong: the array stores 1 at 0x..., scalar order 2; 1004 differ (arrays that overlap, one of which is stored to)
psim-record: directives: bad/simd/directives.c:26: the directive is wrong: the array stores 1 at 0x..., scalar order 2; 4064 differ (lanes store to places that other lanes use)
psim-record: directives: bad/simd/directives.c:35: the directive is wrong: the array stores 1 at 0x..., scalar order 2; 224 differ (arrays that overlap, one of which is stored to)
psim-record: directives: bad/simd/directives.c:43: the directive is wrong: the array stores 1 at 0x..., scalar order 2; 240 differ (arrays that overlap, one of which is stored to)
directives: 0 wrong
[1]
