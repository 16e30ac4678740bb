# psim --annotate: latency, cause and level of each instruction.

# Dependent loads that all come from memory: 4 cycles of load-use latency, 12 to L2, 120 to memory, 2 from the arrival of a line
# (l2.latency, memory.latency at 2 GHz, l1d.fill_latency); with a perfect L1D the 4 alone. The loop's sum takes one cycle.

$ psim -q -c sparc64v.ini -p tlb.perfect=yes -f csv --annotate main+0xd4 traces/samples/chase.trace.gz | grep -E '^annotate,(instruction|times|latency|cause|memory),[03],'
annotate,instruction,0,inc  %g2,
annotate,times,0,20000,times
annotate,latency,0,1,cycles
annotate,cause,0,,
annotate,memory,0,,%
annotate,instruction,3,"ldx  [ %o3 ], %o3",
annotate,times,3,20000,times
annotate,latency,3,138,cycles
annotate,cause,3,load_memory,
annotate,memory,3,100,%
$ psim -q -c sparc64v.ini -p tlb.perfect=yes -p l1d.perfect=yes -f csv --annotate main+0xd4 traces/samples/chase.trace.gz | grep -E '^annotate,(latency|cause|l1),3,'
annotate,latency,3,4,cycles
annotate,cause,3,load_l1,
annotate,l1,3,100,%

# An address in the loop, and the function, have the same rows of the loop. Details change no other figure of the report.

$ for at in main+0xd4 0x1006d8 main; do psim -q -c sparc64v.ini --annotate $at -v traces/samples/chase.trace.gz | sed -n '/^annotate:/,/^$/p' | grep -cE '0x1006(d4|d8|dc|e0) '; done
4
4
4
$ psim -q -c sparc64v.ini --no-memo --top 3 traces/samples/chase.trace.gz | grep -v '^  command' >plain; psim -q -c sparc64v.ini --annotate main --top 3 traces/samples/chase.trace.gz | grep -v '^  command' | sed '/^annotate/,/^$/d' | cmp - plain && echo same
same
