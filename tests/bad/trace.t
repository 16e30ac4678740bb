# Files that are no traces, or damaged ones: status 3, and nothing believed of them.

$ psim-trace bad/trace/empty.trace.gz
psim-trace: bad/trace/empty.trace.gz:offset 0x0: member 0 (header): the file is empty, expected a trace; 0 instructions before it are good
[3]

$ psim-trace bad/trace/header-cut.trace.gz
psim-trace: bad/trace/header-cut.trace.gz:offset 0x0: member 0 (header): the file ends in this member, it is cut; 0 instructions before it are good
[3]

$ psim-trace bad/trace/plain.gz
psim-trace: bad/trace/plain.gz:offset 0x0: member 0 (header): the file ends in the head of a member, it is cut; 0 instructions before it are good
[3]

$ psim-trace bad/trace/text.trace.gz
psim-trace: bad/trace/text.trace.gz:offset 0x0: member 0 (header): this is not a trace, expected a gzip file that psim-record wrote; 0 instructions before it are good
[3]

$ psim -c configs/sparc64v.ini bad/trace/text.trace.gz
psim: bad/trace/text.trace.gz:offset 0x0: member 0 (header): this is not a trace, expected a gzip file that psim-record wrote; 0 instructions before it are good
[3]

$ psim nowhere.trace.gz
psim: nowhere.trace.gz: cannot be opened: No such file or directory
[3]

$ psim traces
psim: traces: is a folder, expected a trace
[3]

# A byte changed in the middle, and an end cut off.

$ (head -c 20000 traces/samples/hello.trace.gz; printf X; tail -c +20002 traces/samples/hello.trace.gz) > changed.trace.gz

$ psim-trace changed.trace.gz
psim-trace: changed.trace.gz:offset 0x2278: member 1 (code): the content is not of the size that the head states; 0 instructions before it are good
[3]

$ psim changed.trace.gz
psim: changed.trace.gz:offset 0x2278: member 1 (code): the content is not of the size that the head states; 0 instructions before it are good
[3]

$ head -c 20000 traces/samples/hello.trace.gz > cut.trace.gz

$ psim-trace --verify cut.trace.gz
psim-trace: cut.trace.gz:offset 0x2278: member 1 (code): the file ends in this member, it is cut; 0 instructions before it are good
[3]

$ psim cut.trace.gz
psim: cut.trace.gz:offset 0x2278: member 1 (code): the file ends in this member, it is cut; 0 instructions before it are good
[3]
