# A program's run as a pattern file: replayed by the same engine it takes the same time, to the picosecond.

$ nsimcc -O1 -Wall -Wextra -Werror -o steps.so mpi/steps.c
$ for e in flow packet linear; do nsim -q -e $e -p topology.dims=4x4 -n 16 --write-pattern steps.pattern -f csv -o r.csv steps.so; nsim -q -e $e -p topology.dims=4x4 --pattern-file steps.pattern -f csv -o t.csv; test "$(sed -n 's/^program,seconds,,//p' r.csv)" = "$(sed -n 's/^traffic,time,,//p' t.csv)" && echo the same; done
the same
the same
the same

# Two ranks: 1 sends 8 bytes after 3 us and 0.2 of its call, 0 has posted its receive at 0.2; then 0 computes 1 us.

$ nsimcc -o two.so mpi/event.c && nsim -q -n 2 -p topology.dims=2 --write-pattern two.pattern --timeline two.json --paje two.paje -o r two.so; cat two.pattern
ranks 2
outstanding 4294967295
send 1 0 1 8 wait=3200000ps
sends 1 2
receive 0 1 1 wait=200000ps
pause 0 2 1000000ps

# Its event is in both logs, at the end of the receive.

$ grep -c '"ph":"i"' two.json; grep -o '"name":"got it","ph":"i","s":"t"' two.json; grep -o 'E R Event' two.paje; grep -o 'r0 E "got it"' two.paje; python3 -c 'import json; x = json.load(open("two.json"))["traceEvents"]; print([e["ts"] for e in x if e["ph"] == "i"] == [e["ts"] for e in x if e["ph"] == "E" and e["pid"] == 268435456][:1])'
1
"name":"got it","ph":"i","s":"t"
E R Event
r0 E "got it"
True

$ nsim -q --write-pattern p --pattern ring
nsim: --write-pattern: expected a program, not traffic
[2]
