#!/bin/sh
# Platforms that SimGrid (platform.cpp) and nsim read: the last end and the sum of the ends of messages at once.
#   platforms.sh BIN SIMGRID-PLATFORM
set -eu
bin=$1 theirs=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0

# compare NAME SHIFTS HOST...: the file x.xml
compare() {
	name=$1 shifts=$2
	shift 2
	for by in $shifts; do
		awk -v n=$# -v by="$by" 'BEGIN {
			print "ranks " n
			for (i = 0; i < n; i++) print "send", i, (i + by) % n, 1, 1000000 }' >x.pattern
		"$bin/nsim" -q -e flow --graph x.xml --pattern-file x.pattern -p router.route=0 -p router.vc_allocation=0 \
			-p router.switch_allocation=0 -p router.flit_transfer=0 -p router.switch_delay=0 -p flow.share=latency \
			-p flow.latency=before -p flow.overhead=0 -f csv -o ours.csv
		awk -F, -v name="$name by $by" -v n=$# -v theirs="$("$theirs" x.xml "$by" 1000000 "$@" 2>/dev/null)" '
			function off(a, b) { return (a > b ? a - b : b - a) / b }
			$1 == "traffic" && $2 == "time" { time = $4 }
			$1 == "traffic" && $2 == "latency_mean" { sum = $4 * n }
			END {
				split(theirs, t, " ")
				printf "%-20s SimGrid %.12f s, ours %.12f s, %.1e, sum of ends %.1e\n", name, t[1], time,
					off(time, t[1]), off(sum, t[2])
				exit !(t[1] > 0 && off(time, t[1]) < 1e-9 && off(sum, t[2]) < 1e-9)
			}' ours.csv || status=1
	done
}

# cluster NAME HOSTS SHIFTS ATTRIBUTES
cluster() {
	cat >x.xml <<-END
		<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
		<platform version="4.1"><zone id="world" routing="Full"><cluster id="c" prefix="n-" suffix="" speed="1Gf"
		radical="0-$(($2 - 1))" lat="1us" $4/></zone></platform>
	END
	compare "$1" "$3" $(seq -f n-%g 0 $(($2 - 1)))
}

cluster torus 24 '1 5 7' 'bw="1GBps" topology="TORUS" topo_parameters="4,3,2"'
cluster tree 16 '1 5 7' 'bw="1GBps" topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2"'
cluster 'shared tree' 12 '1 5 7' 'bw="1GBps" topology="FAT_TREE" topo_parameters="3;2,3,2;2,2,3;1,1,1" sharing_policy="SHARED"'
cluster dragonfly 120 '1 5 7 31' 'bw="1GBps" topology="DRAGONFLY" topo_parameters="3,4;4,3;5,1;2"'
cluster backbone 10 '1 3' 'bw="125MBps" bb_bw="400MBps" bb_lat="500us"'
cluster limiter 10 '1 3' 'bw="125MBps" bb_bw="150MBps" bb_sharing_policy="FATPIPE" limiter_link="100MBps" sharing_policy="SHARED"'

cat >x.xml <<-END
	<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
	<platform version="4.1"><zone id="world" routing="Full">
	<cluster id="a" prefix="a-" radical="0-3" suffix="" speed="1Gf" bw="125MBps" lat="50us" bb_bw="2GBps" bb_lat="500us"/>
	<cluster id="b" prefix="b-" radical="0-2" suffix="" speed="1Gf" bw="250MBps" lat="5us"/>
	<link id="wan" bandwidth="200MBps" latency="1ms"/>
	<link id="fat" bandwidth="1Gbps" latency="10us" sharing_policy="FATPIPE"/>
	<link id="dup" bandwidth="300MBps" latency="10us" sharing_policy="SPLITDUPLEX"/>
	<zoneRoute src="a" dst="b" gw_src="a-a_router" gw_dst="b-b_router"><link_ctn id="wan"/><link_ctn id="fat"/>
	<link_ctn id="dup" direction="UP"/></zoneRoute></zone></platform>
END
compare 'two zones' '1 2 3' a-0 a-1 a-2 a-3 b-0 b-1 b-2
exit $status
