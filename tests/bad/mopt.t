# Mistakes in matrices, mappings and on mopt's command line.

$ mopt -t torus:2x2 --method keep --from bad/mapping/mapping-missing.txt bruck:4:1
mopt: bad/mapping/mapping-missing.txt:5: end of the file, and rank 3 has no node
[3]

$ mopt -t torus:2x2 --method keep --from bad/mapping/mapping-node.txt bruck:4:1
mopt: bad/mapping/mapping-node.txt:2: node 4, expected 0 to 3
[3]

$ mopt -t torus:2x2 --method keep --from bad/mapping/mapping-other.txt bruck:4:1
mopt: bad/mapping/mapping-other.txt: 3 ranks, expected 4 as in the matrix
[3]

$ mopt -t torus:2x2 --method keep --from bad/mapping/mapping-rank.txt bruck:4:1
mopt: bad/mapping/mapping-rank.txt:4: rank 4, expected 0 to 3
[3]

$ mopt -t torus:2x2 --method keep --from bad/mapping/mapping-shared.txt bruck:4:1
mopt: initial placement: expected 1 consecutive rank on each node, and none on excluded nodes
[2]

$ mopt -t torus:2x2 --method keep --from bad/mapping/mapping-twice.txt bruck:4:1
mopt: bad/mapping/mapping-twice.txt:3: rank 0 appears twice
[3]

$ mopt -t torus:2x2 bad/mapping/matrix-empty.txt
mopt: bad/mapping/matrix-empty.txt:1: end of the file, expected ranks N
[3]

$ mopt -t torus:2x2 bad/mapping/matrix-number.txt
mopt: bad/mapping/matrix-number.txt:2: 0 1 x 1, expected 4 whole numbers
[3]

$ mopt -t torus:2x2 bad/mapping/matrix-rank.txt
mopt: bad/mapping/matrix-rank.txt:2: from 0 to 4, expected ranks from 0 to 3
[3]

$ mopt -t torus:2x2 bad/mapping/matrix-ranks.txt
mopt: bad/mapping/matrix-ranks.txt:1: 0 1 10 1 before the number of ranks, expected ranks N
[3]

$ mopt -t torus:2x2 bad/mapping/matrix-twice.txt
mopt: bad/mapping/matrix-twice.txt:3: duplicate pair from 0 to 1, expected each once
[3]

$ mopt -t torus:2x2 no-such-file
mopt: no-such-file: cannot open: No such file or directory
[3]

$ mopt -t torus:2x2 ring:4:1
mopt: unknown pattern 'ring:4:1', expected bruck, stencil or stencil-torus
[2]

$ mopt -t torus:2x2 bruck:4
mopt: pattern bruck:4: expected NAME:SIZES:BYTES, for instance bruck:4096:2048
[2]

$ mopt -t torus:2x2 bruck:4:0
mopt: pattern bruck:4:0: 0, expected 1 to 4294967295 bytes
[2]

$ mopt -t torus:2x2 bruck:5:1
mopt: 5 ranks, 1 on each of 4 nodes: expected at most 4
[2]

$ mopt -t torus:16385 --method mincost bruck:5:1
mopt: a dimension of 16385 nodes, expected at most 16384 for merging
[2]

$ mopt -t fat_tree:4x4 --method mincost bruck:16:1
mopt: merging places tasks on meshes and tori of at most 4 dimensions, not on this fat_tree, expected method auto, bisect or greedy
[2]

$ mopt -t torus bruck:4:1
mopt: --topology torus: expected KIND:SIZES, for instance torus:16x16x16
[2]

$ mopt -t tours:2x2 bruck:4:1
mopt: --topology: topology.kind: unknown value "tours", expected one of mesh|torus|...
[2]

$ mopt -t torus:2x2 --method best bruck:4:1
mopt: --method: unknown value 'best', expected one of none|mincost|balanced|minlink|minsquares|bisect|greedy|scotch|keep|auto
[2]

$ mopt -t torus:2x2 --effort much bruck:4:1
mopt: --effort much: not a number, expected digits and perhaps k, M or G
[2]

$ mopt -t torus:2x2 --effort -1 bruck:4:1
mopt: --effort -1: not a number, expected digits and perhaps k, M or G
[2]

$ mopt -t torus:2x2 --effort 1000001 bruck:4:1
mopt: --effort 1000001: expected at most 1000000
[2]

$ mopt -t torus:2x2 --effort 10 --method greedy bruck:4:1
mopt: --effort 10: expected --method auto; other methods have no budget
[2]

$ mopt -t torus:2x2 --method scotch --strategy best bruck:4:1
mopt: --strategy: unknown value 'best', expected one of default|quality|speed|recursive
[2]

$ mopt -t torus:2x2 --strategy speed bruck:4:1
mopt: --strategy speed: expected --method scotch
[2]

$ mopt -t torus:2x2 --orders 0 bruck:4:1
mopt: --orders 0: expected 1 to 100000
[2]

$ mopt -t torus:2x2 --from bad/mapping/mapping-rank.txt bruck:4:1
mopt: --from bad/mapping/mapping-rank.txt: expected --method keep; other methods ignore the initial placement
[2]

$ mopt -t torus:2x2 -o bad/mapping/matrix-rank.txt bad/mapping/matrix-rank.txt
mopt: bad/mapping/matrix-rank.txt: is also an input, expected another file to write to
[2]

$ mopt -t torus:2x2 --expect placed.max_link bruck:4:1
mopt: --expect 'placed.max_link': malformed, expected NAME=VALUE, NAME=VALUE+-TOLERANCE (a number or N%), NAME>=VALUE or NAME<=VALUE; numbers in the unit that --format csv shows
[2]

$ mopt -t torus:2x2 --expect 'placed.cost<=0' -r /dev/null bruck:4:1
mopt: placed.cost is 1.4e-08, expected at most 0
[5]

$ mopt -t torus:2x2 --slack much bruck:4:1
mopt: --slack much: expected percent, 0 or more
[2]

$ mopt -t torus:2x2 --exclude 1-4 bruck:3:1
mopt: --exclude 1-4: expected nodes from 0 to 3, for instance 3,7-9
[2]

$ mopt -t torus:2x2 --exclude 2-1 bruck:3:1
mopt: --exclude 2-1: expected nodes from 0 to 3, for instance 3,7-9
[2]

$ mopt -t torus:2x2 --exclude 1,x bruck:3:1
mopt: --exclude 1,x: expected nodes from 0 to 3, for instance 3,7-9
[2]

$ mopt -t torus:2x2 --exclude 1 bruck:4:1
mopt: 4 ranks, 1 on each of 3 nodes: expected at most 3
[2]

$ mopt -t torus:2x2 --weight 101 bruck:4:1
mopt: --weight 101: expected percent from 0 to 100
[2]

$ mopt -t torus:2x2 --anneal 10 --chains 0 bruck:4:1
mopt: --anneal 10 --chains 0 --threads 0: expected at most 1000000 steps, 1 to 1000 chains and at most 1024 threads
[2]

$ mopt -t torus:2x2 --picture no-such-folder/x.svg bruck:4:1 -r report
mopt: no-such-folder/x.svg: cannot open for writing: No such file or directory
mopt: note: report was written before this
[1]

$ mopt -t torus:2x2 --anneal 10 --limit x bruck:4:1
mopt: --limit x: expected MB, from 0 to 1e9
[2]
