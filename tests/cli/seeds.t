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
