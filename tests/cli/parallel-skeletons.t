# Skeletons on several processes: docs/parallel.md. Output, warnings, status and report are those of one process but for the command and
# the host's cost.

$ for s in hpl cg stencil; do bsimcc -O1 -o $s.so skeletons/$s.c || echo $s; done; bsimcc -O1 -o skeleton.so examples/skeleton.c; bsimcc -o named.so mpi/named.c; nsimcc -w -O1 -o nonblocking.so mpi/nonblocking.c

# Phases, numbers and models; nonblocking collective operations with several tasks a rank.

$ same() { bad/../cli/same_report.py bsim -e packet -p topology.dims=4x2 "$@"; }; same skeleton.so 1 100; same -p ranks.per_node=2 --model block=configs/models/simd-dgemm.model --set flops=5e8 skeleton.so 1 1900; same --set dgemm_rate=1e9 --set panel_rate=1e9 -n 6 hpl.so 16 8 2 3; same stencil.so strong 8 8 8 2 2; same cg.so 40,2,1
windows windows 
windows windows 
windows windows 
windows windows 
windows windows 

$ bsim -q -j 2 -e packet -p topology.dims=4x2 --model block=configs/models/simd-dgemm.model --set flops=5e8 -o r.txt skeleton.so 1 1900 2>&1 > said
bsim: warning: model block (configs/models/simd-dgemm.model) is used outside the range of its fit: n = 1900 is 4.95 times the largest fitted value, 384
bsim: warning: --set flops: the program never read it

$ same() { bad/../cli/same_report.py nsim -p topology.dims=4x2 "$@"; }; same nonblocking.so; same -p ranks.per_node=2 -p mpi.eager=100 --check nonblocking.so
windows windows 
windows windows 

# Linear messages: the window is their latency. Several ranks a node share its NIC and its memory; messages of a handshake have queues of
# their own. Times from a table.

$ same() { bad/../cli/same_report.py bsim -p topology.dims=4x2 "$@"; }; same skeleton.so 1 100; same --check -p ranks.per_node=4 -p node.injection=8GB/s skeleton.so 1 500; same -p ranks.per_node=2 -p topology.nics=2 -p mpi.eager=100 -p linear.sends=at_once skeleton.so 1 500; printf 'message-times 1\ntable p2p\nbytes 0 1MiB\n0 1us 100us\n1 2us 300us\n9 3us 310us\n' > p2p.times; same -e table -p table.file=p2p.times --check -p ranks.per_node=2 skeleton.so 1 500; same nonblocking.so
windows windows 
windows windows 
windows windows 
windows windows 
windows windows 

# One process runs what cannot be divided.

$ sed 's/^1 2us/1 0us/' p2p.times > at-once.times; for a in '-e none' '-e flow' '-e table -p table.file=at-once.times' '-e table -p table.file=p2p.times -p node.injection=1GB/s'; do bad/../cli/same_report.py bsim -p topology.dims=4x2 $a skeleton.so 1 100; done; bsim -j 2 -e flow skeleton.so 1 100 2>&1 > said
alone alone 
alone alone 
alone alone 
alone alone 
bsim: note: the engine flow cannot be divided: one process runs it

# The critical path, its picture, the communication matrix: the first process gets waits and computation of all.

$ export FILES='a.svg a.matrix'; path() { f=$1; shift; bad/../cli/same_report.py $f --critical-path --picture a.svg --matrix a.matrix "$@"; }; path bsim -p topology.dims=4x2 skeleton.so 1 100; path bsim -e packet -p topology.dims=4x2 -p ranks.per_node=2 cg.so 40,2,1; path nsim -p topology.dims=4x2 nonblocking.so; FILES=a.matrix bad/../cli/same_report.py nsim -p topology.dims=4x4 --pattern random_ring:size=3000 --matrix a.matrix
windows windows 
windows windows 
windows windows 
windows windows 

# Ranks name phases and numbers in the order of their clocks, rank 7 first, whatever process they are in. Beyond 63 names of phases the
# run ends as that of one process does.

$ bad/../cli/same_report.py bsim -e packet -p topology.dims=8 named.so; bsim -q -e packet -p topology.dims=8 -j 3 named.so | sed -n '/^phases/,/^$/p' | awk 'NR > 4 && NR < 10 { print $1 }' | tr '\n' ' '
windows windows 
7-0 7-1 7-2 7-3 6-0 

$ for j in 1 2; do bsim -q -e packet -p topology.dims=8 -j $j named.so more; done
bsim: rank 0: BSIM_Phase at main (named.c:...): phase '0-7': expected at most 63 different names
bsim: rank 0: BSIM_Phase at main (named.c:...): phase '0-7': expected at most 63 different names
[1]
