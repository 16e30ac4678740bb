# Programs on virtual ranks: docs/programs/nsim.md. Those of `mpi` check themselves, under a real MPI too.
# `python3 -I`: Python would take types.so of the folder as its own module.
# needs: cc

$ for p in p2p types collectives nonblocking comms environment objects windows groups rendezvous large; do nsimcc -O1 -Wall -Wextra -Werror -o $p.so mpi/$p.c || exit; done

# On as many ranks as the network has nodes; with other numbers of ranks; several on a node.

$ for p in p2p types collectives nonblocking comms environment objects windows groups rendezvous large; do nsim -q -p topology.dims=4x4 $p.so | sed -n 1p; done
point to point: all checks hold on 16 ranks
datatypes: all checks hold on 16 ranks
collectives: all checks hold on 16 ranks
nonblocking: all checks hold on 16 ranks
communicators: all checks hold on 16 ranks
environment: all checks hold on 16 ranks
objects: all checks hold on 16 ranks
windows: all checks hold on 16 ranks
groups: all checks hold on 16 ranks
rendezvous: all checks hold on 16 ranks
large: all checks hold on 16 ranks

# Each predefined datatype by itself.

$ nsimcc -O1 -Wall -Wextra -Werror -o predefined.so mpi/predefined.c; for x in "" "--processes 2 -p topology.dims=2"; do nsim -q -n 2 $x predefined.so | sed -n 1p; done
predefined datatypes: all checks hold on 2 ranks
predefined datatypes: all checks hold on 2 ranks

$ for p in types collectives nonblocking comms environment; do nsim -q -p topology.dims=4x4 -n 13 $p.so | sed -n 1p; done
datatypes: all checks hold on 13 ranks
collectives: all checks hold on 13 ranks
nonblocking: all checks hold on 13 ranks
communicators: all checks hold on 13 ranks
environment: all checks hold on 13 ranks

$ for p in p2p types collectives nonblocking comms environment objects windows groups rendezvous large; do nsim -q -p topology.dims=2x2 -p ranks.per_node=3 $p.so | sed -n 1p; done
point to point: all checks hold on 12 ranks
datatypes: all checks hold on 12 ranks
collectives: all checks hold on 12 ranks
nonblocking: all checks hold on 12 ranks
communicators: all checks hold on 12 ranks
environment: all checks hold on 12 ranks
objects: all checks hold on 12 ranks
windows: all checks hold on 12 ranks
groups: all checks hold on 12 ranks
rendezvous: all checks hold on 12 ranks
large: all checks hold on 12 ranks

# Neighbours that are one rank: blocks arrive as Cart_shift and Sendrecv deliver them, in the order of repeated edges.

$ nsimcc -O1 -Wall -Wextra -Werror -o neighbours.so mpi/neighbours.c; for n in 6 8; do nsim -q -n $n neighbours.so | sed -n 1p; done; nsim -q -j 3 -n 8 neighbours.so | sed -n 1p; nsim -q -p mpi.eager=0 -n 8 neighbours.so | sed -n 1p
neighbours: all checks hold on 6 ranks
neighbours: all checks hold on 8 ranks
neighbours: all checks hold on 8 ranks
neighbours: all checks hold on 8 ranks

# With a handshake for everything, and for nothing.

$ for p in p2p types collectives nonblocking comms environment objects windows groups rendezvous large; do nsim -q --check -p mpi.eager=0 -p mpi.control_bytes=16 -n 8 $p.so | sed -n 1p; done
point to point: all checks hold on 8 ranks
datatypes: all checks hold on 8 ranks
collectives: all checks hold on 8 ranks
nonblocking: all checks hold on 8 ranks
communicators: all checks hold on 8 ranks
environment: all checks hold on 8 ranks
objects: all checks hold on 8 ranks
windows: all checks hold on 8 ranks
groups: all checks hold on 8 ranks
rendezvous: all checks hold on 8 ranks
large: all checks hold on 8 ranks

$ for p in p2p types collectives nonblocking comms environment objects windows groups rendezvous large; do nsim -q --check -p mpi.eager=1GiB -p mpi.send_done=copied -p mpi.overhead=0 -n 8 $p.so | sed -n 1p; done
point to point: all checks hold on 8 ranks
datatypes: all checks hold on 8 ranks
collectives: all checks hold on 8 ranks
nonblocking: all checks hold on 8 ranks
communicators: all checks hold on 8 ranks
environment: all checks hold on 8 ranks
objects: all checks hold on 8 ranks
windows: all checks hold on 8 ranks
groups: all checks hold on 8 ranks
rendezvous: all checks hold on 8 ranks
large: all checks hold on 8 ranks

