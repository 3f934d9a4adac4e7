# Scripts/check-readme, on small documents.

given swift <<<'exit 0'

document() { cat >"$temporary/README.md"; }
readme() { check "$1" "$2" "$3" Scripts/check-readme "$temporary/README.md"; }

document <<'E2'
```console
$ echo one; echo two
one
two
$ echo three
three
```
E2
readme "what is shown is what happens" 0 '1 documents show'

document <<'E2'
```console
$ echo one
two
```
E2
readme "a line that differs" 1 '^\+one'

document <<'E2'
```console
$ echo one; echo two
one
```
E2
readme "a line that is not shown" 1 '^\+two'

document <<'E2'
```console
$ echo "listening on port 4711 (a*b)"
listening on port … (a*b)
```
E2
readme "an ellipsis within a line" 0 '1 documents'

document <<'E2'
```console
$ printf 'a 1\nb\n'
a …
```
E2
readme "an ellipsis within a line does not reach the next" 1 '^\+b'

document <<'E2'
```console
$ seq 9
1
…
9
```
E2
readme "an ellipsis for lines" 0 '1 documents'

document <<'E2'
```console
$ seq 9
1
…
8
```
E2
readme "an ellipsis for lines does not hide the last one" 1 '^\+9'

document <<'E2'
```console
$ echo abc
a[b]c*
```
E2
readme "other signs stand for themselves" 1 '^\+abc'

document <<'E2'
<!-- not run: it would take a day -->
```console
$ false
never
```
E2
readme "a block that is not run says why" 0 'it would take a day'

seq 3 >"$temporary/log"
document <<E2
<!-- output: $temporary/log -->
\`\`\`console
$ make test
…
3
\`\`\`
E2
readme "output of an earlier check" 0 'as in'

document <<'E2'
```swift
this is not looked at
```
```console
$ seq 2
```
E2
readme "blocks without a comment and commands without output" 0 '1 documents'

document <<'E2'
```console
$ echo "no such bird"; exit 10
no such bird
[exit 10]
```
E2
readme "an exit code that is shown" 0 '1 documents'

document <<'E2'
```console
$ exit 3
```
E2
readme "an exit code that is not shown" 1 '^\+\[exit 3\]'

# A compiler for programs of nothing but `print("…")`.
given swiftc <<'E2'
source="" program=""
while (($# > 0)); do
  case "$1" in
    -o) program="$2" && shift ;;
    *main.swift) source="$1" ;;
  esac
  shift
done
{ echo '#!/bin/bash' && sed -nE 's/^print\("(.*)"\)$/echo "\1"/p; s/^fatalError\(\)$/exit 5/p' "$source"; } >"$program"
chmod +x "$program"
E2

document <<'E2'
<!-- step: birds -->
```swift
print("one")
```
```text
one
```
<!-- step: birds -->
```swift
silence()
```
<!-- step: birds -->
```swift
print("two")
print("three")
```
```text
two
three
```
E2
readme "steps are one program, each with its own output" 0 '3 steps, birds'

document <<'E2'
<!-- step: birds -->
```swift
print("one")
```
<!-- step: birds -->
```swift
print("two")
```
```text
one
two
```
E2
readme "a step without output that prints" 1 '^\+one'

document <<'E2'
<!-- step: birds -->
```swift
print("one")
```
E2
readme "a last step without output that prints" 1 '^\+one'

document <<'E2'
<!-- step: birds -->
```swift
print("one")
```
```text
two
```
E2
readme "a step that prints something else" 1 '^\+one'

document <<'E2'
<!-- step: birds -->
```swift
print("one")
fatalError()
```
```text
one
```
E2
readme "steps that do not come to their end" 1 'its steps end with 5'

# A compiler that knows one program, says what else it was given, and wants to look at more than types.
given swiftc <<'E2'
[[ " $* " == *" -emit-sil "* ]] || exit 1
for argument in "$@"; do [[ "$argument" != *main.swift ]] || source="$argument"; done
diff <(printf 'import Birds\n\nprint("one")\n') "$source"
E2

document <<'E2'
<!-- compile: birds
import Birds

-->
```swift
print("one")
```
E2
readme "what only the compiler needs comes before a block" 0 'compile: birds'

document <<'E2'
<!-- compile: birds
import Birds

-->
```swift
print("one")
```
<!-- compile: owls -->
```swift
print("one")
```
E2
readme "and before no other one" 1 'README.md:9 does not compile'

document <<'E2'
<!-- compile: birds
import Birds -->
```swift
print("one")
```
E2
readme "lines for the compiler that have no end" 1 'README.md: a comment .* has no end'
