# Pages for a browser (--html): a page says what the report says. page_clicks.js uses it as a reader would, in Chromium,
# which is not installed with psim's packages.
# needs: chromium

$ printf '{ cat "$1"; echo "<script>"; cat "$CLICKS"; echo "</script>"; } > clicked.html\nHOME=$PWD chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 --enable-logging=stderr --dump-dom "file://$PWD/clicked.html" 2>log | sed -n "/id=.seen/,/^end/p" | sed 1d\ngrep CONSOLE log\ntrue\n' > use-page; CLICKS=$(dirname $(readlink -f mpi))/cli/page_clicks.js; test -f $CLICKS && sed -i "s|\$CLICKS|$CLICKS|" use-page

# One run: figures, verdict, every part opened, every view of every table drawn, sorting, filtering, zooming, theme.

$ psim -q -c simd16.ini --html run.html traces/samples/simd-dgemm.trace.gz && sh use-page run.html
title: simd-dgemm.sparc - psim
tile: 154.16 µs time
tile: 0.75995 insn/cycle instructions per cycle
tile: 27.2069 GFlop/s floating-point rate
tile: 42.5107 % share of peak
tile: 7.0589 mJ energy of core and L2
tile: 45.788 W power
tile: 318.27 mm² area
verdict: 19.0 % of the commit slots commit an instruction; arithmetic
verdict: 42.3 % are lost to memory: lines and translations from beyon
verdict: 38.0 % are lost to array: SIMD array, its buffer memories, t
verdict: SFPR rename is full, and holds back dispatch or commit, in 5
verdict: With 10.6 flop for each byte of memory, the peak allows 64 G
verdict: Which change of the machine would help has not been measured
every part opens, every view draws
most slots: load_memory
filtered: load_memory
sorted by key: load_memory simd_latency transfer_wait used
copied: cause,part,slots [slots],share [%],cpi [cycles/insn] / load_memory,memory,518018,42.00...
address: 1 row
leads to: #hot_loops~dgemm_tile%2B0x68
of it: some instructions, of dgemm_tile+0x68
keys: / j k t 0 ?
pipeline: 2 loops, first dgemm_tile+0x68, 74 lines
waits: fmaddd %s48, %s34, %s44, %s44
flame: main, 100.0 %; dgemm_tile, 88.7 %; beside it dgemm_tile, with lines
alone: the widest is dgemm_tile, 88.7 %
all calls again
under the pointer: seconds, ipc, used, prediction, fetch, execution, load store, memory, array
where then: from ... to ...
part of the run: 5 pictures
theme: dark
end

# The figures of the page are those of the report.

$ psim -q -c simd16.ini traces/samples/simd-dgemm.trace.gz | grep -E '^  (seconds|ipc|gflops|energy_j|power_w) ' | cut -c1-40
  seconds                    154.163 us 
  ipc                        0.75995 ins
  gflops                     27.2069 GFl
  energy_j                   7.05891 mJ 
  power_w                    45.7884 W  

# The call tree: a function has of its own, below all its callers together, what the table of functions has; a call costs
# what it has of its own and its callees.

$ cp $(dirname $(readlink -f mpi))/cli/page_*.py $(dirname $(readlink -f mpi))/cli/page_fits.js .; python3 page_tree.py run.html 1e-6
dgemm_tile +0.000 main +0.000
True

# A program with recursion and library calls: calls below 0.05 % of the run are no rows, so a caller may have more than its rows. A
# trace that comes through a pipe cannot be read again, and has no tree.

$ psim -q -c sparc64v.ini --html sort.html traces/samples/quicksort.trace.gz; psim -q -c sparc64v.ini --html piped.html - < traces/samples/quicksort.trace.gz; python3 page_tree.py sort.html 0.5; grep -c '"n":"calls","d":"cycles' piped.html
sort +0.000 main +0.000
True
0
[1]

# Advice is what was measured: the structure that is full for longest, the changes of --what-if with what each saves.

