# Errors of parts in C name their line and the resource, in nsim and in a simulator that inspire made.

$ printf 'sed "s|^\tsw(r){$|	sw(r){ $1|" configs/ndl/full-mesh.ndl >part.ndl\n' >part.sh; nsimcc -w -o p.so bad/mpi/status.c
$ sh part.sh 'volatile int n = msg_dest_dim(1) - 5; if (r == 3 \&\& !n) route(100 / n);'; nsim -q -n 2 --network part.ndl p.so
nsim: part.ndl:35: the routing of sw(3): division by zero
[3]
$ sh part.sh 'if (r == 2) *(volatile int *)0 = 1;'; nsim -q -n 2 --network part.ndl p.so
nsim: part.ndl:35: the routing of sw(2): invalid address, or infinite recursion
[3]
$ inspire part.ndl -o part && ./part -q
simulator: part.ndl:35: the routing of sw(2): invalid address, or infinite recursion
[3]
$ sh part.sh 'int deep(volatile int x) { return x < 0 ? 0 : deep(x + 1) + deep(x + 2); } if (r == 4) route(deep(1));'; nsim -q -n 2 --network part.ndl p.so
nsim: part.ndl:35: the routing of sw(4): invalid address, or infinite recursion
[3]
$ sh part.sh 'for (volatile int q = 0; r == 1; q++) ;'; nsim -q -n 2 --network part.ndl p.so
nsim: part.ndl:35: the routing of sw(1): takes too long
[3]
$ sed 's|o(R-1+P)}|o(100/(r-3))}|' configs/ndl/full-mesh.ndl >part.ndl; nsim -q -n 2 --network part.ndl p.so
nsim: part.ndl:23: an expression: division by zero
[3]
$ sed 's|return R < 2|*(volatile int *)0 = 1; return R < 2|' configs/ndl/full-mesh.ndl >part.ndl; nsim -q -n 2 --network part.ndl p.so
nsim: part.ndl: net_config: invalid address, or infinite recursion
[3]
$ mkdir temporary; TMPDIR=$PWD/temporary nsim -q -n 2 --network part.ndl p.so; ls -A temporary
nsim: part.ndl: net_config: invalid address, or infinite recursion
$ printf '#include "netlink/wormhole/pu.h"\nvoid *pu_init(struct pu *s, int c, char **v) { (void)s, (void)c, (void)v; return 0; }\nstruct pu_action pu_exec(struct pu *s, void *v) { (void)v; return pu_compute(100 / (pu_number(s) - 4)); }\n' >pu.c; inspire configs/ndl/full-mesh.ndl pu.c -o part && ./part -q
simulator: configs/ndl/full-mesh.ndl: pu_exec of pu(0,4): division by zero
[3]
