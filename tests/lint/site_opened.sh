#!/bin/sh
# The manual's site in Chromium, from file://: pages show their text, a search finds the page of a word, every picture is
# there, and nothing is wider than a window, that of a phone too, in dark and in light.
#   site_opened.sh SOURCE-ROOT
set -eu
. "$1/tests/need.sh"
need chromium
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -B "$1/docs/site.py" "$1" "$work/site"

# shown PAGE [OPTION...]: what Chromium has of it after its scripts
shown() {
	page=$1
	shift
	HOME=$work chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=20000 "$@" --dump-dom \
		"file://$work/site/$page" 2>"$work/log"
}

# found PAGE TEXT
found() {
	shown "$1" >"$work/dom"
	grep -qF "$2" "$work/dom" || { echo "$1: no $2" >&2; cat "$work/log" >&2; exit 1; }
}
found docs/guide/start.html '<h1 id="start">Start</h1>'
found 'docs/guide/start.html?q=ring+saturation' '<a href="../../docs/guide/own-network.html#'
found 'docs/README.html?q=nowordlikethis' 'nothing found'
found 'index.html?q=deadlock' '<a href="docs/'

# Pages in frames of some width say how they look to the page around them, which has them all.
cat >"$work/site/probe.js" <<'END'
addEventListener("load", () => {
  const images = [...document.images], over = document.documentElement.scrollWidth - innerWidth;
  const bright = colour => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + +part, 0) > 382 ? "light" : "dark";
  const style = getComputedStyle(document.body);
  parent.postMessage(`${document.body.dataset.page} ${innerWidth}: ${images.filter(image => image.naturalWidth).length} of ` +
    `${images.length} pictures, ${Math.max(over, 0)} pixels too wide, ${bright(style.color)} on ${bright(style.backgroundColor)}`, "*");
});
END
pages='index docs/gallery docs/README docs/api/lmpi docs/formats/parameters docs/guide/start docs/models/pipeline docs/programs/psim
	docs/accuracy/accuracy docs/guide/which-simulator'
echo '<body><script>const seen = []; addEventListener("message", event => { seen.push(event.data); document.title = seen.join("; ") + ";"; })' \
	'</script>' >"$work/site/frames.html"
for page in $pages; do
	sed -i "s|<body |<body data-page=\"$page\" |; s|</body>|<script src=\"$work/site/probe.js\"></script></body>|" "$work/site/$page.html"
	printf '<iframe src="%s.html" width="%s" height="800" style="border: 0"></iframe>\n' $page 390 $page 1280 >>"$work/site/frames.html"
done

# all THEME OPTION: each page in each width, with its pictures, in the theme's colours
all() {
	shown frames.html "$2" --window-size=1400,1000 >"$work/dom"
	said=$(grep -o '<title>[^<]*' "$work/dom" | tail -1)
	for page in $pages; do
		pictures=$(grep -o '<img ' "$work/site/$page.html" | wc -l)
		for width in 390 1280; do
			want="$page $width: $pictures of $pictures pictures, 0 pixels too wide, $1;"
			case $said in
			*"$want"*) ;;
			*) echo "site: expected $want, not in: $said" >&2; exit 1 ;;
			esac
		done
	done
}
[ "$(grep -o '<img ' "$work/site/docs/gallery.html" | wc -l)" -eq 12 ] || { echo "gallery: expected 12 pictures" >&2; exit 1; }
all 'dark on light' --lang=en
all 'light on dark' --force-dark-mode