$ psim -q -c simd16.ini -f csv traces/samples/simd-dgemm.trace.gz | awk -F, '$1 == "core" && $2 == "cycles" { all = $4 } $1 == "occupancy" && $2 == "stops_dispatch" && $4 > most { most = $4 } END { printf "%.1f %%\n", 100 * most / all }' >full; printf '{ cat "$1"; echo "<script>document.title = $2</script>"; } > seen.html\nHOME=$PWD chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 --dump-dom "file://$PWD/seen.html" 2>log | grep -o "<title>[^<]*"\n' > title-page; sh title-page run.html '/full, and holds back dispatch or commit, in ([0-9.]+ %)/.exec(document.querySelector(".verdict").textContent)[1]' | sed 's/.*>//' | cmp - full && echo same
same
$ psim -q -c sparc64v.ini --what-if -f csv --html advice.html traces/samples/hello.trace.gz >what-if.csv; awk -F, '$1 == "what_if" && $2 == "change" { name[$3] = $4 } $1 == "what_if" && $2 == "saved_share" && $4 >= 1 && count++ < 5 { printf "%s(%s) %.1f", between, name[$3], $4; between = " " } END { print "" }' what-if.csv >measured; sh title-page advice.html '[...document.querySelector(".verdict p:last-child").textContent.matchAll(/\((\w+)\) saves ([0-9.]+) %/g)].map(found => `(${found[1]}) ${found[2]}`).join(" ")' | sed 's/.*>//' | cmp - measured && grep -o '([a-z_0-9]*)' measured | wc -l
5

# On paper no part is empty; in a narrow window no picture is drawn smaller than it is.

$ printf '{ cat "$1"; echo "<script>document.title = $2</script>"; } > seen.html\nHOME=$PWD chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 --window-size=500,900 --dump-dom "file://$PWD/seen.html" 2>log | grep -o "<title>[^<]*"\n' > look-page
$ sh look-page run.html '(dispatchEvent(new Event(`beforeprint`)), [...document.querySelectorAll(`details`)].filter(part => part.childNodes.length < 2).length + ` parts are empty`)'
<title>0 parts are empty
$ sh look-page run.html '[...document.querySelectorAll(`svg[width]`)].filter(part => part.getBoundingClientRect().width < part.getAttribute(`width`)).length + ` pictures are smaller`'
<title>0 pictures are smaller

# Another run is opened in place: the sentence, the figures and the functions of both; a file that is no report is named. The page of
# the same run says that nothing differs.

$ psim -q -c simd16.ini -p core.rob_entries=16 --json -o less.json traces/samples/simd-dgemm.trace.gz; python3 page_beside.py run.html run.html less.json page_tree.py > both.html; sh title-page both.html document.title | tr '|' '\n' | tee beside
<title>run.html is as fast as this run, and takes 100.0 % of its energy. The configuration is the same. 
 time 154.2 µs 154.2 µs 1.000 
 dgemm_tile 0 273610 273610 
 less.json is slower: ... Configured: core.rob_entries 64 to 16. 
 time 154.2 µs ... 
 ... 
 page_tree.py is no report of psim, expected a page of --html or a file of --json.
$ psim -q -c simd16.ini -p core.rob_entries=16 -f csv traces/samples/simd-dgemm.trace.gz | awk -F, '$2 == "seconds" && $1 == "core" { printf "%.4g\n", $4 * 1e6 }' > seconds; sed -n 5p beside | awk '{ print $4 }' | cmp - seconds && echo same
same

# The pipeline of the page is that of --pipe: the first instruction, and the cycle of its fetch.

$ python3 -c 'import re; print(*re.search(r"\"note\",\"\"\]\],\"r\":\[\[\"dgemm_tile.0x68\",(\d+),\"[^\"]*\",\"[^\"]*\",\"[^\"]*\",(\d+)", open("run.html").read()).groups())' >first; read number cycle <first; psim -q -c simd16.ini --pipe - --pipe-format text --window $number:1 -o /dev/null traces/samples/simd-dgemm.trace.gz | sed -n 2p | grep -c " cycle  $cycle "
1

# Several cores, a sample, two reports side by side, a network over time, and a study's designs.

