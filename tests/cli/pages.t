# Pages of nsim and bsim: the sentence on what bounds a run, for programs whose bound is known; ranks over time, used as a reader
# would, in Chromium.
# needs: cc chromium mpirun

$ nsimcc -o bound.so $(dirname $(readlink -f mpi))/cli/bound.c; printf '[linear]\nlatency = 10 us\nhop = 0\nbandwidth = 100 MB/s\n[mpi]\noverhead = 0\nclock_overhead = 1 us\neager = 1 GiB\n[topology]\ndims = 4\n' > plain.ini; printf 'nsim -q -c plain.ini --critical-path -f csv "$@" | awk -F, '"'"'$1 == "bounds" && $2 == "part" { p = $4 } $1 == "bounds" && $2 == "time" { printf "%%s %%.0f us; ", p, $4 * 1e6 } END { print "" }'"'"'\n' > bounds

# Each of four ranks computes 1 ms. One of them computes 3 ms, the others 1 ms: the mean is 1.5 ms. All in turn, with three messages.

$ sh bounds -e linear bound.so work; sh bounds -e linear bound.so uneven; sh bounds -e linear bound.so turns
computation 1000 us; 
computation 1500 us; imbalance 1500 us; 
dependence 3000 us; computation 1000 us; latency 30 us; 

# 1000 calls of Wtime. 50 empty messages back and forth. A megabyte at 100 MB/s; within a node, at 50 MB/s. Four ranks of a node send
# one each through an injection of 100 MB/s. A barrier on a tree of two levels, 150 ns each, up and down, four times as slow.

$ sh bounds -e linear bound.so clock; sh bounds -e linear -n 2 bound.so empty; sh bounds -e linear -n 2 bound.so data; sh bounds -e linear -n 2 -p ranks.per_node=2 -p node.memory=50MB/s bound.so data
overhead 1000 us; 
latency 500 us; 
bandwidth 10000 us; latency 10 us; 
copies 20000 us; 
$ sh bounds -e linear -n 8 -p ranks.per_node=4 -p node.injection=100MB/s bound.so data; sh bounds -e linear -p tree.operations=all -p tree.hop=600ns bound.so together
contention 30000 us; bandwidth 10000 us; latency 10 us; 
collectives 2 us; 

# On a line of eight nodes the messages of four ranks share its middle link, of 4 GB/s: a megabyte takes 250 us alone, and 1 ms with
# the others. Of 15 links in use, 8 are NICs' with one message, and those between routers have 1, 2, 3, 4, 3, 2 and 1: 1.6 on average,
# 40 % of the busiest one. So the page says in words.

$ nsim -q -e flow -p topology.kind=mesh -p topology.dims=8 -p mpi.overhead=0 -p mpi.eager=1GiB --html link.html bound.so data; printf '{ cat "$1"; echo "<script>document.title = $2</script>"; } > seen.html\nHOME=$PWD chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 --window-size=${3:-1280,800} --enable-logging=stderr --dump-dom "file://$PWD/seen.html" 2>log | grep -o "<title>[^<]*"; grep CONSOLE log\ntrue\n' > look; sh look link.html '[...document.querySelectorAll(".verdict p")].map(p => p.innerText).join(" | ")' | sed 's/ | /\n/g'
<title>Link (75.0 %) bounds this run of 1.001 ms: 750 µs are remaining time of messages on the path: most of the traffic shares one link.
What would help: traffic that takes other links (another placement, routing or root), or more bandwidth of this link: saves at most 75.0 % of the time; less data, or links of more bandwidth: saves at most 25.0 %.
A rank waits 100.0 % of the time on average: 0.0 % until the other side begins, 100.0 % for messages under way; longest, rank 4 for rank 0: 1.001 ms.
The link that is used most, 3-4, carries data 99.9 % of the time, a link in use 40.0 % on average.

# Four ranks in turn: rank r computes from r times 1.01 ms on, and waits until then. Colours are those of computation and of waiting.

