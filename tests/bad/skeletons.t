# Skeletons with impossible arguments.
# needs: cc

$ for s in hpl cg eri stencil amr multigrid; do bsimcc -O1 -o $s.so skeletons/$s.c || exit; done

# A grid that is not for these ranks, blocks larger than the matrix, unknown words.

$ bsim -q -e none -n 4 hpl.so 100 10 2 3
hpl: a grid of 2 x 3 is for 6 ranks, but there are 4
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 4 hpl.so 100 200 2 2
hpl: expected N NB P Q, with 1 <= NB <= N and a grid of P x Q ranks
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 4 hpl.so
hpl: expected N NB P Q, with 1 <= NB <= N and a grid of P x Q ranks
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 4 hpl.so 100 10 2 2 depth=2
hpl: depth=2: expected depth=0|1, bcast=1ring|1ringM|2ring|2ringM|long|longM, swap=binary|long|mix, pass=between|within, messages=few|all or sample=POINTS[:STEPS[:WARM]], POINTS 4 to 256
bsim: rank 0 ended with status 1
[1]

$ for o in pass=later sample=3 sample=4:1 sample=4:8:-1 sample=4:8:8,8; do bsim -q -e none -n 1 hpl.so 100 10 1 1 $o 2>&1 | sed -n 1p | cut -d: -f1-5 | sed 's/expected.*/expected/'; done
hpl: pass=later: expected
hpl: sample=3: expected
hpl: sample=4:1: expected
hpl: sample=4:8:-1: expected
hpl: sample=4:8:8,8: expected

$ bsim -q -e none -n 4 cg.so Z
cg: expected a class, one of S W A B C D E, or NA,NONZER,NITER
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 6 cg.so S
cg: the number of ranks is 6, expected a power of two
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 4 stencil.so strong 1 2 3 4
stencil: 1 x 2 x 3 points leave none for rank 2 of 4
stencil: 1 x 2 x 3 points leave none for rank 3 of 4
bsim: rank 2 ended with status 1
[1]

$ bsim -q -e none -n 4 stencil.so weak 1 2 3
stencil: expected weak|strong NX NY NZ STEPS [NORM [VALUES]]
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 4 amr.so 2 4 1
amr: expected ROOT BLOCK VALUES CYCLES [ghosts=|stages=|blocks=|refined=|created=|destroyed=|x=|y=|z=NUMBER]..., with refined blocks if any are finer
bsim: rank 0 ended with status 1
[1]

$ for a in 'blocks=7' 'blocks=9' 'blocks=9 refined=9' 'refined=1' 'created=1' 'blocks=9 refined=1 destroyed=2' ghosts=0 ghosts=x blocks=-1 x=1 z= sides=3 blocks=9x; do bsim -q -e none -n 4 amr.so 2 4 1 1 $a 2>&1 | sed -n 's/ROOT.*//p'; done | uniq -c | sed 's/^ *//'
13 amr: expected 

$ bsim -q -e none -n 1 amr.so 100 100 1 1
amr: the blocks of a rank have more than 2147483647 numbers
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 4 multigrid.so 2 4 1
multigrid: expected NX NY NZ CYCLES [stencil=7|27 or sweeps=|levels=|sums=COUNT]..., with at most 2147483647 points a rank and 40 levels
bsim: rank 0 ended with status 1
[1]

$ for a in '0 1 1 1' '1 1 1 0' '1 1x 1 1' '2000 2000 2000 1' '1 1 1 1 stencil=9' '1 1 1 1 sweeps=' '1 1 1 1 levels=41' '1 1 1 1 sums=-1' '1 1 1 1 points=3'; do bsim -q -e none -n 4 multigrid.so $a 2>&1 | sed -n 's/NX.*//p'; done | uniq -c | sed 's/^ *//'
9 multigrid: expected 

$ bsim -q -e none -n 4 eri.so 61
eri: expected RESIDUES, from 1 to 60, or lysozyme, and cyclic or block
bsim: rank 0 ended with status 1
[1]

# Text after a number, and remaining operands.

$ for a in 'hpl.so 200_0 10 2 2' 'hpl.so 2000 10 2 2.5' 'stencil.so weak 4 4 4x 10' 'stencil.so weak 4 4 4 10 0 0' 'stencil.so weak 40000 40000 1 1 0 5' 'eri.so 2x' 'eri.so 2 block 3' 'cg.so S 2'; do bsim -q -e none -n 4 $a 2>&1 | sed -n 1p; done
hpl: expected N NB P Q, with 1 <= NB <= N and a grid of P x Q ranks
hpl: expected N NB P Q, with 1 <= NB <= N and a grid of P x Q ranks
stencil: expected weak|strong NX NY NZ STEPS [NORM [VALUES]]
stencil: expected weak|strong NX NY NZ STEPS [NORM [VALUES]]
stencil: a face of rank 0 has more than 2147483647 numbers
eri: expected RESIDUES, from 1 to 60, or lysozyme, and cyclic or block
eri: expected RESIDUES, from 1 to 60, or lysozyme, and cyclic or block
cg: expected a class, one of S W A B C D E, or NA,NONZER,NITER

# A machine that computes backwards, or never ends.

$ bsim -q -e none -n 4 --set dgemm_rate=-1 hpl.so 100 10 2 2
bsim: rank 0: BSIM_Add_time at factorise (hpl.c:...): -4666.67 seconds: expected 0 to ...
[1]

$ bsim -q -e none -n 4 --set dgemm_rate=0 hpl.so 100 10 2 2
bsim: rank 0: BSIM_Add_time at factorise (hpl.c:...): inf seconds: expected 0 to ...
[1]
