# Mistakes in studies: one file each under tests/bad/explore. The message has file and line,
# what is wrong and what was expected; nothing runs before the whole study is checked.

$ psim-explore -o r bad/explore/bad-trace.ini
psim-explore: bad/explore/bad-trace.ini:2: trace hello: bad/explore/../trace/text.trace.gz:offset 0x0: not a trace, expected a file written by psim-record
[3]

$ psim-explore -o r bad/explore/before-section.ini
psim-explore: bad/explore/before-section.ini:1: inherit before the first section, expected title, base, runs, sample or simulator
[2]

$ psim-explore -o r bad/explore/brace-unknown.ini
psim-explore: bad/explore/brace-unknown.ini:2: unknown parameter {core.nosuch}, expected {section.key} from --list-params
[2]

$ psim-explore -o r bad/explore/brace.ini
psim-explore: bad/explore/brace.ini:2: "hello-{core.fp_pipes.trace.gz" has an unmatched brace, expected {section.key}
[2]

$ psim-explore -o r bad/explore/control.ini
psim-explore: bad/explore/control.ini:1: control character 0x01, expected text
[2]

$ psim-explore -o r bad/explore/empty-pair.ini
psim-explore: bad/explore/empty-pair.ini:1: [pair width] is empty, expected section.key = VALUES
[2]

$ psim-explore -o r bad/explore/factor.ini
psim-explore: bad/explore/factor.ini:2: core.rob_entries: factor 1, expected a number above 1
[2]

$ psim-explore -o r bad/explore/falling.ini
psim-explore: bad/explore/falling.ini:2: core.rob_entries: descending range from 64 to 32, expected an ascending one
[2]

$ psim-explore -o r bad/explore/nameless-pair.ini
psim-explore: bad/explore/nameless-pair.ini:1: a pair without a name, expected [pair NAME]
[2]

$ psim-explore -o r bad/explore/no-base.ini
psim-explore: bad/explore/no-base.ini:1: bad/explore/nowhere.ini: cannot open: No such file or directory, nor in ...configs and its folders
[2]

$ psim-explore -o r bad/explore/no-section.ini
psim-explore: bad/explore/no-section.ini:2: unknown parameter 'rob_entries', expected section.key
[2]

$ psim-explore -o r bad/explore/no-trace-file.ini
psim-explore: bad/explore/no-trace-file.ini:2: trace hello: bad/explore/nowhere.trace.gz: cannot open: No such file or directory
[3]

$ psim-explore -o r bad/explore/no-traces.ini
psim-explore: bad/explore/no-traces.ini: no traces, expected [traces] with NAME = FILE
[2]

$ psim-explore -o r bad/explore/not-a-range.ini
psim-explore: bad/explore/not-a-range.ini:2: core.rob_entries: 32..64 is not a range, expected FIRST..LAST*FACTOR or FIRST..LAST+STEP
[2]

$ psim-explore -o r bad/explore/out-of-range.ini
psim-explore: bad/explore/out-of-range.ini:2: core.rob_entries: 4096 is out of range, expected 1 to 1024 entries
[2]

$ psim-explore -o r bad/explore/sample-short.ini
psim-explore: bad/explore/sample-short.ini:1: sample 1000/3000: a unit each 3000 instructions, expected at least 3256: 2000 are simulated before and 256 behind each
[2]

$ psim-explore -o r bad/explore/sample-word.ini
psim-explore: bad/explore/sample-word.ini:1: sample yes, expected auto, or U/W, a unit of U instructions each W, as in 1000/40000
[2]

$ psim-explore -o r bad/explore/sample-runs.ini
psim-explore: bad/explore/sample-runs.ini: sample = auto and several runs, expected one of them
[2]

$ psim-explore -o r bad/explore/range-of-choices.ini
psim-explore: bad/explore/range-of-choices.ini:2: bpred.kind: brhis..perfect+1 is a range, expected a list of values
[2]

