#!/bin/sh
# Strong and weak scaling of the stencil skeleton on a torus and on a tapered fat tree, flows on links: the example of
# docs/skeletons.md.
#
#   scaling.sh [FOLDER]     bsim, bsimcc and psim-fit are found in PATH; FOLDER gets tables and pictures
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bsimcc -O2 -o stencil.so "$top/netlink/programs/skeletons/stencil.c"

# machine TOPOLOGY NODES: its size. Links of 4 GB/s; each switch of the tree has 4 links down and 2 up.
machine() {
	case $1-$2 in
	torus-4) echo 2x2x1 ;; torus-16) echo 4x2x2 ;; torus-64) echo 4x4x4 ;; torus-256) echo 8x8x4 ;;
	torus-1024) echo 16x8x8 ;;
	tree-4) echo 4 ;; tree-16) echo 4x4 ;; tree-64) echo 4x4x4 ;; tree-256) echo 4x4x4x4 ;;
	tree-1024) echo 4x4x4x4x4 ;;
	esac
}

kind() { # TOPOLOGY NODES
	case $1-$2 in
	torus-*) echo torus ;;
	tree-4) echo crossbar ;;
	tree-16) echo "fat_tree -p topology.up=2" ;;
	tree-64) echo "fat_tree -p topology.up=2x2" ;;
	tree-256) echo "fat_tree -p topology.up=2x2x2" ;;
	tree-1024) echo "fat_tree -p topology.up=2x2x2x2" ;;
	esac
}

for size in 'strong 256 256 256' 'weak 64 64 64'; do
	for topology in torus tree; do
		table=$topology-${size%% *}.csv
		echo p,us >"$table"
		for nodes in 4 16 64 256 1024; do
			# shellcheck disable=SC2046,SC2086
			us=$(bsim -q -e flow -o r.txt -p topology.kind=$(kind $topology $nodes) \
				-p topology.dims="$(machine $topology $nodes)" --set stencil_rate=4e9 -n $nodes \
				stencil.so $size 20 | sed -n 's/.*, \(.*\) us a step/\1/p')
			echo "$nodes,$us" >>"$table"
		done
	done
done
echo "us a step            nodes:       4      16      64     256    1024"
for table in torus-strong tree-strong torus-weak tree-weak; do
	awk -F, -v name=$table 'NR > 1 { text = text sprintf("%8.0f", $2) } END { printf "%-26s%s\n", name, text }' $table.csv
	terms='1, p^-1, p^(-2/3)'
	case $table in *weak) terms='1, log2(p)' ;; esac
	psim-fit -q --value us --terms "$terms" --picture $table.svg -f csv -o fit.csv $table.csv
done
[ $# = 0 ] || cp ./*-strong.csv ./*-weak.csv ./*.svg "$1/"
