#!/bin/sh
# For every key of networks, engines and ranks (unused.table), with every engine and every kind of network,
# and for those of the processor that are not always read, with every predictor: changing it
# changes a figure of the report, or it is told that nothing reads it; one or the other, never both.
#
#   unused.sh    bsim, bsimcc and psim are found in PATH
#
# Status 5 if a key is neither, or both, or has no row.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../need.sh"
need cc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bsimcc -O1 -o "$work/nics.so" "$here/../mpi/nics.c"
printf 'message-times 1\ntable p2p\nbytes 0 100000\n0 1us 9us\n1 2us 90us\n2 3us 100us\n' >"$work/p.times"

# figures OPTION...: the figures of a run of a program with messages of all kinds, and what it says, to "$work/told"
figures() {
	bsim -q --each-rank -f csv -p table.file="$work/p.times" "$@" -o "$work/out.csv" "$work/nics.so" mixed 20000 \
		>"$work/printed" 2>"$work/told" || { echo failed >>"$work/told"; : >"$work/out.csv"; }
	grep -vE '^(run|host|config)' "$work/out.csv" || :
}

trim() { echo "$1" | sed 's/^ *//; s/ *$//'; }

# try KEY VALUE CONTEXT OPTION...: the same run with it and without
try() {
	key=$1 value=$2 context=$3
	shift 3
	for c in $context; do
		set -- "$@" -p "$c"
	done
	figures "$@" >"$work/without"
	figures "$@" -p "$key=$value" >"$work/with"
	changed=no told=no
	cmp -s "$work/without" "$work/with" || changed=yes
	! grep -qE "warning: .*$key.* not used|failed" "$work/told" || told=yes
	grep -q failed "$work/told" && changed=no
	[ "$changed" != "$told" ] || {
		echo "$key=$value with $*: changes a figure: $changed, told that it is not used: $told"
		echo 5 >"$work/status"
	}
}

grep -v '^#' "$here/unused.table" >"$work/table"
while IFS='|' read -r key value context; do
	key=$(trim "$key") value=$(trim "$value") context=$(trim "$context")
	for engine in packet flow linear table none; do
		try "$key" "$value" "$context" -e $engine -p topology.dims=4x4 </dev/null
	done
	case $key in topology.dims | topology.routing) continue ;; topology.* | link.*) ;; *) continue ;; esac
	for network in mesh:4x4 tofu:3x1x1 crossbar:16 hypercube:2^4 hyper_crossbar:4x4 fat_tree:4x4 dragonfly:2x4x2; do
		try "$key" "$value" "$context" -p topology.kind=${network%:*} -p topology.dims=${network#*:} </dev/null
	done
done <"$work/table"

# The processor: keys that are not always read, with every predictor, and with parts that are perfect or left out.
simulate() { # OPTION...
	psim -q -f csv --no-profile "$@" "$trace" 2>"$work/told" | grep -vE '^(run|host|config)' || :
}
while read -r key value more; do
	for context in bpred.kind=brhis bpred.kind=gshare bpred.kind=not_taken bpred.kind=perfect l1d.perfect=yes \
		l1i.perfect=yes l2.perfect=yes tlb.perfect=yes lsu.forwarding=no lsu.store_prefetch=no prefetch.enabled=yes \
		simd.pes=16; do
		changed=no told=no
		for trace in quicksort chase dgemm; do
			trace=$here/../../traces/samples/$trace.trace.gz
			[ "$context" != simd.pes=16 ] || trace=$here/../../traces/samples/simd-fft.trace.gz
			simulate -p $context $more >"$work/without"
			simulate -p $context $more -p "$key=$value" >"$work/with"
			! grep -qE "warning: .*$key.* not used" "$work/told" || told=yes
			cmp -s "$work/without" "$work/with" || changed=yes
			[ "$changed$told" = nono ] || break
		done
		case $context:$key in simd.pes=16:simd.* | simd.pes=16:*perfect*) ;; simd.pes=16:*) continue ;; esac
		[ "$changed" != "$told" ] || {
			echo "$key=$value with $context $more: changes a figure: $changed, told that it is not used: $told"
			echo 5 >"$work/status"
		}
	done
done <<END
bpred.entries 16
bpred.ways 1 -p bpred.entries=32
bpred.history_bits 2
bpred.ras_entries 1
lsu.forward_latency 10
l1d.ways 1
l1d.line_bytes 32
l1d.miss_buffers 1
l1d.fill_latency 20
l1i.ways 1
l1i.line_bytes 32
l1i.miss_buffers 1
l1i.next_line_prefetch no -p l1i.size=1KiB
l2.ways 1 -p l2.size=192KiB
l2.miss_buffers 1
memory.latency 400ns
prefetch.streams 1
prefetch.distance 1
tlb.main_ways 1 -p tlb.main_entries=16
tlb.main_latency 20
tlb.walk_latency 200
simd.latency_fma 12
simd.sbm_latency 6
simd.transfers 1
END

# A key without a row: all but those that decide which figures there are, or none.
bsim --list-params | awk '/^\[/ { gsub(/[][]/, "", $1); s = $1; next } NF && s { print s "." $1 }' >"$work/keys"
grep -E '^(topology|link|router|nic|flow|linear|node|mpi|ranks|machine)\.' "$work/keys" |
	grep -vE '^(topology\.(kind|up|groups)|router\.vcs|mpi\.(collective.*|payload)|ranks\.(stack|context|globals|measure)|machine\.peak)$' |
	while read -r key; do
		grep -q "^$key |" "$here/unused.table" || { echo "$key: no row in unused.table"; echo 5 >"$work/status"; }
	done
[ ! -s "$work/status" ] || exit 5
echo "every key changes a figure, or is told: $(wc -l <"$work/table") keys"
