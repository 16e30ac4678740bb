#!/bin/sh
# The properties that all programs have in common (docs/programs/common.md).
#   program.sh PROGRAM
set -u
program=$1
name=$(basename "$program")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
bad=0

# check TEXT COMMAND...: complains unless the command succeeds.
check() {
	text=$1
	shift
	"$@" >/dev/null || {
		echo "$name: $text" >&2
		bad=1
	}
}

# run ARGUMENT...: leaves out, err and status.
run() {
	"$program" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

for option in --help -h; do
	run $option
	check "$option: status $status, expected 0" [ $status = 0 ]
	check "$option: no usage" grep -q "^usage: $name " "$work/out"
	check "$option: no examples" grep -q "^examples:" "$work/out"
	check "$option: writes to stderr" [ ! -s "$work/err" ]
	check "$option: wider than 120 columns" awk 'length($0) > 120 { exit 1 }' "$work/out"
done
for option in --version -V; do
	run $option
	check "$option: status $status, expected 0" [ $status = 0 ]
	check "$option: not \"$name N.N.N (commit)\"" grep -Eq "^$name [0-9]+\.[0-9]+\.[0-9]+ \(.*\)$" "$work/out"
done
run --man
check "--man: status $status, expected 0" [ $status = 0 ]
check "--man: not a manual page" grep -q "^\.TH \"$name\" 1" "$work/out"

run --no-such-option
check "unknown option: status $status, expected 2" [ $status = 2 ]
check "unknown option: writes to stdout" [ ! -s "$work/out" ]
check "unknown option: not one line \"$name: …\"" \
	awk -v name="$name: " 'index($0, name) == 1 { n++ } END { exit !(n == 1 && NR == 1) }' "$work/err"
run --hlep
check "--hlep: does not propose --help" grep -q 'did you mean --help?' "$work/err"

"$program" --help >/dev/full 2>"$work/err"
status=$?
check "--help to a full disk: status $status, expected 1" [ $status = 1 ]
[ "$(head -c 2 "$program")" != "#!" ] || exit $bad # of scripts the shell decides on what follows
"$program" --help >&- 2>"$work/err"
status=$?
check "--help to a closed descriptor: status $status, expected 1" [ $status = 1 ]
mkfifo "$work/closed"
exec 3<>"$work/closed" 4>"$work/closed" 3<&-
"$program" --help >&4 2>"$work/err"
status=$?
check "--help to a reader that has enough: status $status, expected 0" [ $status = 0 ]
check "--help to a reader that has enough: writes to stderr" [ ! -s "$work/err" ]
exit $bad
