#!/bin/sh
# The part of docs/accuracy.md on the flow engine, on standard output.
#   accuracy-flow.sh MFS-FIGURES FLOW-PACKET
# Status 5 if a figure is missed: it is in the document then, marked.
set -eu
status=0
cat <<'END'

## 5. Messages as flows

What the flow engine is and how it is held to max-min fairness: `flow-engine.md`. Here: the figures of the Message Flow
Simulator's paper (S. Yazaki, H. Ishihata), and how far flows are from packets (`tests/figures/mfs.c`,
`tests/figures/flow-packet.c`; with `--full` larger networks, with `--host` what runs cost).
END
"$1" | awk '
	/^## / { if (open) print "```"; open = 0; sub(/^## /, "### "); print; next }
	/^ *(N|mode F) / && !open { print "```"; open = 1 }
	{ print }
	END { if (open) print "```" }' || status=5
printf '\n### Flows beside packets\n\nDefaults of both engines; `off` is how far flows are from packets.\n\n```\n'
"$2" || status=5
echo '```'
exit $status
