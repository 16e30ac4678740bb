#!/bin/sh
# One run of petascale.sh, which sets PETASCALE (folder of skeletons and results), MODELS and TOP.
#
#   petascale-row.sh KEY|TITLE|ENGINE|RANKS|PEAK|PAPER|NAME=FILE...|OPTION...|PROGRAM ARGUMENT...
#
# The file KEY in $PETASCALE gets "SECONDS GFLOP/S HOST-SECONDS"; a run that fails leaves KEY.log and none.
set -eu
IFS='|'
# shellcheck disable=SC2086
set -f -- $1
IFS=' '
key=$1 engine=$3 ranks=$4 models=$7 options=$8 program=$9
chosen=
for model in $models; do
	chosen="$chosen --model ${model%%=*}=$MODELS/${model#*=}.model"
done
cd "$PETASCALE"
# shellcheck disable=SC2086
bsim -q -e "$engine" -c "$TOP/configs/machines/petascale.ini" -n "$ranks" -f csv -o "$key.csv" $chosen $options \
	$program >"$key.line" 2>"$key.log"
sed -n 's/.*: *\([^ ]*\) s, *\([^ ]*\) GFlop.*/\1 \2/p' "$key.line" | tr '\n' ' ' >"$key.new"
awk -F, '$1 == "host" && $2 == "processor" { print $4 }' "$key.csv" >>"$key.new"
mv "$key.new" "$key"
echo "petascale.sh: done: $2" >&2
