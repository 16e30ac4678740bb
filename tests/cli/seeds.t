# The figures of the papers from what programs print, beside the published ones (tests/figures/seeds.py).
# needs: python3

# A figure that is the table's, 2.48 to the digits that both have; one that moved; an output without it.

$ mkdir out; printf '    N   mode F\n   54  2.4801 (2.40-2.56)\n' > out/mfs; $PSIM/tests/figures/seeds.py --outputs out
figure                                                          published     table      ours      off
fat tree 54, random ranks, time / (N - 1)                             2.5      2.48    2.4801    -0.8%
1 figures of ..., 0 moved; published.txt has the commands of all

$ printf '   54  3.00 (2.40-2.56)\n' > out/mfs; $PSIM/tests/figures/seeds.py --outputs out > moved.txt
[5]

$ tail -n +2 moved.txt | tr -s ' '
fat tree 54, random ranks, time / (N - 1) 2.5 2.48 3.00 +20.0% moved
1 figures of ..., 1 moved; published.txt has the commands of all

$ printf 'N\n' > out/mfs; $PSIM/tests/figures/seeds.py --outputs out 2>&1 | tail -1
seeds.py: fat tree 54, random ranks, time / (N - 1): not in what mfs printed

# A row of a table, below the first heading that begins as the rule says, at the beginning of an output: 706 s.

$ rm out/mfs; grep -h '^[^#=].* | primequest | ' $PSIM/tests/figures/seeds.table | sort -u | awk -F ' [|] ' 'BEGIN { print "figure  ours  measured" } { row[$3] = row[$3] $4 "  706.0  770\n" } END { for (s in row) printf "\n%s\n%s", s, row[s] }' > out/primequest; $PSIM/tests/figures/seeds.py --outputs out | grep '^PQ580 HPL 160 000 on 1024, total' | tr -s ' '
PQ580 HPL 160 000 on 1024, total, s 770 706 706.0 -8.3%
