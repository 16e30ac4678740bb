# The measured window of an open loop (docs/formats/traffic.md): whether its figures hold, and how far.

# A hot spot far beyond saturation, in runs of any length: no window is steady, and none accepts more than is offered.

$ for m in 'flow 30' 'flow 100' 'packet 100' 'packet 300' 'packet 1000' 'packet 3000'; do nsim -q -e ${m% *} -p topology.dims=8x8 --pattern hot_spot:load=0.9,messages=${m#* } 2> told | awk '$1 == "offered" { offered = $2 } $1 == "accepted" { accepted = $2 } $1 == "steady" { state = $2 } END { print state, accepted <= offered }'; cat told; done | sed 's/^nsim: warning: pattern: steady: no: .*/told/' | sort | uniq -c | sed 's/^ *//'
6 no: 1
6 told

# Sources that are FIFOs: 16 ranks on a crossbar, half of their messages to rank 0, the others to any: rank 0 gets 0.5 + 0.5 / 15 of the
# messages of 15 ranks, by a link that carries 2016 of 2048 bytes: they are accepted at 2016 / 2048 / 16 / 0.5333 = 0.1154, and
# what rank 0 sends, 0.9 / 16: 0.1716 together. Runs of each length agree within their errors. In turn more than twice of it is accepted.

$ for m in 500 2000 4000; do nsim -q -p topology.kind=crossbar -p topology.dims=16 -p nic.service=fcfs --pattern hot_spot:share=0.5,size=2016,load=0.9,messages=$m 2>/dev/null | awk '$1 == "accepted" { a = $2 } $1 == "accepted_error" { e = $2 } $1 == "nic.service" { print } END { print (a - e < 0.1716 && 0.1716 < a + e), (e < 0.0172) }'; done
  nic.service   a source is a FIFO; with nic.service = in_turn it serves its receivers in turn
1 1
  nic.service   a source is a FIFO; with nic.service = in_turn it serves its receivers in turn
1 1
  nic.service   a source is a FIFO; with nic.service = in_turn it serves its receivers in turn
1 1
$ nsim -q -p topology.kind=crossbar -p topology.dims=16 --pattern hot_spot:share=0.5,size=2016,load=0.9,messages=2000 2>/dev/null | awk '$1 == "accepted" { print ($2 > 2 * 0.1716) } $1 == "nic.service"'
1
  nic.service   a source serves its receivers in turn; with nic.service = fcfs it is a FIFO

# Below saturation all is accepted, on all engines, and steady; the error is by chance: 64 ranks send N messages each in the window, the
# deviation of their number is 1 / sqrt(64 N) of it, and Student's t of 9 degrees 2.26: N is 500 to 1000.

$ for e in packet flow linear; do nsim -q -e $e -p topology.kind=crossbar -p topology.dims=64 --pattern uniform:load=0.3,size=2016,messages=1000 | awk '$1 == "accepted" { a = $2 } $1 == "accepted_error" { e = $2 } $1 == "steady" { s = $2 } END { print s, (a > 0.294 && a < 0.306), (e > 0.0007 && e < 0.006) }'; done
yes 1 1
yes 1 1
yes 1 1

# A warm-up and a window that are given are kept; one that is longer than ranks send is not steady.

$ nsim -q -p topology.dims=4x4 --pattern uniform:load=0.3,messages=1000,warmup=20us,window=600us | awk '$1 ~ /^window_[be]/ { print $1, $2, $3 } $1 == "steady" { print $1, $2 }'
steady yes
window_begin 20 us
window_end 620 us
$ nsim -q -p topology.dims=4x4 --pattern uniform:load=0.3,messages=100,window=600us -o r.txt
nsim: warning: pattern: steady: no: a rank sends its last message at ... us, before the window ends

# Fairness, the parking lot of W. Dally and B. Towles: in a line whose routers take their inputs in turn, and whose ranks all send to its
# end, each router gives half to its own rank. The four ranks get 1/2, 1/4, 1/8, 1/8 of the link's 2016 of 2048 bytes: the last one 0.123.
# Rank 0 sends the half that it offers. Jain's index of 0.500, 0.492, 0.246, 0.123, 0.123 is 1.484^2 / (5 x 0.583) = 0.756.

$ nsim -q -p topology.kind=mesh -p topology.dims=5 -p router.arbitration=round_robin --pattern hot_spot:share=1,size=2016,load=0.5,messages=4000 2>/dev/null | awk '$1 == "accepted_min" { print (0.122 < $2 && $2 < 0.124) } $1 == "fairness" { print (0.748 < $2 && $2 < 0.764) }'
1
1

# Latency without queues: the linear engine with messages that leave at once has one latency, of 2 us and 2016 bytes at 1 GB/s.

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=64 -p linear.sends=at_once -p linear.latency=2us -p linear.bandwidth=1GB/s --pattern uniform:load=0.3,size=2016,messages=1000 | awk '$1 ~ /^window_latency_(p|m)/ { print $1, ($2 > 4.016 * 0.996 && $2 < 4.016 * 1.004), $3 }'
window_latency_p50 1 us
window_latency_p99 1 us
window_latency_max 1 us

# Several processes count the same.

$ for j in 1 2 3; do nsim -q -j $j -p topology.dims=6x6 --pattern uniform:load=0.6,messages=300 | grep -v -- "command *nsim" | cksum; done | uniq | wc -l
1

# Few senders that starve, though all together are accepted within 5 %: the transpose on a mesh by dimension order has 7 of 56
# senders on one link. It is steady up to a seventh of 2016 of 2048 bytes, 0.1406.

$ for l in 0.13 0.16; do nsim -q -p topology.kind=mesh -p topology.dims=8x8 --pattern transpose:size=2016,messages=4000,load=$l 2>/dev/null | awk '$1 == "offered" { o = $2 } $1 == "accepted" { a = $2 } $1 == "steady" { $1 = ""; sub(/ *#.*/, ""); s = $0 } END { print (a > 0.95 * o), s }' | sed 's/[0-9.]* of its/... of its/; s/sender [0-9]*/sender .../'; done
1  yes
1  no: of sender ... only ... of its load is accepted
