# Mistakes with the SIMD extension, one a file in bad/simd: each ends the recording with its place.
# needs: sparc64-linux-gnu-gcc

$ printf 'sparc64-linux-gnu-gcc -std=gnu17 -O2 -g -static -mcpu=ultrasparc3 -Itraces/kernels -o "$1" bad/simd/"$1".c || exit; psim-record --pes ${2:-16} -o x.trace.gz -- "$1"\n' > try

# Instructions that the mode does not have.

$ sh try divide
psim-record: divide: pc ... (half+...): fdivd...: the PEs cannot divide, expected psim-record --units divide or simdoff before it; units (0; 16 PEs, 65536 bytes each)
[1]

$ sh try compare
psim-record: compare: pc ... (clip+...): fcmped...: the PEs cannot compare, expected psim-record --units select or simdoff before it; units (0; 16 PEs, 65536 bytes each)
[1]

$ sh try integer
psim-record: integer: pc ... (twice+...): fpadd64...: the PEs have no integer operations, expected psim-record --units integer or simdoff before it; units (0; 16 PEs, 65536 bytes each)
[1]

$ sh try pairs
psim-record: pairs: pc ... (square+...): fmul2s...: the PEs have no pairs of singles, expected psim-record --units single; units (0; 16 PEs, 65536 bytes each)
[1]

$ sh try gather
psim-record: gather: pc ... (look_up+...): gatherxd...: the PEs cannot gather or scatter, expected psim-record --units gather; units (0; 16 PEs, 65536 bytes each)
[1]

# A missing simdoff: the first store of a double reports it.

$ sh try forgotten
psim-record: forgotten: pc ... (main+...): std...: SIMD store outside of the window of all PEs; a register spilled to the stack, or a missing simdoff? (...; 16 PEs, 65536 bytes each)
[1]

# Those that need it.

$ sh try scalar
psim-record: scalar: pc ... (main+...): fxmaddd...: instruction needs SIMD mode: simdon is missing
[1]

# SIMD stores go to the buffer memories only.

$ sh try store
psim-record: store: pc ... (copy+...): std...: SIMD store outside of the window of all PEs; a register spilled to the stack, or a missing simdoff? (...; 16 PEs, 65536 bytes each)
[1]

# The scalar core and the windows.

$ sh try load-all
psim-record: load-all: pc ... (main+...): ld...: scalar load from the window of all PEs, expected the window of one PE (0x500000000008; 16 PEs, 65536 bytes each)
[1]

$ sh try beyond
psim-record: beyond: pc ... (main+...): ldsw...: access beyond the end of the buffer memory (0x500001010000; 16 PEs, 65536 bytes each)
[1]

$ sh try window
psim-record: window: pc ... (main+...): st...: access to the window of a PE beyond the array's last one (0x500011000000; 16 PEs, 65536 bytes each)
[1]

$ sh try misaligned
psim-record: misaligned: pc ... (main+...): ld...: misaligned access to a buffer memory (0x500001000002; 16 PEs, 65536 bytes each)
[1]

$ sh try atomic
psim-record: atomic: pc ... (main+...): swap...: atomic, block, quad, FSR or alternate-space access to a buffer memory (0x500001000000; 16 PEs, 65536 bytes each)
[1]

# PEs that are not there, pairs that are none.

$ sh try number
psim-record: number: pc ... (take+...): pegetd...: unknown PE number (99; 16 PEs, 65536 bytes each)
[1]

$ sh try odd 3
psim-record: odd: pc ... (turn+...): pexd...: odd number of PEs, expected an even one for an instruction on pairs (3; 3 PEs, 65536 bytes each)
[1]

# Transfers that cannot be.

$ sh try transfer-empty
psim-record: transfer-empty: pc ... (main+...): sxget...: transfer without pieces or with empty pieces; descriptor (16777216; 16 PEs, 65536 bytes each)
[1]

$ sh try transfer-bytes
psim-record: transfer-bytes: pc ... (main+...): sxget...: piece size of a transfer is not a multiple of 8 (12; 16 PEs, 65536 bytes each)
[1]

$ sh try transfer-aligned
psim-record: transfer-aligned: pc ... (main+...): sxget...: address of a transfer is not a multiple of 8 (...; 16 PEs, 65536 bytes each)
[1]

$ sh try transfer-window
psim-record: transfer-window: pc ... (main+...): sxget...: second address of a transfer is in no window (...; 16 PEs, 65536 bytes each)
[1]

$ sh try transfer-one
psim-record: transfer-one: pc ... (main+...): sxput...: sxput from the window of all PEs, expected one PE or deal (0x500000000000; 16 PEs, 65536 bytes each)
[1]

$ sh try transfer-deal
psim-record: transfer-deal: pc ... (main+...): sxget...: deal with the window of one PE, expected the window of all PEs (0x500001000000; 16 PEs, 65536 bytes each)
[1]

$ sh try transfer-beyond
psim-record: transfer-beyond: pc ... (main+...): sxget...: transfer beyond the end of the buffer memory (0x500000010000; 16 PEs, 65536 bytes each)
[1]