# A message of 3e9 bytes, and a broadcast, without data.

$ nsim -q -e linear -n 8 -o r large.so 3000000000
large: all checks hold on 8 ranks

# Calls beyond MPI, and what MPI leaves open, on nodes of two NICs; one rank on a node, and two.

$ nsimcc -O1 -Wall -Wextra -Werror -o extensions.so mpi/extensions.c -lm; for n in 1 2; do nsim -q -p topology.dims=4x4 -p topology.nics=2 -p ranks.per_node=$n -o r extensions.so $n; done
extensions: all checks hold on 16 ranks
extensions: all checks hold on 32 ranks

# Datatypes made at random beside the standard's type maps: bounds, packing, parts that were received.

$ nsimcc -O1 -Wall -Wextra -Werror -o trees.so mpi/trees.c; nsim -q -n 1 -o r trees.so standard 5000 | tail -1
trees of datatypes: all checks hold on 1 ranks

# Each engine; the other way to switch ranks, and to keep their variables apart.

$ for e in flow linear; do for p in p2p types collectives nonblocking comms environment objects windows groups rendezvous large; do nsim -q -e $e -n 8 $p.so | sed -n 1p; done; done
point to point: all checks hold on 8 ranks
datatypes: all checks hold on 8 ranks
collectives: all checks hold on 8 ranks
nonblocking: all checks hold on 8 ranks
communicators: all checks hold on 8 ranks
environment: all checks hold on 8 ranks
objects: all checks hold on 8 ranks
windows: all checks hold on 8 ranks
groups: all checks hold on 8 ranks
rendezvous: all checks hold on 8 ranks
large: all checks hold on 8 ranks
point to point: all checks hold on 8 ranks
datatypes: all checks hold on 8 ranks
collectives: all checks hold on 8 ranks
nonblocking: all checks hold on 8 ranks
communicators: all checks hold on 8 ranks
environment: all checks hold on 8 ranks
objects: all checks hold on 8 ranks
windows: all checks hold on 8 ranks
groups: all checks hold on 8 ranks
rendezvous: all checks hold on 8 ranks
large: all checks hold on 8 ranks

$ nsimcc -o globals.so mpi/globals.c; nsim -q -n 8 globals.so | sed -n 1p; nsim -q -p ranks.globals=map -n 8 globals.so | sed -n 1p; nsim -q -p ranks.globals=copy -p ranks.context=ucontext -n 8 globals.so 2>&1 | grep -v 'support makecontext' | sed -n 1p
globals: all checks hold on 8 ranks
globals: all checks hold on 8 ranks
globals: all checks hold on 8 ranks

# Variables that are shared instead: the checks see it.

$ nsim -q -p ranks.globals=shared -n 8 globals.so 2>/dev/null
globals: ... checks failed
[1]

# The examples. A ring of 4 on a crossbar-like torus; sorting; Laplace's equation.

$ for p in ring jacobi sample_sort; do nsimcc -O2 -Wall -Wextra -Werror -o $p.so examples/$p.c -lm; done; nsim -q -n 4 ring.so 100 | sed -n 1p; nsim -q -n 12 jacobi.so 24 20 | sed -n 1p; nsim -q -n 9 sample_sort.so 500 | sed -n 1p
4 ranks, 100 rounds: token 600, right
24 x 24 points, 20 iterations: error ..., right
4500 numbers on 9 ranks, sum ...: sorted

# Messages without data: MGEN programs. Bruck's allgather of 64 ranks takes log2(64) = 6 messages a rank, of
# 2048 x (1 + 2 + 4 + … + 32) bytes.

$ for p in bruck_allgather random_ring a2at; do nsimcc -O2 -Wall -Wextra -Werror -o $p.so examples/$p.c; done; nsim -q --expect program.messages=384 --expect program.bytes=8257536 -f csv -o b.csv bruck_allgather.so; grep -E '^program,(messages|bytes)' b.csv
program,messages,,384,
program,bytes,,8257536,bytes

