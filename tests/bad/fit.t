# Errors in options and inputs of psim-fit: one line, the right status, no file left.

# Operands.

$ psim-fit
psim-fit: no operand, expected VALUES:REPORT.json|TABLE.csv...: see psim-fit --help
[2]

$ psim-fit n=1
psim-fit: 'n=1': expected VARIABLE=NUMBER:FILE
[2]

$ psim-fit n=x:bad/fit/good.json
psim-fit: n=x: 'x': expected a finite number
[2]

$ psim-fit n=nan:bad/fit/good.json
psim-fit: n=nan: 'nan': expected a finite number
[2]

$ psim-fit n=1,n=2:bad/fit/good.json
psim-fit: n=1,n=2: duplicate variable n, expected each once
[2]

$ psim-fit n=1:bad/fit/good.json m=2:bad/fit/good.json
psim-fit: m=2: unknown variable 'm', expected those of the first point
[2]

$ psim-fit n=1,m=2:bad/fit/good.json n=2:bad/fit/good.json
psim-fit: n=2: missing variable, expected all of the first point
[2]

$ psim-fit a=1,b=1,c=1,d=1,e=1:bad/fit/good.json
psim-fit: a=1,b=1,c=1,d=1,e=1: too many variables, expected at most 4
[2]

# Reports.

$ psim-fit n=1:missing.json
psim-fit: missing.json: cannot open: No such file or directory
[3]

$ psim-fit n=1:bad/fit/unreadable.json
psim-fit: bad/fit/unreadable.json:1: not JSON: '}' expected near end of file; expected a report, as --json writes
[3]

$ psim-fit n=1:bad/fit/array.json
psim-fit: bad/fit/array.json: not a report, expected a JSON object
[3]

$ psim-fit --region dgem n=1:bad/fit/good.json
psim-fit: bad/fit/good.json: the report has no region 'dgem', did you mean dgemm?
[3]

$ psim-fit --region dgemm --value second n=1:bad/fit/good.json
psim-fit: bad/fit/good.json: the report has no column of regions 'second', did you mean seconds?
[3]

$ psim-fit --value core.cycles n=1:bad/fit/good.json
psim-fit: bad/fit/good.json: the report has no value 'cycles'
[3]

$ psim-fit --value core.name n=1:bad/fit/good.json
psim-fit: bad/fit/good.json: core.name: expected a finite number
[3]

$ psim-fit n=1:bad/fit/null.json
psim-fit: bad/fit/null.json: core.seconds: expected a finite number
[3]

$ psim-fit n=1:bad/fit/partial.json
psim-fit: bad/fit/partial.json: trace.complete is 'no', expected a run that was simulated to its end
[3]

$ psim-fit n=1:bad/fit/good.json n=2:bad/fit/other-config.json
psim-fit: bad/fit/other-config.json: core.rob_entries is 128, expected the configuration of the first report (--mixed-config accepts any)
[3]

$ psim-fit --terms 1 n=1:bad/fit/good.json n=2:bad/fit/zero.json
psim-fit: bad/fit/zero.json: core.seconds is 0, expected more than 0 for relative weights (--weights equal accepts any)
[3]

# Tables.

$ psim-fit missing.csv
psim-fit: missing.csv: cannot open: No such file or directory
[3]

$ psim-fit bad/fit/nan.csv
psim-fit: bad/fit/nan.csv:3: 'nan': expected a finite number
[3]

$ psim-fit bad/fit/word.csv
psim-fit: bad/fit/word.csv:3: 'x': expected a finite number
[3]

$ psim-fit bad/fit/short-row.csv
psim-fit: bad/fit/short-row.csv:3: 1 cells, expected 2
[3]

$ psim-fit bad/fit/empty.csv
psim-fit: bad/fit/empty.csv: empty, expected a line with the columns' names
[3]

$ psim-fit bad/fit/twice.csv
psim-fit: bad/fit/twice.csv:1: duplicate variable n, expected each once
[3]

$ psim-fit bad/fit/one-column.csv
psim-fit: bad/fit/one-column.csv:1: expected names of 2 to 5 columns, the last or 'file' for the value, and perhaps data_kib
[3]

$ psim-fit bad/fit/name.csv
psim-fit: bad/fit/name.csv:1: '2n' is not a variable name, expected a letter, then letters, digits or _, 31 at most, and not log2
[3]

$ psim-fit bad/fit/names.csv
psim-fit: bad/fit/names.csv:3: bad/fit/missing.json: cannot open: No such file or directory
[3]

$ psim-fit --value hours bad/fit/three.csv
psim-fit: bad/fit/three.csv:1: no column 'hours' in the header, expected it
[3]

$ psim-fit bad/fit/three.csv bad/fit/singular.csv
psim-fit: bad/fit/singular.csv:1: other variables than those of the first points
[3]

# Terms and points that do not go together.

$ psim-fit bad/fit/three.csv
psim-fit: too few points to choose terms: 3, expected at least 5, or --terms
[2]

$ psim-fit --terms '1, n, n^2' bad/fit/three.csv
psim-fit: too few points: 3 for 3 terms, expected at least 4
[2]

$ psim-fit --terms 'n, m' bad/fit/singular.csv
psim-fit: term 'm' is a linear combination of the others at these 4 points, expected independent terms or other points
[2]

$ psim-fit --terms '1, log2(n)' bad/fit/negative.csv
psim-fit: bad/fit/negative.csv:2: term 'log2(n)' is undefined there, expected variables above 0 for logarithms and fractional or negative powers
[3]

