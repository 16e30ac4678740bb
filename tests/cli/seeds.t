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

# A row of a table, below the first heading that begins as the rule says, at the beginning of an output: 52.09 ms. An
# alternative has its assumption behind ~.

$ rm out/mfs; grep -h '^[^#=].* | table2 | ' $PSIM/tests/figures/seeds.table | grep -v ' | blocks | ' | sort -u | awk -F ' [|] ' 'BEGIN { print "figure  ours  paper" } { row[$3] = row[$3] $4 "  52.09  53.12\n" } END { for (s in row) printf "\n%s\n%s", s, row[s]; print "calibrated energy SIMD (mJ)  11.96" }' > out/table2; $PSIM/tests/figures/seeds.py --outputs out > table2.txt
[5]

$ grep '^Table 2, [dz]gemm n = 1024, 16 PEs, ms' table2.txt | tr -s ' '
Table 2, dgemm n = 1024, 16 PEs, ms 53.12 52.09 52.09 -1.9%
Table 2, zgemm n = 1024, 16 PEs, ms 185.82 192.6 52.09 -72.0% moved
Table 2, dgemm n = 1024, 16 PEs, ms ~ blocked form 53.12 61.29 52.09 -1.9% moved
Table 2, zgemm n = 1024, 16 PEs, ms ~ plain form 185.82 148.2 52.09 -72.0% moved

# Watts of 512 blocks of 11.96 mJ in 52.09 ms.

$ grep '^Table 2, dgemm, 16 PEs, W' table2.txt | tr -s ' '
Table 2, dgemm, 16 PEs, W ~ energy of 512 blocks of n = 128 over the time of n = 1024; plain form 126.3 117.6 117.6 -6.9%

# A quotient, 20 x 199.258 / 0.2. A host's time never moves. None of 0.

$ rm out/table2; echo '20 x 199.258 thousand instructions in 0.2 s' > out/speed; $PSIM/tests/figures/seeds.py --outputs out | tail -n +2 | tr -s ' '
PSIM, host time of a small size, s less than 60 0.01 0.01
PSIM, thousand instructions a second 25 ... 1.993e+04 +79620.0%
2 figures of ..., 0 moved; published.txt has the commands of all

$ echo '20 x 199.258 thousand instructions in 0.000 s' > out/speed; $PSIM/tests/figures/seeds.py --outputs out 2>&1 | tail -1
seeds.py: PSIM, thousand instructions a second: speed printed 0, expected a number to divide by

# A range, of all rows that the expression finds.

$ rm out/speed; printf '## Fat trees, random ranks, free senders: time / (N - 1)\n\n   54  2.45 (2.3-2.6)  2.4  2.40    3.3 %%\n  686  2.96 (2.9-3.2)  2.7  2.69   10.3 %%\n 3456  3.60 (3.5-3.7)     -     -         -\nmean  2.95\n' > out/mfs-other; $PSIM/tests/figures/seeds.py --outputs out | tail -n +2 | tr -s ' '
fat tree 54, random ranks, time / (N - 1) ~ mode f, free senders 2.5 2.45 2.45 -2.0%
fat tree 3456, random ranks, time / (N - 1) ~ mode f, free senders 3.4 3.60 3.60 +5.9%
fat trees, random ranks, mean ~ mode f, free senders 3.1 2.95 2.95 -4.8%
F above N, % ~ mode n, free senders 0 to 4 3.3 to 10.3 3.3 to 10.3
4 figures of ..., 0 moved; published.txt has the commands of all
