# Reports of the programs and the schema of docs/formats/report.schema.json.
# needs: jq

$ psim -q -v --json -o psim.json traces/samples/quicksort.trace.gz; psim -q --json -o chip.json traces/samples/quicksort.trace.gz traces/samples/dgemm.trace.gz; psim -q --json -c simd16.ini -o array.json traces/samples/simd-fft.trace.gz; psim -q --json --sample -o sample.json traces/samples/dgemm-packed.trace.gz; psim-trace --mix --functions --json -o trace.json traces/samples/hello.trace.gz; psim-diff --json -o diff.json psim.json array.json; psim-diff --short --json -o short.json psim.json array.json; nsim -q --json --each-rank -p topology.dims=4 --pattern ring -o nsim.json; ls *.json | wc -l
8

$ python3 "$PSIM/tests/cli/report_schema.py" "$PSIM/docs/formats/report.schema.json" *.json
array.json: ...values, ...units
chip.json: ...values, ...units
diff.json: ...values, ...units
nsim.json: ...values, ...units
psim.json: ...values, ...units
sample.json: ...values, ...units
short.json: ...values, ...units
trace.json: ...values, ...units

# Reports that are none are found.

$ for change in 'del(.core.ipc)' 'del(.cycle_parts[1].slots)' '.units["core.nothing"] = "s"' '.strange = true'; do jq "$change" psim.json > x.json; python3 "$PSIM/tests/cli/report_schema.py" "$PSIM/docs/formats/report.schema.json" x.json; done; true
x.json: 'ipc' is a required property
x.json: cycle_parts: rows have other members
x.json: units of core.nothing, which is no value
x.json: True is not valid under any of the given schemas
