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
mesh torus tofu ...
torus tofu 

# Programs in Python and shell list their options too; of psim-model, the configurations and parameters are psim's.

$ bash complete.bash psim-model --wa; bash complete.bash psim-model -c simd16-p; bash complete.bash psim-model -p core.rob; bash complete.bash psim-kernels --no; bash complete.bash psim-table2 --full; bash complete.bash psim-cc -fpsim; bash complete.bash nsim-record --ou
--warm-up 
simd16-prefetched.ini 
core.rob_entries= 
--no-trace 
--full-simd --full 
-fpsim-auto -fpsim-explain -fpsim-regroup -fpsim-report 
--output 
$ psim-model --list-options | sed -n 1,2p; psim-kernels --list-configs
--sizes	-	[NAME=]LIST	sizes: 32:512:32 (steps), 64:4096:x2 (factors) or 16,24,48; repeated: of the next
--output	-o	FILE	write the model to FILE, its picture beside it (.svg)
psim-kernels: unknown option --list-configs; did you mean --help?
[2]

# Operands are files. A program that does not exist completes to nothing, without a message.

$ bash complete.bash psim simd-; bash complete.bash no-such-program --l | wc -w
simd-mine.ini 
0