# 20 phases on 9 x 9, as in the paper; each rank sends to each of the 80 others once.

$ nsim -q -p topology.dims=9x9 -p topology.nics=4 --expect program.messages=6480 -o a.txt a2at.so 64 none
a2at 9 x 9, 64 bytes: 20 phases

# The data of an eager message start when they are sent, or when the receive is posted, too, after 5 ms: 1000 bytes take
# 1 ms. The sender does not wait for that.

$ nsimcc -O1 -Wall -Wextra -Werror -o detached.so mpi/detached.c; for s in sent received; do nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1MB/s -p mpi.send_start=$s -n 2 -o r detached.so; done
rank 0: 1000 us, 8
rank 1: 5000 us, 7
rank 0: 0 us, 8
rank 1: 6000 us, 7

$ for e in linear packet flow; do nsim -q -e $e -p mpi.send_start=received -n 6 -o r p2p.so; done
point to point: all checks hold on 6 ranks
point to point: all checks hold on 6 ranks
point to point: all checks hold on 6 ranks

# The program's output goes to standard error if the report uses standard output.

$ nsim -q -n 4 --json ring.so 2>/dev/null | python3 -I -c 'import json, sys; print(json.load(sys.stdin)["program"]["ranks"])'
4

# Same input, same bytes, whatever way ranks are switched.

$ nsim -q -n 16 -f csv -o one.csv --each-rank sample_sort.so >out; nsim -q -n 16 -p ranks.context=ucontext -p ranks.globals=map -f csv -o two.csv --each-rank sample_sort.so 2>&1 | grep -v 'support makecontext' | cmp - out; grep -v '^run,\|^config' one.csv > 1; grep -v '^run,\|^config' two.csv | cmp - 1 && echo same
same

# Lines are whole, and come in the order in which ranks end them: at one time, in order of ranks.

$ nsimcc -o lines.so mpi/lines.c; nsim -q -e linear -p topology.kind=crossbar -p topology.dims=3 -o r.txt lines.so
rank 0: one two
rank 1: one two
rank 2: one two
rank 0 without an end of line
rank 1 without an end of line
rank 2 without an end of line

# A router with bit maps of several words, whose inputs send one packet at a time: all checks hold.

$ nsim -q --check --pattern hot_spot:size=3000,messages=2 -p topology.kind=crossbar -p topology.dims=40 -p router.input_port=one_packet -o r.txt && echo checked
checked

# Lists.

$ nsim --list-engines | grep -c .; nsim --list-collectives | grep '^barrier'
5
barrier         dissemination        log2(ranks) rounds: in round k each rank notifies rank + 2^k
barrier         recursive_doubling   log2(ranks) pairwise exchanges
barrier         tree                 up and down a binomial tree
barrier         two_level            within nodes and among their first ranks
barrier         shared               within nodes by mpi.node_times, among their first ranks
barrier         table                time from a table, without messages

# Several on a node, in other orders: rank r of 8 on 4 nodes is on node r / 2, or r mod 4; or as a file says.

$ for p in block cyclic; do nsim -q -e linear -p topology.dims=2x2 -p ranks.per_node=2 -p ranks.placement=$p --each-rank -f csv -o p.csv lines.so >/dev/null; grep '^ranks,node' p.csv | cut -d, -f4 | tr '\n' ' '; done
0 0 1 1 2 2 3 3 0 1 2 3 0 1 2 3

$ printf 'ranks 3\n0 2\n1 0\n2 1\n' > map; nsim -q -p topology.dims=2x2 --mapping map --each-rank -f csv -o p.csv lines.so >/dev/null; grep '^ranks,node' p.csv | cut -d, -f4 | tr '\n' ' '
2 0 1

# The communication matrix: 3 messages from each rank of a ring of 3, of 8 bytes.

$ nsim -q -n 3 -o r.txt --matrix m ring.so 3 >/dev/null; cat m
# communication matrix: source destination bytes messages
ranks 3
0 1 24 3
1 2 24 3
2 0 24 3

# Logs: each wait of a rank begins and ends; logs change nothing that is simulated.

$ nsim -q -n 4 -f csv -o a.csv --timeline a.json --paje a.paje --log-packets --series ring.so 5 >/dev/null; nsim -q -n 4 -f csv -o b.csv ring.so 5 >/dev/null; grep '^program' a.csv > a; grep '^program' b.csv | cmp - a && echo same; python3 -I -c 'import json, collections; e = json.load(open("a.json"))["traceEvents"]; c = collections.Counter(x["ph"] for x in e); print(c["B"] == c["E"] > 0)'
same
True

