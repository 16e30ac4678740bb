# One trace on several processes: the bytes of one process, but for the command. The whole report is compared.

$ printf '%s\n' 'psim -q --json "$@" | grep -v \"command\": > one' 'test -s one || echo nothing' 'for j in 2 3 9; do psim -q -j $j --json "$@" | grep -v \"command\": | cmp - one || echo "-j $j $@"; done' > same.sh; for t in dgemm-packed quicksort zgemm fft-radix4 dgemm; do sh same.sh -c configs/sparc64v.ini traces/samples/$t.trace.gz; done

# On other machines, without replay, from the middle; of a trace that is not divided, and a part that only warms up.

$ sh same.sh -c configs/sparc64v-prefetched.ini traces/samples/zgemm.trace.gz; sh same.sh -p prefetch.enabled=yes -p prefetch.kind=stride traces/samples/zgemm.trace.gz; for k in fetch loads; do sh same.sh -p fetch.wrong_path=$k traces/samples/quicksort.trace.gz; done; sh same.sh -p fetch.wrong_path=loads -p prefetch.enabled=yes -p prefetch.kind=stride -p l2.size=192KiB traces/samples/zgemm.trace.gz; sh same.sh -p core.int_pipes=4 -p core.fp_pipes=1 -p bpred.kind=gshare traces/samples/quicksort.trace.gz; sh same.sh --no-memo traces/samples/zgemm.trace.gz; sh same.sh --skip 3300000 --memo-check 100 traces/samples/dgemm-packed.trace.gz; sh same.sh traces/samples/hello.trace.gz

$ psim -q -j 4 -c configs/sparc64v.ini --expect core.cycles=1936760 -o r.txt traces/samples/dgemm-packed.trace.gz; psim -q -c configs/sparc64v.ini --expect core.cycles=1936760 -o r.txt traces/samples/dgemm-packed.trace.gz

# Counts of single instructions.

$ for o in --misses '--annotate main'; do sh same.sh $o traces/samples/quicksort.trace.gz; done

# Rows over time, at cycles that the processes learn late, few and many; a region in several segments, too.

$ printf '%s\n' 'i=$1; shift; rows="-p energy.interval=$i -c configs/sparc64v.ini"; psim -q --json $rows --counters-csv c1 --energy-csv e1 "$@" | grep -v \"command\": > one' 'test -s one || echo nothing' 'for j in 2 3 9; do psim -q -j $j --json $rows --counters-csv c2 --energy-csv e2 "$@" | grep -v \"command\": | cmp - one && cmp c1 c2 && cmp e1 e2 || echo "-j $j $@"; done; wc -l < c2' > rows.sh; for i in 777 10000 500000; do sh rows.sh $i traces/samples/dgemm-packed.trace.gz; done
2494
195
5
$ sh rows.sh 20000 --region sort --no-memo traces/samples/quicksort.trace.gz; sh rows.sh 20000 --region dgemm -p prefetch.enabled=yes traces/samples/dgemm-packed.trace.gz
24
89

# Nothing to simulate: the region begins before the instructions that are skipped, so all of the rest only warms up.

$ sh same.sh --region dgemm --skip 300000 traces/samples/dgemm-packed.trace.gz

$ for o in '--runs 3' --what-if; do sh same.sh -c configs/sparc64v.ini $o traces/samples/zgemm.trace.gz; done

# The short report too; a report that cannot be written, and a trace that is damaged in the middle, as with one process.

$ psim -q -j 2 traces/samples/zgemm.trace.gz | grep -v '^  command' > two; psim -q traces/samples/zgemm.trace.gz | grep -v '^  command' | cmp - two; test -s two && psim -q -j 2 -o nosuch/r.txt traces/samples/zgemm.trace.gz
psim: nosuch/r.txt...
[1]

$ cp traces/samples/dgemm-packed.trace.gz d.trace.gz; chmod +w d.trace.gz; printf X | dd of=d.trace.gz bs=1 seek=11000 conv=notrunc 2>said; psim -q -o d.txt d.trace.gz 2>one; echo $?; psim -q -j 3 -o d.txt d.trace.gz 2>two; echo $?; cmp one two; cat two; ls d.txt 2>/dev/null
3
3
psim: d.trace.gz:offset ...
[2]

$ psim -q -j 3 -p core.deadlock_cycles=1000 -p memory.bandwidth=0.0128B/cycle traces/samples/zgemm.trace.gz
psim: core: cycle ...: no commit for 1000 cycles...
[4]
