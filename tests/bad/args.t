# Mistakes on the command line: status 2 and one line on stderr, nothing else.

$ psim
psim: no operand, expected TRACE...: see psim --help
[2]

$ psim -p chip.cores=8 traces/samples/hello.trace.gz traces/samples/hello.trace.gz
psim: -p: chip.cores = 8 and 2 traces, expected one for each core, or one for all
[2]

$ psim --core 2 traces/samples/hello.trace.gz traces/samples/hello.trace.gz
psim: --core: unknown core 2, expected a number below 2
[2]

$ psim - traces/samples/hello.trace.gz < traces/samples/hello.trace.gz
psim: one of 2 traces is standard input, expected files for several cores
[2]

$ psim --core 1 traces/samples/hello.trace.gz
psim: --core: unknown core 1, expected a number below 1
[2]

$ psim traces/samples/hello.trace.gz nosuch.trace.gz
psim: nosuch.trace.gz: cannot open: No such file or directory
[3]

$ psim --tpo 3 traces/samples/hello.trace.gz
psim: unknown option --tpo, did you mean --top?
[2]

$ psim -Z
psim: unknown option -Z, expected one of --help
[2]

$ psim -p core.rob_entries=0 traces/samples/hello.trace.gz
psim: -p: core.rob_entries: 0 is out of range, expected 1 to 1024 entries
[2]

$ psim -p core.rob=32 traces/samples/hello.trace.gz
psim: -p: unknown key rob in section [core], expected one of rob_entries, rse_entries, rsf_entries, rsa_entries, rsbr_entries, int_pipes, fp_pipes, address_pipes, commit_width, operand_stages, commit_stages, speculative_wakeup, deadlock_cycles
[2]

$ psim -p rob_entries=32 traces/samples/hello.trace.gz
psim: -p rob_entries=32: not an assignment, expected section.key=value
[2]

$ psim -p fetch.width_bytes=24 traces/samples/hello.trace.gz
psim: -p: fetch.width_bytes = 24 is not a power of two, expected one
[2]

$ psim -f xml traces/samples/hello.trace.gz
psim: --format: unknown value 'xml', expected one of text|json|csv|html
[2]

$ psim --html page.html --csv page.html traces/samples/hello.trace.gz; psim --html page.html --json -o page.html traces/samples/hello.trace.gz; psim --html - --csv - traces/samples/hello.trace.gz; ls page.html 2>/dev/null
psim: --html and --csv both write to page.html, expected different files
psim: --output and --html both write to page.html, expected different files
psim: --html and --csv both write to standard output, expected different files
[2]

$ psim-trace --html page.html --json traces/samples/hello.trace.gz; psim-trace --html page.html --csv page.csv traces/samples/hello.trace.gz; ls page.html page.csv 2>/dev/null
psim-trace: --html and --output, --format or --json: expected one of them
psim-trace: --csv and --html: expected one of them
[2]

$ psim --top ten traces/samples/hello.trace.gz
psim: --top ten: not a number, expected digits and perhaps k, M or G
[2]

$ psim-trace
psim-trace: no operand, expected TRACE: see psim-trace --help
[2]

$ psim-trace --range 5 traces/samples/hello.trace.gz
psim-trace: --range: '5': expected FROM:COUNT, for instance 1000:50
[2]

$ psim-trace --region nosuch traces/samples/dgemm.trace.gz
psim-trace: traces/samples/dgemm.trace.gz: unknown region 'nosuch', expected one of: dgemm
[2]

$ psim-record
psim-record: no operand, expected -- PROGRAM [ARGS]: see psim-record --help
[2]

$ psim-record -o x.trace.gz
psim-record: no operand, expected -- PROGRAM [ARGS]: see psim-record --help
[2]

$ psim-record --fma both -- bad/elf/machine.elf
psim-record: --fma: unknown value 'both', expected one of unfused|fused
[2]

$ psim-record --from nosuch -o x.trace.gz -- bad/elf/illegal.elf
psim-record: --from: 'nosuch' is neither a function of bad/elf/illegal.elf nor the address (0x…) of an instruction
[2]

$ psim-record --name bin/hello --no-trace -- configs
psim-record: --name bin/hello: expected a path that begins with /
[2]

$ psim-record --env HOME --no-trace -- configs
psim-record: --env HOME: expected VAR=VALUE
[2]
