# Jobs side by side on one network: docs/programs/jobs.md. The column `job` of a table is the row's number from 0 in CSV.
# needs: cc

$ nsimcc -O2 examples/ring.c -o ring.so

# Dimension order keeps messages of a half of the torus inside it: programs and patterns do not slow each other down at all.

$ nsim -q --check -p topology.dims=8x8 --job 'place=subtorus:4x8 pattern=all_to_all:size=10000' --job 'place=subtorus:4x8 ring.so 3' -f csv 2>/dev/null | awk -F, '$1 == "jobs" { x[$2, $3] = $4 } END { for (i = 0; i < 2; i++) print x["name", i], x["ranks", i], x["slowdown", i], x["links_shared", i] }'
all_to_all:size=10000 32 1 0
ring.so 32 1 0

# On a line of four nodes 0 sends to 2 and 1 to 3: the link from 1 to 2 is common. Flows halve, to the picosecond.

$ printf '0 2\n' > even; printf '1 3 # both\n' > odd
$ nsim -q -e flow -p topology.kind=mesh -p topology.dims=4 -p link.bandwidth=4GB/s -p flow.latency=none --job 'place=list:even pattern=broadcast_flat:size=1000000' --job 'n=2 place=list:odd pattern=broadcast_flat:size=1000000' -f csv | awk -F, '$1 == "jobs" { x[$2, $3] = $4 } $1 == "job_links" { y[$2] = $4 } END { for (i = 0; i < 2; i++) print x["time", i], x["alone", i], x["slowdown", i], x["links_shared", i]; print y["class"], y["from"], y["to"], y["bytes"], y["bytes_other"] }'
0.0005 0.00025 2 1
0.0005 0.00025 2 1
+x 5 6 1000000 1000000

# k senders to one receiver take k times as long as one.

$ for n in 2 3 8; do nsim -q -e flow -p topology.kind=crossbar -p topology.dims=8 -p flow.latency=none -n $n --pattern incast:size=1000000,messages=10 -f csv | awk -F, '$2 == "time" { printf "%.6f\n", $4 }'; done
0.002500
0.005000
0.017500

# The congestion impact factor of a victim beside an incast, by flows on a crossbar: two senders and the victim's two nodes share
# the root's link only if the victim receives there. It does not: 1. A background job runs as long as the others.

$ nsim -q -e flow -p topology.kind=crossbar -p topology.dims=8 --job 'n=4 background pattern=incast:size=1000000' --job 'n=2 pattern=shift:size=1000000,messages=20' -f csv | awk -F, '$1 ~ /^job/ { x[$1, $2, $3] = $4 } END { print x["jobs", "complete", 0], x["jobs", "complete", 1], x["job_latency", "impact", 1], x["job_latency", "impact_p99", 1], x["job_bandwidth", "impact", 1], (x["jobs", "time", 0] == x["jobs", "time", 1]) }'
background yes 1 1 1 1

# On the line of four nodes a victim from 1 to 3 crosses the link of a congestor from 0 to 2: latencies double, bandwidths halve.

$ nsim -q -e flow -p topology.kind=mesh -p topology.dims=4 -p flow.latency=none --job 'place=list:even background pattern=broadcast_flat:size=1000000' --job 'place=list:odd pattern=broadcast_flat:size=1000000,repeat=50' -f csv | awk -F, '$1 ~ /^job_[lb]/ { x[$1, $2, $3] = $4 } END { printf "%.6f %.2f %.6f %.2f\n", x["job_latency", "impact", 1], x["job_latency", "impact_p99", 1], x["job_bandwidth", "impact", 1], x["job_bandwidth", "impact_p99", 1] }'
2.000000 2.00 2.000000 2.00

# Two jobs of one program have variables of their own; what ranks print is that of the run together, once. Rows of a torus are
# alike, and each job has one: both print what they print without the other.

