# Time models: docs/programs/psim-fit.md. Data made by hand, so that the model is known.

# 5 + 2 n^2: found with the terms given, and by the chooser.

$ awk 'BEGIN { print "# made by hand\n n , seconds"; for (n = 1; n <= 8; n++) print n "," 5 + 2 * n * n }' > square.csv; psim-fit --terms '1, n^2' --json -o square.json --model square.model --picture square.svg --predict n=16 square.csv
$ awk '/"coefficient"/ { printf "%.9f\n", $2 }' square.json
5.000000000
2.000000000

$ psim-fit -f csv square.csv | awk -F, '$1 == "terms" && $2 == "term" { print $4 }'
1
n^2

# 16 is twice the largest fitted size; 5 + 2 x 256 = 517, and there an exact law promises no more than a percent: 517 / 1.01, 517 x 1.01.
# Inside it promises itself.

$ psim-fit --terms '1, n^2' --predict n=16 --predict n=5 square.csv | sed -n '/^predictions/,$p'
predictions: predictions and where runs are to be expected; outside: factor beyond the range of the fit
  point   model     low    high  interval       outside
              s       s       s
  n=16   517.00  511.88  522.17  extrapolation        2
  n=5     55.00   55.00   55.00  95 % of runs         1

warnings: reasons to doubt this fit
  warning        about
  extrapolation  n = 16 is 2 times the largest fitted value, 8

# The model file begins with its format, and is a report like others.

