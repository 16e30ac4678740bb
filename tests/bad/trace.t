# Damaged traces, one error each (bad/trace/make.py): the message names it and the good part before it; status 3.

$ psim-trace bad/trace/empty.trace.gz
psim-trace: bad/trace/empty.trace.gz:offset 0x0: the file is empty, expected a trace
[3]

$ psim-trace bad/trace/text.trace.gz
psim-trace: bad/trace/text.trace.gz:offset 0x0: not a trace, expected a file written by psim-record
[3]

$ psim-trace bad/trace/other-gzip.trace.gz
psim-trace: bad/trace/other-gzip.trace.gz:offset 0x0: not a trace, expected a file written by psim-record
[3]

$ psim-trace bad/trace/version.trace.gz
psim-trace: bad/trace/version.trace.gz:offset 0x0: unknown version of the trace format, expected 1 to 6
[3]

$ psim-trace bad/trace/line-cut.trace.gz
psim-trace: bad/trace/line-cut.trace.gz:offset 0x0: member 0 (header): a row of the line table is truncated or out of range; 0 instructions before it are good
[3]

$ psim-trace bad/trace/line-behind.trace.gz
psim-trace: bad/trace/line-behind.trace.gz:offset 0x0: member 0 (header): bytes follow the last field; 0 instructions before it are good
[3]

$ psim-trace bad/trace/bomb.trace.gz
psim-trace: bad/trace/bomb.trace.gz:offset 0x0: the stated content is larger than the member can inflate to
[3]

$ psim-trace bad/trace/cut.trace.gz
psim-trace: bad/trace/cut.trace.gz:offset 0x165: member 4: the file is truncated in the head of a member; 44 instructions before it are good
[3]

$ psim-trace bad/trace/no-end.trace.gz
psim-trace: bad/trace/no-end.trace.gz:offset 0x29c: member 7: the file is truncated before its end member; 130 instructions before it are good
[3]

$ psim-trace bad/trace/behind.trace.gz
psim-trace: bad/trace/behind.trace.gz:offset 0x329: member 8 (tail): bytes follow the end of the trace; 130 instructions before it are good
[3]

$ psim-trace bad/trace/missing-member.trace.gz
psim-trace: bad/trace/missing-member.trace.gz:offset 0xb0: member 3 (code): members are missing, repeated or out of order; 0 instructions before it are good
[3]

$ psim-trace bad/trace/head.trace.gz
psim-trace: bad/trace/head.trace.gz:offset 0xb0: member 2: the member head's checksum differs, the file is damaged; 0 instructions before it are good
[3]

$ psim-trace bad/trace/kind.trace.gz
psim-trace: bad/trace/kind.trace.gz:offset 0xb0: member 2 (unknown): unknown kind of member; 0 instructions before it are good
[3]

$ psim-trace bad/trace/checksum.trace.gz
psim-trace: bad/trace/checksum.trace.gz:offset 0xb0: member 2 (data): checksum differs, the file is damaged; 0 instructions before it are good
[3]

$ psim-trace bad/trace/deflate.trace.gz
psim-trace: bad/trace/deflate.trace.gz:offset 0xb0: member 2 (data): the compressed data is damaged (invalid block type); 0 instructions before it are good
[3]

$ psim-trace bad/trace/block-length.trace.gz
psim-trace: bad/trace/block-length.trace.gz:offset 0x55: member 1 (code): a block's length is truncated or out of range; 0 instructions before it are good
[3]

$ psim-trace bad/trace/columns.trace.gz
psim-trace: bad/trace/columns.trace.gz:offset 0xb0: member 2 (data): bytes follow the columns; 0 instructions before it are good
[3]

$ psim-trace bad/trace/counts.trace.gz
psim-trace: bad/trace/counts.trace.gz:offset 0xb0: member 2 (data): a column of blocks is truncated; 0 instructions before it are good
[3]

$ psim-trace bad/trace/unknown-block.trace.gz
psim-trace: bad/trace/unknown-block.trace.gz:offset 0xb0: member 2 (data): unknown block 126, expected one of 3; 0 instructions before it are good
[3]

# The same where nothing can be looked up at the end first.

$ cat bad/trace/cut.trace.gz | psim-trace --verify -
psim-trace: standard input:offset 0x165: member 4: the file is truncated in the head of a member; 44 instructions before it are good
[3]

$ cat bad/trace/missing-member.trace.gz | psim-trace -
psim-trace: standard input:offset 0xb0: member 3 (code): members are missing, repeated or out of order; 0 instructions before it are good
[3]

# Missing files and invalid arguments.

$ psim-trace nothing.trace.gz
psim-trace: nothing.trace.gz: cannot open: No such file or directory
[3]

$ psim-trace traces
psim-trace: traces: a directory, expected a trace
[3]

$ psim-trace --range 5 traces/samples/hello.trace.gz
psim-trace: --range: '5': expected FROM:COUNT, for instance 1000:50
[2]

$ psim-trace --range 1G:1 traces/samples/hello.trace.gz
psim-trace: --range: '1G:1': expected FROM:COUNT, for instance 1000:50
[2]

$ psim-trace --range 1000000000:1 traces/samples/hello.trace.gz
psim-trace: traces/samples/hello.trace.gz: no instruction 1000000000, expected less than ...
[2]

