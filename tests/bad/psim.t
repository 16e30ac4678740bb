# Errors in the options of psim and psim-diff, and bad traces: one line, the right status, no file left.

$ psim -o r --pipe p --window 5 traces/samples/hello.trace.gz

$ psim -o r --pipe p --window five:3 traces/samples/hello.trace.gz
psim: --window: 'five:3': expected FROM:COUNT, @FUNCTION:COUNT, @ADDRESS:COUNT or @region:NAME:COUNT
[2]

$ psim -o r --pipe p --window 5:0 traces/samples/hello.trace.gz
psim: --window: '5:0': expected FROM:COUNT, @FUNCTION:COUNT, @ADDRESS:COUNT or @region:NAME:COUNT
[2]

$ psim -o r --pipe p --window @:5 traces/samples/hello.trace.gz
psim: --window: '@:5': expected FROM:COUNT, @FUNCTION:COUNT, @ADDRESS:COUNT or @region:NAME:COUNT
[2]

$ psim -o r --pipe p --window 99999999999999999999:5 traces/samples/hello.trace.gz
psim: --window: '99999999999999999999:5': expected FROM:COUNT, @FUNCTION:COUNT, @ADDRESS:COUNT or @region:NAME:COUNT
[2]

$ psim -o r --pipe p --window @nosuch:5 traces/samples/hello.trace.gz
psim: --window: unknown function 'nosuch', expected one in the trace's symbols
[2]

$ psim -o r --pipe p --window @main+x:5 traces/samples/hello.trace.gz
psim: --window: '@main+x:5': expected FROM:COUNT, @FUNCTION:COUNT, @ADDRESS:COUNT or @region:NAME:COUNT
[2]

$ psim -o r --window 5:5 traces/samples/hello.trace.gz
psim: --window: expected --pipe FILE too
[2]

# Errors that are known only at the end of the run: the report is written, the view is not.

$ rm -f r p; psim -o r --pipe p --window 1G:5 traces/samples/hello.trace.gz
psim: --window: '1G:5': expected FROM:COUNT, @FUNCTION:COUNT, @ADDRESS:COUNT or @region:NAME:COUNT
[2]

$ psim -o r --pipe p --window 1000000:5 traces/samples/hello.trace.gz; echo $?; ls r p
psim: --window: the run ended before instruction 1000000
psim: note: r was written before this
2
ls: cannot access 'p': No such file or directory
r
[2]

$ psim -o r --pipe p --window @region:nosuch:5 traces/samples/hello.trace.gz
psim: --window: region 'nosuch' was not entered in this run
psim: note: r was written before this
[2]

$ psim -o r --pipe p --window @0x10:5 traces/samples/hello.trace.gz
psim: --window: the instruction at 0x10 was not executed in this run
psim: note: r was written before this
[2]

# Two outputs in one place.

$ psim --pipe - traces/samples/hello.trace.gz
psim: --output and --pipe both write to standard output, expected different files
[2]

$ psim -o x --energy-csv x -p energy.interval=10 traces/samples/hello.trace.gz
psim: --output and --energy-csv both write to x, expected different files
[2]

$ psim -o r --energy-csv x traces/samples/hello.trace.gz
psim: --energy-csv: expected an interval too, for instance -p energy.interval=10000
[2]

# Expectations are read before the run.

$ psim -o x --expect core.ipc traces/samples/hello.trace.gz; echo $?; ls x
psim: --expect 'core.ipc': malformed, expected NAME=VALUE, NAME=VALUE+-TOLERANCE (a number or N%), NAME>=VALUE or NAME<=VALUE; numbers in the unit that --format csv shows
2
ls: cannot access 'x': No such file or directory
[2]

$ psim -o r --expect core.nosuch=1 traces/samples/hello.trace.gz
psim: --expect 'core.nosuch=1': the report has no number core.nosuch
psim: note: r was written before this
[2]

$ psim -o r --skip 1000000 traces/samples/hello.trace.gz
psim: traces/samples/hello.trace.gz: no instruction 1000000, expected less than 8488
[2]

$ psim -o r --skip 10 - < traces/samples/hello.trace.gz
psim: standard input: cannot seek, expected a regular file
[2]

# A damaged trace: nothing is written, whatever the options are, and an older report stays.