$ printf '{ cat "$1"; echo "<script>const POINTS = \047$2\047;"; cat "$(dirname $(readlink -f mpi))/cli/ranks_clicks.js"; echo "</script>"; } > clicked.html\nHOME=$PWD chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 --window-size=1280,800 --enable-logging=stderr --dump-dom "file://$PWD/clicked.html" 2>log | sed -n "/id=.seen/,/^end/p" | sed 1d\ngrep CONSOLE log\ntrue\n' > use-ranks; nsim -q -e linear -c plain.ini --html turns.html bound.so turns; sh use-ranks turns.html '[[0.3, 0.9], [0.1, 0.1]]'
title: bound.so - nsim
whole: ranks 0 to 3, 0 s to 4.03 ms: 7 states, 3 messages
elements: fewer than 3000
at 0.3 0.9: 180 187 200, rank 3 waits 3.03 ms in MPI_Recv for rank 2 / until it began: 3.02 ms; then: 10 µs / 0 s to 3.03 ms
at 0.1 0.1: 0 114 178, rank 0 computes 1 ms / 0 s to 1 ms
dragged: ranks 0 to 3, 2.015 ms to 4.03 ms: 4 states, 2 messages
there: rank 0, 2.216 ms: has ended
nearer: ranks 0 to 3, 2.519 ms to 3.526 ms: 3 states, 1 message
earlier: ranks 0 to 3, 2.015 ms to 3.023 ms: 3 states, 2 messages
whole run again
nearest: ranks 0 to 3, 0 s to 4.03 ms: 7 states, 3 messages
whole run again
pressed: critical path false, messages true
block: rank 0 waits for rank 3: / 0 s, 0.00 % of all
block: rank 3 waits for rank 0: / 0 s, 0.00 % of all
end

# A call that takes 5 ms before a wait of 10: a rank is in calls from its beginning on, and has the colour of calls.

$ nsim -q -e linear -n 2 -c plain.ini -p mpi.overhead=5ms --html calls.html bound.so data; sh use-ranks calls.html '[[0.02, 0.12], [0.02, 0.62]]' | sed -n 4,5p | cut -d , -f 1
at 0.02 0.12: 230 159 0
at 0.02 0.62: 230 159 0

# A window keeps the states and messages of a part; a picture of the network over time has the same zoom. 64 ranks.

$ bsimcc -O2 -o imbalance.so examples/imbalance.c; bsim -q -n 64 --html b.html imbalance.so; sh use-ranks b.html '[[0.1, 0.1]]' | sed -n '2,7p'; bsim -q -n 64 --window 1ms:1.1ms --window-ranks 0-7 --html w.html imbalance.so; sh use-ranks w.html '[]' | sed -n 2p; nsim -q -e flow -n 64 -p topology.dims=8x8 --html n.html imbalance.so; sh look n.html '(showView(ranksOf(), {from: 0, to: ranksOf().seconds / 2, first: 0, end: 64}), [...document.querySelectorAll("#series_throughput, #series_busy")].map(part => part.id + " " + /double click/.test(part.textContent)).join(", "))'
whole: ranks 0 to 63, 0 s to 2.65 ms: 2432 states; zoom in for messages
elements: fewer than 3000
at 0.1 0.1: 0 114 178, rank 6 computes 100 µs / 202.4 µs to 302.4 µs
dragged: ranks 32 to 63, 1.325 ms to 2.65 ms: 624 states; zoom in for messages
there: rank 35 computes 100 µs / 1.427 ms to 1.527 ms
nearer: ranks 40 to 55, 1.656 ms to 2.319 ms: 126 states, 196 messages
whole: ranks 0 to 63, 0 s to 2.65 ms: ... states, ... messages
<title>series_throughput true, series_busy true

# The same page on one process or several, but for the command that it names.

$ for run in 'nsim -j 1' 'nsim -j 3' 'mpirun -n 2 nsim'; do $run -q -e flow -n 64 -p topology.dims=8x8 --html j.html imbalance.so 4; sed 's/nsim -j . /nsim /' j.html | md5sum; done | sort -u | wc -l
1

# A pattern has no path. On a ring of 16 nodes each sends a megabyte both ways: two through a NIC, both ways, one on a link. So of 64
# links in use the 32 of NICs have the most, and the mean is 75 % of that.

