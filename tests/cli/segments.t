# One trace on several processes: the bytes of one process, but for the command. The whole report is compared.

$ printf '%s\n' 'psim -q --json "$@" | grep -v \"command\": > one' 'test -s one || echo nothing' 'for j in 2 3 9; do psim -q -j $j --json "$@" | grep -v \"command\": | cmp - one || echo "-j $j $@"; done' > same.sh; for t in dgemm-packed quicksort zgemm fft-radix4 dgemm; do sh same.sh -c configs/sparc64v.ini traces/samples/$t.trace.gz; done

# On other machines, without replay, from the middle; of a trace that is not divided, and a part that only warms up.

$ sh same.sh -c configs/sparc64v-prefetched.ini traces/samples/zgemm.trace.gz; sh same.sh -p prefetch.enabled=yes -p prefetch.kind=stride traces/samples/zgemm.trace.gz; for k in fetch loads; do sh same.sh -p fetch.wrong_path=$k traces/samples/quicksort.trace.gz; done; sh same.sh -p fetch.wrong_path=loads -p prefetch.enabled=yes -p prefetch.kind=stride -p l2.size=192KiB traces/samples/zgemm.trace.gz; sh same.sh -p core.int_pipes=4 -p core.fp_pipes=1 -p bpred.kind=gshare traces/samples/quicksort.trace.gz; sh same.sh --no-memo traces/samples/zgemm.trace.gz; sh same.sh --skip 3300000 --memo-check 100 traces/samples/dgemm-packed.trace.gz; sh same.sh traces/samples/hello.trace.gz

$ psim -q -j 4 -c configs/sparc64v.ini --expect core.cycles=1936760 -o r.txt traces/samples/dgemm-packed.trace.gz; psim -q -c configs/sparc64v.ini --expect core.cycles=1936760 -o r.txt traces/samples/dgemm-packed.trace.gz

# Counts of single instructions.

$ for o in --misses '--annotate main'; do sh same.sh $o traces/samples/quicksort.trace.gz; done

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
