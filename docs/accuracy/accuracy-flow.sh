#!/bin/sh
# The block of docs/accuracy/appendix/flows.md, on standard output.
#   accuracy-flow.sh MFS-FIGURES FLOW-PACKET
# Status 5 if a figure is missed: it is in the document then, marked.
set -eu
status=0
"$1" --full --host | awk '
	/^## / { if (open) print "```"; open = 0; print; next }
	/^ *(N|mode F) / && !open { print "```"; open = 1 }
	{ print }
	END { if (open) print "```" }' || status=5
printf '\n## Flows beside packets\n\nDefaults of both engines; `off` is how far flows are from packets.\n\n```\n'
"$2" --host || status=5
echo '```'
exit $status