$ psim-explore -o r bad/explore/rule.ini
psim-explore: bad/explore/rule.ini:2: fetch.width_bytes = 24 is not a power of two, expected one (fetch.width_bytes=24)
[2]

$ psim-explore -o r bad/explore/runs.ini
psim-explore: bad/explore/runs.ini:1: runs 0, expected 1 to 1000
[2]

$ psim-explore -o r bad/explore/same-content.ini
psim-explore: bad/explore/same-content.ini:3: trace again has the content of hello, expected another trace
[2]

$ psim-explore -o r bad/explore/same-name.ini
psim-explore: bad/explore/same-name.ini:3: duplicate trace hello, first in line 2, expected another name
[2]

$ psim-explore -o r bad/explore/same-position.ini
psim-explore: bad/explore/same-position.ini:1: values 2 and 4 of [pair width] are equal, expected different ones
[2]

$ psim-explore -o r bad/explore/same-pair.ini
psim-explore: bad/explore/same-pair.ini:3: duplicate [pair width], first in line 1, expected another name
[2]

$ psim-explore -o r bad/explore/set-and-swept.ini
psim-explore: bad/explore/set-and-swept.ini:4: duplicate core.rob_entries, first in line 2, expected it once
[2]

$ psim-explore -o r bad/explore/step.ini
psim-explore: bad/explore/step.ini:2: core.rob_entries: step: x is not a number, expected 0 to 1024 entries
[2]

$ psim-explore -o r bad/explore/too-many-points.ini
psim-explore: bad/explore/too-many-points.ini: too many points, expected at most 100000
[2]

$ psim-explore -o r bad/explore/too-many.ini
psim-explore: bad/explore/too-many.ini:2: memory.latency: too many values, expected at most 1000
[2]

$ psim-explore -o r bad/explore/twice.ini
psim-explore: bad/explore/twice.ini:2: core.rob_entries: 32 is repeated, expected each value once
[2]

$ psim-explore -o r bad/explore/unequal-pair.ini
psim-explore: bad/explore/unequal-pair.ini:3: core.commit_width has 2 values, expected 3, as many as decode.width in line 2
[2]

$ psim-explore -o r bad/explore/unknown-key.ini
psim-explore: bad/explore/unknown-key.ini:2: unknown key rob_entires in section [core], did you mean rob_entries?
[2]

$ psim-explore -o r bad/explore/limit-unknown.ini; psim-explore -o r bad/explore/limit-unit.ini; psim-explore -o r bad/explore/limit-twice.ini
psim-explore: bad/explore/limit-unknown.ini:5: limit 'powr' is no figure of a design, expected one of seconds, ... (did you mean power?)
psim-explore: bad/explore/limit-unit.ini:5: limit area = 3 cm2: unit 'cm2', expected a number in mm2
psim-explore: bad/explore/limit-twice.ini:6: duplicate limit area, first in line 5, expected it once
[2]

$ psim-explore -o r bad/explore/unknown-section.ini
psim-explore: bad/explore/unknown-section.ini:1: unknown section [sweeps], expected [set], [sweep], [pair NAME], [traces], [weights] or [limits]
[2]

# Errors that appear when a point runs: the other points are kept and can be reported.

$ psim-explore -o damaged.sqlite bad/explore/damaged.ini
psim-explore: 2 of 4 points failed, the first: core.rob_entries=32 of bad: bad/explore/../trace/columns.trace.gz:offset ...
psim-explore: note: damaged.sqlite was written before this
[3]

$ psim-explore -o damaged.sqlite --no-run --over trace -f csv bad/explore/damaged.ini | grep -E '^study,known|^hello_best,area_mm2,0'
psim-explore: warning: 2 of 4 points have no results in damaged.sqlite
study,known,,2,
hello_best,area_mm2,0,...,mm2

$ ls r*
ls: cannot access 'r*': No such file or directory
[2]

# Results that are none.

$ psim-explore -o nosuch.sqlite --no-run bad/explore/damaged.ini
psim-explore: nosuch.sqlite: unable to open database file
[1]

