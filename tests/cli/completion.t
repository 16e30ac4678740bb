# Completion in bash: psim/bin/completion. `complete WORDS...` completes the last word, as bash calls the function.
# needs: bash

$ printf 'words=("$@")\nsource "$BUILD/psim/bin/completion/psim"\nCOMP_WORDS=("${words[@]}")\nCOMP_CWORD=$((${#words[@]} - 1))\n_psim "${words[0]}" "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"\nprintf "%%s " "${COMPREPLY[@]}"\necho\n' > complete.bash; bash complete.bash psim --lis
--list-params --list-configs 

# A short option has the argument of its long form; choices are those of the option.

$ bash complete.bash psim -f ''; bash complete.bash psim --pipe-format k
text json csv html 
kanata 

# Configurations that come with the program are beside files.

$ touch simd-mine.ini; bash complete.bash psim -c simd
simd-mine.ini simd16-prefetched.ini simd16.ini 
$ bash complete.bash nsim --config net/f
net/fat-tree-tapered.ini net/fat-tree.ini 

# Parameters and their choices. bash takes "=" as a word of its own.

$ bash complete.bash psim -p core.rob; bash complete.bash nsim -p topology.kind = ''; bash complete.bash nsim -p topology.kind = to
core.rob_entries= 
mesh torus tofu crossbar hypercube hyper_crossbar fat_tree dragonfly 
torus tofu 

# Operands are files. A program that does not exist completes to nothing, without a message.

$ bash complete.bash psim simd-; bash complete.bash no-such-program --l | wc -w
simd-mine.ini 
0
