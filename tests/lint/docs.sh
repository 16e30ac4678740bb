#!/bin/sh
# The manual: every command in it is run by a test, links lead somewhere, lines have no blanks at
# their ends, and every folder of sources has a README of 10 to 40 lines.
#   docs.sh SOURCE-ROOT
set -eu
cd "$1"
status=0

complain() {
	echo "$*" >&2
	status=1
}

pages=$(git ls-files '*.md' 2>/dev/null || true)
[ -n "$pages" ] || pages=$(find . -name '*.md' -not -path './build*' | sed 's|^\./||')
sessions=$(sed -n "s/^  '\([a-z-]*\)',\$/docs\/\1.md/p" docs/meson.build)

for page in $pages; do
	# A command of ours in a block has a prompt, and its page is a session.
	awk -v page="$page" -v sessions=" README.md $(echo $sessions) " '
		/^```/ { inside = !inside; next }
		(inside && /^psim(-[a-z]+)? / || /^    psim(-[a-z]+)? /) && !/^ *psim[-a-z]*: / { print page ":" FNR ": a command without a prompt"; bad = 1 }
		inside && /^\$ / && !index(sessions, " " page " ") {
			print page ":" FNR ": a session, but not in the list of docs/meson.build"; bad = 1
			exit
		}
		/[ \t]$/ && !inside { print page ":" FNR ": blank at the end of the line"; bad = 1 }
		END { exit bad }' "$page" >&2 || status=1
	for link in $(awk '/^```/ { inside = !inside } !inside' "$page" |
		grep -oE '\]\([^)# ]+' | sed 's/^](//' | grep -v '://'); do
		[ -e "$(dirname "$page")/$link" ] || complain "$page: no $link"
	done
done

# Every page stands in the index.
for page in docs/*.md; do
	name=$(basename "$page")
	[ "$name" = README.md ] || grep -q "($name)" docs/README.md || complain "docs/README.md: no $name"
done

# Folders with sources, and those that hold rooms.
rooms=$(find psim isa traces energy netlink -name '*.[chly]' -exec dirname {} \; | sort -u | grep -v -e ^traces/kernels/ -e ^netlink/ndl/public)
for room in $rooms traces/samples psim/bin netlink netlink/programs configs tests; do
	lines=$(wc -l <"$room/README.md") || { complain "$room: no README.md"; continue; }
	[ "$lines" -ge 10 ] && [ "$lines" -le 40 ] || complain "$room/README.md: $lines lines, expected 10 to 40"
done

# The folders of the top level are fixed; other ones would be rooms that nobody has agreed on.
for name in $(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u); do
	case $name in
	psim | isa | energy | netlink | traces | configs | tests | docs | .ci) ;;
	meson.build | meson_options.txt | README.md | LICENSE | quickstart.sh | .gitignore | .clang-format | .clang-tidy) ;;
	*) complain "$name: not a name of the top level" ;;
	esac
done
exit $status
