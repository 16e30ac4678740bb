# Power over time (docs/models/system-energy.md): by hand, and its integral over several programs and engines.
# needs: cc

# Two nodes of 20 W, 100 W while they compute and 50 W while they wait. Rank 0 computes for 1 ms, rank 1 for 2 ms; then rank 1 sends
# 1 MB in 1 ms, for which both wait; rank 0 waits for 2 ms in all. Above half a millisecond of a wait a processor takes 10 W. In
# intervals of half a millisecond: 240 W twice; then 190, 150; then both wait, 10 and 50 W, and then 10 and 10.

$ printf '#include "bsim.h"\n#include "lmpi.h"\nint LMPI_Main(int argc, char *argv[])\n{\n\tint rank, size;\n\tdouble n = 5;\n\n\tLMPI_Comm_rank(LMPI_COMM_WORLD, &rank);\n\tLMPI_Comm_size(LMPI_COMM_WORLD, &size);\n\tif (BSIM_Has_model("m"))\n\t\tBSIM_Add_model("m", 1, &n);\n\telse\n\t\tBSIM_Add_time(rank ? 0.002 : 0.001);\n\tif (rank == 1)\n\t\tLMPI_Send(0, 1000000, LMPI_BYTE, 0, 0, LMPI_COMM_WORLD);\n\telse if (rank == 0 && size > 1)\n\t\tLMPI_Recv(0, 1000000, LMPI_BYTE, 1, 0, LMPI_COMM_WORLD, LMPI_STATUS_IGNORE);\n\treturn 0;\n}\n' > two.c; bsimcc -O1 two.c -o two.so
$ printf 'unused = allowed\n[topology]\nkind = crossbar\ndims = 2\n[link]\nbandwidth = 1 GB/s\ncable = 0\nenergy = 2\n[nic]\ndma = 100 GB/s\nmemory = 100 GB/s\nheader = 0\n[linear]\nlatency = 0\nhop = 0\nbandwidth = 1 GB/s\n[mpi]\noverhead = 0\neager = 10 MiB\n[power]\ncompute = 100\nwait = 50\nsleep = 10\nsleep_after = 500 us\nnode = 20\n' > net.ini
$ bsim -q -c net.ini -n 2 -e linear -p power.link_idle=0 --power-series -p engine.interval=500us -f csv two.so | awk -F, '$1 == "series_power" && $2 == "power" { printf "%.4g ", $4 } END { print "" }'
240 240 190 150 100 60 

# The integral of each part is its energy, that of all is the run's: tables.rules. Programs, models of energy, traffic, with engines that
# know links and those that do not, with sleep, links that sleep, supplies and cooling; nodes of the whole machine; what is down.

$ printf 'memory = 5\nmemory_bit = 10\nnic = 3\nnic_bit = 2\nrouter = 8\nrouter_bit = 4\nsupply = 0.8\ncooling = 0.5\nlink_idle = 0.4\n' >> net.ini; nsimcc -O2 -o ring.so examples/ring.c
$ awk 'BEGIN { print "n,seconds,joules,bytes"; for (n = 1; n <= 8; n++) print n "," n / 1000 "," n / 5 "," n * 1e6 }' > m.csv; psim-fit -q --terms n --energy joules --memory bytes --model m.model m.csv > /dev/null
$ printf 'python3 "$PSIM/tests/cli/tables.py" "$PSIM/tests/cli/tables.rules" $1.json | sed "s/: .* tables, .* 0 do not/: all hold/"\n' > hold; for e in packet flow linear none; do bsim -q -c net.ini -n 2 -e $e --power-series --json -o two-$e.json two.so; sh hold two-$e; nsim -q -c net.ini -e $e -p topology.kind=torus -p topology.dims=4x2 -p power.count=all -n 6 --power-series --json -o ring-$e.json ring.so 20 > /dev/null; sh hold ring-$e; done
two-packet.json: all hold
ring-packet.json: all hold
two-flow.json: all hold
ring-flow.json: all hold
two-linear.json: all hold
ring-linear.json: all hold
two-none.json: all hold
ring-none.json: all hold
$ bsim -q -c net.ini -n 2 -e flow --model m=m.model --power-series --json -o model.json two.so; sh hold model; for e in packet flow; do nsim -q -e $e -c net.ini -p topology.kind=torus -p topology.dims=4x2 --power-series --json -o pattern-$e.json -p topology.routing=graph:minimal -p topology.down=0-1 --pattern all_to_all:size=20000; sh hold pattern-$e; done
model.json: all hold
pattern-packet.json: all hold
pattern-flow.json: all hold

# A model's joules are over its time: 1 J in 5 ms on each of two nodes are 400 W.

$ bsim -q -c net.ini -n 2 -e none --model m=m.model --power-series -p engine.interval=1ms -f csv two.so | awk -F, '$1 == "series_power" && $2 == "models" { printf "%.4g ", $4 } END { print "" }'
400 400 400 400 400 

# Combinations without power over time.

$ bsim -q --power-series two.so; bsim -q -c net.ini -j 2 --power-series two.so; nsim -q -c net.ini --power-series --job 'n=1 pattern=uniform' --job 'n=1 pattern=uniform'; nsim -q -c net.ini --power-picture a.svg --pattern uniform --load 0.1
bsim: --power-series: expected figures in [power]
bsim: --power-series and --processes (-j): expected one process
nsim: [power] and --job: expected one run of one program or pattern, or no power
nsim: [power] and --load: expected one run of one program or pattern, or no power
[2]
$ bsim -q -c net.ini -n 2 --power-picture two.svg -o two.txt two.so; grep -c '<path fill' two.svg; ls a.svg
9
ls: cannot access 'a.svg': No such file or directory
[2]
