# Files that are no SPARC-V9 programs, or damaged ones: status 3, and no trace left behind.

$ psim-record -o x.trace.gz -- bad/elf/address-wraps.sparc
psim-record: bad/elf/address-wraps.sparc: segment 0: address 0xffffffffffffe000+0x4000, expected 0x2000 to 0x80000000000
[3]

$ psim-record -o x.trace.gz -- bad/elf/empty.sparc
psim-record: bad/elf/empty.sparc: not an ELF file, expected a statically linked SPARC-V9 program
[3]

$ psim-record -o x.trace.gz -- bad/elf/entry-misaligned.sparc
psim-record: bad/elf/entry-misaligned.sparc: offset 0x18: entry point 0x100002 is not in an executable segment or not a multiple of 4
[3]

$ psim-record -o x.trace.gz -- bad/elf/entry-outside.sparc
psim-record: bad/elf/entry-outside.sparc: offset 0x18: entry point 0x900000 is not in an executable segment or not a multiple of 4
[3]

$ psim-record -o x.trace.gz -- bad/elf/file-larger-than-memory.sparc
psim-record: bad/elf/file-larger-than-memory.sparc: segment 0: 0x80 bytes in the file but 0x10 in memory, expected no more in the file
[3]

$ psim-record -o x.trace.gz -- bad/elf/header-cut.sparc
psim-record: bad/elf/header-cut.sparc: not an ELF file, expected a statically linked SPARC-V9 program
[3]

$ psim-record -o x.trace.gz -- bad/elf/headers-outside.sparc
psim-record: bad/elf/headers-outside.sparc: offset 0x20: program headers at offset 0x10000000000, but the file has 0x80 bytes...
[3]

$ psim-record -o x.trace.gz -- bad/elf/huge-memory.sparc
psim-record: bad/elf/huge-memory.sparc: segment 0: address 0x100000+0x1000000000000000, expected 0x2000 to 0x80000000000
[3]

$ psim-record -o x.trace.gz -- bad/elf/interpreter.sparc
psim-record: bad/elf/interpreter.sparc: program header 1: a dynamically linked program, expected one linked with -static
[3]

$ psim-record -o x.trace.gz -- bad/elf/little-endian.sparc
psim-record: bad/elf/little-endian.sparc: offset 0x5: a little-endian program, expected a big-endian one (SPARC-V9)
[3]

$ psim-record -o x.trace.gz -- bad/elf/no-segments.sparc
psim-record: bad/elf/no-segments.sparc: offset 0x38: 0 program headers, expected 1 to 64
[3]

$ psim-record -o x.trace.gz -- bad/elf/object-file.sparc
psim-record: bad/elf/object-file.sparc: offset 0x10: file type 1, expected 2 (a linked program)
[3]

$ psim-record -o x.trace.gz -- bad/elf/segment-outside.sparc
psim-record: bad/elf/segment-outside.sparc: segment 0: ends at offset 0x0+0x40000000 but the file has 0x80 bytes: is it cut?
[3]

$ psim-record -o x.trace.gz -- bad/elf/shared.sparc
psim-record: bad/elf/shared.sparc: offset 0x10: a dynamic or position-independent program, expected one linked with -static -no-pie
[3]

$ psim-record -o x.trace.gz -- bad/elf/text.sparc
psim-record: bad/elf/text.sparc: not an ELF file, expected a statically linked SPARC-V9 program
[3]

$ psim-record -o x.trace.gz -- bad/elf/x86.sparc
psim-record: bad/elf/x86.sparc: offset 0x12: machine number 62, expected 43 (SPARC-V9)
[3]

$ psim-record -o x.trace.gz -- bad/elf/32-bit.sparc
psim-record: bad/elf/32-bit.sparc: offset 0x4: a 32-bit program, expected a 64-bit one (ELFCLASS64)
[3]

$ ls
bad
configs
traces
