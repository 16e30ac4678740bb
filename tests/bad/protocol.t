# Mistakes in protocols of message libraries: one file each under tests/bad/protocol. The message has file and line.

$ nsim -q -p protocol.file=bad/protocol/after-to.txt --pattern ring:size=1
nsim: bad/protocol/after-to.txt:5: a segment after the line "to", expected it before
[3]

$ nsim -q -p protocol.file=bad/protocol/before.txt --pattern ring:size=1
nsim: bad/protocol/before.txt:2: "0", expected "between" or "within"
[3]

$ nsim -q -p protocol.file=bad/protocol/empty.txt --pattern ring:size=1
nsim: bad/protocol/empty.txt:1: no table in it, expected "message-protocol 1" and then "between"
[3]

$ nsim -q -p protocol.file=bad/protocol/first.txt --pattern ring:size=1
nsim: bad/protocol/first.txt:3: the first segment begins at 1024 bytes, expected 0
[3]

$ nsim -q -p protocol.file=bad/protocol/negative.txt --pattern ring:size=1
nsim: bad/protocol/negative.txt:3: -1us is out of range, expected 0 to 1000 s
[3]

$ nsim -q -p protocol.file=bad/protocol/no-segment-end.txt --pattern ring:size=1
nsim: bad/protocol/no-segment-end.txt:4: a table without segments before this line
[3]

$ nsim -q -p protocol.file=bad/protocol/no-segment.txt --pattern ring:size=1
nsim: bad/protocol/no-segment.txt:3: a table without segments before this line
[3]

$ nsim -q -p protocol.file=bad/protocol/no-table.txt --pattern ring:size=1
nsim: bad/protocol/no-table.txt:1: no table in it, expected "message-protocol 1" and then "between"
[3]

$ nsim -q -p protocol.file=bad/protocol/order.txt --pattern ring:size=1
nsim: bad/protocol/order.txt:5: a segment from 4096 bytes after one from 4096, expected ascending sizes
[3]

$ nsim -q -p protocol.file=bad/protocol/rate-unit.txt --pattern ring:size=1
nsim: bad/protocol/rate-unit.txt:3: "2ns/B" has the unknown unit "ns/B", expected one of TB/s, GB/s, MB/s, kB/s, B/s, TiB/s, GiB/s, MiB/s, KiB/s, Tbit/s, Gbit/s, Mbit/s, kbit/s
[3]

$ nsim -q -p protocol.file=bad/protocol/rate.txt --pattern ring:size=1
nsim: bad/protocol/rate.txt:3: 0GB/s is out of range, expected 1 B/s to 1000000 TB/s
[3]

$ nsim -q -p protocol.file=bad/protocol/sends-order.txt --pattern ring:size=1
nsim: bad/protocol/sends-order.txt:4: buffered after eager, expected buffered, then eager, then rendezvous, then fetched
[3]

$ nsim -q -p protocol.file=bad/protocol/sends.txt --pattern ring:size=1
nsim: bad/protocol/sends.txt:3: rendevous: expected buffered, eager, rendezvous or fetched
[3]

$ nsim -q -p protocol.file=bad/protocol/size.txt --pattern ring:size=1
nsim: bad/protocol/size.txt:4: "4kB" has the unknown unit "kB", expected one of TiB, GiB, MiB, KiB, bytes, B
[3]

$ nsim -q -p protocol.file=bad/protocol/times.txt --pattern ring:size=1
nsim: bad/protocol/times.txt:1: no protocol, expected "message-protocol 1" at its beginning
[3]

$ nsim -q -p protocol.file=bad/protocol/to-twice.txt --pattern ring:size=1
nsim: bad/protocol/to-twice.txt:5: expected one line "to SIZE" behind the segments of a table
[3]

$ nsim -q -p protocol.file=bad/protocol/to.txt --pattern ring:size=1
nsim: bad/protocol/to.txt:5: to 4KiB: expected more than the last segment's first size
[3]

$ nsim -q -p protocol.file=bad/protocol/twice.txt --pattern ring:size=1
nsim: bad/protocol/twice.txt:4: a second table "between"
[3]

$ nsim -q -p protocol.file=bad/protocol/unit.txt --pattern ring:size=1
nsim: bad/protocol/unit.txt:3: "0.2" has no unit, expected one of s, ms, us, ns, ps
[3]

$ nsim -q -p protocol.file=bad/protocol/version.txt --pattern ring:size=1
nsim: bad/protocol/version.txt:1: no protocol, expected "message-protocol 1" at its beginning
[3]

$ nsim -q -p protocol.file=bad/protocol/words.txt --pattern ring:size=1
nsim: bad/protocol/words.txt:3: expected a segment: SIZE SENDS and the times SEND RECEIVE DELAY GAP
[3]
