# Skeletons of a usual size on machines of configs: options of HPL, conjugate gradient and stencil by flows. skeletons.t has small ones
# with values worked out on paper.
# needs: cc

$ for s in hpl cg stencil; do bsimcc -O2 -o $s.so skeletons/$s.c || exit; done
$ for o in bcast=1ringM bcast=long swap=binary messages=all; do bsim -q -o r.txt -c configs/machines/primequest-580.ini -n 16 hpl.so 20000 120 4 4 $o; done
hpl N 20000 NB 120 P 4 Q 4: 71.6305 s, 74.46 GFlop/s
hpl N 20000 NB 120 P 4 Q 4: 73.7073 s, 72.37 GFlop/s
hpl N 20000 NB 120 P 4 Q 4: 72.5744 s, 73.5 GFlop/s
hpl N 20000 NB 120 P 4 Q 4: 70.6828 s, 75.46 GFlop/s

# Without a network ranks wait for panels alone.

$ bsim -q -e none -c configs/machines/primequest-580.ini -n 16 hpl.so 20000 120 4 4 | grep -E '^  (seconds|compute|wait).*# .*rank'
  seconds                    59.2463 s      # time at which the last rank ended
  compute                    55.9072 s      # computation time (Add_time) of a rank, mean
  wait                       3.33911 s      # waiting time of a rank, mean

# Strong scaling of 256^3 points on 64 ranks is weak scaling of 64^3.

$ bsim -q -o r.txt -e flow -p topology.dims=4x4 -n 16 cg.so A
cg A: 0.206509 s, 7.246 GFlop/s
$ for a in 'weak 64 64 64' 'strong 256 256 256'; do bsim -q -o r.txt -e flow -p topology.dims=4x4x4 -n 64 stencil.so $a 20; done
stencil weak: 20 steps, 2148 us a step
stencil strong: 20 steps, 2148 us a step
