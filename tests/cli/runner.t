# The runner of these sessions: accepted syntax, and its failures.

$ echo one; echo two
one
two

$ printf 'a 12 b\nc\nd\n'
a ... b
...
d

$ printf 'only\n'
only
...

$ echo error >&2; exit 3
error
[3]

# Lines of progress come when a minute is over, wherever that is.

$ echo a; echo 'psim:  25 %, 1 Minsn, 0.5 Minsn/s, 6 s left, IPC 1.5'; echo 'psim-record: 1e+03 Minsn, 12.5 Minsn/s'; echo b
a
b

# Each of the following sessions must fail.

$ printf '$ echo a\nb\n' > wrong; sh bad/../cli/run.sh . "$PWD/wrong"
1..1
.../wrong:1: output differs (- expected, + came)
...
-b
+a
not ok 1 - echo a

$ printf '$ echo a; exit 1\na\n' > wrong; sh bad/../cli/run.sh . "$PWD/wrong" 2>&1 | grep -v differs
1..1
.../wrong:1: status 1, expected 0
a
not ok 1 - echo a; exit 1

$ printf '$ echo a\na\n...\nb\n' > wrong; sh bad/../cli/run.sh . "$PWD/wrong" 2>/dev/null
1..1
not ok 1 - echo a

$ printf '$ echo a; echo b\na\n' > wrong; sh bad/../cli/run.sh . "$PWD/wrong" 2>/dev/null
1..1
not ok 1 - echo a; echo b

$ printf 'text\n' > wrong; sh bad/../cli/run.sh . "$PWD/wrong"
.../wrong:1: neither a command nor a comment
[1]

$ true

$ printf '$ echo ...\n' > wrong; sh bad/../cli/run.sh . "$PWD/wrong" 2>/dev/null
1..1
not ok 1 - echo ...

# The blocks of a manual page that begin with a prompt are its session.

$ printf 'text\n\n```\nnot this\n```\n\n```\n$ echo a; echo; echo b\na\n\nb\n```\ntext\n```\n$ false\n[1]\n```\n' > page.md; BUILD=. sh bad/../cli/run.sh . "$PWD/page.md"
1..2
ok 1 - echo a; echo; echo b
ok 2 - false

# A block below the name of a file is there before the first command.

$ printf '```\n$ cat saved.txt\nfirst\n$ test -d "$PSIM/guest" && echo found\nfound\n```\n\n<!-- file: saved.txt -->\n```c\nfirst\n```\n\n```\nnot this\n```\n' > page.md; BUILD=. sh bad/../cli/run.sh "$PWD/bad/.." "$PWD/page.md"
1..2
ok 1 - cat saved.txt
ok 2 - test -d "$PSIM/guest" && echo found

$ printf '```\n$ echo a\nb\n```\n' > page.md; BUILD=. sh bad/../cli/run.sh . "$PWD/page.md" 2>/dev/null
1..1
not ok 1 - echo a
