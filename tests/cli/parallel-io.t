# Programs with files of MPI on several processes: reports, output, pictures and the files' contents are those of one.

$ nsimcc -Wall -Wextra -O1 -o order.so mpi/files_order.c; nsimcc -w -O1 -o files.so mpi/files.c; nsimcc -w -O1 -o time.so mpi/files_time.c; echo 'for j in 1 2 3 4; do rm -rf d$j; mkdir d$j; (cd d$j && nsim --json --each-rank --check -j $j "$@" > out 2> err; echo "status $?" >> err; sed -i "/command/d; /^$/d" out; sed -i /Mmessages/d err); done; for j in 2 3 4; do diff -r d1 d$j > diff && printf "same " || sed -n 1,5p diff; done; tail -n 1 d1/err; ls d1 | grep bin | tr "\n" " "' > same

# Accesses of all ranks without synchronization, by all kinds of pointers, in order of virtual time.

$ sh same -q -p topology.dims=4x2 ../order.so; echo; sh same -q -p topology.dims=4x3 -p ranks.per_node=2 -p files.stripe=16B ../order.so; echo; sh same -q -e linear -p topology.dims=4x3 -p files.servers=0 --series --timeline t.json --paje t.paje --critical-path ../order.so
same same same status 0
all.bin others.bin some.bin 
same same same status 0
all.bin others.bin some.bin 
same same same status 0
all.bin others.bin some.bin 

# The order matters: another one gives other contents.

$ cp d1/all.bin before; nsim -q -p topology.dims=4x3 -p files.servers=0 -p files.latency=3us -p files.servers=2 order.so > out; cmp -s before all.bin || echo differ; rm *.bin
differ

# The checks and the times of other sessions; none is repeated on one process, which would say so.

$ sh same -p topology.dims=4x2 ../files.so; echo; sh same -p topology.dims=4x2 ../time.so data; grep 'one process' d4/err || echo none
same same same status 0

same same same status 0
none

# A program that ends in the middle: accesses after that moment do not take place in another process either.

$ for how in abort crash; do sh same -q -p topology.dims=4x2 ../order.so $how; echo; sed -n 1p d4/err; done; for t in 1.02ms 2.1ms; do sh same -q -p topology.dims=4x2 --time-limit $t ../order.so; echo; grep -c exceeds d4/err; done
same same same status 3
all.bin gone.bin others.bin some.bin 
nsim: rank 5: MPI_Abort with code 3 at main (files_order.c:...)
same same same status 1
all.bin gone.bin others.bin some.bin 
nsim: rank 5: segmentation fault at address (nil) in main (files_order.c:...)
same same same status 4
all.bin gone.bin others.bin some.bin 
1
same same same status 4
all.bin gone.bin others.bin some.bin 
1

# Standard input is rank 0's, from its beginning also in a run that is repeated.

$ nsimcc -Wall -Wextra -O1 -o input.so mpi/input.c; seq 1 3000 > numbers; for j in 1 2 4; do nsim -q -o r -j $j -p topology.dims=4x2 input.so < numbers; done; cat numbers | nsim -q -o r -p topology.dims=4x2 input.so
3000 numbers, sum 4501500
3000 numbers, sum 4501500
3000 numbers, sum 4501500
3000 numbers, sum 4501500
