# Energy of links by class (docs/models/network-pictures.md), by hand: one message of 20160 bytes, as 10 packets of 2048 bytes with
# headers, from node 0 to node 4 of four groups of three routers: over the global link to router 5, then a local one.

$ printf 'ranks 12\nsend 0 4 1 20160\nreceive 4 0 1\n' > one.pattern; printf '[topology]\nkind = dragonfly\ndims = 1x3x1\n[link.global]\nenergy = 10\n[link.local]\nenergy = 2\n[link.eject]\nenergy = 0\n' > classes.ini; printf '$1 == "link_energy" { x[$2, $3] = $4 } END { for (i = 0; i < 4; i++) print x["class", i], x["links", i], x["carried", i], x["per_bit", i], x["energy", i] }' > rows

# Flows have no headers: 8 x 20160 bits at 10, 2, the default's 1.9 and 0 pJ.

$ nsim -q -e flow -c classes.ini --pattern-file one.pattern -f csv | awk -F, -f rows
local 24 20160 2 3.2256e-07
global 12 20160 10 1.6128e-06
inject 12 20160 1.9 3.06432e-07
eject 12 20160 0 0

# Packets: 8 x 20480 bits; on two processes too.

$ for j in 1 2; do nsim -q -j $j -c classes.ini --pattern-file one.pattern -f csv | awk -F, -f rows; done
local 24 20480 2 3.2768e-07
global 12 20480 10 1.6384e-06
inject 12 20480 1.9 3.11296e-07
eject 12 20480 0 0
local 24 20480 2 3.2768e-07
global 12 20480 10 1.6384e-06
inject 12 20480 1.9 3.11296e-07
eject 12 20480 0 0

# Jobs side by side have one table; a load curve, whose points are runs of their own, has none, nor have engines without links.

$ printf '0\n4\n' > a; nsim -q -e flow -c classes.ini --job 'place=list:a pattern=broadcast_flat:size=20160' -f csv | awk -F, -f rows | sed -n 1,2p; nsim -q -e flow -c classes.ini --pattern uniform:messages=50 --load 0.1 -f csv | grep -c '^link_energy'; nsim -q -e linear -c classes.ini --pattern-file one.pattern -o l.txt
local 24 20160 2 3.2256e-07
global 12 20160 10 1.6128e-06
0
nsim: warning: classes.ini:5: link.global.energy, link.local.energy, link.eject.energy are not used by engine linear
