# The files that `meson install` installs work in their place, also in a folder whose name has a space.

$ meson install -C "$BUILD" --no-rebuild --quiet --destdir "$PWD/a root"

$ ln -s "$(dirname "$(dirname "$(find "$PWD/a root" -name psim-record -type f)")")" there; ls there/share/psim there/share/psim/guest
there/share/psim:
collectives
drivers
examples
explore
guest
kernels
machines
memory
models
ndl
net
netlink
petascale-chip-prefetched.ini
petascale-chip.ini
power
samples
simd16-prefetched.ini
simd16.ini
skeletons
sparc64v-prefetched.ini
sparc64v.ini
table2-simd16.ini
table2.ini
traces
uniform.c

there/share/psim/guest:
psim_nest.c
psim_nest.h
psim_nest_array.c
psim_nest_check.c
psim_nest_check.h
psim_nest_cost.c
psim_nest_gather.c
psim_nest_layout.c
psim_nest_parts.c
psim_nest_report.c
psim_nest_resident.c
psim_nest_rows.c
psim_nest_run.h
psim_nest_slices.c
psim_nest_units.c
psim_region.c
psim_region.f90
psim_region.h
psim_simd.c
psim_simd.f90
psim_simd.h

# All programs, each with its manual page.

$ (cd there/bin && ls) | tee programs | grep -cxE 'psim|psim-record|psim-trace|psim-diff|psim-explore'; (cd there/share/man/man1 && ls) | sed 's/[.]1$//' | sort | cmp - programs
5

# An installed program with an installed configuration that inherits another one says what the built
# program says with that of the source tree.

$ there/bin/psim -c there/share/psim/sparc64v-prefetched.ini -f csv traces/samples/dgemm.trace.gz | grep -v '^run,' > one; psim -c configs/sparc64v-prefetched.ini -f csv traces/samples/dgemm.trace.gz | grep -v '^run,' | cmp - one && echo same
same

# Configurations, and those that they inherit, are found by name below the program's prefix, wherever that is.

$ there/bin/psim -c sparc64v-prefetched.ini -f csv traces/samples/dgemm.trace.gz | grep -v '^run,' | cmp - one && echo same
same

$ there/bin/bsim -c machines/petascale.ini --dump-config >named && there/bin/bsim -c there/share/psim/machines/petascale.ini --dump-config | sed 's|there/share|.../share|' >path && sed "s|$PWD/a root[^ ]*/share|.../share|" named | cmp - path && echo same
same

$ there/bin/psim -c simd17.ini traces/samples/dgemm.trace.gz
psim: simd17.ini: cannot open: No such file or directory, nor in ...share/psim and its folders
[2]

# Studies find their traces, and pages what they name below $PSIM.

$ for study in window design voltage; do there/bin/psim-explore -q --list there/share/psim/explore/$study.ini 2>error | grep -c dgemm || cat error; done
20
414
12
$ (cd there/share/psim && ls -d traces/samples/hello.trace.gz traces/kernels/psim_region.h netlink/programs/examples/ring.c netlink/programs/skeletons/hpl.c)
netlink/programs/examples/ring.c
netlink/programs/skeletons/hpl.c
traces/kernels/psim_region.h
traces/samples/hello.trace.gz

# Every configuration of the tree is installed.

