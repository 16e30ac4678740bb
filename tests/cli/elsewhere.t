# Ranks that change the state of the process, of mpi/elsewhere.c: the outputs of the simulator stay where, and what, they are.

$ nsimcc -O1 -Wall -Wextra -Werror -o elsewhere.so mpi/elsewhere.c; printf "outputs='%s'\nnames='%s'\n" '--matrix m --write-pattern w --write-trace t --timeline l --paje p --series-picture s.svg --picture c.svg' 'r m w t l p s.svg c.svg' > vars; . ./vars; mkdir plain; (cd plain; nsim -q -n 4 -f csv -o r $outputs ../elsewhere.so > out)

# A rank that goes to a folder with files of the same names: all outputs are those of a run that stays, the others are untouched.

$ . ./vars; for does in folder early; do for n in 1 2; do rm -rf moved; mkdir -p moved/other; for f in $names; do echo untouched > moved/other/$f; done; (cd moved; DOES=$does ELSEWHERE="$PWD/other" nsim -q -n 4 -j $n -f csv -o r $outputs ../elsewhere.so > out); for f in $names out; do grep -v '^host\|^parallel\|^command\|elsewhere.so' plain/$f > a; grep -v '^host\|^parallel\|^command\|elsewhere.so' moved/$f > b; cmp a b && [ -s b ] || echo $f; done; cat moved/other/* | sort | uniq -c; ls moved | wc -l; done; done
      8 untouched
10
      8 untouched
10
      8 untouched
10
      8 untouched
10

# A umask of ranks is not that of the outputs.

$ . ./vars; mkdir masked; (umask 022; cd masked; DOES=mask nsim -q -n 4 -f csv -o r $outputs ../elsewhere.so > out; stat -c %a $names | sort | uniq -c)
      8 644

# A rank closes its output: that of the others, and the report, still come.

$ for n in 1 2; do DOES=close nsim -q -n 2 -j $n -f csv elsewhere.so 2> said | grep -c '^program,'; sort said; DOES=close nsim -q -n 2 -j $n -o r elsewhere.so | sort; done
9
rank 0 before
rank 1 after
rank 1 before
rank 0 before
rank 1 after
rank 1 before
9
rank 0 before
rank 1 after
rank 1 before
rank 0 before
rank 1 after
rank 1 before

$ DOES=raw nsim -q -n 2 elsewhere.so | grep -c '^program'
1

# A rank redirects its output, and ends that.

$ DOES=redirect nsim -q -n 2 -o r elsewhere.so | sort; cat redirected
rank 0 after
rank 0 before
rank 1 after
rank 1 before
rank 0 in the file
