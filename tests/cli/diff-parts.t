# psim-diff: parts of time and energy of runs side by side.
# needs: jq

# By hand. The core: 1 us, of whose slots 1600 of 4000 are used: 0.4 and 0.6 us. The chip of two cores: 0.5 us, of which each core has
# 0.25 us. Core 0 works all of it, with slots 1 : 1 : 2, so 0.0625, 0.0625, 0.125 us; core 1 half of it, with slots 1 : 2 : 1, so
# 0.03125, 0.0625, 0.03125 us, and ends 0.125 us early. Energy: units as they are; the second report has no fetch, the first no l2.

$ echo '{"core": {"seconds": 1e-6, "cycles": 1000, "energy_j": 3}, "cycle_parts": [{"part": "used", "slots": 1600}, {"part": "memory", "slots": 2400}], "energy": {"units": [{"unit": "fetch", "energy": 1}, {"unit": "fp", "energy": 2}]}}' > one.json; echo '{"chip": {"seconds": 5e-7, "cycles": 1000, "energy_j": 9}, "core0": {"core": {"cycles": 1000}, "cycle_parts": [{"part": "used", "slots": 1000}, {"part": "memory", "slots": 1000}, {"part": "array", "slots": 2000}]}, "core1": {"core": {"cycles": 500}, "cycle_parts": [{"part": "used", "slots": 500}, {"part": "memory", "slots": 1000}, {"part": "array", "slots": 500}]}, "energy": {"units": [{"unit": "fp", "energy": 5}, {"unit": "l2", "energy": 4}]}}' > two.json; psim-diff one.json two.json | sed -n '/^time_parts/,/^differences/p'
time_parts: time by part of the machine, as the commit slots divide it; share: of the whole difference
  part         a        b  difference   share
              us       us          us       %
  used    0.4000  0.09375    -0.30625   61.25
  memory  0.6000  0.12500    -0.47500   95.00
  array   0.0000  0.15625     0.15625  -31.25
  ended   0.0000  0.12500     0.12500  -25.00
  all     1.0000  0.50000    -0.50000  100.00

energy_parts: energy by unit of the chip; share: of the whole difference
  part   a  b  difference   share
         J  J           J       %
  fetch  1  0          -1  -16.67
  fp     2  5           3   50.00
  l2     0  4           4   66.67
  all    3  9           6  100.00

differences: values that differ

# A report without slots has no such table, nor has one whose core ends behind the chip. Equal reports have none in text.

$ jq 'del(.cycle_parts, .energy)' one.json > bare.json; jq '.core1.core.cycles = 1001' two.json > late.json; for f in bare late; do psim-diff --json one.json $f.json | jq -c '[.time_parts != null, .energy_parts != null]'; done
[false,false]
[false,true]
$ psim-diff one.json one.json | grep -c _parts
0
[1]

# Pairs with other instruction counts, another clock, one and several cores: the parts are the times of the reports, and their
# differences add up to the difference of the times.

$ psim -q -c sparc64v.ini --json -o a.json traces/samples/dgemm-packed.trace.gz; psim -q -c simd16.ini --json -o b.json traces/samples/simd-dgemm.trace.gz; psim -q -c sparc64v.ini -p chip.frequency=3.1GHz -p energy.voltage=1.2 --json -o c.json traces/samples/dgemm.trace.gz; psim -q -c sparc64v.ini --json -o d.json traces/samples/dgemm.trace.gz traces/samples/quicksort.trace.gz traces/samples/hello.trace.gz; psim -q -c petascale-chip.ini -p chip.cores=2 --json -o e.json traces/samples/simd-dgemm.trace.gz
$ for pair in a:b b:a c:a b:c d:a c:d e:d b:e; do psim-diff --json ${pair%:*}.json ${pair#*:}.json >diff; jq -s -r 'def whole: .core // .chip; def near(x): (. - x) | fabs < 1e-12 * ([x | fabs, 1e-12] | max); def rows(t): t[:-1]; .[0] as $d | [(.[1] | whole), (.[2] | whole)] as [$a, $b] | [{t: $d.time_parts, a: $a.seconds, b: $b.seconds}, {t: $d.energy_parts, a: $a.energy_j, b: $b.energy_j}] | map(. as $x | (rows(.t) | map(.a) | add | near($x.a)) and (rows(.t) | map(.b) | add | near($x.b)) and (rows(.t) | map(.difference) | add | near($x.b - $x.a)) and (rows(.t) | map(.share) | add | near(100)) and (.t[-1] | .a == $x.a and .b == $x.b)) | "'$pair' time \(.[0]) energy \(.[1])"' diff ${pair%:*}.json ${pair#*:}.json; done
a:b time true energy true
b:a time true energy true
c:a time true energy true
b:c time true energy true
d:a time true energy true
c:d time true energy true
e:d time true energy true
b:e time true energy true

# More than two: a column for each.

$ psim-diff --json a.json d.json e.json | jq -r '(.time_parts[0] | keys_unsorted | join(" ")), (.time_parts | map(.part) | join(" ")), .units["time_parts.c"]'
part a b c
used prediction fetch serial execution load_store memory ended array all
s