$ nsim -q -p topology.dims=8x8 --job 'n=4 place=group ring.so 3' --job 'n=8 place=group:3 ring.so 5' -o two.txt | sort > two; for n in 4:3 8:5; do nsim -q -p topology.dims=8x8 -n ${n%:*} -o none.txt ring.so ${n#*:}; done | sort | diff - two && wc -l < two
4

# A job alone is what the same run without --job is, and random nodes depend on the seed alone.

$ nsim -q -p topology.dims=8x8 --job 'n=64 pattern=uniform:size=5000,messages=20' -f csv | awk -F, '$1 == "jobs" && $2 == "time" { print $4 }' > one; nsim -q -p topology.dims=8x8 --pattern uniform:size=5000,messages=20 -f csv | awk -F, '$1 == "traffic" && $2 == "time" { print $4 }' | diff - one && echo same
same
$ for i in 1 2; do nsim -q -p topology.dims=8x8 --job 'n=20 place=random:5 pattern=uniform' --job 'n=20 place=random:6 pattern=uniform' -f csv | grep -v command | cksum; done | uniq | wc -l
1

# Engines without links say so.

$ nsim -e linear -p topology.dims=8x8 --job 'n=20 pattern=uniform' -o l.txt 2>&1 | grep job
nsim: note: messages of engine linear share no links: no job slows another down, and links_shared is unknown

# A run with one job gives each note that a plain run gives: those before it, and those of its end. What a window's figures need
# (pattern.load) has no place among jobs, whose report has none.

$ printf '#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv)\n{\n\tchar x[20000] = "";\n\tint rank;\n\tFILE *f;\n\n\tMPI_Init(&argc, &argv);\n\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\tf = fopen("out", "w");\n\tfprintf(f, "%%g", MPI_Wtime());\n\tfclose(f);\n\tMPI_Sendrecv_replace(x, sizeof(x), MPI_BYTE, rank ^ 1, 0, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\tMPI_Finalize();\n\treturn 0;\n}\n' > clock.c; nsimcc clock.c -o clock.so
$ printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="w" routing="Full"><cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="125MBps" lat="50us"/></zone></platform>\n' > star.xml
$ printf '%s\n' "-p protocol.file=mpi/hosts.protocol -p mpi.eager=1KiB -n 4 clock.so" "-p protocol.file=mpi/hosts.protocol -n 4 --pattern shift:size=20000" "-p ranks.per_node=4 -n 4 clock.so" "-p nic.dma=1GB/s -p nic.memory=1GB/s -n 4 clock.so" "-p router.vc_buffer=2KiB -p link.cable=20us -n 4 --pattern ring" "-e linear -p linear.sends=in_turn -p topology.kind=fat_tree -p topology.dims=4x4 -p link.bandwidth=8GB/s,1GB/s -n 4 --pattern ring" "--graph star.xml -p ranks.per_node=2 -e flow -n 8 --pattern ring" "-p topology.kind=rails -p topology.dims=4 -p link.island_bandwidth=9GB/s -e flow -n 4 --pattern uniform:load=0.01" > notes.list
$ while read line; do sh -c "nsim -o plain.txt $line" 2>&1 | grep note: > plain; job=$(echo "$line" | sed -e "s/-n 4 clock.so/--job 'n=4 clock.so'/" -e "s/-n \([0-9]*\) --pattern \(.*\)/--job 'n=\1 pattern=\2'/"); sh -c "nsim -o job.txt $job" 2>&1 | grep note: | grep -v 'share no links' > job; diff plain job > differ && wc -l < job || cat differ; for f in plain job; do sed -n '/^notes/,/^$/p' $f.txt | grep -v -e 'share no links' -e 'of a window' -e 'a source serves' | tr -s ' ' > $f; done; diff plain job; done < notes.list
4
2
3
2
1
0
1
1

# ---- traffic classes ----

# A background job from 0 to 2 fills the link from 1 to 2, which a victim from 1 to 3 crosses too. In a class that goes first the
# victim waits for at most the packet that is under way, 2048 bytes at 4 GB/s: 0.512 us, and half of it by mean. Its 200 packets
# come at times that have nothing to do with those of the background: mean within 5 standard errors, 5 x 0.148 / sqrt(200).

$ printf 'nsim -q --check -p topology.kind=mesh -p topology.dims=4 -p link.bandwidth=4GB/s -p router.classes=2 -f csv "$@"' > line
$ sh line --job 'place=list:even background class=1 pattern=broadcast_flat:size=1000000' --job 'place=list:odd class=0 pattern=broadcast_flat:size=1000,repeat=200,pause=3.1us' | awk -F, '$1 == "job_latency" && $3 == 1 { x[$2] = $4 * 1e6 } END { m = x["latency"] - x["alone"]; print (m > 0.256 - 0.052), (m < 0.256 + 0.052), (x["latency_p99"] - x["alone_p99"] <= 0.512 * 1.004) }'
1 1 1

# Two classes that saturate the link share it by their weights: 20 MB of the second class, and of the first 20 MB times the ratio,
# in whole messages of 1 MB.

$ for w in 1,1 3,1 1,4 7,2; do sh line -p router.class_order=weighted -p router.class_weights=$w --job 'place=list:even background class=0 pattern=broadcast_flat:size=1000000' --job 'place=list:odd class=1 pattern=broadcast_flat:size=1000000,repeat=20' | awk -F, '$1 == "jobs" && $2 == "bytes" { printf "%d ", $4 / 1e6 } END { print "" }'; done
20 20 
60 20 
5 20 
70 20 

# Adaptive routings choose among channels of their class; all of it is checked during the run.

$ nsim -q --check -p topology.dims=8x8 -p topology.routing=adaptive -p router.classes=2 --job 'n=32 place=random:1 class=1 pattern=all_to_all:size=20000' --job 'n=32 place=random:2 pattern=uniform:size=1000' -o a.txt; nsim -q --check -p topology.kind=dragonfly -p topology.dims=2x4x2 -p topology.routing=ugal -p router.classes=3 -p router.class_order=weighted -p router.class_weights=1,2,3 --job 'n=32 place=random:1 class=1 pattern=all_to_all:size=20000' --job 'n=32 place=random:2 class=2 pattern=uniform:size=1000' -o b.txt; grep -c '^ .*yes' a.txt b.txt
a.txt:2
b.txt:2

$ for p in "class_order=weighted" "class_order=weighted -p router.class_weights=1,0" "class_order=weighted -p router.class_weights=1,2,3" "input_port=one_packet"; do nsim -q -p router.classes=2 -p router.$p --job 'n=4 pattern=ring'; done; nsim -q --job 'n=4 class=1 pattern=ring'; nsim -q -e flow -p router.classes=2 --job 'n=4 class=1 pattern=ring';nsim -q --job 'n=4 class=9 pattern=ring'
nsim: default: router.class_weights = 1, expected 2 whole numbers from 1 to 1000 with commas between them
nsim: -p: router.class_weights = 1,0, expected 2 whole numbers from 1 to 1000 with commas between them
nsim: -p: router.class_weights = 1,2,3, expected 2 whole numbers from 1 to 1000 with commas between them
nsim: -p: router.classes = 2 with router.input_port = one_packet, expected unlimited
nsim: --job 1: class=1: no channels, expected less than router.classes = 1
nsim: warning: -p: router.classes is not used by engine flow
nsim: --job 1: class=1: engine flow has no traffic classes, expected packet
nsim: --job 1: class=9: expected 0 to 7
[2]

# ---- mistakes ----

$ for j in 'n=0 ring.so' 'n=99 ring.so' 'n=3 place=foo ring.so' 'place=subtorus:9x1 ring.so' 'place=subtorus:4x4@5,0 ring.so' 'ring.so' 'n=4' 'background n=3 ring.so' 'n=3 pattern=ring x' 'n=3 place=list:nope ring.so' 'n=3 place=random:-1 ring.so' 'n=4 background pattern=ring' 'n=3 nix.so' 'place=group:8 ring.so' 'n=4 pattern=ring:repeat=2 background' 'n=3 place=subtorus:2x2 ring.so'; do nsim -q -p topology.dims=8x8 --job "$j"; done
nsim: --job 1: n=0: expected a number of ranks, from 1 to 2147483647
nsim: --job 1: 99 nodes, expected at most the network's 64
nsim: --job 1: place=foo: unknown place, expected linear, random, group, subtorus or list
nsim: --job 1: place=subtorus:9x1: expected subtorus:AxB…[@X,Y,…], a box inside the network's 2 dimensions
nsim: --job 1: place=subtorus:4x4@5,0: expected subtorus:AxB…[@X,Y,…], a box inside the network's 2 dimensions
nsim: --job 1: place=linear: expected n=RANKS too
nsim: --job 1: no program, expected PROGRAM.so [ARGUMENTS] or pattern=NAME[:KEY=VALUE,…]
nsim: --job 1: background: a program ends by itself, expected a pattern
nsim: --job 1: 'x' beside a pattern, expected n=, place=, class=, pattern= and background
nsim: --job 1: nope: cannot open: No such file or directory
nsim: --job 1: place=random:-1: expected a number from 0 to 4294967295
nsim: --job: all are background, expected one with an end
nsim: alone: job 1: nix.so: cannot open: No such file or directory
nsim: --job 1: place=group:8: expected a number from 0 to 7
nsim: --job 1: pattern: repeat=2 of a job in the background, expected none
nsim: --job 1: place=subtorus:2x2: 4 nodes, expected 3
[2]
$ printf '63 2\n' > two; printf '9 9\n' > twice; printf '1-70\n' > far; printf '1;2\n' > word; printf '#\n' > none
$ for j in 'place=list:two ring.so' 'place=list:twice ring.so' 'place=list:far ring.so' 'place=list:word ring.so' 'place=list:none ring.so' 'place=subtorus:2x2@0,0 ring.so' 'place=subtorus:8x8 ring.so' 'n=61 ring.so' 'place=group:0 n=60 ring.so'; do nsim -q -p topology.dims=8x8 --job 'n=4 ring.so' --job "$j"; done
nsim: --job 2: two:1: node 2 is job 1's, expected a free one
nsim: --job 2: twice:1: node 9 is there twice
nsim: --job 2: far:1: 1-70, expected a range of nodes up to 63
nsim: --job 2: word:1: 1;2, expected a blank behind a node
nsim: --job 2: none: 0 nodes, expected 1
nsim: --job 2: place=subtorus:2x2@0,0: node 0 is job 1's, expected a free one
nsim: --job 2: place=subtorus:8x8: no such box is free
nsim: --job 2: place=linear: 60 nodes of 64 are free, expected 61
nsim: --job 2: place=group:0: 56 nodes are in free groups of 8, expected 60
[2]
$ nsim -q --job 'n=4 ring.so' ring.so; nsim -q -n 4 --job 'n=4 ring.so'; nsim -q -j 2 --job 'n=4 ring.so'; nsim -q --matrix m --job 'n=4 ring.so'; nsim -q -p topology.kind=crossbar -p topology.dims=8 --job 'place=group ring.so'
nsim: more than one of PROGRAM.so, --pattern, --pattern-file, --replay and --job, expected one
nsim: --job: jobs have no -n
nsim: --job: jobs have no -j
nsim: --job: jobs have no --matrix
nsim: --job 1: place=group: the network has no groups, expected linear, random or list
[2]
$ nsimcc -o deadlock.so bad/mpi/deadlock.c; nsim -q -p topology.dims=8x8 --job 'n=4 ring.so' --job 'n=3 deadlock.so'
nsim: alone: job 2: the program is deadlocked: 3 of 3 ranks wait forever
[4]