# Series drawn: the four directions and their mean; injection and ejection; eight virtual channels between routers; of
# NICs the FIFOs of data and of handshakes, and that of ejection. Each is drawn, and has a line in its panel's legend.
# The flow engine has no buffers. Nothing that is reported changes.

$ nsim -q -n 16 -p topology.dims=4x4 --pattern all_to_all:size=20000 -f csv -o a.csv --series-picture a.svg; nsim -q -n 16 -p topology.dims=4x4 --pattern all_to_all:size=20000 -f csv -o b.csv; grep -v '^run,command' a.csv | grep -v series > a; grep -v '^run,command' b.csv | grep -v series | cmp - a && echo same; nsim -q -e flow -n 16 -p topology.dims=4x4 --pattern all_to_all:size=20000 -o f.out --series-picture f.svg; python3 -I -c 'import xml.dom.minidom as x; [print([p.getAttribute("class") for p in x.parse(f).getElementsByTagName("path")].count("series")) for f in ("a.svg", "f.svg")]'
same
34
12

# Short runs have series too. 1000 bytes are 1040 on a link; the message takes 458 ns, of which 14 intervals of 31.25 ns are complete.
# The mean is that of two links. A message of 5278 ns has 168 intervals, of which four make one.

$ for b in 1000 20000; do printf "ranks 2\nsend 0 1 1 $b\n" > a.pat; nsim -q -p topology.dims=2 --pattern-file a.pat --series -f csv | awk -F, '/^series_throughput,time/ { time = $4; n++ } /^series_throughput,inject/ { bytes += 2 * $4 } END { print n, bytes * time / n }'; done
14 1040
42 20320

# A pattern's ranks too, in the short report.

$ nsim -q -p topology.dims=2 --pattern-file a.pat --each-rank | sed -n '/^traffic.rank/,/^$/p'
traffic.rank: each rank: time at which it ended, messages and bytes sent and received
  rank     end      sent  sent_bytes  received  received_bytes
            us  messages       bytes  messages           bytes
     0  5.0800         1       20000         0               0
     1  5.2780         0           0         1           20000

# The flow engine keeps them too: 16 nodes inject 16 x 15 x 20000 bytes, but for what comes after the last point.

$ nsim -q --engine flow --series --json --timeline f.json --pattern all_to_all:size=20000 -p topology.dims=4x4 -p engine.interval=1us -o f.out; python3 -I -c 'import json; r = json.load(open("f.out")); s = r["series_throughput"]; print(0.98 < sum(x["inject"] for x in s) * 1e-6 * 16 / 4.8e6 <= 1, all(0 <= x["+x"] <= 100 for x in r["series_busy"]), "series_buffers" in r); print(len([x for x in json.load(open("f.json"))["traceEvents"] if x["ph"] == "b"]))'
True True False
240

# A window of them: only its time, its ranks, and messages from and to their nodes, of a ring 1 to 2, 2 to 3, 3 to 4. pj_dump reads it where it is there.

$ nsim -q -n 8 --window 20us:0.00004 --window-ranks 2-3 --timeline w.json --paje w.paje ring.so 50 >/dev/null; python3 -I -c 'import json; e = json.load(open("w.json"))["traceEvents"]; t = [x["ts"] for x in e if x["ph"] in "bBE"]; print(len(t) > 10, min(t) >= 20, max(t) <= 40); print(sorted(x["args"]["name"] for x in e if x["ph"] == "M"))'
True True True
['counters', 'node 1', 'node 2', 'node 3', 'node 4', 'rank 2', 'rank 3']

$ if command -v pj_dump >/dev/null; then pj_dump w.paje | awk -F, '$1 == "State" { n++; bad += $4 < 20e-6 || $5 > 40e-6 } END { print (n > 10), bad + 0 }'; else echo 1 0; fi
1 0

# The critical path is as long as the run, in every format, and knows the program's lines.

