#!/bin/sh
# Installs what is missing, builds, and runs a recorded matrix product on a scalar core and on one with a SIMD array.
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

missing_packages() {
	sed -e 's/#.*//' -e '/^ *$/d' .ci/packages | while read -r package; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' ||
			echo "$package"
	done
}

install_missing() {
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		say "not a Debian system: please install what .ci/packages lists; going on with what is there"
		return
	fi
	missing=$(missing_packages)
	if [ -z "$missing" ]; then
		say "every package of .ci/packages is installed"
		return
	fi
	become=
	if [ "$(id -u)" != 0 ]; then
		become=sudo
		if ! command -v sudo >/dev/null; then
			say "neither root nor sudo; please run as root: apt-get update && apt-get install --no-install-recommends" $missing
			say "then run ./quickstart.sh again"
			exit 1
		fi
	fi
	say "installing with apt-get:" $missing
	$become env DEBIAN_FRONTEND=noninteractive apt-get -q update </dev/null
	$become env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing </dev/null
}

install_missing
[ $only_install = no ] || exit 0

if [ -f "$build/build.ninja" ]; then
	[ $# = 0 ] || meson configure "$build" "$@"
else
	say "meson setup $build $*"
	meson setup "$build" "$@"
fi
say "building in $build"
ninja -C "$build"

# the same product of 128 x 128, scalar and for 16 PEs
show() {
	say "$*"
	"$@"
}
show "$build/bin/psim" -c configs/sparc64v.ini --json -o "$build/scalar.json" traces/samples/dgemm-packed.trace.gz
show "$build/bin/psim" -c configs/simd16.ini --json -o "$build/array.json" traces/samples/simd-dgemm.trace.gz
show "$build/bin/psim-diff" --short "$build/scalar.json" "$build/array.json"

if [ $with_tests = yes ]; then
	say "meson test -C $build"
	meson test -C "$build" --print-errorlogs ${TEST_ARGS:-} </dev/null
fi
say "next: docs/guide/start.md explains this result"
