#!/bin/sh
# The manual: every command in it is run by a test, links lead somewhere, lines have no blanks at
# their ends, every folder of sources has a README of 10 to 40 lines, and pages have at most 2500 words. The developers' pages name
# files, functions and structs that exist.
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
sessions=$(sed -n "s/^  '\([a-z-]*\/[a-z0-9-]*\)',\$/docs\/\1.md/p" docs/meson.build)

for page in $pages; do
	# A command of ours in a block has a prompt, and its page is a session; a name and a version begin a format.
	awk -v page="$page" -v sessions=" README.md $(echo $sessions) " '
		/^```/ { inside = !inside; next }
		(inside && /^psim(-[a-z]+)? / || /^    psim(-[a-z]+)? /) && !/^ *psim[-a-z]*: / && !/^psim[-a-z]* [0-9]+$/ { print page ":" FNR ": a command without a prompt"; bad = 1 }
		inside && /^\$ / && !index(sessions, " " page " ") {
			print page ":" FNR ": a session, but not in the list of docs/meson.build"; bad = 1
			exit
		}
		/^(<<<<<<<|>>>>>>>) / { print page ":" FNR ": mark of a merge"; bad = 1 }
		/[ \t]$/ && !inside { print page ":" FNR ": blank at the end of the line"; bad = 1 }
		END { exit bad }' "$page" >&2 || status=1
	for link in $(awk '/^```/ { inside = !inside } !inside' "$page" |
		grep -oE '\]\([^)# ]+' | sed 's/^](//' | grep -v '://'); do
		[ -e "$(dirname "$page")/$link" ] || complain "$page: no $link"
	done
done

# Every page is in the index.
for page in $(find docs -name '*.md'); do
	name=${page#docs/}
	[ "$name" = README.md ] || grep -qF "($name)" docs/README.md || complain "docs/README.md: no $name"
done

# A page has at most 2500 words, except tables that programs write.
for page in $(find docs -name '*.md' -not -path 'docs/accuracy/appendix/*' -not -path 'docs/api/*'); do
	case $page in
	docs/formats/isa-table.md | docs/formats/parameters.md) continue ;;
	esac
	words=$(wc -w <"$page")
	[ "$words" -le 2500 ] || complain "$page: $words words, expected at most 2500"
done

# Sources named by the developers' pages exist, as a path or as the end of one.
sources=$(git ls-files 2>/dev/null || true)
[ -n "$sources" ] || sources=$(find . -type f -not -path './build*' | sed 's|^\./||')
for page in docs/develop/tour.md docs/develop/design.md docs/develop/to-add.md; do
	for file in $(grep -oE '`[A-Za-z0-9_./-]+\.(c|h|def|py|sh|table|build)`' $page | tr -d '`' | sort -u); do
		echo "$sources" | grep -qE "(^|/)$(echo "$file" | sed 's/\./\\./g')\$" ||
			complain "$page: $file: no such file, expected the path of a source"
	done
done

# A station of the tour: the names of its third column occur in the file of its second.
stations=$(awk -F'|' 'split($3, file, "`") == 3 {
	n = split($4, name, "`")
	for (i = 2; i < n; i += 2) {
		sub(/^struct /, "", name[i])
		print file[2] ":" name[i]
	}
}' docs/develop/tour.md)
[ -n "$stations" ] || complain "docs/develop/tour.md: no stations, expected rows of station, file, names"
for station in $stations; do
	file=${station%%:*} name=${station#*:}
	[ -f "$file" ] || { complain "docs/develop/tour.md: $file: no such file, expected a path from the top"; continue; }
	grep -qw -- "$name" "$file" || complain "docs/develop/tour.md: $name: not in $file, expected a name of that file"
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
