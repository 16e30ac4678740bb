#!/bin/sh
# Runs a command that finds all programs of the build. A target of `ninja` has this in front, since meson 1.0 gives the
# `env` of a run_target no PATH but the one that is prepended.
#   with_programs.sh FOLDER COMMAND [WORD...]
set -eu
PATH=$1:$PATH
LC_ALL=C
export PATH LC_ALL
shift
exec "$@"
