# What `meson install` puts where, and that it works from there.

$ meson install -C "$BUILD" --no-rebuild --quiet --destdir "$PWD/root"

$ find root -type f | sed -E 's/.*\/(bin|share)\//\1\//' | sort
bin/psim
bin/psim-diff
bin/psim-explore
bin/psim-record
bin/psim-trace
share/man/man1/psim-diff.1
share/man/man1/psim-explore.1
share/man/man1/psim-record.1
share/man/man1/psim-trace.1
share/man/man1/psim.1
share/psim/guest/psim_region.c
share/psim/guest/psim_region.f90
share/psim/guest/psim_region.h
share/psim/sparc64v-prefetched.ini
share/psim/sparc64v.ini

# An installed program with an installed configuration that inherits another one says what the built
# program says with that of the source tree.

$ ln -s $(dirname $(dirname $(find "$PWD/root" -name psim-record -type f))) there; there/bin/psim -c there/share/psim/sparc64v-prefetched.ini -f csv traces/samples/dgemm.trace.gz | grep -v '^run,' > one; psim -c configs/sparc64v-prefetched.ini -f csv traces/samples/dgemm.trace.gz | grep -v '^run,' | cmp - one && echo same
same

# Every configuration of the tree is installed.

$ for file in configs/*.ini; do cmp $file there/share/psim/$(basename $file); done

# Manual pages are what the programs print.

$ for program in there/bin/*; do $program --man | cmp - there/share/man/man1/$(basename $program).1; done

$ grep -h '^\.SH' there/share/man/man1/psim.1 | head -4
.SH NAME
.SH SYNOPSIS
.SH DESCRIPTION
.SH OPTIONS