$ psim -q -c petascale-chip.ini -p chip.cores=2 --html chip.html traces/samples/simd-dgemm.trace.gz && sh use-page chip.html | grep -E '^(every|empty|end)'
every part opens, every view draws
end
$ psim -q -c sparc64v.ini --sample=1000/20000 --html sample.html traces/samples/quicksort.trace.gz && sh use-page sample.html | grep -E '^(title|empty|every|end)'
title: quicksort - psim
every part opens, every view draws
end
$ psim -q -c sparc64v.ini --json -o a.json traces/samples/dgemm.trace.gz; psim -q -c sparc64v.ini -p core.rob_entries=128 --json -o b.json traces/samples/dgemm.trace.gz; psim-diff --html diff.html a.json b.json && sh use-page diff.html
title: a.json, b.json - psim-diff
verdict: b.json is as fast as the first, and takes 101.6 % of its ene
every part opens, every view draws
theme: dark
end

# A chip beside a core, whose instruction counts differ: the faster run has the shorter bar, in each of the two pictures. Texts that
# explain a row are no difference.

$ psim -q -c simd16.ini --json -o array.json traces/samples/simd-dgemm.trace.gz; psim -q -c petascale-chip.ini -p chip.cores=2 --json -o two.json traces/samples/simd-dgemm.trace.gz; psim -q -c sparc64v.ini --json -o packed.json traces/samples/dgemm-packed.trace.gz; psim-diff --html parts.html packed.json array.json two.json; grep -c '"n":"meaning' parts.html; sh use-page parts.html | grep -E '^(verdict|empty|every|end)'
0
verdict: array.json is 6.28 times as fast as the first, and takes 17.
verdict: two.json is 6.65 times as fast as the first, and takes ...
every part opens, every view draws
end
$ sh look-page parts.html '["side", "energy_side"].map(id => { const bars = [...document.querySelectorAll(`#${id} svg rect`)].map(bar => [bar.getAttribute("y"), Number(bar.getAttribute("x")) + Number(bar.getAttribute("width"))]); const ends = Object.values(Object.fromEntries(bars)); return ends.length + " bars, longest " + ends.indexOf(Math.max(...ends)); }).join("; ")'
<title>3 bars, longest 0; 3 bars, longest 0

$ nsim -q -p topology.dims=4x4 --pattern uniform:load=0.4 --series --html net.html && sh use-page net.html | grep -E '^(empty|every|end)'
every part opens, every view draws
end

# The bounds of a histogram are no curve: those of its latencies are of packets and of messages.

$ sh title-page net.html '[...document.querySelectorAll(`#latency .legend span`)].map(part => part.textContent).join(", ")' | sed 's|.*<title>||'
packets, messages
$ printf 'title = Small\nbase = configs/sparc64v.ini\n[sweep]\ncore.rob_entries = 16, 32, 64, 128\n[traces]\na = traces/samples/hello.trace.gz\n' > small.ini; psim-explore -q --html study.html small.ini > report && sh use-page study.html | grep -E '^(title|verdict|empty|every|parallel|points|end)'
title: Small - psim-explore
verdict: Least energy-delay product: core.rob_entries ...
every part opens, every view draws
parallel: 2 of 4 rows
points: 4
end
$ sh title-page study.html '[...document.querySelectorAll(`#best_designs p`)].map(part => part.textContent.split(",")[0]).join("; ") + "; " + document.querySelector(`.verdict`).textContent.match(/\d of \d/)[0] + "; " + [...document.querySelectorAll(`#best_designs .halo`)].map(part => part.textContent).join("; ")'
<title>Least time: 28.36 µs; Least energy: ...; Least area: ...; Least energy-delay product: ...; 3 of 4; least time...
$ sed -n '/^best/,/^$/p' report | awk '$1 == "time" { print $3 }'; psim-explore -q --no-run --pareto small.ini | sed -n 's/^pareto: \(. of .\) .*/\1/p'
28.357
3 of 4

# Tables fit the window, wide or as narrow as Chromium has it; a button has the columns that are left out, and paper has all.

$ for width in 1280 500; do { cat study.html; echo "<script>"; cat page_fits.js; echo "</script>"; } > seen.html; HOME=$PWD chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 --window-size=$width,900 --dump-dom "file://$PWD/seen.html" 2>log | grep -o "<title>[^<]*"; done
<title>1280: 0 tables are too wide; fewer columns, behind the button ...
<title>500: 0 tables are too wide; fewer columns, behind the button ...