$ nsim -q -e flow -p topology.dims=16 --pattern ring:size=1000000 --html ring.html; sh look ring.html '[...document.querySelectorAll(".verdict p")].map(p => p.innerText).join(" | ")'
<title>The bandwidth of links bounds this run: the one that is used most, node:0-0, carries data 100.0 % of the time, a link in use 75.0 % on average. What would help: ...

# Two runs beside each other, from their pages: a megabyte at 100 MB/s, 10.01 ms, and at 200 MB/s, 5.01 ms. One time axis: the second
# has ended at three quarters of it. A drag over one shows the same part of both. Bars are as long as the parts.

$ for rate in 100 200; do nsim -q -e linear -n 2 -c plain.ini -p linear.bandwidth=${rate}MB/s --html at$rate.html bound.so data; done; psim-diff --html both.html at100.html at200.html; sed 's|ranks_clicks|pair_clicks|' use-ranks > use-pair; sh use-pair both.html | cut -c 1-300
title: at100.html, at200.html - psim-diff
head: at200.html is 2.00 times as fast as the first. Configured: linear.bandwidth 100 MB/s to 200 MB/s. Most of the 5 ms less time: bandwidth, 10 ms to 5 ms (100.0 %).
said: at100.html: Bandwidth (99.9 %) bounds this run of 10.01 ms: 10 ms are data of messages on the path, alone in the network.
said: at200.html: Bandwidth (99.8 %) bounds this run of 5.01 ms: 5 ms are data of messages on the path, alone in the network.
parts: ranks_over_time side waiting_for compared runs time_parts differences
picture 0: ranks 0 to 1, 0 s to 10.01 ms: 2 states, 1 message; late: true, rank 0 waits 10 ms in MPI_Send for rank 1 / until it began: 0 s; then: 10 ms / 0 s to 10 ms; early: true, rank 0 waits 10 ms in MPI_Send for rank 1 / until it began: 0 s; then: 10 ms / 0 s to 10 ms
picture 1: ranks 0 to 1, 0 s to 10.01 ms: 2 states, 1 message; late: false, 7.508 ms: the run has ended; early: true, rank 0 waits 5 ms in MPI_Send for rank 1 / until it began: 0 s; then: 5 ms / 0 s to 5 ms
dragged: ranks 0 to 1, 2.502 ms to 5.005 ms: 2 states, 1 message | ranks 0 to 1, 2.502 ms to 5.005 ms: 2 states, 1 message
whole: ranks 0 to 1, 0 s to 10.01 ms: 2 states, 1 message | ranks 0 to 1, 0 s to 10.01 ms: 2 states, 1 message
bars: 60 0 30 0
wider than the window: 0
end

# The network over time: a link of 4 GB/s carries 40 kB for 10 us, then nothing for 10, then 20 kB for 5: 15 of 25 intervals. The slider
# chooses an interval, and the pointer on the line names its use.

$ printf 'ranks 2\noutstanding 2\nsend 0 1 0 40000\npause 0 1 20us\nsend 0 1 2 20000\nreceive 1 0 0\nreceive 1 0 1\n' > two.traffic; nsim -q -e flow -p topology.kind=mesh -p topology.dims=2 -n 2 -p engine.interval=1us --pattern-file two.traffic --html two.html; sh look two.html '(() => { const at = document.querySelector("#network_over_time"), slider = at.querySelector("input"), line = at.querySelector("path"), seen = [at.querySelectorAll("path").length]; const use = () => { line.dispatchEvent(new PointerEvent("pointermove")); seen.push(`${[...at.querySelectorAll("div span.quiet")].at(-1).textContent}: ${document.getElementById("tip").textContent}`); }; use(); for (const i of [9, 10, 24]) { slider.value = i; slider.dispatchEvent(new Event("input")); use(); } at.querySelector("button").click(); use(); return seen.join(" | "); })()'
<title>1 | whole run, mean: 0 to 1: 60 % | 9 µs to 10 µs: 0 to 1: 100 % | 10 µs to 11 µs: 0 to 1: 0 % | 24 µs to 25 µs: 0 to 1: 100 % | whole run, mean: 0 to 1: 60 %