$ for file in configs/*.ini; do cmp $file there/share/psim/$(basename $file); done

# A manual page is the program's page of the manual with its options (docs/man.py); other programs have their options
# and the name of that page.

$ grep -h '^\.SH' there/share/man/man1/psim-diff.1
.SH NAME
.SH SYNOPSIS
.SH DESCRIPTION
.SH THREE EXAMPLES
.SH WITHIN THE SPREAD OF RUNS
.SH WHOLE SYSTEMS
.SH OPTIONS BY TASK
.SH OPTIONS
.SH THE RESULT
.SH EXIT STATUSES AND ERRORS
.SH SEE ALSO

$ for program in psim psim-diff nsim bsim bsim-table mopt psim-fit; do there/bin/$program --man | sed -n '/^.SH OPTIONS$/,/^.SH/p' | grep -vxFf there/share/man/man1/$program.1; done | sort -u
.SH EXAMPLES

$ sed -n '/^.SH SEE ALSO/,$p' there/share/man/man1/bsim-table.1
.SH SEE ALSO
\fBbsim\fR(1)

$ sed -n '/^.SH SEE ALSO/,$p' there/share/man/man1/psim-diff.1; ls there/share/doc/psim/programs/common.md
.SH SEE ALSO
Pages of the manual, in share/doc/psim: programs/common.md, programs/pages.md, programs/psim.md.
there/share/doc/psim/programs/common.md

$ for page in there/share/man/man1/*.1; do grep -q '^\.TH' $page || echo $page; done

# Samples, examples and the manual.

$ there/bin/psim-trace --verify there/share/psim/samples/hello.trace.gz | sed 's/: good.*/: good/'; there/bin/nsimcc -O1 there/share/psim/examples/ring.c -o i.so && there/bin/nsim -q -n 4 -o report i.so 3 | sed -n 1p; (cd there/share/doc/psim && ls -d *.md */start.md && ls | grep -c -e '[.]py$' -e '[.]sh$')
there/share/psim/samples/hello.trace.gz: good
4 ranks, 3 rounds: token 18, right
CHANGELOG.md
CONTRIBUTING.md
README.md
gallery.md
guide/start.md
0
[1]

# The kernels: compiled and recorded from where they are installed.

$ command -v sparc64-linux-gnu-gcc >/dev/null || echo 'dot 20'; ! command -v sparc64-linux-gnu-gcc >/dev/null || there/bin/psim-kernels -o out dot | sed -n 1p
dot 20

# The plugin of psim-cc, if it is built.

$ if [ -e "$BUILD/bin/psim_simd.so" ]; then there/bin/psim-cc -o triad traces/kernels/loops/striad.c && there/bin/psim-record -q --no-trace -- triad 100 >/dev/null; else there/bin/psim-cc --version >/dev/null; fi && echo done
done

# Skeletons, on an installed machine whose models are installed with it.

$ there/bin/bsimcc -O1 examples/skeleton.c -o skeleton.so && there/bin/bsim -q -c there/share/psim/machines/petascale.ini -n 4 -o report skeleton.so 3
3 rounds on 4 ranks

$ command -v gfortran >/dev/null || echo 'token 12'; ! command -v gfortran >/dev/null || { there/bin/bsimf90 mpi/fortran.f90 -o f.so && there/bin/bsim -q -n 4 -o report f.so | sed -n 1p; }
token ...

# Programs for nsim, made and run from where it is installed.

$ there/bin/nsimcc -O1 examples/ring.c -o ring.so && there/bin/nsim -q -n 4 -o report ring.so 3
4 ranks, 3 rounds: token 18, right
...

# Likewise by a link to the compiler, and with libraries in lib64.

$ mkdir links other other/lib64; ln -s ../there/bin/nsimcc links; cp -r there/bin there/include other; cp -r "$(dirname "$(find there/ -name libvmpi_stubs.a)")" other/lib64/psim; for at in links other/bin; do $at/nsimcc -O1 examples/ring.c -o ring.so && there/bin/nsim -q -n 4 -o report ring.so 3; done
4 ranks, 3 rounds: token 18, right
...
4 ranks, 3 rounds: token 18, right
...

# A simulator of a described network, and the network in nsim: library and headers are found below the folder that the programs
# were installed to.

$ cp configs/ndl/torus.ndl .; there/bin/inspire torus.ndl -o torus && ./torus --check-only 4 4 1 | grep -c nodes
2
$ there/bin/nsim -q --network torus.ndl --network-args '4 4 1' -n 4 -o report ring.so 3 | sed -n 1p
4 ranks, 3 rounds: token 18, right
