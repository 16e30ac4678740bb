#!/bin/sh
# Installs what is missing, builds, and runs a recorded matrix product on a scalar core and on one with a SIMD array: the
# programs of this example first, then all others.
#
#   ./quickstart.sh [MESON ARGUMENT...]        install, build, run
#   ./quickstart.sh test [MESON ARGUMENT...]   the same, then all tests
#   ./quickstart.sh install                    only installs
#
# Environment: BUILD (folder, default build), CC, TEST_ARGS (for meson test).
set -eu
cd "$(dirname "$0")"

usage() {
	echo "usage: ./quickstart.sh [install | test] [MESON ARGUMENT...]"
	echo "Installs what is missing, builds, runs an example, and with 'test' all tests; with 'install' it only installs."
	echo "MESON ARGUMENTs begin with -, as -Dsimdcc=disabled."
}
case ${1:-} in
-h | --help)
	usage
	exit
	;;
esac

build=${BUILD:-build}
with_tests=no
only_install=no
case ${1:-} in
test)
	with_tests=yes
	shift
	;;
install)
	only_install=yes
	shift
	;;
esac
for argument; do
	case $argument in
	-*) ;;
	*)
		echo "quickstart.sh: unknown word '$argument', expected install, test, or arguments of meson, which begin with -" >&2
		usage >&2
		exit 2
		;;
	esac
done

say() {
	printf '== %s\n' "$*"
}

# Names of a part of .ci/packages: programs, what psim itself needs, which is all above "# guest programs"; or all.
listed() {
	case $1 in
	programs) sed '/^# guest programs/q' .ci/packages ;;
	all) cat .ci/packages ;;
	esac | sed -e 's/#.*//' -e '/^ *$/d'
}

missing_packages() {
	listed "$1" | while read -r package; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' ||
			echo "$package"
	done
}

# Another release of Debian has other versions of compilers: what it does not know is named, and left out.
known_packages() {
	for package; do
		if apt-cache show "$package" >/dev/null 2>&1; then
			echo "$package"
		else
			say "this system has no package $package; what needs it is left out" >&2
		fi
	done
}

updated=no
install_missing() {
	missing=$(missing_packages "$1")
	[ -n "$missing" ] || return 0
	if [ $updated = no ]; then
		$become env DEBIAN_FRONTEND=noninteractive apt-get -q update </dev/null
		updated=yes
	fi
	missing=$(known_packages $missing)
	[ -n "$missing" ] || return 0
	say "installing with apt-get:" $missing
	$become env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing </dev/null
}

# What installs as root: nothing, or sudo. Without either, the user gets the command for whoever is root.
become=
can_install=yes
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	say "not a Debian system: please install what .ci/packages lists; going on with what is there"
	can_install=no
elif [ -z "$(missing_packages all)" ]; then
	say "every package of .ci/packages is installed"
	can_install=no
elif [ "$(id -u)" != 0 ]; then
	become=sudo
	if ! command -v sudo >/dev/null; then
		can_install=no
		say "neither root nor sudo; please run as root: apt-get update && apt-get install --no-install-recommends" \
			$(missing_packages all)
		if [ $only_install = yes ] || [ -n "$(missing_packages programs)" ]; then
			say "then run ./quickstart.sh again"
			exit 1
		fi
		say "going on with what is there; afterwards run ./quickstart.sh again"
	fi
fi

# Arguments may ask for what the second part installs.
first=programs
[ $only_install = no ] && [ $# = 0 ] || first=all
[ $can_install = no ] || install_missing $first
[ $only_install = no ] || exit 0

if [ -f "$build/build.ninja" ]; then
	[ $# = 0 ] || meson configure "$build" "$@"
else
	say "meson setup $build $*"
	meson setup "$build" "$@"
fi
say "building psim in $build"
ninja -C "$build" psim/bin/psim psim/bin/psim-diff

# the same product of 128 x 128, scalar and for 16 PEs
show() {
	say "$*"
	"$@"
}
show "$build/bin/psim" -c configs/sparc64v.ini --json -o "$build/scalar.json" traces/samples/dgemm-packed.trace.gz
show "$build/bin/psim" -c configs/simd16.ini --json -o "$build/array.json" traces/samples/simd-dgemm.trace.gz
compare() {
	show "$build/bin/psim-diff" --short "$build/scalar.json" "$build/array.json"
}
compare

# The other programs, and what they are made with: a build of the first part has not found it yet.
if [ $can_install = yes ]; then
	install_missing all
	say "meson setup --reconfigure $build"
	meson setup --reconfigure "$build"
fi
say "building the other programs"
ninja -C "$build" programs
if [ $with_tests = yes ]; then
	say "building the tests"
	ninja -C "$build"
	say "meson test -C $build"
	meson test -C "$build" --print-errorlogs ${TEST_ARGS:-} </dev/null
fi
compare
say "next: docs/guide/start.md explains this result"
