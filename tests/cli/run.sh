#!/bin/sh
# Runs a session: a text file of commands and what they print.
#
#   # text for the reader: lines with # before the first command or after an empty line
#   $ command with arguments | pipes
#   what it prints, stdout and stderr together, `...` standing for any text in a
#   line, and a line of nothing but ... for any number of lines
#   [2]        its exit status, where it is not 0
#
# A line `# needs: PROGRAM...` skips the session where one of them is missing. A line `# leaks: REASON` turns the leak
# checker of sanitizers off.
#
# A page of the manual (.md) is a session too: of its fenced blocks those that
# begin with `$ `; `<!-- needs: PROGRAM... -->` is what it needs; `build` is a
# link to $BUILD. A block below a line `<!-- file: NAME -->` is a file of this name, which a reader saves: all of them
# are there before the first command. $PSIM is SOURCE-ROOT.
#
# Commands run one after the other in an empty folder, in which `configs`, `traces`, `bad`
# (tests/bad), `mpi` (tests/mpi), `netlink`, its `examples` and `skeletons` (netlink) of the source tree are links. Each is a test
# case (TAP). A command that waits for what never comes is ended after SESSION_SECONDS (default 1200): no other test waits
# for it. A line of progress, which programs print once a minute, depends on the host's speed: it is left out.
#   run.sh SOURCE-ROOT SESSION
set -u
source=$1
session=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/here" "$work/parts"
# Launchers of OpenMPI that start at one time make one folder under /tmp, and one of them fails: each session has its own.
export OMPI_MCA_orte_tmpdir_base="$work"
ln -s "$source/configs" "$source/traces" "$work/here/"
ln -s "$source/tests/bad" "$source/tests/mpi" "$source/netlink" "$source/netlink/programs/examples" \
	"$source/netlink/programs/skeletons" "$work/here/"
export PSIM="$source"
case $session in
*.md)
	ln -s "$BUILD" "$work/here/build"
	awk -v here="$work/here" '
		/^<!-- file: [A-Za-z0-9._-]+ -->$/ { file = here "/" $3; next }
		/^```/ { inside = !inside && file != ""; if (!inside) file = ""; next }
		inside { print > file }' "$session"
	;;
esac

for program in $(sed -n -e 's/^# needs: //p' -e 's/^<!-- needs: \(.*\) -->$/\1/p' "$session"); do
	command -v "$program" >/dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done

if grep -q '^# leaks: ' "$session"; then
	export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
fi

# The session; what a page has outside of its blocks becomes empty lines.
text() {
	case $session in
	*.md) awk '
		/^```/ { inside = !inside; first = inside; print ""; next }
		first { quoted = /^\$ /; first = 0 }
		{ print inside && quoted ? $0 : "" }' "$session" ;;
	*) cat "$session" ;;
	esac
}

# parts/N.cmd, N.line, N.expected, N.status
text | awk -v parts="$work/parts" -v session="$session" '
	/^\$ / {
		n++
		print substr($0, 3) > (parts "/" n ".cmd")
		print NR > (parts "/" n ".line")
		print 0 > (parts "/" n ".status")
		expected = parts "/" n ".expected"
		printf "" > expected
		blank = 0
		next
	}
	/^$/ { blank++; next }
	/^#/ && (!n || blank) { next }
	!n { print session ":" NR ": neither a command nor a comment" > "/dev/stderr"; exit 1 }
	/^\[[0-9]+\]$/ {
		close(parts "/" n ".status")
		print substr($0, 2, length($0) - 2) > (parts "/" n ".status")
		next
	}
	{
		while (blank > 0) { print "" > expected; blank-- }
		print > expected
	}
	END { print n + 0 > (parts "/count") }' || exit 1
count=$(cat "$work/parts/count")
[ "$count" -gt 0 ] || { echo "$session: no commands" >&2; exit 1; }

# Returns 0 if the file of actual lines matches the file of expected ones.
matches() {
	awk '
		# does text match the pattern with ... in it?
		function like(text, pattern,    at, head, rest, i) {
			at = index(pattern, "...")
			if (!at) return text == pattern
			head = substr(pattern, 1, at - 1)
			if (substr(text, 1, at - 1) != head) return 0
			rest = substr(pattern, at + 3)
			if (rest == "") return 1
			for (i = at; i <= length(text) + 1; i++)
				if (like(substr(text, i), rest)) return 1
			return 0
		}
		{ sub(/[ \t]+$/, "") } # blanks at line ends are not worth a difference
		FILENAME == ARGV[1] { want[++wants] = $0; next }
		{ got[++gots] = $0 }
		END {
			while (gots && got[gots] == "") gots--
			# reach[j]: the first i wanted lines match the first j that came
			reach[0] = 1
			for (i = 1; i <= wants; i++) {
				for (j = 0; j <= gots; j++) {
					if (want[i] == "...")
						now[j] = reach[j] || (j && now[j - 1])
					else
						now[j] = j && reach[j - 1] && like(got[j], want[i])
				}
				for (j = 0; j <= gots; j++) reach[j] = now[j]
			}
			exit !reach[gots + 0]
		}' "$1" "$2"
}

echo "1..$count"
n=0
while [ "$n" -lt "$count" ]; do
	n=$((n + 1))
	part=$work/parts/$n
	(cd "$work/here" && timeout -k 10 "${SESSION_SECONDS:-1200}" sh "$part.cmd" >"$part.all" 2>&1 </dev/null)
	status=$?
	grep -avE '^[a-z-]+: ( *[0-9]+ %, )?[0-9.e+]+ M[a-z]+, [0-9.e+]+ M[a-z]+/s(,|$)' "$part.all" >"$part.actual"
	verdict=ok
	if [ $status != "$(cat "$part.status")" ]; then
		verdict='not ok'
		echo "$session:$(cat "$part.line"): status $status, expected $(cat "$part.status")" >&2
	fi
	if ! matches "$part.expected" "$part.actual"; then
		verdict='not ok'
		echo "$session:$(cat "$part.line"): output differs (- expected, + came)" >&2
		diff -u "$part.expected" "$part.actual" | tail -n +3 >&2
	fi
	[ "$verdict" = ok ] || [ $status = 0 ] || cat "$part.actual" >&2
	echo "$verdict $n - $(tr '#\\' '??' <"$part.cmd")"
done
