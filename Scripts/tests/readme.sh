# Scripts/check-readme, with small documents.

given swift <<<'exit 0'
check "a document that does not exist" 2 'Cannot read nope.md: no such file\. Name' Scripts/check-readme nope.md

# readme DESCRIPTION CODE PATTERN: checks the document on standard input.
readme() {
  cat >"$temporary/README.md"
  check "$@" Scripts/check-readme "$temporary/README.md"
}

readme "equal output passes" 0 '1 documents show' <<'E2'
```console
$ echo one; echo two
one
two
$ echo three
three
```
E2

readme "a different line fails" 1 '^\+one' <<'E2'
```console
$ echo one
two
```
E2

readme "an additional line fails" 1 '^\+two' <<'E2'
```console
$ echo one; echo two
one
```
E2

readme "an ellipsis matches text within a line" 0 '1 documents' <<'E2'
```console
$ echo "listening on port 4711 (a*b)"
listening on port … (a*b)
```
E2

readme "an ellipsis within a line does not match the next line" 1 '^\+b' <<'E2'
```console
$ printf 'a 1\nb\n'
a …
```
E2

readme "a line with only an ellipsis matches lines" 0 '1 documents' <<'E2'
```console
$ seq 9
1
…
9
```
E2

readme "the line after an ellipsis line must match" 1 '^\+9' <<'E2'
```console
$ seq 9
1
…
8
```
E2

readme "other pattern characters match only themselves" 1 '^\+abc' <<'E2'
```console
$ echo abc
a[b]c*
```
E2

readme "a block that is not run prints its reason" 0 'it would take a day' <<'E2'
<!-- not run: it would take a day -->
```console
$ false
never
```
E2

seq 3 >"$temporary/log"
readme "an output comment compares with a file" 0 'compared with' <<E2
<!-- output: $temporary/log -->
\`\`\`console
$ make test
…
3
\`\`\`
E2

readme "unmarked samples and commands without expected output pass" 0 '1 documents' <<'E2'
```swift
this is not looked at
```
```console
$ seq 2
```
E2

readme "an expected exit code passes" 0 '1 documents' <<'E2'
```console
$ echo "no such bird"; exit 10
no such bird
[exit 10]
```
E2

readme "an unexpected exit code fails" 1 '^\+\[exit 3\]' <<'E2'
```console
$ exit 3
```
E2

# A compiler that accepts only `print("…")` and `fatalError()`.
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

readme "steps are one program, and each has its output" 0 '3 steps, birds' <<'E2'
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

readme "a step that prints without expected output fails" 1 '^\+one' <<'E2'
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

readme "a last step that prints without expected output fails" 1 '^\+one' <<'E2'
<!-- step: birds -->
```swift
print("one")
```
E2

readme "a step with different output fails" 1 '^\+one' <<'E2'
<!-- step: birds -->
```swift
print("one")
```
```text
two
```
E2

readme "steps that crash fail" 1 'exited with 5' <<'E2'
<!-- step: birds -->
```swift
print("one")
fatalError()
```
```text
one
```
E2

# A compiler that accepts one program, prints the difference of any other, and requires -emit-sil.
given swiftc <<'E2'
[[ " $* " == *" -emit-sil "* ]] || exit 1
for argument in "$@"; do [[ "$argument" != *main.swift ]] || source="$argument"; done
diff <(printf 'import Birds\n\nprint("one")\n') "$source"
E2

readme "the lines of a compile comment come before the block" 0 'compile: birds' <<'E2'
<!-- compile: birds
import Birds

-->
```swift
print("one")
```
E2

readme "the lines of a compile comment come before one block only" 1 'Cannot compile .*README.md:9' <<'E2'
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

readme "a compile comment without an end is an error" 1 'README.md: a compile comment has no end' <<'E2'
<!-- compile: birds
import Birds -->
```swift
print("one")
```
E2
