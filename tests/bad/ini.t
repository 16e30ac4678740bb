# Mistakes in configurations: one file each under tests/bad/ini. The message has file and
# line, what is wrong and what was expected; the status is 2.

$ psim -c bad/ini/binary.ini traces/samples/hello.trace.gz
psim: bad/ini/binary.ini: cannot read: compressed data is damaged or ends early, expected a whole gzip file
[2]

$ psim -c bad/ini/circle.ini traces/samples/hello.trace.gz
psim: bad/ini/circle2.ini:1: inherit: bad/ini/circle.ini inherits itself, expected another file
[2]

$ psim -c bad/ini/circle2.ini traces/samples/hello.trace.gz
psim: bad/ini/circle.ini:1: inherit: bad/ini/circle2.ini inherits itself, expected another file
[2]

$ psim -c bad/ini/control.ini traces/samples/hello.trace.gz
psim: bad/ini/control.ini:2: control character 0x01, expected text
[2]

$ psim -c bad/ini/empty-value.ini traces/samples/hello.trace.gz
psim: bad/ini/empty-value.ini:2: core.rob_entries: nothing is not a number, expected 1 to 1024 entries
[2]

$ psim -c bad/ini/long-line.ini traces/samples/hello.trace.gz
psim: bad/ini/long-line.ini:2: line too long, expected at most 1000 characters
[2]

$ psim -c bad/ini/no-bracket.ini traces/samples/hello.trace.gz
psim: bad/ini/no-bracket.ini:1: no ] after the section's name, expected [section]
[2]

$ psim -c bad/ini/no-value.ini traces/samples/hello.trace.gz
psim: bad/ini/no-value.ini:2: "rob_entries" is neither a section nor an assignment, expected [section] or key = value
[2]

$ psim -c bad/ini/not-a-number.ini traces/samples/hello.trace.gz
psim: bad/ini/not-a-number.ini:2: core.rob_entries: many is not a number, expected 1 to 1024 entries
[2]

$ psim -c bad/ini/late-inherit.ini traces/samples/hello.trace.gz
psim: bad/ini/late-inherit.ini:3: inherit in section [core], expected it before the first section
[2]

$ psim -c bad/ini/not-a-switch.ini traces/samples/hello.trace.gz
psim: bad/ini/not-a-switch.ini:2: core.speculative_wakeup: "maybe" is not a switch, expected yes or no
[2]

$ psim -c bad/ini/orphan.ini traces/samples/hello.trace.gz
psim: bad/ini/orphan.ini:1: inherit: cannot open bad/ini/nowhere.ini: No such file or directory, nor in ...configs and its folders
[2]

$ psim -c bad/ini/out-of-range.ini traces/samples/hello.trace.gz
psim: bad/ini/out-of-range.ini:2: core.rob_entries: 4096 is out of range, expected 1 to 1024 entries
[2]

$ psim -c bad/ini/outside.ini traces/samples/hello.trace.gz
psim: bad/ini/outside.ini:1: rob_entries before the first section, expected [section], inherit = FILE or unused = allowed
[2]

$ psim -c bad/ini/power-of-two.ini traces/samples/hello.trace.gz
psim: bad/ini/power-of-two.ini:2: fetch.width_bytes = 24 is not a power of two, expected one
[2]

$ psim -c bad/ini/unknown-key.ini traces/samples/hello.trace.gz
psim: bad/ini/unknown-key.ini:2: unknown key rob_entires in section [core], did you mean rob_entries?
[2]

$ psim -c bad/ini/unknown-section.ini traces/samples/hello.trace.gz
psim: bad/ini/unknown-section.ini:1: unknown section [cor], did you mean [core]?
[2]

$ psim -c bad/ini/wrong-choice.ini traces/samples/hello.trace.gz
psim: bad/ini/wrong-choice.ini:2: bpred.kind: unknown value "oracle", expected one of brhis|gshare|tage|perceptron|not_taken|perfect
[2]

$ psim -c bad/ini/wrong-unit.ini traces/samples/hello.trace.gz
psim: bad/ini/wrong-unit.ini:2: chip.frequency: "2 GB" has the unknown unit "GB", expected one of GHz, MHz, kHz, Hz
[2]

$ psim -c bad/ini/nowhere.ini traces/samples/hello.trace.gz
psim: bad/ini/nowhere.ini: cannot open: No such file or directory, nor in ...configs and its folders
[2]

$ psim -c bad/ini traces/samples/hello.trace.gz
psim: bad/ini: cannot read: Is a directory
[2]

$ psim -p chip.sharing=some traces/samples/hello.trace.gz
psim: -p: chip.sharing: unknown value "some", expected one of threads|all|none
[2]
