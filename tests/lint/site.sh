#!/bin/sh
# The manual's site: no link or anchor of the pages leads nowhere, and the check of that finds both.
#   site.sh SOURCE-ROOT
set -eu
site=$1/docs/site.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -B "$site" "$1" "$work/site"
for page in index docs/README docs/guide/start docs/programs/psim; do
	[ -s "$work/site/$page.html" ] || { echo "site: no $page.html" >&2; exit 1; }
done

# refused LINK TEXT: a page with this link is refused with this text
refused() {
	mkdir -p "$work/wrong/docs"
	echo '# First' >"$work/wrong/README.md"
	printf '# Second\n\n## A part\n\nThe [link](%s).\n' "$1" >"$work/wrong/docs/README.md"
	if said=$(python3 -B "$site" "$work/wrong" "$work/out" 2>&1); then
		echo "site.py: accepted $1" >&2
		exit 1
	fi
	[ "$said" = "site.py: docs/README.md: $2" ] || { echo "site.py: $1: $said" >&2; exit 1; }
}
refused missing.md 'docs/missing.md: no such file'
refused '#a-pert' 'docs/README.md#a-pert: no such heading, expected one of second, a-part'
refused '../README.md#Second' 'README.md#Second: no such heading, expected one of first'
refused ../docs 'docs: a folder, expected a file'
printf '# Second\n\n## A part\n\nThe [link](#a-part), [first](../README.md#first).\n' >"$work/wrong/docs/README.md"
python3 -B "$site" "$work/wrong" "$work/out"
