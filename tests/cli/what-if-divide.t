# psim --what-if on divisions, square roots and integer products: in chains a turn takes the operation's latency.
# needs: sparc64-linux-gnu-gcc

$ printf '%s\n' '#include <math.h>' '#include <stdio.h>' '#include "psim_region.h"' 'int main(int argc, char *argv[])' '{' 'double x = 3 * argc, b = argc + 1; long k = argc;' 'psim_region_begin("chain");' '#if WHAT == 1' 'for (int i = 0; i < 10000; i++) x = b / x;' '#elif WHAT == 2' 'for (int i = 0; i < 10000; i++) x = sqrt(x);' '#else' 'for (int i = 0; i < 10000; i++) k = k * (argc + 2);' '#endif' 'psim_region_end("chain");' 'printf("%g %ld %s\n", x, k, *argv); }' > chain.c; for w in 1 2 3; do sparc64-linux-gnu-gcc -std=gnu17 -O1 -fno-math-errno -mcpu=ultrasparc3 -static -I traces/kernels -DWHAT=$w -o chain chain.c -lm; psim-record -q --region chain -o $w.gz -- chain >out; done

# 10 000 divisions of 19 cycles, in half the latency, rounded up, 10: 90 000 saved. Square roots: 29 and 15, 140 000. Integer
# products: 5 and 3, 20 000.

$ for w in 1 2 3; do psim -q -c sparc64v.ini -f csv --what-if $w.gz >w.csv; for change in fp_divide int_divide; do row=$(grep "^what_if,change,.*,$change," w.csv | cut -d, -f 3); grep "^what_if,saved,$row," w.csv | awk -F, '{ printf "%.0f ", $4 / 1000 }'; done; done; echo
90 0 140 0 0 20 

# Where a change costs cycles, the table's title explains it, and elsewhere it does not.

$ for t in 1.gz traces/samples/zgemm.trace.gz; do psim -q -c sparc64v.ini --what-if $t >r; grep -cE '^  [a-z_0-9]+ +[0-9]+ +-[0-9]' r | sed 's/[1-9][0-9]*/some/'; grep -c '^what_if: .*; below 0: ' r; done
0
0
some
1
