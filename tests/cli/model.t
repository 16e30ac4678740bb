# psim-model: a kernel of the table, a source and a program of one's own; several variables; what is simulated again.
# needs: sparc64-linux-gnu-gcc sparc64-linux-gnu-gfortran ninja

# N turns of a chain of multiply-adds take 8 N cycles (latency.fp_fma), and with another latency as many times that.

$ printf '%s\n' '#include <stdio.h>' '#include <stdlib.h>' '#include "psim_region.h"' 'int main(int argc, char *argv[])' '{' 'long n = atol(argv[1]), m = argc > 2 ? atol(argv[2]) : 1; double s = 1, b = argc;' 'if (n == 3000 && m == 7) { fprintf(stderr, "chain: not this\n"); return 7; }' 'psim_region_begin("chain");' 'for (long i = 0; i < n; i++) s = s * 0.5 + b;' 'for (long i = 0; i < m; i++) s = s + b;' 'psim_region_end("chain");' 'return s == 0; }' > chain.c

$ psim-model chain.c --region chain --sizes 1000:5000:1000 --value cycles --terms '1, n' -c sparc64v-prefetched.ini -o chain.model >chain.txt 2>progress; grep -E '^  n  ' chain.txt; grep -c '^psim-model: [1-6] of 6: chain' progress
  n           8.000 ...
6

# A second call simulates what is new: nothing; one more size; all, where the processor, the program or its arguments are others.

$ psim-model chain.c --region chain --sizes 1000:5000:1000 --value cycles --terms '1, n' -c sparc64v-prefetched.ini -o chain.model | cmp - chain.txt

$ psim-model chain.c --region chain --sizes 1000:6000:1000 -c sparc64v-prefetched.ini -o chain.model >more.txt
psim-model: 1 of 1: chain n=6000

# Options of psim-fit are handed on: with one term there is no constant, so the coefficient is a little above 8.

$ psim-model -q chain.c --region chain --sizes 1000:6000:1000 --value cycles --max-terms 1 --signs any --weights equal -c sparc64v-prefetched.ini -o chain.model | grep -o 'formula  *8.0[0-9]*\*n  *#'
formula               8.00...*n       #
$ psim-model -q chain.c --region chain --sizes 1000:6000:1000 --value cycles --signs maybe -c sparc64v-prefetched.ini -o chain.model
psim-fit: --signs: unknown value 'maybe', expected one of positive|any
[2]

$ psim-model chain.c --region chain --sizes 1000:5000:1000 --value cycles -t '1, n' -p latency.fp_fma=11 -c sparc64v-prefetched.ini -o chain.model 2>progress | grep -E '^  n  '; wc -l <progress
  n          11.000 ...
5

$ psim-model -q chain.sparc --region chain --sizes m=1000:4000:1000 -t '1, m' --value cycles --arguments '50 {m}' -c sparc64v-prefetched.ini -o chain.model
psim-model: chain.sparc: neither a kernel (psim-kernels --list) nor a source nor a program
[2]

# A header that the source includes is part of it: twice the turns take twice the time.

$ sed 's/^for (long i = 0; i < n.*/#include "turns.h"/' chain.c > own.c; echo 'for (long i = 0; i < n; i++) s = s * 0.5 + b;' > turns.h; for run in 1 2; do psim-model -q own.c --region chain --sizes 1000:5000:1000 --value cycles -t '1, n' -c sparc64v-prefetched.ini -o own.model | grep -E '^  n  '; sed -i 's/i < n/i < 2 * n/' turns.h; done
  n           8.000 ...
  n          16.000 ...

# A program of one's own, two sizes: a second loop of N additions takes 4 N (latency.fp_add).

$ cp chain.model.runs/chain.sparc mine; psim-model -q mine --region chain --sizes 100,200,400 --sizes m=100,200,400 --arguments '{n} {m}' -t '1, n, m' --value cycles -c sparc64v-prefetched.ini -o mine.model | grep -E '^  (n|m|held_out) '
  held_out ... 3 ...
  n           8.000 ...
  m           4.000 ...

# The size of the transforms is the argument's power of two, and the model's terms are those of a transform. Traces are kept
# on demand.

