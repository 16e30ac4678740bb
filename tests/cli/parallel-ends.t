# How runs on several processes end: as on one.

# Messages that are injected at one instant, one of them by a rank that waited for a local one without length: by sender, on any number
# of processes.

$ nsimcc -O1 -o at_once.so mpi/at_once.c; for j in 1 2 3 4; do nsim -q -e linear -j $j -o report -p topology.dims=8 -p ranks.per_node=2 -p linear.latency=1us -p linear.local_latency=0 -p linear.local_bandwidth=1GB/s -p mpi.overhead=0 -p mpi.clock_overhead=0 at_once.so; done
from 2 after 2.25 us
from 9 after 2.5 us
from 2 after 2.25 us
from 9 after 2.5 us
from 2 after 2.25 us
from 9 after 2.5 us
from 2 after 2.25 us
from 9 after 2.5 us