$ sed -n '/"model": {/,/"unit"/p' square.model
 "model": {
  "format": "psim-model",
  "version": 1,
  "value": "seconds",
  "unit": "s",

# The picture is well-formed and has nothing from elsewhere; each of 8 points is drawn twice, and one in the legend.

$ python3 -c 'import xml.dom.minidom; print(xml.dom.minidom.parse("square.svg").documentElement.tagName)'; grep -c circle square.svg; grep -c 'href' square.svg
svg
17
0
[1]

# Its formula has the unit of the axis, which a table's column has by its name: 5 + 2 n^2 seconds.

$ grep -o '>5.*n^2<' square.svg
>5 s + 2 s n^2<

# Same input, same bytes.

$ psim-fit --terms '1, n^2' --json -o again.json --model square.model --picture square.svg --predict n=16 square.csv; psim-diff --equal square.json again.json >/dev/null && echo same
same

# The larger of two sums: 4 n + 13 up to n = 6 (37 against 36), then n^2 (41 against 49), predicted at 3 and 20; written as version 2.

$ awk 'BEGIN { print "n,seconds"; for (n = 1; n <= 12; n++) print n "," (n <= 6 ? 4 * n + 13 : n * n) }' > roof.csv; psim-fit --terms '1, n' --terms 'n^2' --json -o roof.json --model roof.model --picture roof.svg --predict n=3 --predict n=20 roof.csv
$ awk '/"coefficient"/ { printf "%.9f\n", $2 }' roof.json; grep '"version": [0-9]' roof.model
13.000000000
4.000000000
1.000000000
  "version": 2,
$ psim-fit --terms '1, n' --terms 'n^2' --predict n=3 --predict n=20 roof.csv | awk '/^sums/,/^$/; /^predictions/,/^$/'
sums: sums of which the model takes the maximum, and the number of points at which each is the maximum
  sum  formula   points  held_out
    1  13 + 4*n       6         0
    2  1*n^2          6         0

predictions: predictions and where runs are to be expected; outside: factor beyond the range of the fit
  point   model     low    high  interval       outside  sum
              s       s       s
  n=3     25.00  25.000  25.000  95 % of runs    1.0000    1
  n=20   400.00       -       -  extrapolation   1.6667    2

$ psim-fit --terms '1, n' --terms 'n^2' -f csv roof.csv | awk -F, '$1 == "points" && $2 == "sum" { printf "%s ", $4 } END { print "" }'
1 1 1 1 1 1 2 2 2 2 2 2 

# Nobody has seen a run beyond the others, until one is held out: then 20 is known to a percent, less than twice as far as 12.

$ psim-fit --terms '1, n' --terms 'n^2' --predict n=20 roof.csv | tr -s ' \n' ' ' | grep -o 'nothing known.*larger sizes'
nothing known beyond the range n=20: no points beyond the others in n check the model: no interval, hold out larger sizes
$ psim-fit --terms '1, n' --terms 'n^2' --hold-out 'n=12' --predict n=22 roof.csv | grep '^  n=22'
  n=22   484.00  479.21  488.84  extrapolation        2    2

# In the picture the first sum's points are circles, the second's squares: 6 of each twice, one at its formula, and the circle of the legend.

$ python3 -c 'import xml.dom.minidom; print(xml.dom.minidom.parse("roof.svg").documentElement.tagName)'; grep -c '<circle fill=' roof.svg; grep -c '<rect fill=' roof.svg
svg
14
13

# Coefficients of a picture are as people write them: 6.98 ns for 6.98e-09 of seconds.

$ printf 'n,seconds\n10,6.98e-7\n20,2.792e-6\n40,1.1168e-5\n' > written.csv; psim-fit --value seconds --terms 'n^2' --picture written.svg -o /dev/null written.csv; grep -o '>[^<]*n^2<' written.svg
>6.98 ns n^2<

# Held-out points: 5 + 2 n^2 with one that is 10 % too large: 205 for 225.5 is 100 / 11 = 9.0909 % too little.

$ (cat square.csv; echo '10,225.5') > odd.csv; psim-fit --terms '1, n^2' --hold-out n=10 --expect 'model.held_out_error=9.0909+-0.001' -f csv odd.csv | grep -E '^(model,held_out|warnings.*warning,0,)' | sed 's/9.0909[0-9]*/9.0909/'
model,held_out,,1,
model,held_out_error,,9.0909,%
warnings,warning,0,held-out error far above cross-validation,

# Reports: a region of each; a table of file names is the same as operands.

$ for n in 1 2 3 4; do sed "s/0.5/$n.5/" bad/fit/good.json > $n.json; done; psim-fit --region dgemm --terms '1, n' --json -o a.json n=1:1.json n=2:2.json n=3:3.json n=4:4.json; printf 'file,n\n1.json,1\n2.json,2\n3.json,3\n4.json,4\n' > t.csv; psim-fit --region dgemm --terms '1, n' --json -o b.json t.csv; psim-diff --equal a.json b.json >/dev/null && echo same
same
$ awk '/"coefficient"/ { printf "%.9f\n", $2 }' a.json; grep -c 00c0ffee a.json; grep rob_entries a.json
0.500000000
1.000000000
4
   "rob_entries": "64"

# Mixed configurations only on request.

$ psim-fit --terms n --mixed-config n=1:1.json n=2:bad/fit/other-config.json | sed -n '/^warnings/,$p'
warnings: reasons to doubt this fit
  warning                              about
  few sizes                            2 for 1 terms, expected more than twice as many
  coefficient that may be 0            n
  reports of different configurations  core.rob_entries

# The model file carries them to its users.

$ psim-fit --terms n --mixed-config --model doubted.model -o d.txt n=1:1.json n=2:bad/fit/other-config.json; grep -o '"warning": ".*"' doubted.model
"warning": "few sizes"
"warning": "coefficient that may be 0"
"warning": "reports of different configurations"

# From standard input.

$ psim-fit --terms '1, n^2' - < square.csv | sed -n 's/^  points  *\([0-9]*\) .*/\1/p'
8

# By theory: 2 n^3 + 5 n^2 of six sizes, as a gemm; to the digit.

$ awk 'BEGIN { print "n,seconds"; for (n = 16; n <= 96; n += 16) printf "%d,%.17g\n", n, 2e-9 * n^3 + 5e-9 * n^2 }' > gemm.csv; psim-fit --kernel gemm -v gemm.csv | grep -E '^  (formula|kernel|sizes)'
  formula               5e-09*n^2 + 2e-09*n^3  # formula of the model, rounded
  kernel                gemm            # kernel whose theory gave the terms
  sizes                            6    # different sizes among these points

# Warnings: a point that is ten times off, sizes that change together, a time below zero (100 n - n^2 at 200).

$ sed '4s/,.*/,2.4e-3/' gemm.csv > off.csv; psim-fit --terms 'n^2, n^3' off.csv | grep outlier | sed 's/other points.*/other points/'
  outlier                    n=48 (off.csv:4): 0.0024 is 10 times the prediction of the other points
$ awk -F, 'NR == 1 { print "n,m,seconds" } NR > 1 { print $1 "," 2 * $1 "," $2 }' gemm.csv > line.csv; psim-fit --terms 'n*m, n^2*m' line.csv | sed -n '/^warnings/,$p'
warnings: reasons to doubt this fit
  warning                     about
  sizes that change together  n and m change together at all points: their costs cannot be separated, vary one alone

$ awk 'BEGIN { print "n,seconds"; for (n = 10; n <= 40; n += 5) print n "," 100 * n - n * n }' > falls.csv; psim-fit --terms 'n, n^2' --predict n=200 falls.csv | sed -n '/^warnings/,$p'
warnings: reasons to doubt this fit
  warning           about
  extrapolation     n = 200 is 5 times the largest fitted value, 40
  value below zero  n=200: -2e+04 s, while all points are above 0

# An interpolated table: n^2 up to 64 and 4 n^2 from 128 on, so that between them the power is 4; at 90.51 = 64 sqrt(2) it is 64^2 x 4.

$ awk 'BEGIN { print "n,seconds"; for (n = 16; n <= 512; n *= 2) print n "," n * n * (n > 100 ? 4 : 1) }' > cache.csv; psim-fit --interpolate --model cache.model --predict n=90.50966799187809 --predict n=1024 -f csv cache.csv | awk -F, '/^predictions,model/ { printf "%.6g\n", $4 }'; grep '"version": 3' cache.model
16384
4.1943e+06
  "version": 3,
$ psim-fit --terms 'n^2' cache.csv | sed -n '/^warnings/,$p' | grep -c 'no sum of these terms'
0
[1]

# Many rows are no obstacle: 200 000 sizes of 3 n + n^2 / 1000.

$ awk 'BEGIN { print "n,seconds"; for (n = 1; n <= 200000; n++) printf "%d,%.17g\n", n, 3 * n + n * n / 1000 }' > many.csv; psim-fit -f csv many.csv | awk -F, '$1 == "terms" && $2 == "term" { print $4 } $1 == "terms" && $2 == "coefficient" { printf "%.9f\n", $4 }'
n
3.000000000
n^2
0.001000000

# A program that does not use its size: no share of a variance, no errors of rounding; and elsewhere no empty table.

$ printf 'n,seconds\n1,5\n2,5\n3,5\n4,5.004\n5,5\n6,5\n' > same.csv; psim-fit same.csv | grep 'all sizes'; sed 's/5.004/5/' same.csv > exact.csv; psim-fit exact.csv | grep -E '^  (r2|all)'; psim-fit --terms '1, n^2' square.csv | grep -c '^warnings'
  all sizes take the same  5.004 s at each point: does the program use its size?
  r2                               -    # share of the variance explained
  all sizes take the same  5 s at each point: does the program use its size?
0
[1]

# Strong scaling, 100 / p + log2(p), needs no terms given.

$ awk 'BEGIN { print "p,seconds"; for (p = 1; p <= 64; p *= 2) printf "%d,%.17g\n", p, 100 / p + log(p) / log(2) }' > strong.csv; psim-fit strong.csv | grep formula
  formula               1*log2(p) + 100*p^-1  # formula of the model, rounded

# Few values of a variable determine few functions of it, which is said; 2 n z + 3 n of three z is right at four times the range all the
# same: 2 x 64 x 16 + 3 x 64.

$ awk 'BEGIN { print "n,z,seconds"; for (n = 8; n <= 64; n *= 2) for (z = 1; z <= 4; z *= 2) print n "," z "," 2 * n * z + 3 * n }' > few.csv; psim-fit --predict n=64,z=16 few.csv | grep -E '^  (n=64,z=16|few)'
  n=64,z=16  2.2400  2.1961  2.2848  extrapolation        4
  few values     z has 3 values for 2 functions of it, expected more than twice as many
