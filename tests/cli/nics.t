# A network interface's order of sending, as programs see it (mpi/nics.c): microseconds of the last rank. Links of 1 GB/s: 1 MiB
# takes 1048.6 us by bandwidth alone, 1065.2 us in packets of 2016 bytes with 32 of header.
# needs: cc

$ bsimcc -O1 -Wall -Werror -o nics.so mpi/nics.c

# at LOW MORE: how many figures are no less than their bound LOW and at most MORE per cent above it; the others.

$ printf '#!/bin/sh\nawk -v low="$1" -v more="$2" '"'"'{ if ($1 < low || $1 > low * (1 + more / 100)) print "came " $1; else n++ } END { print n + 0 " at the bound" }'"'"'\n' > at; chmod +x at

# A DMA or a memory that is slower than links caps them on every engine that has NICs, and the report says so. Each of 64 nodes
# sends 4 MiB: by 5 GB/s 838.8 us; with two NICs, whose DMAs are two and whose memory is one, 419.4 and 838.8 us. By default a NIC is as
# fast as its link of 25 or 256 GB/s: 167.7 and 16.38 us. (Engines without NICs say that they do not read these keys: unused.py.)

# capped LOW SETTING...: how many engines take LOW us, and the notes of their reports.

$ printf '#!/bin/sh\nlow=$1; shift; words=; for k in "$@"; do words="$words -p $k"; done\nfor e in linear flow packet; do nsim -q -v -e $e -p topology.kind=crossbar -p topology.dims=64 $words --pattern ring:size=1MiB,both=no,repeat=4,outstanding=4; done > r.txt\nawk '"'"'$1 == "time" && $3 == "us" { print $2 }'"'"' r.txt | ./at $low 3\nsed -n "s/^  nic[.][a-z]*  *//p" r.txt | sort | uniq -c | sed "s/^ *//"\n' > capped; chmod +x capped
$ ./capped 838.8 nic.dma=5GB/s link.bandwidth=25GB/s
3 at the bound
3 nic.dma = 5 GB/s caps each NIC, whose link carries 25 GB/s
$ ./capped 838.8 nic.memory=5GB/s link.bandwidth=25GB/s
3 at the bound
3 nic.memory = 5 GB/s caps the NICs of a node, which carry 25 GB/s together
$ ./capped 419.4 nic.dma=5GB/s link.bandwidth=25GB/s topology.nics=2
3 at the bound
3 nic.dma = 5 GB/s caps each NIC, whose link carries 25 GB/s
$ ./capped 838.8 nic.memory=5GB/s link.bandwidth=25GB/s topology.nics=2
3 at the bound
3 nic.memory = 5 GB/s caps the NICs of a node, which carry 50 GB/s together
$ ./capped 167.7 link.bandwidth=25GB/s
3 at the bound
$ ./capped 16.38 link.bandwidth=256GB/s
3 at the bound
$ ./capped 16.38 link.bandwidth=64GB/s topology.nics=4
3 at the bound

# Clear to send does not wait behind the data of the other direction: two ranks that exchange 1 MiB, one of them 10 us late, take
# 10 us longer than without, on every engine.

$ printf 'message-times 1\ntable p2p\nbytes 0 1048576\n0 0us 1049us\n1 1us 1049us\n' > p.times
$ for e in 'linear -p link.bandwidth=1GB/s' 'flow -p link.bandwidth=1GB/s' 'packet -p link.bandwidth=1GB/s' 'table -p table.file=p.times'; do bsim -q -o r.txt -e $e -p topology.kind=crossbar -p topology.dims=4 -n 2 nics.so pair 1048576 10e-6; done | ./at 1058 2
4 at the bound

# Four messages of 1 MiB over four NICs go beside each other, as does a halo over six, whose data come in over six NICs too, each time.

$ for e in linear flow packet; do bsim -q -o r.txt -e $e -p topology.kind=crossbar -p topology.dims=4 -p topology.nics=4 -p link.bandwidth=1GB/s -n 4 nics.so stream 1048576 4; done | ./at 1048.5 3
3 at the bound
$ for e in linear flow packet; do bsim -q -o r.txt -e $e -p topology.dims=4x4x4 -p topology.nics=6 -p link.bandwidth=1GB/s -n 64 nics.so halo 1048576 4 4 4 3; done | ./at 1048.5 3
9 at the bound

# With one NIC that is as fast as its six links together and more, nearly the same.

$ for e in flow packet; do bsim -q -o r.txt -e $e -p topology.dims=4x4x4 -p link.nic_bandwidth=16GB/s -p link.bandwidth=1GB/s -n 64 nics.so halo 1048576 4 4 4 3; done | ./at 1048.5 30
6 at the bound

# 8 bytes do not wait for 1 MiB to somebody else: at most for a packet or two of 2.048 us. With first come, first served for all of it,
# what is left after 100 us: 965 us and more.

$ for s in in_turn fcfs; do bsim -q -o r.txt -e packet -p topology.kind=crossbar -p topology.dims=4 -p link.bandwidth=1GB/s -p nic.service=$s -n 3 nics.so behind 1048576; done | awk '{ print ($1 < 5), ($1 > 965) }'
1 0
0 1

# Each to each of 16, all at once, 128 KiB: 15 x 131.072 us, 1966 us, or 1997 us in packets; again and again the same. With 20 us more
# delay for each rank the last begins 300 us late.

$ for e in linear flow packet; do bsim -q -o r.txt -e $e -p topology.kind=crossbar -p topology.dims=16 -p link.bandwidth=1GB/s -n 16 nics.so spread 131072 3 0; done | ./at 1966 5
9 at the bound
$ for e in flow packet; do bsim -q -o r.txt -e $e -p topology.kind=crossbar -p topology.dims=16 -p link.bandwidth=1GB/s -n 16 nics.so spread 131072 2 20e-6; done | ./at 2266 6
4 at the bound

# A sender never exceeds its bandwidth: all-to-all of 64 KiB on 16 ranks takes 15 x 65.5 us and more, however it is done.

$ for e in linear flow packet; do for a in spread pairwise; do bsim -q -o r.txt -e $e -p topology.kind=crossbar -p topology.dims=16 -p link.bandwidth=1GB/s -p mpi.collective_alltoall=$a -n 16 nics.so alltoall 65536; done; done | ./at 983 12
6 at the bound

# Allreduce of 1 MiB by numbers of ranks that are no powers of two: linear as flows, to 1 %.

$ for n in 3 5 17; do for e in flow linear; do bsim -q -o r.txt -e $e -p topology.kind=crossbar -p topology.dims=32 -p link.bandwidth=1GB/s -n $n nics.so allreduce 1048576; done | paste -s -d ' '; done | awk '{ print ($2 / $1 < 1.01 && $2 / $1 > 0.99) }'
1
1
1