$ psim-fit --terms n bad/fit/below-zero.csv
psim-fit: bad/fit/below-zero.csv:3: seconds is -4, expected more than 0 for relative weights (--weights equal accepts any)
[3]

$ psim-fit --terms '1, k' bad/fit/three.csv
psim-fit: --terms: term 'k': unknown variable 'k', did you mean n?
[2]

$ psim-fit --terms 'n^' bad/fit/three.csv
psim-fit: --terms: term 'n^': expected a power like 2, 1.5 or (3/2) at ''
[2]

$ psim-fit --terms '' bad/fit/three.csv
psim-fit: --terms: term '': expected 1, a variable, or log2(variable) at ''
[2]

# Kernels and tables.

$ psim-fit --kernel gem bad/fit/line.csv
psim-fit: --kernel: unknown kernel 'gem', expected one of gemm, fft, stencil, stream, spmv: did you mean gemm?
[2]

$ psim-fit --kernel gemm --terms n bad/fit/line.csv
psim-fit: --kernel gemm: excludes --terms
[2]

$ psim-fit --interpolate --terms n bad/fit/line.csv
psim-fit: --interpolate: excludes --terms and --kernel
[2]

$ printf 'n,m,seconds\n1,1,1\n1,2,2\n2,1,3\n' > corner.csv; psim-fit --interpolate corner.csv
psim-fit: --interpolate: 3 sizes form no grid, expected all combinations of the sizes of each variable
[3]

$ printf 'n,seconds\n8,1\n8,1\n8,1\n8,1\n8,1\n8,1\n' > six.csv; psim-fit six.csv
psim-fit: too few sizes to choose terms: 1, expected at least 5, or --terms
[2]

# The larger of several sums. 1 + 2 n alone is enough for the first table; the second has one point of n^2 / 10.

$ psim-fit --terms n --terms 1 --terms n^2 --terms n^3 bad/fit/line.csv
psim-fit: --terms: 4 times, expected at most 3
[2]

$ psim-fit --terms '1, n' --terms '1, k' bad/fit/line.csv
psim-fit: --terms: term 'k': unknown variable 'k', did you mean n?
[2]

$ psim-fit --terms '1, n' --terms 'n, n^2, n^3' bad/fit/line.csv
psim-fit: too few points: 6 for 5 terms in 2 sums, expected at least 7
[2]

$ psim-fit --terms '1, n' --terms 'n^2' bad/fit/line.csv
psim-fit: sum 1, '1, n', alone fits these points as well as the maximum of the sums, expected no other sum
[2]

$ psim-fit --terms '1, n' --terms 'n^2' bad/fit/once.csv
psim-fit: sum 2, 'n^2', is the maximum at 1 of 7 points, expected at least 2: more points there, or fewer terms or sums
[2]

# Options.

$ psim-fit --hold-out 'n=5' --terms n bad/fit/three.csv
psim-fit: --hold-out 'n=5': matches no point
[2]

$ psim-fit --hold-out 'n!3' --terms n bad/fit/three.csv
psim-fit: --hold-out 'n!3': expected VARIABLE=NUMBER, or <, <=, >, >=
[2]

$ psim-fit --predict 'm=3' --terms n bad/fit/three.csv
psim-fit: --predict: m=3: unknown variable 'm', expected those of the first point
[2]

$ psim-fit --max-terms 0 bad/fit/three.csv
psim-fit: --max-terms 0: expected 1 to 12
[2]

$ psim-fit --weights none bad/fit/three.csv
psim-fit: --weights: unknown value 'none', expected one of relative|equal
[2]

$ psim-fit --expect 'model.r2' --terms n bad/fit/three.csv
psim-fit: --expect 'model.r2': malformed, expected NAME=VALUE, NAME=VALUE+-TOLERANCE (a number or N%), NAME>=VALUE or NAME<=VALUE; numbers in the unit that --format csv shows
[2]

$ psim-fit --expect 'model.r3<=1' -o /dev/null --terms n bad/fit/three.csv
psim-fit: --expect 'model.r3<=1': the report has no number model.r3, did you mean model.r2?
[2]

# A figure that is missed; the report is written.

$ psim-fit --terms n --expect 'model.r2<=0.5' -o r bad/fit/three.csv; echo $?; test -s r
psim-fit: model.r2 is 1, expected at most 0.5
5

# Output that cannot be written.

$ psim-fit --terms n --model missing/x.model -o r bad/fit/three.csv
psim-fit: missing/x.model: cannot open for writing: No such file or directory
psim-fit: note: r was written before this
[1]

$ psim-fit --terms n --picture /dev/full -o r bad/fit/three.csv
psim-fit: /dev/full: cannot write: No space left on device
psim-fit: note: r was written before this
[1]

# Output that would replace a table or a report.

$ cp bad/fit/three.csv in.csv; psim-fit --terms n --model in.csv in.csv
psim-fit: in.csv: is also an input, expected another file to write to
[2]

$ psim --json -o in.json traces/samples/hello.trace.gz; psim-fit --terms 1 --picture in.json n=1:in.json n=2:in.json
psim-fit: in.json: is also an input, expected another file to write to
[2]

$ cmp in.csv bad/fit/three.csv; head -c 1 in.json
{

# A table that never ends.

$ psim-fit /dev/zero
psim-fit: /dev/zero:1: a zero byte, expected text
[3]