$ rm -f r p e; for t in bad/trace/*.trace.gz; do psim -o r --pipe p --energy-csv e -p energy.interval=10 $t 2> said; echo $? $(wc -l < said); done | sort | uniq -c; ls r p e
     19 3 1
ls: cannot access 'r': No such file or directory
ls: cannot access 'p': No such file or directory
ls: cannot access 'e': No such file or directory
[2]

$ head -c 60000 traces/samples/quicksort.trace.gz > cut.trace.gz; echo old > r; cat cut.trace.gz | psim -o r --pipe p -; echo $?; cat r; ls p
psim: standard input:offset ...: ... truncated ...; ... instructions before it are good
3
old
ls: cannot access 'p': No such file or directory
[2]

# A processor that cannot make progress within its own limit.

$ psim -p core.deadlock_cycles=1000 -p memory.bandwidth=0.0128B/cycle traces/samples/hello.trace.gz
psim: core: cycle ...: no commit for 1000 cycles...
[4]

# Options of what another one turns off.

$ psim --no-memo --memo-check 5 traces/samples/hello.trace.gz
psim: --memo-check: it has no effect with --no-memo
[2]

$ psim --no-memo --memo-memory 5 traces/samples/hello.trace.gz
psim: --memo-memory: it has no effect with --no-memo
[2]

$ psim --memo-check 0 traces/samples/hello.trace.gz
psim: --memo-check: 0, expected a number of 1 or more
[2]

$ psim -c simd16.ini -p simd.transfers=256 --memo-check 5 traces/samples/simd-dgemm.trace.gz
psim: --memo-check: it has no effect with simd.transfers above 255
[2]

$ psim -c simd16.ini -p simd.transfers=256 --memo-memory 5 traces/samples/simd-dgemm.trace.gz
psim: --memo-memory: it has no effect with simd.transfers above 255
[2]

$ for o in '--memo-check 1' '--memo-memory 5'; do psim $o -p simd.pes=16 -p simd.power=gated traces/samples/hello.trace.gz; done
psim: --memo-check: it has no effect with simd.power = gated
psim: --memo-memory: it has no effect with simd.power = gated
[2]

$ psim -p prefetch.enabled=yes -p prefetch.kind=stride --memo-check 5 traces/samples/hello.trace.gz
psim: --memo-check: it has no effect with prefetch.kind = stride
[2]

$ psim -p fetch.wrong_path=fetch --memo-check 5 traces/samples/hello.trace.gz
psim: --memo-check: it has no effect with fetch.wrong_path
[2]

$ psim -p fetch.wrong_path=stores traces/samples/hello.trace.gz
psim: -p: fetch.wrong_path: unknown value "stores", expected one of none|fetch|loads
[2]

$ psim --check --memo-check 5 traces/samples/hello.trace.gz
psim: --memo-check: it has no effect with --check
[2]

# Checkpoints: no file, a file that is none, options that need the whole trace.

$ psim -q --checkpoint-minutes 5 traces/samples/hello.trace.gz
psim: --checkpoint-minutes: it has no effect without --checkpoint
[2]

$ psim -q --checkpoint nosuch/a.ck traces/samples/hello.trace.gz
psim: nosuch/a.ck: cannot open for writing: No such file or directory
[1]

$ echo text > a.ck; psim -q --checkpoint a.ck traces/samples/hello.trace.gz; cat a.ck
psim: a.ck:1: no checkpoint, expected 'psim-checkpoint 1': remove the file, or name another one
text

$ psim -q --checkpoint traces/samples/hello.trace.gz traces/samples/hello.trace.gz
psim: ...traces/samples/hello.trace.gz...
[2]

$ for o in --what-if '--runs 2' --sample=1000/12000 --simpoints; do psim --checkpoint b.ck $o traces/samples/hello.trace.gz; done
psim: --checkpoint and --what-if: expected one of the two
psim: --checkpoint and --runs: expected one of the two
psim: --checkpoint and --sample: expected one of the two
psim: --checkpoint and --simpoints: expected one of the two
[2]

$ psim -q --checkpoint b.ck - < traces/samples/hello.trace.gz
psim: --checkpoint: the length of the trace is unknown, expected a file
[2]

# Another trace, configuration or place is refused: nothing is lost.

$ psim -q --checkpoint c.ck --checkpoint-minutes 0 -o /dev/full traces/samples/dgemm-packed.trace.gz 2>said; cp c.ck d.ck; for o in traces/samples/chase.trace.gz '-p core.rob_entries=32 traces/samples/dgemm-packed.trace.gz' '--skip 3000 traces/samples/dgemm-packed.trace.gz'; do psim -q --checkpoint c.ck $o; done; cmp c.ck d.ck && wc -l < said
psim: c.ck:4: of a run with trace ..., expected trace ...: remove the file, or name another one
psim: c.ck:7: of a run with configuration ..., expected configuration ...: remove the file, or name another one
psim: c.ck:5: of a run with instructions 3773656, expected instructions 3770656: remove the file, or name another one
2

# Parts of a trace side by side.

$ psim -j 0 traces/samples/hello.trace.gz
psim: -j 0: expected 1 to 1024 processes
[2]

$ psim -j 2000 traces/samples/hello.trace.gz
psim: -j 2000: expected 1 to 1024 processes
[2]

# One process simulates what cannot be cut, which a note says.

$ for o in '--pipe x' '--stages-csv x' '--stages-svg x' '--max-cycles 9' '--html x' '-p memory.kind=dram' '-p chip.cores=2' '--checkpoint whole.ck --check'; do psim -j 2 $o -o r.txt traces/samples/hello.trace.gz; psim -q -j 2 $o -o r.txt traces/samples/hello.trace.gz; done; psim -j 2 -o r.txt - < traces/samples/hello.trace.gz
psim: note: -j and --pipe: it follows one process through the trace: one process simulates the trace
psim: note: -j and --stages-csv: it follows one process through the trace: one process simulates the trace
psim: note: -j and --stages-svg: it follows one process through the trace: one process simulates the trace
psim: note: -j and --max-cycles: it follows one process through the trace: one process simulates the trace
psim: note: -j and --html: it follows one process through the trace: one process simulates the trace
psim: note: -j and memory.kind = dram: it refreshes by the cycle from the begin of the run: one process simulates the trace
psim: note: -j and several cores: how far each is in a part depends on all before the part: one process simulates the trace
psim: note: -j and --checkpoint with --check: such a run is kept as a whole: one process simulates the trace
psim: note: -j and standard input: each process opens the trace: one process simulates the trace

$ for o in --what-if '--runs 2' --sample --simpoints; do psim -q -j 2 --checkpoint x.ck $o traces/samples/hello.trace.gz; done
psim: --checkpoint and --what-if: expected one of the two
psim: --checkpoint and --runs: expected one of the two
psim: --checkpoint and --sample: expected one of the two
psim: --checkpoint and --simpoints: expected one of the two
[2]

# psim-diff.

$ psim --json -o d.json traces/samples/hello.trace.gz; psim-diff --only cores d.json d.json
psim-diff: --only 'cores': neither report has a group, table or value of that name, expected one such as core or cycle_stack
[2]

$ psim-diff a.json
psim-diff: 1 operand, expected A.json B.json...: see psim-diff --help
[2]

$ psim sparc64v.ini traces/samples/hello.trace.gz
psim: sparc64v.ini: is no trace: a configuration follows -c
[3]

$ psim-diff nosuch.json nosuch.json
psim-diff: nosuch.json: cannot open: No such file or directory
[3]

$ psim-diff configs configs
psim-diff: configs: cannot read: Is a directory
[3]

$ psim-diff traces/samples/hello.trace.gz r
psim-diff: traces/samples/hello.trace.gz:1: not JSON: ...; expected a report, as --json writes
[3]

$ echo '[1]' > list.json; psim-diff list.json list.json
psim-diff: list.json: not a report, expected a JSON object
[3]

$ psim-diff - - < list.json
psim-diff: 2 reports are standard input, expected a file for all but one
[2]

$ echo '{}' > none.json; psim-diff --within -1 none.json none.json
psim-diff: --within '-1': expected percent, 0 or more
[2]

$ psim-diff -o /dev/full none.json none.json
psim-diff: /dev/full: cannot write: No space left on device
[1]

# Samples.

$ psim -o sampled --sample=1000 traces/samples/dgemm-packed.trace.gz
psim: --sample=1000: expected U/W, a unit of U instructions each W, below 2^32, as in 1000/50000
[2]

$ psim -o sampled --sample=1000/5000 traces/samples/dgemm-packed.trace.gz
psim: --sample=1000/5000: a unit each 5000 instructions, expected at least 5256: 4000 are simulated before and 256 behind each
[2]

$ psim -o sampled --sample traces/samples/dgemm.trace.gz
psim: --sample: a trace of 199258 instructions, expected at least 1051200: simulate it whole, or choose a plan with --sample=U/W
[2]

$ psim -o sampled --sample=1000/30000 traces/samples/dgemm.trace.gz
psim: --sample=1000/30000: 6 units in 199258 instructions, expected at least 10
[2]

# Units whose interval reaches 0 cycles; units that say little have a report and a warning (tests/cli/psim.t).

$ psim -q -o sampled --sample=400/5500 traces/samples/dgemm.trace.gz
psim: --sample=400/5500: the interval of 8.67e+04 cycles, ... up and down, reaches 0: simulate the trace whole, or a larger part of it with --sample=U/W
[2]

$ psim -o sampled --sample - <traces/samples/dgemm-packed.trace.gz
psim: --sample: the length of the trace is unknown, expected a file, or --sample=U/W
[2]

$ psim -o sampled --sample --pipe p traces/samples/dgemm-packed.trace.gz
psim: --sample and --pipe: a sample has parts of the trace, expected one of the two
[2]

$ psim -o sampled --sample --check traces/samples/dgemm-packed.trace.gz
psim: --sample and --check: a sample has parts of the trace, expected one of the two
[2]

$ psim -o sampled --sample -p chip.cores=2 traces/samples/dgemm-packed.trace.gz
psim: --sample: a chip of 2 cores, expected one
[2]

$ psim -o sampled --sample -c configs/simd16.ini traces/samples/simd-dgemm.trace.gz
psim: --sample: traces/samples/simd-dgemm.trace.gz uses the SIMD array, expected a program of the scalar core
[2]

# Intervals of phases: too long, too short, too many, badly written, beside what needs the whole.

$ for o in '' =500 =1000/0 =1000/x =100000 =1000/5; do psim -o sampled --simpoints$o traces/samples/hello.trace.gz; done
psim: --simpoints: 8488 instructions are 0 intervals of 10000, expected at least 20: simulate the trace whole, or choose shorter intervals
psim: --simpoints=500: expected LENGTH or LENGTH/PHASES, intervals of 1000 instructions or more and 1 to 100 phases, as in 100000/10
psim: --simpoints=1000/0: expected LENGTH or LENGTH/PHASES, intervals of 1000 instructions or more and 1 to 100 phases, as in 100000/10
psim: --simpoints=1000/x: expected LENGTH or LENGTH/PHASES, intervals of 1000 instructions or more and 1 to 100 phases, as in 100000/10
psim: --simpoints=100000: 8488 instructions are 0 intervals of 100000, expected at least 20: simulate the trace whole, or choose shorter intervals
psim: --simpoints=1000/5: 8488 instructions are 8 intervals of 1000, expected at least 20: simulate the trace whole, or choose shorter intervals
[2]

$ psim -q -o sampled --simpoints - <traces/samples/quicksort.trace.gz
psim: --simpoints: the length of the trace is unknown, expected a file
[2]

$ for o in --sample=1000/20000 --check --misses --what-if '--mcpat x' '--useful-flops 9' '-p energy.package=0.5' '-p chip.cores=2'; do psim -q -o sampled --simpoints $o traces/samples/quicksort.trace.gz; done
psim: --sample and --simpoints: a sample has parts of the trace, expected one of the two
psim: --simpoints and --check: a sample has parts of the trace, expected one of the two
psim: --misses and --simpoints: a report without a profile, expected one of the two
psim: --what-if and --simpoints: expected whole runs
psim: --mcpat and --simpoints: a sample has no counts of the whole run, expected one of the two
psim: --simpoints and --useful-flops: a sample has parts of the trace, expected one of the two
psim: --simpoints and energy.package: the temperature follows from the power of the whole run, expected one of the two
psim: --simpoints: a chip of 2 cores, expected one
[2]

$ ls sampled
ls: cannot access 'sampled': No such file or directory
[2]

$ psim -q --annotate tyle traces/samples/zgemm.trace.gz
psim: --annotate tyle: unknown; did you mean 'tile'?, expected a function, a loop of the table loops (name+0x40), an address (0x10040); the trace has no source lines
[2]

$ psim -q --annotate add_path traces/samples/hello.trace.gz
psim: --annotate add_path: unknown; did you mean 'add_path.constprop.0.isra.0'?, expected a function, a loop of the table loops (name+0x40), an address (0x10040); the trace has no source lines
[2]

$ psim -q --annotate tile+zz traces/samples/zgemm.trace.gz
psim: --annotate tile+zz: unknown...
[2]

$ psim -q --annotate abort traces/samples/zgemm.trace.gz
psim: --annotate abort: nothing of that was executed in the simulated part, expected a row of the table functions or loops
[2]

$ psim -q --annotate tile --no-profile traces/samples/zgemm.trace.gz
psim: --annotate and --no-profile: a report without a profile, expected one of the two
[2]

$ psim -q --annotate main --sample=1000/20000 traces/samples/quicksort.trace.gz
psim: --annotate and --sample: a report without a profile, expected one of the two
[2]

$ psim -q --what-if --sample=1000/20000 traces/samples/quicksort.trace.gz
psim: --what-if and --sample: expected whole runs
[2]

$ psim -q --what-if --max-cycles 100 traces/samples/hello.trace.gz
psim: --what-if and --max-cycles: expected whole runs
[2]

$ psim -q --what-if - <traces/samples/hello.trace.gz
psim: --what-if: a trace from standard input, expected a file: it is read for each run
[2]

$ for o in '--runs 0' '--runs 1001' '--runs 2 --sample=1000/20000' '--runs 2 --max-cycles 100'; do psim -q $o traces/samples/quicksort.trace.gz; done; psim -q --runs 2 - <traces/samples/hello.trace.gz
psim: --runs: 0, expected 1 to 1000
psim: --runs: 1001, expected 1 to 1000
psim: --runs and --sample: expected whole runs
psim: --runs and --max-cycles: expected whole runs
psim: --runs: a trace from standard input, expected a file: it is read for each run
[2]

# A clock that is too fast by little and by much. At 3 GHz a cycle has 333.3 ps / 32.4 ps - 2 = 8.288 FO4 for the work of 13.432
# (500 / 32.4 - 2): 1.6207 times.

$ for f in 3 50; do psim -q -o r -p chip.frequency=${f}GHz traces/samples/hello.trace.gz; done
psim: warning: energy: path cycle (single cycle that no parameter stretches): its logic must be 1.621 times as fast as the reference's, expected at most 1.620, the fastest published; the lowest supply for this clock is 1.00 V, or lower chip.frequency
psim: warning: energy: path cycle (single cycle that no parameter stretches): its logic must be more than 100 times as fast as the reference's, expected at most 1.620, the fastest published; no realistic supply is sufficient: lower chip.frequency

# The driver of the first minutes refuses what meson does not know.

$ for word in tests --help; do sh $PSIM/quickstart.sh $word; echo $?; done
quickstart.sh: unknown word 'tests', expected install, test, or arguments of meson, which begin with -
usage: ./quickstart.sh [install | test] [MESON ARGUMENT...]
...
2
usage: ./quickstart.sh [install | test] [MESON ARGUMENT...]
...
0

# A predictor of memory dependences squashes instructions, which the PEs cannot.

$ psim -p simd.pes=16 -p lsu.disambiguation=store_sets traces/samples/axpy.trace.gz
psim: lsu.disambiguation = store_sets, expected conservative or oracle: the program uses the SIMD array, whose instructions cannot be squashed
[2]

$ psim -p lsu.disambiguation=wait_table -p lsu.wait_table_entries=1000 traces/samples/hello.trace.gz
psim: -p: lsu.wait_table_entries = 1000 is not a power of two, expected one
[2]

# Constants of the technology that leave no area for the latches of stages.

$ psim -q -p technology.logic_mm2=31 -p technology.rf_mm2=1 traces/samples/dgemm.trace.gz
psim: energy: technology.logic_mm2: 31 mm2 leave no area for the latches of stages beside registers and FP units, expected more, or less of technology.rf_mm2 and technology.fma_mm2
[2]

# Operating points and heat.

$ psim -o r -p energy.design_frequency=2GHz -p energy.design_voltage=1 -p energy.voltage=0.7 traces/samples/hello.trace.gz
psim: chip.frequency: 2 GHz at 0.7 V: silicon for 2 GHz at 1 V reaches 1.47 GHz there, expected at most that, or energy.voltage of 1.000 V or more
[2]

$ psim -o r -p energy.design_voltage=1 traces/samples/hello.trace.gz
psim: energy.design_frequency, energy.design_voltage: expected both or none
[2]

$ psim -o r -p energy.design_frequency=2GHz -p energy.design_voltage=0.2 -p chip.frequency=20GHz traces/samples/hello.trace.gz
psim: energy: energy.design_voltage (V): 0.2 is out of range, expected 0.3 to 3
[2]

# A run whose power runs away keeps its report, with the leakage of a run whose temperature is given. Runs beside it are
# as hot: the first one warns.

$ psim -q --json -o hot.json -p energy.package=20 traces/samples/hello.trace.gz 2>&1 | tail -1 | cut -c 1-120; psim -q --json -o given.json traces/samples/hello.trace.gz; for f in hot given; do jq -c '[(.energy | has("junction_k")), .core.energy_j == .energy.total_j]' $f.json; jq .energy.total_j,.energy.low_j $f.json > $f; done; cmp hot given
psim: warning: energy: thermal runaway: with energy.package = 20 K/W from 318 K no junction up to 420 K carries off the 
[false,true]
[true,true]

$ psim -q -o r -p energy.package=20 --runs 3 traces/samples/hello.trace.gz 2>&1 | grep -o "thermal design power\|run's power"; ls r
thermal design power
run's power
run's power
r

$ for o in '--energy-csv x -p energy.interval=9' --sample; do psim -o r -p energy.package=0.5 $o traces/samples/hello.trace.gz; done
psim: --energy-csv and energy.package: the temperature follows from the power of the whole run, expected one of the two
psim: --sample and energy.package: the temperature follows from the power of the whole run, expected one of the two
[2]

$ psim -q -o /dev/null -p energy.period=1e-6 traces/samples/hello.trace.gz
psim: warning: energy.period: 1e-06 s, expected at least the run's 2.83565e-05 s

# A figure that does not exist has no row, and no expectation of it holds.

$ for o in 'energy.thermal_junction_k<=400 -p energy.package=1.5' 'energy.lowest_v<=2 -p chip.frequency=4GHz'; do psim -q -o r --expect $o traces/samples/dgemm.trace.gz; done 2>&1 | grep -v warning
psim: --expect 'energy.thermal_junction_k<=400': the report has no number energy.thermal_junction_k, did you mean energy.junction_k?
psim: note: r was written before this
psim: --expect 'energy.lowest_v<=2': the report has no number energy.lowest_v, did you mean energy.low_j?
psim: note: r was written before this

$ for v in 1.3 1.45; do psim -q -o /dev/null -p energy.design_frequency=2GHz -p energy.design_voltage=1 -p chip.frequency=2.5GHz -p energy.voltage=$v traces/samples/hello.trace.gz; done
psim: chip.frequency: 2.5 GHz at 1.3 V: silicon for 2 GHz at 1 V reaches 2.382 GHz there, and 2.382 GHz at 1.30 V, the highest supply of the laws (0.70 to 1.30 V), expected at most that
psim: warning: energy: supply 1.45 V: the laws hold for 0.70 to 1.30 V at 90 nm

$ psim -q -o /dev/null -p energy.package=0.5 -p energy.temperature=390 traces/samples/hello.trace.gz
psim: warning: -p: energy.temperature is not used with energy.package = 0.5

$ psim -o r -c simd16.ini -p simd.power=gated -p simd.wake_cycles=100000 traces/samples/simd-fft.trace.gz
psim: -p: core.deadlock_cycles = 100000, expected more than 100521, in which a core may commit nothing: two accesses to memory of 198 cycles, a trap of 50, an operation of 75, simd.wake_cycles = 100000
[2]