$ nsim -q -n 8 --critical-path --json -o p.json ring.so 50 >/dev/null; python3 -I -c 'import json; r = json.load(open("p.json")); c = r["critical_path"]; print(c["seconds"] == r["program"]["seconds"], abs(c["compute"] + c["overhead"] + c["communication"] - c["seconds"]) < 1e-15, c["ranks"]); print(r["waits"][0]["longest"] > 0, r["critical_path_places"][0]["where"].split(" ")[0])'
True True 8
True main

# Shares of places are 100 % together, with the overhead of calls and what has no row: 12 lines of 1 us and a barrier.

$ { echo '#include <mpi.h>'; echo 'int main(int c, char **v) { MPI_Init(&c, &v);'; yes 'MPI_Add_time(1e-6);' | head -12; echo 'MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }'; } > lines.c; nsimcc -o lines.so lines.c; nsim -q -n 8 -f json --critical-path -o p.json lines.so; python3 -I -c 'import json; p = json.load(open("p.json"))["critical_path_places"]; print(len(p), round(sum(x["share"] for x in p), 9), [(x["what"], x["where"]) for x in p[10:]], round(p[10]["path"], 12))'
12 100.0 [('others', '(3 places)'), ('call overhead', '(all calls)')] 3e-06

$ nsim -q -n 8 -f csv -o q.csv ring.so 50 >/dev/null; nsim -q -n 8 -f csv -o r.csv --critical-path ring.so 50 >/dev/null; grep -E '^(program|network)' q.csv > q; grep -E '^(program|network)' r.csv | cmp - q && wc -l <q
20

# Traffic without a program.

$ nsim -q -p topology.dims=4x4 --pattern all_to_all:size=1000 --expect traffic.messages=240 -o t.txt; nsim --list-patterns | grep -c all_to_all
1

# A skeleton: buffers are NULL, messages are as long as they would be. Of 8 ranks the mean computation is
# 10 ms x (1 + … + 8) / 8 / 8 = 5.625 ms, and waiting fills the rest.

$ nsimcc -Wall -Wextra -Werror -o skeleton.so mpi/skeleton.c; nsim -q -n 8 --expect program.compute=0.005625 --expect 'program.wait>=0.004375' -o s.txt skeleton.so
at least the longest computation: yes

# A program's computation costs nothing, unless the host's processor time is to count: here twice. It is at least the loop,
# whose time the program prints, and at most all that the process used.

$ nsimcc -o busy.so mpi/busy.c; nsim -q -n 1 -p ranks.clock=host --expect program.seconds=0 -o r busy.so | wc -l; bsim -q -n 1 -p ranks.clock=host -p ranks.measure=2 -f csv -o r.csv busy.so > loop; grep -E '^(program,compute|host,processor),' r.csv | cut -d, -f4 | paste -s - loop | awk '{ n[NR] = $1; all = NR == 1 ? $2 : all } END { print n[1] >= 2 * n[2] && n[1] <= 2 * all ? "between the two" : n[1] " " n[2] " " all }'
1
between the two

# A program that is started by itself runs on one rank, with its arguments and its status; without nsim on PATH it says so.

$ printf '#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv)\n{\n\tint n;\n\tMPI_Init(&argc, &argv);\n\tMPI_Comm_size(MPI_COMM_WORLD, &n);\n\tprintf("%%d of us, %%d arguments, %%s\\n", n, argc, argv[argc - 1]);\n\tMPI_Finalize();\n\treturn argc == 3 ? 7 : 0;\n}\n' > alone.c; nsimcc -o alone alone.c && ./alone -n 3 x && ./alone -n 3; echo $?; nsim -q -n 2 -o r alone -n 3 y; PATH=/nowhere ./alone
1 of us, 4 arguments, x
1 of us, 3 arguments, 3
nsim: rank 0 ended with status 7
7
2 of us, 4 arguments, y
2 of us, 4 arguments, y
./alone: nsim: No such file or directory: a program of nsimcc, expected nsim on PATH, which runs it
[127]

# All ranks on one node of many: a note. 16 ranks of 2 nodes of 8, a machine of one node, and -q: none.

$ nsim -o r -p topology.dims=2x2 -p ranks.per_node=8 -n 8 --pattern ring; nsim -o r -p topology.dims=2x2 -p ranks.per_node=8 -n 16 --pattern ring; nsim -o r -p topology.dims=1x1 -p ranks.per_node=8 -n 8 --pattern ring; nsim -q -o r -p topology.dims=2x2 -p ranks.per_node=8 -n 8 --pattern ring
nsim: note: all 8 ranks are on node 0: the network is not used