# A model: its formula with coefficients as people write them, beside the runs; columns of one unit have one prefix.

$ printf 'n,seconds\n16,1.0e-6\n32,4.0e-6\n64,1.6e-5\n128,6.4e-5\n' > square.csv; psim-fit --value seconds --terms 'n^2' --predict n=1024 --hold-out 'n>100' --html model.html square.csv; sh use-page model.html | grep -E '^(title|verdict|empty|every|end)'
title: time: a model - psim-fit
verdict: time = 3.906 ns...×...n², within 0.01 % of the 3 runs with n fro
verdict: For n = 1024: 4.096 ms, ...
verdict: Reasons to doubt it: ...
every part opens, every view draws
end
$ sh title-page model.html '[...document.querySelectorAll(`#terms td`)].slice(0, 2).map(cell => cell.textContent).join(": ") + "; " + document.querySelectorAll(`#fitted circle`).length + " points"'
<title>n^2: 3.906 ns per n²; 5 points

# In a window of 1280 pixels no page runs off, and no texts of its pictures cross; pictures of their own have neither.

$ cp $(dirname $(readlink -f mpi))/cli/page_crossings.js .; printf '{ case $1 in *.svg) echo "<!doctype html><body>";; esac; cat "$1"; echo "<script>"; cat page_crossings.js; echo "</script>"; } > seen.html\nHOME=$PWD chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 --window-size=1280,900 --dump-dom "file://$PWD/seen.html" 2>log | grep -o "<title>fits[^<]*\|<title>.*of 1280[^<]*"\n' > look-wide; psim -q -v -c simd16.ini -p energy.package=0.3 --html energy.html -o r traces/samples/simd-fft.trace.gz; psim-explore -q configs/explore/window.ini -o w.sqlite --html window.html --svg window.svg --tornado tornado.svg > r; for page in run.html chip.html diff.html net.html study.html model.html energy.html window.html window.svg tornado.svg; do echo $page $(sh look-wide $page); done
run.html <title>fits 1280; pictures, 0 texts cross
chip.html <title>fits 1280; pictures, 0 texts cross
diff.html <title>fits 1280; pictures, 0 texts cross
net.html <title>fits 1280; pictures, 0 texts cross
study.html <title>fits 1280; pictures, 0 texts cross
model.html <title>fits 1280; pictures, 0 texts cross
energy.html <title>fits 1280; pictures, 0 texts cross
window.html <title>fits 1280; pictures, 0 texts cross
window.svg <title>fits 1280; pictures, 0 texts cross
tornado.svg <title>fits 1280; pictures, 0 texts cross
$ printf '<svg width="90" height="20"><text y="15">first</text><text x="9" y="15">second</text></svg>' > crossed.html; sh look-wide crossed.html
<title>fits 1280; pictures, 1 texts cross: first crosses second

# A study's page opens with the time of its best design, and counts combinations that are no processors apart.

$ sed -e 's|^\[traces|fetch.width_bytes = 24, 32\n[traces|' small.ini > partly.ini; psim-explore -q --html partly.html partly.ini > r 2>&1; sh title-page partly.html '[...document.querySelectorAll(".verdict p")].map(p => p.textContent.replace(/.*It takes ([0-9.]+ µs).*?(\\d of \\d designs).*/, "$1, $2")).join("; ")' | cut -d '>' -f 2; grep -E '^  (combinations|skipped|configurations)  *[0-9]' r | cut -c 1-36; awk '/^  energy-delay/ { printf "%.2f\n", $(NF - 3) }' r
28.51 µs, 3 of 4 designs; 4 of the 8 combinations are invalid and were not simulated: see skipped reasons.
  combinations                     8
  skipped                          4
  configurations                   4
28.51

# A table of a hundred thousand rows: every view of it draws.

$ nsim -q -p topology.dims=32x32x16 --pattern ring:size=100 --html big.html && sh use-page big.html | grep -E '^(empty|every|end)'
every part opens, every view draws
end
