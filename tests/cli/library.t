# State of the C library that programs on virtual ranks see: each rank's own, and as new. docs/vmpi.md has the list.
# needs: cc

$ nsimcc -O1 -Wall -Wextra -Werror -o library.so mpi/library.c
$ printf 'first\nsecond\n' >in
$ nsim -q -n 4 -o r library.so -v -n 5 input -o name <in 2>&1 | sort
end of an even rank
end of an even rank
end of an odd rank
end of an odd rank
rank 2
state of the library: all checks hold on 4 ranks
$ nsim -q -n 5 -p ranks.globals=map -o r library.so -v -n 5 input -o name <in 2>err
rank 2
rank 4
state of the library: all checks hold on 5 ranks
$ nsim -q -n 5 -p ranks.context=ucontext -p ranks.globals=copy -o r library.so -v -n 5 input -o name <in 2>err
rank 2
rank 4
state of the library: all checks hold on 5 ranks

# Its getopt, written anew, beside that of the C library: 4000 command lines.

$ cc -O1 -o options mpi/options.c; ./options >real 2>real.err; wc -l <real
4000
$ nsimcc -O1 -o options.so mpi/options.c; nsim -q -n 1 -o r options.so >simulated 2>simulated.err; cmp real simulated && sed 's/^[^:]*: //' real.err >a && sed 's/^[^:]*: //' simulated.err | cmp a -
