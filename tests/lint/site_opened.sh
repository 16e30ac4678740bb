#!/bin/sh
# The manual's site in Chromium, from file://: a page shows its text, and a search finds the page of a word.
#   site_opened.sh SOURCE-ROOT
set -eu
. "$1/tests/need.sh"
need chromium
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -B "$1/docs/site.py" "$1" "$work/site"

# shown PAGE: what Chromium has of it after its scripts
shown() {
	HOME=$work chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 --dump-dom \
		"file://$work/site/$1" 2>"$work/log"
}

# found PAGE TEXT
found() {
	shown "$1" >"$work/dom"
	grep -qF "$2" "$work/dom" || { echo "$1: no $2" >&2; cat "$work/log" >&2; exit 1; }
}
found docs/guide/start.html '<h1 id="start">Start</h1>'
found 'docs/guide/start.html?q=ring+saturation' '<a href="../../docs/guide/own-network.html#'
found 'docs/README.html?q=nowordlikethis' 'nothing found'
