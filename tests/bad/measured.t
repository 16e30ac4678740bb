# Mistakes in what nsim-calibrate reads: one file each under tests/bad/measured. Then its options.

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/column.csv
nsim-calibrate: bad/measured/column.csv:1: a header without a time or a rate: expected the columns bytes and NAME_us (ns, ms, s) or MB_per_s (MiB, GB, GiB, messages)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/empty.txt
nsim-calibrate: bad/measured/empty.txt:1: no heading of a benchmark: expected the output of osu_latency, osu_bw, osu_bibw, osu_mbw_mr, IMB PingPong or Sendrecv, or a CSV file with the columns bytes and NAME_us (ns, ms, s) or MB_per_s (MiB, GB, GiB, messages)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/imb-other.txt
nsim-calibrate: bad/measured/imb-other.txt:1: Benchmarking Alltoall: expected the output of osu_latency, osu_bw, osu_bibw, osu_mbw_mr, IMB PingPong or Sendrecv, or a CSV file with the columns bytes and NAME_us (ns, ms, s) or MB_per_s (MiB, GB, GiB, messages)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/no-heading.txt
nsim-calibrate: bad/measured/no-heading.txt:1: numbers without a heading: expected the output of osu_latency, osu_bw, osu_bibw, osu_mbw_mr, IMB PingPong or Sendrecv, or a CSV file with the columns bytes and NAME_us (ns, ms, s) or MB_per_s (MiB, GB, GiB, messages)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/osu-cut.txt
nsim-calibrate: bad/measured/osu-cut.txt:5: "2": expected 2 numbers: the size and what osu_latency measured
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/osu-falling.txt
nsim-calibrate: bad/measured/osu-falling.txt:5: 8 bytes after 16: expected ascending sizes, each once
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/osu-other.txt
nsim-calibrate: bad/measured/osu-other.txt:1: OSU MPI All-to-All Personalized Exchange Latency Test v5.3: expected the output of osu_latency, osu_bw, osu_bibw, osu_mbw_mr, IMB PingPong or Sendrecv, or a CSV file with the columns bytes and NAME_us (ns, ms, s) or MB_per_s (MiB, GB, GiB, messages)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/osu-repeated.txt
nsim-calibrate: bad/measured/osu-repeated.txt:5: 8 bytes after 8: expected ascending sizes, each once
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/osu-two.txt
nsim-calibrate: bad/measured/osu-two.txt:4: 2 sizes: expected at least 3
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/osu-zero.txt
nsim-calibrate: bad/measured/osu-zero.txt:3: a value of 0 for 0 bytes: expected more than 0
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/fast.csv
nsim-calibrate: bad/measured/fast.csv:3: 1e-36 s for 8 bytes: expected 10^-15 to 10^6 s
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/slow.csv --rate bad/measured/fast-rate.csv
nsim-calibrate: bad/measured/fast-rate.csv:3: 8e-306 s for 8 bytes: expected 10^-15 to 10^6 s
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/rate.csv
nsim-calibrate: bad/measured/rate.csv: rates of CSV, expected latencies (osu_latency, PingPong, Sendrecv)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/short.csv
nsim-calibrate: bad/measured/short.csv:3: 2 columns: expected those of the first line
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/size.csv
nsim-calibrate: bad/measured/size.csv:2: 1.5 bytes: expected a whole number
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/slow.csv
nsim-calibrate: bad/measured/slow.csv: 0 bytes between nodes took 0.01 us; the network and mpi.overhead alone take 0.406 us: expected a faster network (-c, -p)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/word.csv
nsim-calibrate: bad/measured/word.csv:3: "fast" in column 2: expected a number
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/decimal.csv
nsim-calibrate: bad/measured/decimal.csv:2: "1,1" in column 2: expected a number with a decimal point
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/semicolons.csv
nsim-calibrate: bad/measured/semicolons.csv:1: a header without bytes: expected the columns bytes and NAME_us (ns, ms, s) or MB_per_s (MiB, GB, GiB, messages)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/unit.csv
nsim-calibrate: bad/measured/unit.csv:1: a header without a time or a rate: expected the columns bytes and NAME_us (ns, ms, s) or MB_per_s (MiB, GB, GiB, messages)
[3]

$ nsim-calibrate -q -p topology.dims=4
nsim-calibrate: nothing measured: expected --latency FILE, --within-latency FILE or both
[2]

$ nsim-calibrate -q -p topology.dims=4 --noise 0 --latency bad/measured/rate.csv
nsim-calibrate: --noise 0: expected 0.01 to 50, in percent
[2]

$ nsim-calibrate -q -p topology.dims=4 --within-latency bad/measured/slow.csv -p linear.latency=0 -e linear --rate bad/measured/rate.csv
nsim-calibrate: rates without latencies: expected --latency FILE, too
[2]

$ nsim-calibrate -q -p topology.dims=4 -e none --latency bad/measured/rate.csv
nsim-calibrate: engine none: messages take no time, expected another engine
[2]

$ nsim-calibrate -q -p topology.dims=4 -p topology.dims=1 --latency bad/measured/rate.csv
nsim-calibrate: a network of one node: expected two or more for --latency
[2]

$ nsim-calibrate -q -p topology.dims=4 --latency none.txt
nsim-calibrate: none.txt: cannot open: No such file or directory
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/osu-two.txt --protocol bad/measured/osu-two.txt
nsim-calibrate: bad/measured/osu-two.txt: is also an input, expected another file to write to
[2]

# Processor times.

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/latency.csv --overheads bad/measured/overheads-column.csv
nsim-calibrate: bad/measured/overheads-column.csv:1: a header without receive_us: expected the output of overheads (columns bytes, send_us and receive_us; ns, ms, s)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/latency.csv --overheads bad/measured/overheads-word.csv
nsim-calibrate: bad/measured/overheads-word.csv:3: a value of nan for 8 bytes: expected a time
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/latency.csv --overheads bad/measured/overheads-large.csv
nsim-calibrate: bad/measured/latency.csv: 0 bytes between nodes took 1 us; the network, the overheads and mpi.overhead alone take 5.006 us: expected a faster network (-c, -p)
[3]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/latency.csv --overheads bad/measured/no-heading.txt
nsim-calibrate: bad/measured/no-heading.txt:1: numbers without a heading: expected the output of overheads (columns bytes, send_us and receive_us; ns, ms, s)
[3]

$ nsim-calibrate -q -p topology.dims=4 --overheads bad/measured/overheads-large.csv --within-latency bad/measured/latency.csv
nsim-calibrate: overheads without latencies: expected --latency FILE, too
[2]

$ nsim-calibrate -q -p topology.dims=4 --latency bad/measured/latency.csv --within-copies
nsim-calibrate: --within-copies: expected --within-latency FILE, and no --within-overheads, which has the processors' times
[2]
