# Names from outside (programs, symbols, regions, files, arguments) in every output format: no control character reaches a
# terminal, no name ends the script of a page.

$ nsimcc -O1 -o ring.so examples/ring.c; python3 bad/../cli/hostile_names.py $BUILD/tests/cli/names-writer
psim: right
psim-diff: right
psim-explore: right
nsim: right
outputs checked: more than 150