$ psim-trace --region nowhere traces/samples/dgemm.trace.gz
psim-trace: traces/samples/dgemm.trace.gz: unknown region 'nowhere', expected one of: ...
[2]

$ psim-trace --insns --mix traces/samples/hello.trace.gz
psim-trace: --insns writes text, expected no other view or format
[2]

$ cat traces/samples/hello.trace.gz | psim-trace --range 10:5 -
psim-trace: standard input: cannot seek, expected a regular file
[2]

# A full disk, a closed pipe: said, and nothing left behind.

$ psim-trace --insns traces/samples/hello.trace.gz >/dev/full
psim-trace: standard output: cannot write: No space left on device
[1]

$ psim-trace -o folder/x traces/samples/hello.trace.gz
psim-trace: folder/x: ...
[1]

$ psim-trace bad/trace/checksum.trace.gz -o x 2>/dev/null; ls x
ls: cannot access 'x': No such file or directory
[2]

# psim says the same.

$ psim -c configs/sparc64v.ini bad/trace/text.trace.gz
psim: bad/trace/text.trace.gz:offset 0x0: not a trace, expected a file written by psim-record
[3]

$ psim bad/trace/cut.trace.gz
psim: bad/trace/cut.trace.gz:offset 0x165: member 4: the file is truncated in the head of a member; 44 instructions before it are good
[3]

$ psim -q bad/trace/checksum.trace.gz
psim: bad/trace/checksum.trace.gz:offset 0xb0: member 2 (data): checksum differs, the file is damaged; 0 instructions before it are good
[3]

$ psim nowhere.trace.gz
psim: nowhere.trace.gz: cannot open: No such file or directory
[3]

$ psim traces
psim: traces: a directory, expected a trace
[3]

# Texts of traces: a line each, and no trace is left.

$ text() { printf 'psim-trace-text 1\nprogram x\n'"$1"'\n' >t.txt; psim-trace --make t.trace.gz t.txt 2>&1; ls t.trace.gz 2>/dev/null; }; for t in 'hello' 'block 1 0x100' 'block 0 0x101\n 01000000\nrun 0' 'block 0 0x100\nrun 0' 'block 0 0x100 fast' 'block 0 0x100\n 0100' 'block 0 0x100\n 01000000 01000000' ' 01000000' 'run 0' 'block 0 0x100\n c2584000\nrun 0' 'block 0 0x100\n 01000000\nrun 0 0x8' 'region end q' 'region start q' 'warm-up begin' 'warm-up end' 'symbol 8 1 a\nsymbol 4 1 b\nexit 0' 'array 3 100\nexit 0' 'block 0 0x100\n 01000000\nprogram y' 'program a\\x1' 'thread 64' 'crc -1' 'crc 99999999999999999999999' 'section 5 6 0x40' 'order 5 0 1' 'exit 0 1'; do text "$t"; done; true
psim-trace: t.txt:3: 'hello', expected one of the words of a psim-trace-text
psim-trace: t.txt:3: block 1, expected the next number, 0
psim-trace: t.txt:5: block of 1 instructions at 0x101, expected 1 to 256 at a multiple of 4
psim-trace: t.txt:4: block of 0 instructions at 0x100, expected 1 to 256 at a multiple of 4
psim-trace: t.txt:3: 'fast', expected simd or the end of the line
psim-trace: t.txt:4: '0100', expected eight hexadecimal digits
psim-trace: t.txt:4: '01000000' behind an instruction, expected one a line
psim-trace: t.txt:3: an instruction outside a block, expected a line without a blank in front
psim-trace: t.txt:3: run of block 0, expected one of the 0 above
psim-trace: t.txt:5: 0 addresses, expected the 1 of block 0
psim-trace: t.txt:5: '0x8' behind run, expected the end of the line
psim-trace: t.txt:3: end of region q, but none is open
psim-trace: t.txt:3: 'start', expected begin or end
psim-trace: t.txt:3: a warm-up part, but the header declares none
psim-trace: t.txt:3: warm-up end, expected the other one
psim-trace: t.txt:5: symbol 1 (b) is below the one before it, expected them ascending
psim-trace: t.txt:4: invalid size of the SIMD array: 3 PEs with 100 bytes each
psim-trace: t.txt:5: program behind a block or run, expected it above them
psim-trace: t.txt:3: '\x1': expected a backslash as \x5c, or \x and two digits
psim-trace: t.txt:3: thread: a number above 63
psim-trace: t.txt:3: crc: '-1', expected a number
psim-trace: t.txt:3: crc: a number above 4294967295
psim-trace: t.txt:3: end: a number above 0
psim-trace: t.txt:3: order of threads at 5 after thread 0, expected ascending places up to 0 and a thread less than 64
psim-trace: t.txt:3: '1' behind exit, expected the end of the line
$ psim-trace --make t.trace.gz traces/samples/hello.trace.gz
psim-trace: traces/samples/hello.trace.gz:1: a zero byte, expected text
[3]
$ psim-trace --make t.trace.gz --mix t.txt
psim-trace: --make reads text and writes a trace, expected no other view
[2]
$ psim-trace --text t.txt --region sort traces/samples/quicksort.trace.gz
psim-trace: --text writes the whole trace, expected no --range or --region
[2]
