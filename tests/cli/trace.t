# psim-trace on a recorded sample: docs/programs/psim-trace.md.

$ psim-trace --verify traces/samples/dgemm.trace.gz
traces/samples/dgemm.trace.gz: good: ... instructions in ... members, ... bytes, checksum 0x...

$ psim-trace traces/samples/dgemm.trace.gz
...
trace: trace file
  file ... traces/samples/dgemm.trace.gz
  program ... dgemm ...
...
  checked ... everything ...

trace.regions: regions of interest
  region  entered  instructions
  dgemm         1 ...

# The instructions, addresses and branches; 0 is the first.

$ psim-trace --insns --range 0:8 traces/samples/hello.trace.gz | wc -l
8

$ psim-trace --insns --range 0:1 traces/samples/hello.trace.gz
         0 ... <_start+0x0> ...

# From the middle it is the same as from the beginning.

$ psim-trace --insns --range 300000:100 traces/samples/quicksort.trace.gz >part; wc -l <part
100

$ psim-trace --insns traces/samples/quicksort.trace.gz | grep -v '^#' >all; wc -l <all
504581

$ sed -n 300001,300100p all | cmp - part && echo same
same

# The mix accounts for every instruction.

$ psim-trace --mix -f csv traces/samples/chase.trace.gz | grep '^mix,instructions,'
mix,instructions,,80003,

$ psim-trace --functions --top 1 traces/samples/quicksort.trace.gz | tail -4
functions: instructions by function, in descending order
  function ...
...
  ...

$ psim-trace --working-set --json traces/samples/chase.trace.gz | grep -c '"holds_99"'
2

# A pipe is as good as a file.

$ cat traces/samples/dgemm.trace.gz | psim-trace --mix -f csv - | grep '^mix' >piped; head -n 1 piped
mix,instructions,,199258,

$ psim-trace --mix -f csv traces/samples/dgemm.trace.gz | grep '^mix' | cmp - piped && echo same
same

# The file is an ordinary gzip file.

$ gzip -t traces/samples/dgemm.trace.gz && echo good
good

# The text form is the whole trace: the file that is made of it has the same bytes. A region's name may have any.

$ for t in quicksort simd-dgemm chase hello; do psim-trace -q --text t.txt -o report traces/samples/$t.trace.gz && psim-trace --make t.trace.gz t.txt && cmp t.trace.gz traces/samples/$t.trace.gz && echo same; done
same
same
same
same
$ psim-trace -q --text t.txt.gz -o report traces/samples/hello.trace.gz && psim-trace --make t.trace.gz t.txt.gz && cmp t.trace.gz traces/samples/hello.trace.gz && echo same
same

# ChampSim sees of a region what psim counts there: branches of each kind, those taken, reads and writes.

$ psim-trace -q --region sort --champsim sort -o report traces/samples/quicksort.trace.gz; python3 "$PSIM/tests/cli/champsim_kinds.py" sort
call 306
conditional 74054
instructions 447080
jump 3581
marked wrong 0
reads 54326
return 306
taken 46894
writes 21477
$ psim -q -c sparc64v.ini --region sort --json traces/samples/quicksort.trace.gz | jq -c '.branch | [.calls, .conditional, .returns, .taken, .branches - .calls - .conditional - .returns]'
[306,74054,306,46894,3581]
$ psim-trace --region sort --json traces/samples/quicksort.trace.gz --mix | jq -c '[.. | objects | .loads? // empty, .stores? // empty]'
[54326,21477]
$ psim-trace -q --champsim a.gz -o report traces/samples/axpy.trace.gz
psim-trace: --champsim: traces/samples/axpy.trace.gz uses the SIMD array, which no other simulator has
[2]

# So do the kit of CVP-1 and gem5's TraceCPU; readers written from the formats' descriptions count.

$ psim-trace -q --region sort --cvp sort.cvp --elastic sort.dep.gz --elastic-fetch sort.fetch.gz -o report traces/samples/quicksort.trace.gz; python3 "$PSIM/tests/cli/cvp_kinds.py" sort.cvp
alu 293030
bad registers 0
bad sizes 0
bad targets 0
bad values 0
conditional 74054
direct 3887
indirect 306
instructions 447080
load 54326
store 21477
taken 46894
$ python3 "$PSIM/tests/cli/elastic_holds.py" sort.dep.gz sort.fetch.gz | grep -vE '^(bytes|fetches|order|pages|register)'
data: psim tick 1000000000000 window 192
fetch: psim tick 1000000000000
bad delays 0
bad dependences 0
bad fields 0
bad packets 0
loads 54326
others 371277
out of order 0
stores 21477
$ psim-trace -q --elastic a.gz -o report traces/samples/axpy.trace.gz; psim-trace -q --make x.gz --cvp y traces/samples/hello.trace.gz
psim-trace: --elastic: traces/samples/axpy.trace.gz uses the SIMD array, which no other simulator has
psim-trace: --make reads text and writes a trace, expected no other view
[2]

# Phases need whole traces, and enough intervals; vectors alone have the default's length.

$ for o in --phases --phases=10 '--phases --region sort' '--bbv x --range 1:2' '--phases --insns'; do psim-trace -q $o traces/samples/hello.trace.gz; done; psim-trace -q --bbv sort.bb -o report traces/samples/quicksort.trace.gz; wc -l < sort.bb
psim-trace: --phases: 8488 instructions are 0 intervals of 10000, expected at least 20: simulate the trace whole, or choose shorter intervals
psim-trace: --phases=10: expected LENGTH or LENGTH/PHASES, intervals of 1000 instructions or more and 1 to 100 phases, as in 100000/10
psim-trace: --phases reads the whole trace for a report, expected no --range, --region or --insns
psim-trace: --bbv reads the whole trace for a report, expected no --range, --region or --insns
psim-trace: --phases reads the whole trace for a report, expected no --range, --region or --insns
51
