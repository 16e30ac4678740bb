#!/bin/sh
# The house style as far as a script can see it: length of files, functions, lines,
# blanks at line ends, unfinished work.
#   text.sh SOURCE-ROOT
set -eu
LC_ALL=C # ranges of characters
export LC_ALL
cd "$1"

find psim isa traces energy netlink tests \( -name '*.[ch]' -o -name '*.cc' -o -name '*.hh' -o -name '*.def' \) 2>/dev/null |
	xargs awk '
	function complain(text) { print FILENAME ":" FNR ": " text > "/dev/stderr"; bad = 1 }
	FNR == 1 { start = 0 }
	/^\{/ && before !~ /^namespace/ { start = FNR }
	/^\}/ { if (start && FNR - start > 62) complain("function of more than 60 lines"); start = 0 }
	FNR == 901 { complain("more than 900 lines") }
	/[ \t]$/ { complain("blank at the end of the line") }
	/\r/ { complain("carriage return") }
	/TODO($|[^_])|FIXME|HACK/ { complain("unfinished work") }
	FILENAME ~ /\.([ch]|cc|hh)$/ {
		text = $0
		gsub(/[\200-\277]/, "", text) # a character of UTF-8 is one column
		width = 0
		for (i = 1; i <= length(text); i++)
			width = substr(text, i, 1) == "\t" ? width + 8 - width % 8 : width + 1
		if (width > 120) complain(width " columns, at most 120")
	}
	{ lines++; before = $0 }
	END { exit bad || lines < 1000 }'

# No path of the machine it was written on.
if grep -rnE '/(root|home/[a-z]+|work)/' --include='*.[ch]' --include='*.def' --include='*.md' --include='*.t' \
	--include='*.build' --include='*.sh' --include='*.py' --include='*.ini' . --exclude-dir='build*' |
	grep -v 'tests/lint/text.sh'; then
	echo "paths of one machine" >&2
	exit 1
fi

# `head` closes the pipe early, and whether the program notices depends on who is faster; sed -n 1p reads to the end.
# (What goes on for ever has to be stopped so.)
if grep -nE '^\$ .*\| *head( |$)' tests/*/*.t docs/*.md docs/*/*.md README.md | grep -v yes; then
	echo "sessions that close a pipe early, expected sed -n 1p or the like" >&2
	exit 1
fi