$ psim-model -q fft --sizes 16:512:x2 -c sparc64v-prefetched.ini --keep-traces -o fft.model | grep -E '^  n=512 '; ls fft.model.runs/*.gz | wc -l; ls fft.model fft.svg
  n=512  held out  ...
6
fft.model
fft.svg

# The array's PEs are those of the processor.

$ psim-model -q simd-triad --sizes 1000:6000:1000 -p simd.pes=4 -c simd16-prefetched.ini -o triad.model -v | grep -E '^  (points|held_out) '
  points ... 5 ...
  held_out ... 1 ...

$ psim-model -q dgemm-fortran --sizes 16:96:16 -o fortran.model --hold-out 'n>90' --expect 'model.points>=6' >fortran.txt
psim-fit: model.points is 5, expected at least 6
[5]


# Data that outgrow a cache: a program that touches N KiB four times, and an L1D of 64 KiB, an L2 of 1.5 MiB. 64 stay, 96 come each time. Of
# the sizes up to 48 a predicted 80 does not fit in L1D, and 2000 in neither. It is in the report, JSON too.

$ printf '%s\n' '#include <stdlib.h>' '#include "psim_region.h"' 'static char a[1 << 21] __attribute__((aligned(64)));' 'int main(int argc, char *argv[])' '{' 'long n = 1;' 'for (int i = 1; i < argc; i++) n *= atol(argv[i]);' 'psim_region_begin("touch");' 'for (int sweep = 0; sweep < 4; sweep++) for (long i = 0; i < n * 1024; i += 64) a[i]++;' 'psim_region_end("touch");' 'return 0; }' > touch.c
$ psim-model -q touch.c --region touch --sizes 16,32,48,64,96 -t '1, n' -p l1d.size=64KiB -o touch.model | awk '/^  [^ ]/ { on = /^  (L1D|data)/; if (on && n++) print "" } !/^  / { on = 0 } on { gsub(/  +/, " "); printf "%s", $0 } END { print "" }'
 L1D 64 n=64 64 n=96 96
 data leave a cache L1D, 64 KiB, fetches the lines of n=64, 64 KiB, once, and those of n=96, 96 KiB, 4 times: the time may follow two laws; fit each alone, or --interpolate
$ psim-model -q touch.c --region touch --sizes 16,32,48 -t n -p l1d.size=64KiB -p l2.size=1536KiB --predict n=80 --predict n=50 --predict n=2000 --json -o touch.model | grep -c '"data may leave a cache"'
3
$ psim-model -q touch.c --region touch --sizes 16,32,48 -t n -p l1d.size=64KiB -p l2.size=1536KiB --predict n=80 -o touch.model | awk '/^  [^ ]/ { on = /^  data/; if (on && n++) print "" } !/^  / { on = 0 } on { gsub(/  +/, " "); printf "%s", $0 } END { print "" }'
 data may leave a cache n=80 touches about 80 KiB, more than L1D, 64 KiB, which fetches the lines of n=48, 48 KiB, once: the time may follow another law; simulate larger sizes
$ psim-model -q touch.c --region touch --sizes 16,32,48,64,96 -t '1, n' -p l1d.size=64KiB -p l1d.perfect=yes -o touch.model | grep -E '^  (L1D|data)'
[1]

# The KiB are the product of three sizes: 4 x 4 x 8 = 128.

$ psim-model -q touch.c --region touch --sizes n=1,2,4 --sizes m=1,2,4 --sizes k=1,2 --arguments '{n} {m} {k}' -t '1, n*m*k' -p l1d.size=64KiB --predict n=4,m=4,k=8 -o touch.model | awk '/^  [^ ]/ { on = /^  data/; if (on && n++) print "" } !/^  / { on = 0 } on { gsub(/  +/, " "); printf "%s", $0 } END { print "" }'
 data may leave a cache n=4,m=4,k=8 touches about 128 KiB, more than L1D, 64 KiB, which fetches the lines of n=4,m=4,k=2, 32 KiB, once: the time may follow another law; simulate larger sizes

# A sweep that touches everything once leaves no cache, however large its data.

$ sed 's/sweep < 4/sweep < 1/' touch.c > once.c; psim-model -q once.c --region touch --sizes 16,32,48,64,96 -t '1, n' -p l1d.size=64KiB -o once.model | awk '/^  [^ ]/ { on = /^  (L1D|data)/; if (on && n++) print "" } !/^  / { on = 0 } on { gsub(/  +/, " "); printf "%s", $0 } END { print "" }'
 L1D 64 n=96 96 -
