# Programs that cannot be run, and programs that do something wrong: one line, the right status, no
# trace of what could not be run. tests/bad/elf/make.py makes the files and says what is wrong with each.

# Files that are no program psim-record can run: status 3, nothing written.

$ psim-record -o x.trace.gz -- bad/elf/empty.elf
psim-record: bad/elf/empty.elf: not an ELF file, expected a statically linked SPARC-V9 program
[3]

$ psim-record -o x.trace.gz -- bad/elf/text.elf
psim-record: bad/elf/text.elf: not an ELF file, expected a statically linked SPARC-V9 program
[3]

$ psim-record -o x.trace.gz -- bad/elf/short.elf
psim-record: bad/elf/short.elf: not an ELF file, expected a statically linked SPARC-V9 program
[3]

$ psim-record -o x.trace.gz -- bad/elf/class32.elf
psim-record: bad/elf/class32.elf:offset 0x4: a 32-bit program, expected a 64-bit one (ELFCLASS64)
[3]

$ psim-record -o x.trace.gz -- bad/elf/little.elf
psim-record: bad/elf/little.elf:offset 0x5: a little-endian program, expected a big-endian one (SPARC-V9)
[3]

$ psim-record -o x.trace.gz -- bad/elf/machine.elf
psim-record: bad/elf/machine.elf:offset 0x12: machine number 62, expected 43 (SPARC-V9)
[3]

$ psim-record -o x.trace.gz -- bad/elf/object.elf
psim-record: bad/elf/object.elf:offset 0x10: file type 1, expected 2 (a linked program)
[3]

$ psim-record -o x.trace.gz -- bad/elf/shared.elf
psim-record: bad/elf/shared.elf:offset 0x10: a dynamic or position-independent program, expected one linked with -static -no-pie
[3]

$ psim-record -o x.trace.gz -- bad/elf/interpreter.elf
psim-record: bad/elf/interpreter.elf: program header 1: a dynamically linked program, expected one linked with -static
[3]

$ psim-record -o x.trace.gz -- bad/elf/dynamic.elf
psim-record: bad/elf/dynamic.elf: program header 1: a dynamically linked program, expected one linked with -static
[3]

$ psim-record -o x.trace.gz -- bad/elf/phentsize.elf
psim-record: bad/elf/phentsize.elf:offset 0x36: program headers of 32 bytes, expected 56
[3]

$ psim-record -o x.trace.gz -- bad/elf/no-headers.elf
psim-record: bad/elf/no-headers.elf:offset 0x38: 0 program headers, expected 1 to 64
[3]

$ psim-record -o x.trace.gz -- bad/elf/many-headers.elf
psim-record: bad/elf/many-headers.elf:offset 0x38: 65520 program headers, expected 1 to 64
[3]

$ psim-record -o x.trace.gz -- bad/elf/headers-outside.elf
psim-record: bad/elf/headers-outside.elf:offset 0x20: program headers at offset 0x10000000000, but the file has 0x84 bytes: is it truncated?
[3]

$ psim-record -o x.trace.gz -- bad/elf/no-segment.elf
psim-record: bad/elf/no-segment.elf: no segment to load, expected at least one
[3]

$ psim-record -o x.trace.gz -- bad/elf/cut.elf
psim-record: bad/elf/cut.elf:segment 0: ends at offset 0x0+0x100000 but the file has 0x84 bytes: is it truncated?
[3]

$ psim-record -o x.trace.gz -- bad/elf/offset-wraps.elf
psim-record: bad/elf/offset-wraps.elf:segment 0: ends at offset 0xffffffffffffe000+0x84 but the file has 0x84 bytes: is it truncated?
[3]

$ psim-record -o x.trace.gz -- bad/elf/file-larger.elf
psim-record: bad/elf/file-larger.elf:segment 0: 0x84 bytes in the file but 0x10 in memory, expected no more in the file
[3]

$ psim-record -o x.trace.gz -- bad/elf/address-wraps.elf
psim-record: bad/elf/address-wraps.elf:segment 0: address 0xffffffffffffe000+0x84, expected 0x2000 to 0x80000000000
[3]

$ psim-record -o x.trace.gz -- bad/elf/address-zero.elf
psim-record: bad/elf/address-zero.elf:segment 0: address 0x0+0x84, expected 0x2000 to 0x80000000000
[3]

$ psim-record -o x.trace.gz -- bad/elf/address-high.elf
psim-record: bad/elf/address-high.elf:segment 0: address 0x80000000000+0x84, expected 0x2000 to 0x80000000000
[3]

$ psim-record -o x.trace.gz -- bad/elf/huge.elf
psim-record: bad/elf/huge.elf: segment at 0x100000 of 0x40000000000 bytes: more memory than allowed (8192 MiB)
[3]

$ psim-record -o x.trace.gz -- bad/elf/overlap.elf
psim-record: bad/elf/overlap.elf:segment 1: at 0x100008, expected after the end of the one before it, 0x1000bc
[3]

