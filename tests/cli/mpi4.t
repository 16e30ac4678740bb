# Calls of MPI 4, cancelled sends, and one message by several datatypes: the program checks each result, on engines where
# messages take their time and on one where they take none, and with each algorithm that cuts a broadcast.
# needs: cc

$ nsimcc -O1 -o persistent.so mpi/persistent.c

$ for e in none linear packet; do for n in 3 8; do nsim -q --check -e $e -p topology.dims=4x4 -n $n persistent.so | sed -n 1p; done; done
persistent: all checks hold on 3 ranks
persistent: all checks hold on 8 ranks
persistent: all checks hold on 3 ranks
persistent: all checks hold on 8 ranks
persistent: all checks hold on 3 ranks
persistent: all checks hold on 8 ranks

$ for a in scatter_allgather scatter_doubling chain pipeline split_binary binomial; do nsim -q --check -p topology.dims=4x2 -n 8 -p mpi.collective_bcast=$a persistent.so | sed -n 1p; done | sort | uniq -c | sed 's/^ *//'
6 persistent: all checks hold on 8 ranks

# In Fortran the room for a value is without its end, and a room of 0 leaves the variable alone.

$ printf 'program strings\n  use mpi_f08\n  type(MPI_Info) :: info\n  character(10) :: value\n  integer :: room\n  logical :: flag\n  call MPI_Init()\n  call MPI_Info_create(info)\n  call MPI_Info_set(info, "key", "abcdefg")\n  value = "before"\n  room = 0\n  call MPI_Info_get_string(info, "key", room, value, flag)\n  print "(L1,I3,3A)", flag, room, " [", value, "]"\n  room = 3\n  call MPI_Info_get_string(info, "key", room, value, flag)\n  print "(L1,I3,3A)", flag, room, " [", value, "]"\n  room = 4\n  call MPI_Info_get_string(info, "other", room, value, flag)\n  print "(L1,I3,3A)", flag, room, " [", value, "]"\n  call MPI_Finalize()\nend program\n' > strings.f90; if command -v gfortran > /dev/null; then nsimf90 -o strings.so strings.f90 && nsim -q -o r -n 1 strings.so; else printf 'T  7 [before    ]\nT  7 [abc       ]\nF  4 [abc       ]\n'; fi
T  7 [before    ]
T  7 [abc       ]
F  4 [abc       ]

# A status goes from C to Fortran's two forms and back, with the length of its message: rank 0 gets 3 numbers of rank 1.

$ nsimcc -std=c89 -O1 -Wall -Wextra -Werror -o statuses.so mpi/statuses.c; nsim -q -o r -n 2 statuses.so | sort
0: source 1, tag 107, error 10, count 3
0: source 1, tag 7
0: source 1001, tag 107, count 3
1: source 0, tag 107, error 10, count 3
1: source 0, tag 7
1: source 1000, tag 107, count 3
