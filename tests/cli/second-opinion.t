# Machine and counts for McPAT, energies and areas for Accelergy.
# needs: python3

# All names are McPAT's, in the order of its components.

$ psim -q -o dgemm.txt --mcpat dgemm.xml traces/samples/dgemm.trace.gz; python3 bad/../cli/mcpat_names.py bad/../cli/mcpat.names dgemm.xml
121 parameters, 77 counts

# Counts of the report: instructions, cycles, loads, branches; L2 requests of L1I and L1D.

$ psim -q -v -f csv -o dgemm.csv traces/samples/dgemm.trace.gz; python3 bad/../cli/mcpat_names.py bad/../cli/mcpat.names dgemm.xml system.total_cycles system.core0.committed_instructions system.core0.load_instructions system.core0.branch_instructions system.L20.read_accesses | cut -d ' ' -f 2 | xargs; awk -F, '$1 ~ /^(core|load_store|commit|memory.l2)$/ { v[$2] = $4 } END { print v["cycles"], v["instructions"], v["loads"], v["branches"], v["data_accesses"] + v["instruction_accesses"] }' dgemm.csv
113034 199258 55350 7068 878
113034 199258 55350 7068 878

# Two cores: the mean of one core, the sum of the L2. The same on several processes.

$ psim -q -o r --mcpat two.xml -p chip.cores=2 traces/samples/quicksort.trace.gz; psim -q -o r --mcpat one.xml traces/samples/quicksort.trace.gz; for f in one two; do python3 bad/../cli/mcpat_names.py bad/../cli/mcpat.names $f.xml system.number_of_cores system.core0.committed_instructions system.L20.L2_config; done
system.number_of_cores 1
system.core0.committed_instructions 504725
system.L20.L2_config 6291456,64,8,1,2,12,32,1
system.number_of_cores 2
system.core0.committed_instructions 504725
system.L20.L2_config 6291456,64,8,1,2,12,32,1
$ psim -q -o r -j 2 --mcpat j.xml traces/samples/quicksort.trace.gz; cmp one.xml j.xml && echo same
same

# Accelergy's tables: energies add up to the report's, areas to its total.

$ psim -q -o simd.txt -f json --accelergy simd.yaml -c simd16.ini traces/samples/simd-dgemm.trace.gz; python3 bad/../cli/accelergy_sums.py simd.yaml simd.txt
1.00000 of the energy, 1.00000 of the area

# A model that reads its own energies has them.

$ printf 'energy-constants 1\nert technology.fp_fma_pj own.yaml chip.operation.fp_fma compute 90 1.0\nart technology.fma_mm2 own.yaml chip.operation.fp_fma 90\n' > own.constants; psim -q -o r --accelergy own.yaml traces/samples/hello.trace.gz; psim -q -v -p technology.file=own.constants traces/samples/hello.trace.gz | sed -n '/^energy.constants/,/^$/p'
energy.constants: constants of technology.file; low and high 0: by the factors of readings
  constant              low  likely  high  source
  technology.fp_fma_pj    0  120.00     0  Accelergy: own.yaml, chip.operation.fp_fma compute, 90 nm
  technology.fma_mm2      0    2.12     0  Accelergy: own.yaml, chip.operation.fp_fma, 90 nm