$ psim-record -o x.trace.gz -- bad/elf/unordered.elf
psim-record: bad/elf/unordered.elf:segment 1: at 0x100000, expected after the end of the one before it, 0x1020bc
[3]

$ psim-record -o x.trace.gz -- bad/elf/unaligned.elf
psim-record: bad/elf/unaligned.elf:segment 0: offset 0x0 and address 0x100010 differ within a page of 8192 bytes
[3]

$ psim-record -o x.trace.gz -- bad/elf/entry-outside.elf
psim-record: bad/elf/entry-outside.elf:offset 0x18: entry point 0x500000 is not in an executable segment or not a multiple of 4
[3]

$ psim-record -o x.trace.gz -- bad/elf/entry-odd.elf
psim-record: bad/elf/entry-odd.elf:offset 0x18: entry point 0x10007a is not in an executable segment or not a multiple of 4
[3]

$ psim-record -o x.trace.gz -- bad/elf/entry-not-code.elf
psim-record: bad/elf/entry-not-code.elf:offset 0x18: entry point 0x100078 is not in an executable segment or not a multiple of 4
[3]

$ ls
bad
configs
examples
mpi
netlink
skeletons
traces

# Programs that do something wrong end as on Linux: 128 + signal. The program is 0x100078 on.

$ psim-record --no-trace -- bad/elf/bss-only.elf
[7]

$ psim-record --no-trace -- bad/elf/exit7.elf
[7]

$ psim-record --no-trace -- bad/elf/null-access.elf
psim-record: bad/elf/null-access.elf: pc 0x100078 (?): access to address 0x8, which is not mapped: killed by SIGSEGV
[139]

$ psim-record --no-trace -- bad/elf/write-code.elf
psim-record: bad/elf/write-code.elf: pc 0x10007c (?): access to address 0x100000, which is protected: killed by SIGSEGV
[139]

$ psim-record --no-trace -- bad/elf/jump-away.elf
psim-record: bad/elf/jump-away.elf: pc 0x10 (?): fetch of an instruction from address 0x10, which is not mapped: killed by SIGSEGV
[139]

$ psim-record --no-trace -- bad/elf/misaligned.elf
psim-record: bad/elf/misaligned.elf: pc 0x100078 (?): misaligned access to address 0x9: killed by SIGBUS
[135]

$ psim-record --no-trace -- bad/elf/illegal.elf
psim-record: bad/elf/illegal.elf: pc 0x100078 (?): illegal instruction 0x00000000: killed by SIGILL
[132]

$ psim-record --no-trace -- bad/elf/runs-out.elf
psim-record: bad/elf/runs-out.elf: pc 0x100088 (?): illegal instruction 0x00000000: killed by SIGILL
[132]

# Files and arguments.

$ psim-record -o x.trace.gz -- none.elf
psim-record: none.elf: cannot read: No such file or directory, expected a SPARC-V9 program
[3]

$ psim-record -o x.trace.gz -- .
psim-record: .: not a regular file, expected a SPARC-V9 program
[3]

$ psim-record -- bad/elf/exit7.elf
psim-record: no output, expected -o FILE or --no-trace
[2]

$ psim-record -o x.trace.gz --from main -- bad/elf/exit7.elf
psim-record: --from: 'main' is neither a function of bad/elf/exit7.elf nor the address (0x…) of an instruction
[2]

$ psim-record -o x.trace.gz --from 0x10007a -- bad/elf/exit7.elf
psim-record: --from: '0x10007a' is neither a function of bad/elf/exit7.elf nor the address (0x…) of an instruction
[2]

$ psim-record -o x.trace.gz --region x -- bad/elf/exit7.elf
psim-record: bad/elf/exit7.elf: ended with status 7 after 3 instructions and recording never began (no region of that name): nothing was written
[1]

$ psim-record -o x.trace.gz --region x -- bad/elf/illegal.elf
psim-record: bad/elf/illegal.elf: pc 0x100078 (?): illegal instruction 0x00000000: killed by SIGILL after 0 instructions and recording never began (no region of that name): nothing was written
[1]

$ psim-record -o x.trace.gz --skip 100 -- bad/elf/exit7.elf
psim-record: bad/elf/exit7.elf: ended with status 7 after 3 instructions and recording never began (--skip is larger): nothing was written
[1]

$ psim-record -o x.trace.gz --stack 1 -- bad/elf/exit7.elf
psim-record: bad/elf/exit7.elf: arguments and environment do not fit on a stack of 8 KiB
[2]

$ psim-record -o x.trace.gz --stack 1000G -- bad/elf/exit7.elf
psim-record: bad/elf/exit7.elf: no room in the address space for a stack of 976562504 KiB
[2]

$ ls
bad
configs
examples
mpi
netlink
skeletons
traces