$ sh try transfer-unmapped
psim-record: transfer-unmapped: pc ... (main+...): sxget...: transfer with memory that is unmapped or protected (...; 16 PEs, 65536 bytes each)
[1]

# Transfers that meet in a buffer memory or in memory, and accesses that come too early.

$ sh try transfer-sbm
psim-record: transfer-sbm: pc ... (main+...): sxget...: transfer conflicts with an outstanding one in a buffer memory: sxwait is missing (0x500004000008; 16 PEs, 65536 bytes each)
[1]

$ sh try transfer-memory
psim-record: transfer-memory: pc ... (main+...): sxget...: transfer conflicts with an outstanding one in memory: sxwait is missing (...; 16 PEs, 65536 bytes each)
[1]

$ sh try race-load
psim-record: race-load: pc ... (main+...): ldd...: load of bytes that an outstanding sxget writes: sxwait is missing (0x500001000008; 16 PEs, 65536 bytes each)
[1]

$ sh try race-store
psim-record: race-store: pc ... (main+...): std...: store to bytes that an outstanding transfer uses: sxwait is missing (0x500000000008; 16 PEs, 65536 bytes each)
[1]

# Nothing is left under the name of the trace.

$ ls x.trace.gz
ls: ...No such file or directory
[2]

# With libdw the message has the source line too, that of an inlined function with its callers'.

$ psim-record --no-trace -- divide 2> said; psim-record --no-trace -- transfer-sbm 2>> said; test $(grep -cE '[(](half[+].*, divide[.]c:4|main[+].*, psim_simd[.]h:[0-9]+ in psim_simd[.]h:[0-9]+ in transfer-sbm[.]c:8)[)]: ' said) = $(($(ldd "$(command -v psim-record)" | grep -c libdw) * 2)) && echo right
right

# No array at all; an array that cannot be.

$ psim-record --no-trace --pes 0 -- divide
psim-record: divide: pc ... (main+...): simdon : no SIMD array (--pes 0)
[1]

# Units of the PEs.

$ psim-record --units divid -o x.trace.gz -- divide
psim-record: --units divid: unknown unit 'divid', expected one or more of divide select integer single gather
[2]

$ psim-record --units divide --pes 0 -o x.trace.gz -- divide
psim-record: --units divide: expected an array, not --pes 0
[2]

$ psim-record --no-trace --units gather -- gather
psim-record: gather: pc ... (look_up+...): gatherxd...: index of a gather or scatter beyond the end of the buffer memory (9000; 16 PEs, 65536 bytes each)
[1]

$ sh try gather-base 1> /dev/null 2>&1; psim-record --no-trace --units gather -- gather-base
psim-record: gather-base: pc ... (look_up+...): gatherxd...: gather or scatter outside of the window of all PEs, expected an address of simd_all (0x...; 16 PEs, 65536 bytes each)
[1]

$ psim-record -q --units integer -o x.trace.gz -- integer; psim -q -c simd16.ini x.trace.gz
psim: simd.integer = no, but the PEs compute with integers at 0x... of the trace, expected -p simd.integer=yes
[2]

$ psim-record -q --units single -o x.trace.gz -- pairs; psim -q -c simd16.ini x.trace.gz
psim: simd.single = no, but the PEs compute with pairs of singles at 0x... of the trace, expected -p simd.single=yes
[2]

$ psim-record -q --units gather --sbm 128KiB -o x.trace.gz -- gather; psim -q -c simd16.ini -p simd.sbm_bytes=131072 x.trace.gz
psim: simd.gather = no, but the PEs gather or scatter at 0x... of the trace, expected -p simd.gather=yes
[2]

$ psim-record -q --units divide -o x.trace.gz -- divide; psim -q -c simd16.ini x.trace.gz
psim: simd.divide = none, but the PEs divide at 0x... of the trace, expected -p simd.divide=shared or pe
[2]

$ psim-record --check-simd -o x.trace.gz -- divide
psim-record: --check-simd: expected --no-trace, since loops run on the array and in scalar order
[2]

$ psim-record --no-trace --check-simd --pes 0 -- divide
psim-record: --check-simd: expected an array, not --pes 0
[2]

$ psim-record --no-trace --check-simd --fma fused -- divide
psim-record: --check-simd: expected --fma unfused: which product joins an addition is the compiler's choice, and fused it changes the rounding
[2]

# A program that psim-cc did not compile.

$ printf 'int main(void) { return 0; }\n' > none.c
$ sparc64-linux-gnu-gcc -static -o none none.c
$ psim-record --no-trace --check-simd -- none
psim-record: none: --check-simd: no loop of psim-cc or psim-fc ran on the array

$ psim-record --no-trace --pes 33 -- divide
psim-record: --pes 33: expected at most 32 (0: no SIMD array)
[2]

$ psim-record --no-trace --sbm 5KiB -- divide
psim-record: --sbm 5KiB: expected a power of two
[2]

$ psim-record --no-trace --sbm 32MiB -- divide
psim-record: --sbm 32MiB: 32MiB is out of range, expected 4 KiB to 16 MiB
[2]
