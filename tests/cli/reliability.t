# Failures during a run (docs/models/reliability.md): checkpoints that a program marks, failures of a file, drawn ones.

# Ten steps of 100 s; behind each the two ranks write 1 MB each to a file system of 1 MB/s, 2 s, and mark a checkpoint. Messages take
# no time: 1020 s. The failure at 50 s discards 50 s, and the program goes on at 60; that at 150 s discards 90 s, and it goes on
# at 160 s: 1020 + 140 + 20 s. The file has node 3, on which nothing runs, too. nsim and bsim say the same.

$ printf '#include "bsim.h"\n#include "mpi.h"\n#include <stdlib.h>\nint main(int argc, char *argv[])\n{\n\tstatic char state[1000000];\n\tint rank, steps = argc > 1 ? atoi(argv[1]) : 10;\n\tMPI_File file;\n\n\tMPI_Init(&argc, &argv);\n\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\tMPI_File_open(MPI_COMM_WORLD, "state", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);\n\tfor (int step = 0; step < steps; step++) {\n\t\tBSIM_Add_time(100);\n\t\tMPI_File_write_at_all(file, rank * 1000000, state, 1000000, MPI_BYTE, MPI_STATUS_IGNORE);\n\t\tMPI_Barrier(MPI_COMM_WORLD);\n\t\tif (argc < 3 || rank)\n\t\t\tBSIM_Checkpoint();\n\t}\n\tMPI_File_close(&file);\n\tMPI_Finalize();\n\treturn 0;\n}\n' > saves.c; nsimcc -O1 -o saves.so saves.c
$ printf '[topology]\nkind = torus\ndims = 4\n[files]\nservers = 1\nserver_bandwidth = 1 MB/s\nlatency = 0\n[reliability]\nrestart = 10\n' > saves.ini; printf 'failures 1\n50 node:0\n70 node:3\n150 node:1\n150 other\nend 1e4\n' > two.failures
$ for p in nsim bsim; do $p -q -c saves.ini -e none -n 2 -p reliability.failures=two.failures -f csv saves.so | awk -F, '$1 == "reliability" { printf "%s=%g ", $2, $4 } END { print "" }'; done
work=1020 checkpoints=10 skew=0 failures=2 saving=0 repeated=140 restarting=20 seconds=1180 lost=13.5593 
work=1020 checkpoints=10 skew=0 failures=2 saving=0 repeated=140 restarting=20 seconds=1180 lost=13.5593 

# The file ends at 1100 s, before the program: what fails then is unknown. Checkpoints that not all ranks mark do not count:
# both failures begin the program again, 50 + 10 and 90 + 10 s.

$ sed 's/1e4/1100/' two.failures > short.failures; nsim -q -c saves.ini -e none -n 2 -p reliability.failures=short.failures saves.so | grep endless
  endless               the file of failures ends before the program  # why no time to solution is known
$ nsim -q -c saves.ini -e none -n 2 -p reliability.failures=two.failures -f csv saves.so 10 odd | awk -F, '$1 == "reliability" && $2 ~ /^(half_done|checkpoints|seconds)$/ { printf "%s=%g ", $2, $4 } END { print "" }'
checkpoints=0 half_done=10 seconds=1180 

# Two nodes of half an hour each, 900 s together: 10 x 900 e^(10/900) (e^(102/900) - 1) = 1092.1 s. The trials have it within twice
# their 95 % interval; with energy in proportion; on two processes the same. With 8 one-way links, of 4 nodes and as many
# again in the ring, half of which counts beside 2 nodes of 4, of 1 h each: 1 / (2 / 1800 + 8 / 3600) = 300 s.

$ for j in 1 2; do nsim -q -j $j -c saves.ini -n 2 -p ranks.placement=cyclic -p power.node=20 -p power.link_idle=0 -p reliability.node_mtbf=0.5 -p reliability.trials=4000 -f csv saves.so > drawn.$j; grep ^reliability drawn.$j > rows.$j; done; cmp rows.1 rows.2; awk -F, '$1 == "reliability" { x[$2] = $4 } $1 == "program" && $2 == "seconds" { s = $4 } $1 == "power" && $2 == "energy" { e = $4 } END { d = x["seconds"] - x["expected"]; printf "%g %.1f %d %d %.6f\n", x["mtbf"], x["expected"], d * d < 4 * x["seconds_error"]^2, x["seconds_low"] < x["seconds"] && x["seconds"] < x["seconds_high"], x["energy"] / (e * x["seconds"] / s) }' rows.1 drawn.1
900 1092.1 1 1 1.000000
$ nsim -q -c saves.ini -e none -n 2 -p reliability.node_mtbf=0.5 -p reliability.link_mtbf=1 saves.so | grep mtbf.*mean
  mtbf                           300 s   # mean time between failures of the nodes with ranks, and of links

# Added checkpoints take the place of those that the program marks. Traffic has none: a failure begins it again.

$ nsim -q -c saves.ini -e none -n 2 -p reliability.failures=two.failures -p reliability.checkpoint=5 -p reliability.interval=510 -f csv saves.so | awk -F, '$1 == "reliability" { printf "%s=%g ", $2, $4 } END { print "" }'
work=1020 interval=510 checkpoints=2 ignored=10 failures=2 saving=10 repeated=140 restarting=20 seconds=1190 lost=14.2857 
$ nsim -q -p topology.dims=2 -p topology.kind=crossbar -p reliability.node_mtbf=1 --pattern all_to_all | grep ' checkpoints  '
  checkpoints                      0     # that all ranks mark: none, failures begin the program again

# In Fortran, with the module and without it.

$ printf 'program saves\n  use bsim\n  call bsim_add_time(1d0)\n  call bsim_checkpoint()\n  call other\nend program\nsubroutine other\n  call bsim_checkpoint()\nend subroutine\n' > saves.f90; bsimf90 -o saves_f.so saves.f90 && bsim -q -n 1 -p reliability.node_mtbf=1 saves_f.so | grep ' checkpoints  '
  checkpoints                      2     # that all ranks mark
