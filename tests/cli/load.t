# Load curves (docs/formats/traffic.md): a pattern at several loads, in a table and a picture, and where the network saturates.

# The messages of one link decide: on an 8 x 8 torus by dimension order the transpose loads one with four ranks. It saturates at a
# quarter of 1024 of 1056 bytes: 0.2424. The bracket is within 2 % of it. Loads below are accepted.

$ nsim -q -p topology.dims=8x8 --pattern transpose --load 0.1,0.2,0.4 --saturation -f csv > t.csv; awk -F, '$1 == "saturation" { x[$2] = $4 } END { print (x["below"] > 0.2424 * 0.98), (x["above"] < 0.2424 * 1.02), (x["below"] < x["above"]) }' t.csv
1 1 1
$ awk -F, '$1 == "points" { x[$2, $3] = $4 } END { for (i = 0; i < 2; i++) print x["load", i], x["steady", i], (x["accepted", i] > 0.98 * x["offered", i]), (x["latency_p50", i] < x["latency_p99", i]), (x["latency_p99", i] <= x["latency_max", i]) }' t.csv
0.1 yes 1 1 1
0.2 yes 1 1 1

# The crossbar: each rank has a link of its own, which carries 1024 of 1056 bytes. Queues grow beyond 0.9697.

$ nsim -q -p topology.kind=crossbar -p topology.dims=16 --pattern shift --load 0.5,0.9,1.2 --saturation --expect 'saturation.below>=0.93' --expect 'saturation.above<=0.99' -o c.txt

# One load, lists, ranges and steps; a curve ends at the second load in a row that is not accepted.

$ for l in 0.5 0.1,0.3 0.1:0.5:3 0.1:0.5:0.1 0.2:4:0.4; do nsim -q -p topology.dims=4 --pattern uniform:messages=200 --load $l -f csv | awk -F, '$1 == "points" && $2 == "load" { printf "%s ", $4 } END { print "" }'; done
0.5 
0.1 0.3 
0.1 0.3 0.5 
0.1 0.2 0.3 0.4 0.5 
0.2 0.6 1 1.4 1.8 

# Points run on several processes, with identical output.

$ for j in 1 2 3; do nsim -q -j $j -p topology.dims=4x4 --pattern uniform:messages=300 --load 0.2:2:0.2 | grep -v "^  command" | cksum; done | uniq | wc -l
1

# A picture, with the curve of another run beside it; inspire's simulators have the same words.

$ nsim -q -p topology.dims=4x4 --pattern uniform:messages=300 --load 0.2:1:0.2 -f csv -o a.csv; nsim -q -p topology.dims=4x4 -p topology.routing=adaptive --pattern uniform:messages=300 --load 0.2:1:0.2 --svg b.svg --name adaptive --beside order=a.csv -o b.txt; grep -c polyline b.svg; grep -o "order: at most\|adaptive: at most" b.svg
4
adaptive: at most
order: at most

# A window that is longer than ranks send says nothing of saturation.

$ nsim -p topology.dims=4 --pattern uniform:messages=200,window=1s --load 0.1,0.2 --saturation -o w.txt 2>&1 | sed 's/ at .*us/ at .../'; grep -c saturation w.txt
nsim: warning: load 0.1: steady: no: a rank sends its last message at ..., before the window ends
nsim: warning: load 0.2: steady: no: a rank sends its last message at ..., before the window ends
1

# Mistakes.

