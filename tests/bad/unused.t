# Keys that are given and that nothing in the run reads are reported, and with --strict an error. In files and on the command line,
# in all programs.

$ nsim -q -e linear -p linear.bandwidth=1GB/s -p linear.latency=1us -p link.cable=1ns -p link.bandwidth=2GB/s --pattern ring:size=8 -o r.txt
nsim: warning: -p: link.bandwidth, link.cable are not used by engine linear

$ nsim -q -e flow --strict -p router.vc_buffer=4KiB --pattern ring:size=8
nsim: -p: router.vc_buffer is not used by engine flow, expected keys that are (--strict)
[2]

# A message for each file and reason; a file that is for several engines says so.

$ printf '[linear]\nlatency = 1us\nhop = 0\n[nic]\nfifo = 4 KiB\n' > a.ini; (echo 'unused = allowed'; cat a.ini) > b.ini; for f in a b; do nsim -q -e flow -c $f.ini --pattern ring:size=8 -o r.txt; done
nsim: warning: a.ini:5: nic.fifo, linear.latency, linear.hop are not used by engine flow

$ nsim -q -p topology.up=2 -p mpi.eager=8 -p nic.select=first --pattern ring:size=8 -o r.txt
nsim: warning: -p: topology.up is not used by topology torus
nsim: warning: -p: nic.select is not used with topology.nics = 1
nsim: warning: -p: mpi.eager is not used by traffic without a program

$ psim -q --strict -p bpred.kind=perfect -p bpred.history_bits=4 traces/samples/axpy.trace.gz
psim: -p: bpred.history_bits is not used by bpred perfect, expected keys that are (--strict)
[2]

$ psim -q -p simd.sbm_ports=1 -o r.txt traces/samples/quicksort.trace.gz
psim: warning: -p: simd.sbm_ports is not used with simd.pes = 0

$ mopt -q --strict -t torus:2x2 -p router.vc_buffer=4KiB stencil:4:1000 -o m.map
mopt: -p: router.vc_buffer is not used by mopt, expected keys that are (--strict)
[2]

$ bsim-table -q --strict -e linear -p flow.th=0.1 -o t.times
bsim-table: -p: flow.th is not used by engine linear, expected keys that are (--strict)
[2]

# One core shares nothing. Two traces make two cores.

$ psim -q -p coherence.latency=5 -p chip.sharing=all -o r.txt traces/samples/hello.trace.gz
psim: warning: -p: chip.sharing, coherence.latency are not used with chip.cores = 1
$ psim -q --strict -p coherence.latency=5 -o r.txt traces/samples/hello.trace.gz traces/samples/hello.trace.gz
$ psim -q -p coherence.latency=5 -p chip.sharing=none -o r.txt traces/samples/hello.trace.gz traces/samples/hello.trace.gz
psim: warning: -p: coherence.latency is not used with chip.sharing = none

# The table over time is only written with --energy-csv.

$ psim -q -p energy.interval=100 -o r.txt traces/samples/hello.trace.gz
psim: warning: -p: energy.interval is not used without --energy-csv or --counters-csv
$ psim -q --strict -p energy.interval=100 --energy-csv e.csv -o r.txt traces/samples/hello.trace.gz

# A study reports the keys that no point reads.

$ for k in brhis 'brhis, gshare'; do printf 'title = x\n[sweep]\nbpred.kind = %s\nbpred.history_bits = 4, 8\n[traces]\nq = traces/samples/quicksort.trace.gz\n' "$k" > s.ini; psim-explore --strict --list s.ini 2>&1 | cut -c 1-90 | sed 's/^[0-9a-f]* [0-9a-f]*/point/'; done
...
point ...

# The output of --dump-config gives no warnings, and the same run.

$ nsim -e flow -p topology.dims=4x4 --dump-config > d.ini; nsim -q --strict -c d.ini --pattern ring:size=8 -o r.txt && grep '^unused' d.ini
unused = allowed ; all keys are here, whatever reads them

# Keys of a pattern that it does not read.

$ nsim -q -o r --pattern ring:messages=5,share=0.5,root=1,both=no
nsim: warning: pattern: pattern.messages, pattern.share, pattern.root are not used by ring

$ nsim -q -o r -e linear --pattern ring:gap=1us; nsim -q -o r --pattern ring:gap=1us
nsim: warning: pattern: pattern.gap is not used by this engine

$ nsim -q -o r --pattern uniform:messages=2,window=1us; nsim -q --strict --pattern uniform:load=0.5,outstanding=4
nsim: warning: pattern: pattern.window is not used with pattern.load = 0
nsim: pattern: pattern.outstanding is not used with pattern.load = 0.5, expected keys that are (--strict)
[2]