# Faster links than the node's memory that is set: a note of the report, by default there is none; a buffer of one packet.
# -q: none on standard error.

$ for k in link.bandwidth=50GB/s 'topology.nics=5' 'link.bandwidth=50GB/s -p nic.dma=16GB/s -p nic.memory=16GB/s' 'linear.bandwidth=50GB/s -e linear' 'nic.mtu=9000' 'nic.mtu=8KiB'; do nsim -o r -p $k --pattern ring; done; nsim -q -o r -p link.bandwidth=50GB/s --pattern ring
nsim: note: router.vc_buffer lets a virtual channel of links of class +x carry 3.80727 GB/s of 4: credit returns after 0.114 us; classes of which this holds: 4

# A message over one link whose credits are late has the bandwidth of the note, with 32 of 2048 bytes of header: less in a link
# between routers, in one of a NIC and in one to a NIC, with a cable of 2 us each way.

$ printf 'ranks 2\nsend 0 1 0 20160000\nreceive 1 0 0\n' > long; for k in link.cable=2us 'nic.fifo=4KiB -p link.inject.cable=2us' 'nic.receive_fifo=6KiB -p link.eject.cable=2us'; do nsim -q -n 2 -p topology.kind=mesh -p topology.dims=2 -p $k --pattern-file long -f csv | sed 's/.*carry \([0-9.]*\).*/carry,,,\1/' | awk -F, '$1 == "traffic" && $2 == "time" { t = $4 } $1 == "carry" { c = $4 } END { m = 20480000 / t / 1e9; print c, (m > 0.995 * c && m < 1.005 * c) }'; done
3.5571 1
0.905393 1
1.3374 1

# A rank that waits for its own message: the table says so.

$ nsim -q -n 8 --critical-path ring.so 50 | grep '^critical_path_messages'
critical_path_messages: longest messages of the critical path, to who waited; from itself: its own that had not left

# Each call of a program counts once, those that are made of others too.

$ nsimcc -O1 -Wall -Wextra -Werror -o once.so mpi/once.c; nsim -q -n 1 --each-rank -f csv once.so | grep '^ranks,calls,0'
ranks,calls,0,8,

# --describe: a latency of 1 us and a link of 12.5 GB/s. 1 byte takes 1 us + 0.08 ns; 1 MB 80 us, and three latencies, since
# it is longer than mpi.eager; half of what a clock takes, 10 ns, is in both. Within a node half of the memory's rate
# carries it: 1 MB at 75 GB/s. nsim and bsim read the file.
$ nsim --describe nodes=64,cores=16,peak=40e9,memory=150GB/s,link=12.5GB/s,latency=1us,topology=fat_tree -o described.ini; grep -E '^(dims|nic_cable|memory|per_node|combine)' described.ini
dims = 8x8 ; from --describe nodes: two levels of switches, as many links up as down
nic_cable = 500 ns ; half of --describe latency, at both ends
memory = 75 GB/s ; half of --describe memory: a copy reads and writes
per_node = 16 ; --describe cores: a rank on each
combine = 3.125 GB/s ; a third of a core's share of --describe memory: a sum moves three numbers

$ nsimcc -o pingpong.so examples/pingpong.c; for e in flow linear; do nsim -q --strict -e $e -c described.ini -p ranks.per_node=1 -o r.txt pingpong.so 1 1000000; done; nsim -q -c described.ini -o r.txt pingpong.so 1000000
1 bytes: 1.0051 us
1000000 bytes: 83.0050 us
1 bytes: 1.0051 us
1000000 bytes: 83.0050 us
1000000 bytes: 13.3383 us

$ bsimcc -o pingpong-b.so examples/pingpong.c; bsim -q --strict -c described.ini -p ranks.per_node=1 -o r.txt pingpong-b.so 1 1000000
1 bytes: 1.0051 us
1000000 bytes: 83.0050 us

# Sizes follow from the nodes.
$ for n in 7 8 48 1000; do for t in crossbar fat_tree torus; do nsim --describe nodes=$n,link=1GB/s,latency=1us,topology=$t | sed -n 's/^dims = \([^ ]*\).*/\1/p'; done | xargs; done
7 7 7
8 2x4 2x2x2
48 6x8 3x4x4
1000 25x40 10x10x10
