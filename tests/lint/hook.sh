#!/bin/sh
# The hook before a commit formats C, keeps a file in parts as it is, and refuses what breaks a rule of the text.
#   hook.sh SOURCE-ROOT
# Status 77 where there is no git, no clone, or no clang-format-14.
set -eu
root=$1
if ! command -v clang-format-14 >/dev/null || ! git -C "$root" rev-parse HEAD >/dev/null 2>&1; then
	echo "no git, no clone or no clang-format-14" >&2
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --shared "$root" "$work/clone" 2>/dev/null
rm -rf "$work/clone/.ci" "$work/clone/tests/lint"
cp -R "$root/.ci" "$work/clone/.ci"
cp -R "$root/tests/lint" "$work/clone/tests/lint"
cd "$work/clone"
git config user.name "A. Tester"
git config user.email tester@example.org
git add -A
git commit -q --allow-empty -m start
git config core.hooksPath .ci/hooks
failed=0

# expect STATUS MESSAGE WHAT: commits what is staged.
expect() {
	status=0
	git commit -q -m "$3" 2>"$work/said" || status=$?
	[ "$status" = "$1" ] && grep -q -e "$2" "$work/said" && return
	echo "$3: status $status, expected $1 and '$2', came:" >&2
	cat "$work/said" >&2
	failed=1
}

file=psim/base/mem.c
printf 'static int   unformatted(void)\n{ return 1; }\n' >>$file
git add $file
expect 0 "$file: formatted" 'a C file that is not formatted'
git show HEAD:$file | tail -n 4 | grep -q '^static int unformatted(void)$' || {
	echo "$file: is not formatted in the commit" >&2
	failed=1
}

printf 'static int   other(void)\n{ return 1; }\n' >>$file
git add $file
echo '/* not staged */' >>$file
expect 1 "$file: a part is staged" 'a part of a file'
git checkout -q HEAD -- $file

echo "/* $(printf '%0130d' 0) */" >>$file
git add $file
expect 1 "$file:.* columns, at most 120" 'a line that is too long'
git checkout -q HEAD -- $file

printf '\nA teh word.\n' >>README.md
git add README.md
expect 1 'README.md:.*teh' 'a word that is misspelt'
exit $failed
