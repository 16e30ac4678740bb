# Mistakes in failures during a run: files under tests/bad/reliability, with file and line; keys that contradict each other.

$ { echo ranks 2; seq 0 1 | sed 's/$/ compute 1/'; } > two.txt

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/cut.txt --replay two.txt
nsim: bad/reliability/cut.txt:3: 'oth' fails, expected node:N, or other
[3]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/no-end.txt --replay two.txt
nsim: bad/reliability/no-end.txt: no line "end" with the time up to which failures are known, expected it last: is the file cut?
[3]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/head.txt --replay two.txt
nsim: bad/reliability/head.txt:1: no failures, expected "failures 1" at its beginning
[3]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/beyond.txt --replay two.txt
nsim: bad/reliability/beyond.txt:2: node 9, but the network has 2, expected 0 to 1
[3]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/order.txt --replay two.txt
nsim: bad/reliability/order.txt:3: 5 s behind 7 s, expected times in order
[3]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/below.txt --replay two.txt
nsim: bad/reliability/below.txt:2: -1 is out of range, expected 0 to 1e+12 s
[3]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/behind.txt --replay two.txt
nsim: bad/reliability/behind.txt:3: '10' behind the end, expected nothing
[3]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/none.txt --replay two.txt
nsim: bad/reliability/none.txt:2: expected a time and what fails, or "end" and a time
[3]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=bad/reliability/missing.txt --replay two.txt
nsim: bad/reliability/missing.txt: cannot open: No such file or directory
[3]

# Rates below zero are refused; those of zero are those of parts that do not fail, and what only they need is not used.

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.node_mtbf=-1 --replay two.txt
nsim: -p: reliability.node_mtbf: -1 is out of range, expected 0 to 1e+12 h
[2]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=f.txt -p reliability.node_mtbf=1 --replay two.txt
nsim: -p: reliability.failures and reliability.node_mtbf: expected times of failures, or their mean
[2]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.failures=f.txt -p reliability.checkpoint=1 --replay two.txt
nsim: -p: reliability.checkpoint without reliability.interval: expected both with a file of failures, which has no mean time
[2]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.node_mtbf=1 -p reliability.work=9 --replay two.txt
nsim: -p: reliability.work without reliability.checkpoint: expected the time of a checkpoint, or reliability.interval, or the work of the run, in which the program marks checkpoints
[2]

$ nsim -q -e none -p topology.kind=crossbar -p topology.dims=2 -p reliability.link_mtbf=0 -p reliability.restart=5 --strict --replay two.txt
nsim: -p: reliability.restart is not used without reliability.node_mtbf, link_mtbf or failures, expected keys that are (--strict)
[2]
