#!/bin/sh
# SMPI's detached sends beside mpi.send_start=received: one program, compiled for both, an all-to-all on tori without ties.
# SimGrid adds 16 bytes to each message; ranks are placed in the order of nodes.
#   detached.sh BIN
set -eu
bin=$1 source=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
smpicc -O1 -o theirs "$source/spread.c" 2>log || { cat log; exit 1; }
"$bin/nsimcc" -O1 -o ours.so "$source/spread.c"

their_time() { # SIDE WAY
	cat >torus.xml <<-END
		<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
		<platform version="4.1"><zone id="world" routing="Full"><cluster id="torus" topology="TORUS" topo_parameters="$1,$1"
		prefix="node-" radical="0-$(($1 * $1 - 1))" suffix="" speed="1Gf" bw="1GBps" lat="1us" sharing_policy="SPLITDUPLEX"/>
		</zone></platform>
	END
	seq 0 $(($1 * $1 - 1)) | sed 's/^/node-/' >hosts
	smpirun -np $(($1 * $1)) -hostfile hosts -platform torus.xml --cfg=network/model:CM02 --cfg=network/crosstraffic:0 \
		--cfg=network/TCP-gamma:0 --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 \
		--cfg=network/weight-S:0 --cfg=network/optim:Full --cfg=smpi/simulate-computation:no \
		--cfg=smpi/host-speed:1Gf --cfg=smpi/wtime:0 --log=root.thres:critical ./theirs "$2" 20000
}

our_time() {
	"$bin/nsim" -q -o /dev/null -e flow -n $(($1 * $1)) -p topology.dims="$1x$1" -p link.bandwidth=1GB/s -p link.cable=1us \
		-p link.nic_bandwidth=1e14 -p router.route=0 -p router.vc_allocation=0 -p router.switch_allocation=0 \
		-p router.flit_transfer=0 -p router.switch_delay=0 -p flow.share=latency -p flow.latency=before \
		-p mpi.send_start=received -p mpi.eager=65536 -p mpi.overhead=0 -p mpi.clock_overhead=0 ours.so "$2" 20016
}

status=0
for side in 3 5 7; do
	for way in sendrecv isend; do
		echo "${side}x$side $way $(their_time $side $way) $(our_time $side $way)" | awk '{
			off = ($4 > $3 ? $4 - $3 : $3 - $4) / $3
			printf "%-14s SimGrid %.12f s, ours %.12f s, %.1e\n", $1 " " $2, $3, $4, off
			exit !($3 > 0 && off < 1e-5) }' || status=1
	done
done
exit $status
