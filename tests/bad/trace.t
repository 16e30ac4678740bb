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
