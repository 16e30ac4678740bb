# Names, offsets and disks that do not serve as files of a program.

$ nsimcc -w -O1 bad/mpi/files.c -o f.so; mkfifo pipe; echo 'nsim -q -n 2 -o r f.so "$@" 2>&1 | sed "s/ (files.c:[0-9]*)//"' > run

$ sh run ''; sh run none/there; sh run .; sh run pipe; sh run /dev/full write; sh run r/x
nsim: rank 0: MPI_File_open at main: an empty name: No such file or directory
nsim: rank 0: MPI_File_open at main: none/there: No such file or directory
nsim: rank 0: MPI_File_open at main: .: Is a directory
nsim: rank 0: MPI_File_open at main: pipe: expected a regular file
nsim: rank 0: MPI_File_open at main: /dev/full: expected a regular file
nsim: rank 0: MPI_File_open at main: r/x: No such file or directory

$ sh run "$(printf 'a\n\033[31m/b')"; sh run "$(printf '%5000d' 0)" | cut -c 1-35
nsim: rank 0: MPI_File_open at main: a??[31m/b: No such file or directory
nsim: rank 0: MPI_File_open at main

# A disk without room: the host's limit on the length of files.

$ (ulimit -f 512; sh run full write)
nsim: rank 0: MPI_File_write at main: full: File too large

$ for w in far size many end close; do sh run file $w; done; sh run ufs:file; rm -f file; ls file
nsim: rank 0: MPI_File_write_at at main: offset 576460752303423488: expected bytes within the largest file
nsim: rank 0: MPI_File_set_size at main: size -1: expected 0 or more
nsim: rank 0: MPI_File_set_view at view_of_many: a view of more than 67108864 stretches
nsim: rank 0: MPI_File_read_all_end at main: no such operation has begun
nsim: rank 0: MPI_File_close at main: a split operation has begun: expected MPI_File_read_all_end
nsim: rank 0: MPI_File_close at main: unknown file 0
ls: cannot access 'file': No such file or directory
[2]

$ nsim -q -p files.servers=x -n 2 f.so file; nsim -q -p files.stripe=0 -n 2 f.so file; nsim -q -p files.latency=-1s -n 2 f.so file
nsim: -p: files.servers: ...
nsim: -p: files.stripe: ...
nsim: -p: files.latency: ...
[2]
