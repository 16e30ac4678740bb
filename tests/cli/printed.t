# Skeletons as the PSI-SIM paper prints them: an MPI program of which only calls' prefixes and computation are changed.
# needs: gfortran cc
# leaks: the checker cannot follow the state that gfortran's library has for each rank

# PHASE, mpif.h alone. 4 x 3 x 2 products of 2 x 0.5 ms are 24 ms. Rank 1's (1, -1) is sent to both, times 1 and 2: (3, -3).

$ bsimf90 -O2 -Wall -Werror -o phase.so mpi/printed_phase.f90 && bsim -q -n 2 -e none --expect program.seconds=0.024 -o r.txt phase.so
phase   3.0  -3.0

# Two-electron integrals. Of rank 0's pairs 1, 3, 5 the sums 4 and 8 are cut off, 3-1 and 5-3: 9 - 2 = 7 quartets, of rank 1's 2, 4
# 2-2 and 4-4: 4. Each takes 2 x 1 + 0.5 ms, and both ranks leave the sum at 17.5 ms.

$ bsimf90 -O2 -Wall -Werror -o eri.so mpi/printed_eri.f90 && bsim -q -n 2 -e none --expect program.seconds=0.0175 -o r.txt eri.so
fock 2.0 2.0 2.0 2.0

# C with mpi.h alone: ranks 1 and 2 receive 1 and 2 from rank 0 at 1 ms.

$ bsimcc -O2 -Wall -Wextra -Werror -o printed.so mpi/printed.c && bsim -q -n 3 -e none --expect program.seconds=0.001 -o r.txt printed.so
sum 3

# Modules mpi, lmpi and bsim together, and lmpi beside mpif.h or mpi_f08. 1 + 2 on both ranks, then 3 + 3; rank 1 and tag 3.

$ bsimf90 -Wall -Wno-unused -Werror -o prefixes.so mpi/prefixes.f90 && bsim -q -n 2 -e none -o r.txt prefixes.so
  6  1  1  3
$ for u in 'use mpi_f08' ''; do for i in '' 'include "mpif.h"'; do [ -n "$u" -a -n "$i" ] || printf 'program a\n%s\nuse lmpi\n%s\ninteger e\ncall LMPI_Init(e)\ncall LMPI_Barrier(LMPI_COMM_WORLD)\ncall LMPI_Finalize(e)\nend\n' "$u" "$i" > a.f90; bsimf90 -o a.so a.f90 && bsim -q -n 2 -e none -o r.txt a.so; done; done

# All headers together, in C and C++: a status is one type.

$ printf '#include <lmpi.h>\n#include <mgen.h>\n#include <mpi.h>\nint f(LMPI_Status *s, MGEN_Comm c);\nint f(LMPI_Status *s, MGEN_Comm c) { return LMPI_Recv(NULL, 0, MPI_INT, 0, 0, c, s) + MPI_Recv(NULL, 0, MPI_INT, 0, 0, c, s) + MGEN_Recv(NULL, 0, MGEN_INT, 0, 0, c, s) + s->LMPI_TAG + s->MPI_ERROR + s->MGEN_SOURCE; }\n' > all.c; nsimcc -std=c99 -pedantic -Wall -Wextra -Werror -c all.c && cp all.c all.cpp && nsimc++ -Wall -Wextra -Werror -c all.cpp

# The other calls of skeletons without the module: a model of 3 x 4 = 12 s, a number of --set, one that is not given;
# 6e9 operations in these 12 s.

$ printf '{"model": {"format": "psim-model", "version": 1, "value": "t", "unit": "s", "max_error": 0, "errors": 2, "error_inside": 0, "error_outside": 0}, "variables": [{"variable": "m", "from": 1, "to": 9}, {"variable": "n", "from": 1, "to": 9}], "terms": [{"term": "m*n", "coefficient": 1}]}' >area.model
$ bsimf90 -O2 -Wall -Werror -o without.so mpi/without_module.f90 && bsim -q -n 1 -e none --model area=area.model --set given=7 -o r.txt without.so; awk '/^  (work|rate) / { print $1, $2 }' r.txt
 T F  12.0   7.0   2.5
  12.0
work 12.000
rate 5e+08