$ cp bad/trace/text.trace.gz text; psim-explore -o text bad/explore/damaged.ini; cmp text bad/trace/text.trace.gz && echo untouched
psim-explore: text: file is not a database, expected results of psim-explore
untouched

$ psim-explore -o bad bad/explore/damaged.ini
psim-explore: bad: unable to open database file
[1]

$ psim-explore -j 0 bad/explore/damaged.ini
psim-explore: --jobs 0: expected 1 to 1024
[2]

$ psim-explore -o damaged.sqlite --no-run --csv /dev/full bad/explore/damaged.ini >out; grep -c ^study out
psim-explore: warning: 2 of 4 points have no results in damaged.sqlite
psim-explore: /dev/full: cannot write: No space left on device
3

$ psim-explore --colour l1d.ways --svg x.svg bad/explore/damaged.ini
psim-explore: --colour 'l1d.ways': not a varied parameter of bad/explore/damaged.ini, expected area or section.key of a parameter that varies
[2]

$ psim-explore --csv x --svg x bad/explore/damaged.ini
psim-explore: --csv and --svg both write to x, expected different files
[2]

$ psim-explore --front time,speed bad/explore/damaged.ini; psim-explore --axes area --svg x.svg bad/explore/damaged.ini
psim-explore: --front: 'speed' is no figure of a design, expected some of seconds, system_j, area_mm2, ...
psim-explore: --axes area: 1 figures, expected two, as area,energy
[2]

# Output that would replace the study.

$ cp configs/explore/window.ini in.ini; psim-explore -o r --csv in.ini in.ini
psim-explore: in.ini: is also an input, expected another file to write to
[2]

# No output replaces the results.

$ printf 'base = configs/sparc64v.ini\n[sweep]\ncore.rob_entries = 16\n[traces]\na = traces/samples/hello.trace.gz\n' > kept.ini; for option in --csv --svg --html; do psim-explore -q kept.ini $option kept.sqlite; done; psim-explore -q kept.ini > report; ln -s kept.sqlite other; psim-explore -q kept.ini --html other; psim-explore -q --no-run kept.ini | grep known
psim-explore: kept.sqlite: the file of the results, expected another
psim-explore: kept.sqlite: the file of the results, expected another
psim-explore: kept.sqlite: the file of the results, expected another
psim-explore: ...other...
  known                            1   # simulations with a result

# Results in another format: the message says how to go on.

$ for v in 3 9; do cp kept.sqlite other.sqlite; python3 -c "import sqlite3; sqlite3.connect('other.sqlite').execute('PRAGMA user_version = $v')"; psim-explore -q -o other.sqlite kept.ini || echo $?; done; psim-explore -q --merge other.sqlite -o all.sqlite || echo $?; psim-explore -q -o again.sqlite kept.ini > /dev/null && echo again
psim-explore: other.sqlite: results in format 3, expected format 7: no program converts them; the psim-explore that made the file reads them, or the study simulates again with -o and another file
3
psim-explore: other.sqlite: results in format 9, expected format 7: no program converts them; a newer psim-explore reads them, or the study simulates again with -o and another file
3
psim-explore: other.sqlite: results in format 9, expected format 7: no program converts them; a newer psim-explore reads them, or the study simulates again with -o and another file
3
again

# A text has room for 64 columns. All of 63 parameters, 4 criteria, 16 figures and the first column are 84.

$ (echo '[sweep]'; psim --dump-config | awk '/^\[/ { section = $1; gsub(/[][]/, "", section) } /^[a-z_0-9]+ += [0-9]/ { sub(/ *;.*/, ""); print section "." $0 }' | grep -vE '^(chip|simd|run)' | sed -n 1,63p; printf '[traces]\nhello = traces/samples/hello.trace.gz\n') > wide.ini; psim-explore -q --list --columns all wide.ini 2>error; echo $?; grep columns error
2
psim-explore: --columns: 86 columns of text, expected at most 64: name some by --columns; CSV, JSON and the page have all