$ nsim -q --load 0.1 -n 2 ring.so
nsim: --load: expected --pattern too
[2]
$ nsim -q --pattern uniform --saturation
nsim: --saturation: expected --load too
[2]
$ nsim -q --pattern uniform --load 0.1 --beside a=a.csv
nsim: --beside: expected --svg FILE too
[2]
$ nsim -q --pattern uniform --load 0.1 --matrix m.txt
nsim: --load: several runs have no --matrix
[2]
$ nsim -q --pattern uniform:load=0.1 --load 0.1
nsim: pattern: load=0.1 beside --load, expected one of them
[2]
$ for l in 0.1:0.5 0.1:0.5:0 0.5:0.1:0.1 0.1:0.5:1 0.1,,0.2 a 0.1:9:0.001; do nsim -q --pattern uniform --load $l; done
nsim: --load: "0.1:0.5" is not a list of at most 256 loads, expected for example 0.1,0.2,0.4, 0.05:0.5:10 (ten loads) or 0.05:1:0.05 (a step)
nsim: --load: "0.1:0.5:0" is not a list of at most 256 loads, expected for example 0.1,0.2,0.4, 0.05:0.5:10 (ten loads) or 0.05:1:0.05 (a step)
nsim: --load: "0.5:0.1:0.1" is not a list of at most 256 loads, expected for example 0.1,0.2,0.4, 0.05:0.5:10 (ten loads) or 0.05:1:0.05 (a step)
nsim: --load: "0.1:0.5:1" is not a list of at most 256 loads, expected for example 0.1,0.2,0.4, 0.05:0.5:10 (ten loads) or 0.05:1:0.05 (a step)
nsim: --load: "0.1,,0.2" is not a list of at most 256 loads, expected for example 0.1,0.2,0.4, 0.05:0.5:10 (ten loads) or 0.05:1:0.05 (a step)
nsim: --load: "a" is not a list of at most 256 loads, expected for example 0.1,0.2,0.4, 0.05:0.5:10 (ten loads) or 0.05:1:0.05 (a step)
nsim: --load: "0.1:9:0.001" is not a list of at most 256 loads, expected for example 0.1,0.2,0.4, 0.05:0.5:10 (ten loads) or 0.05:1:0.05 (a step)
[2]
$ nsim -q --pattern uniform --load 0,0.1
nsim: --load: 0 is no load, expected above 0 to 16
[2]
$ nsim -q --pattern uniform --load 0.1,0.1
nsim: --load: 0.1 is there twice
[2]
$ printf 'points,latency,0,5,clocks\n' > c.csv; nsim -q -p topology.dims=4 --pattern uniform --load 0.1,0.2 --svg x.svg --beside c=c.csv -o r.txt; ls x.svg
nsim: c.csv: latency in clocks, expected a report with latency in s
nsim: note: r.txt was written before this
ls: cannot access 'x.svg': No such file or directory
[2]
$ nsim -q -p topology.dims=4 --pattern pairwise:size=0 --load 0.1,0.2
nsim: pattern: load=0.5 with size=0, expected messages with data
[2]

# A mixture, and bursts of 20 messages: the same load is accepted, and waits longer.

$ for b in 0 20; do nsim -q -p topology.dims=8x8 --pattern mix:uniform=3,shift=1,size=2016,messages=500,burst=$b --load 0.3 -f csv | awk -F, '$1 == "points" { x[$2] = $4 } END { print x["latency"], x["steady"], x["offered"] }' > b$b; done; paste b0 b20 | awk '{ print ($4 > $1), $2, $5, ($3 > 0.28 && $3 < 0.32), ($6 > 0.27 && $6 < 0.33) }'
1 yes yes 1 1

# The worst case of dimension order on a mesh: seven nodes of a row send over its last link, which carries 1024 of 1056 bytes. The
# bracket is within 2 % of 1024 / 1056 / 7 = 0.1385.

$ nsim -q -p topology.kind=mesh -p topology.dims=8x8 --pattern worst_case --load 0.1,0.2 --saturation -f csv | awk -F, '$1 == "saturation" { x[$2] = $4 } END { print (x["below"] > 0.1385 * 0.98), (x["above"] < 0.1385 * 1.02), (x["below"] < x["above"]) }'
1 1 1
$ nsim -q -p topology.dims=16x16 --pattern worst_case; nsim -q -p topology.dims=4x4 -p topology.routing=adaptive --pattern worst_case; nsim -q -p topology.dims=8x8 -n 4 --pattern worst_case
nsim: pattern: worst_case on 256 nodes, expected at most 128
nsim: pattern: worst_case with the adaptive routing adaptive, expected one of fixed shares
nsim: pattern: worst_case of 4 ranks, expected one on each of 64 nodes in order
[2]

# A value is not a key: files whose names have keys in them. One node sends 1000 messages at a load, and a job in the background for ever.

$ echo 0 1 > 'messages=repeat=10'; cp 'messages=repeat=10' plain; for f in 'messages=repeat=10' plain; do nsim -q -p topology.dims=4 -n 4 --pattern "pairs:file=$f" --load 0.1 -f csv -o $f.csv; grep ^points $f.csv > $f.points; done; cmp plain.points 'messages=repeat=10.points' && echo same; nsim -q -p topology.dims=4x4 --job 'n=4 pattern=shift:messages=10' --job 'n=4 background pattern=pairs:file=messages=repeat=10' -f csv 2>/dev/null | grep -c '^jobs,job'
same
2
