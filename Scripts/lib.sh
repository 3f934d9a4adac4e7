# Shared by the scripts in this folder. Source this file: it changes to the repository's root and defines functions.

set -euo pipefail

# In the locale C the demo prints other characters than the documents show, and `sort` orders names by bytes.
export LC_ALL=C.UTF-8

scripts="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(dirname "$scripts")"
# The calling script for messages: its path from the root, for example Scripts/build.
self="$(cd "$(dirname "$0")" && pwd)/$(basename "$0")"
self="${self#"$root"/}"
cd "$root"

# In a container, another user may own the clone. Then git works only with this setting.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

# As root, a browser cannot use its sandbox. The tests load only their own pages.
[[ "$(id -u)" != 0 ]] || export WEB_SNAPSHOTTING_SANDBOX="${WEB_SNAPSHOTTING_SANDBOX:-off}"

# Swift Testing starts all tests of a run at the same time. Tests that wait for sockets, processes or browsers then
# exceed their time limits, so this limits the number of concurrent tests.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}"

# All debug builds of the whole repository use these flags, so that all checks share one build folder.
strict=(-Xswiftc -warnings-as-errors)

# The folder of the debug build's products. `swift build --show-bin-path` prints it too, but is slow.
products=.build/debug

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
fail() {
  warn "error: $*"
  exit 1
}

# Like fail, for wrong arguments. The exit code is 2.
misuse() { warn "error: $*"; exit 2; }

# Handles --help: prints the comment at the start of the calling script.
offer_help() {
  case "${1-}" in
    -h | --help)
      awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$self"
      exit 0
      ;;
  esac
}

# reject ARGUMENT…: for the arguments that a script does not take. Does nothing if there are none.
reject() { (($# == 0)) || misuse "Cannot use the argument \`$1\`: $self does not take it. Read $self --help."; }

# Handles --help and rejects every other argument.
no_arguments() { offer_help "$@" && reject "$@"; }

# Prints the names of the packages, in alphabetical order.
packages() {
  local manifest
  for manifest in Packages/*/Package.swift; do basename "$(dirname "$manifest")"; done
}

# modules [PACKAGE]: prints the library modules of one package or of all: the source folders without @main.
modules() {
  local folder
  for folder in Packages/${1:-*}/Sources/*/; do
    [[ -n "$(find "$folder" -name '*.swift' -print -quit 2>/dev/null)" ]] || continue
    grep -rqE --include='*.swift' '^@main\b' "$folder" || basename "$folder"
  done
}

# test_targets FOLDER: prints the test targets in a folder.
test_targets() { find "$1" -mindepth 1 -maxdepth 1 -type d -name '*Tests' -exec basename {} \; | sort; }

# objects MODULE…: prints the object files of these modules. Skips those of deleted sources, which SwiftPM keeps.
objects() {
  local module source object
  for module in "$@"; do
    for source in $(find Packages/*/Sources/"$module" -name '*.swift' -o -name '*.c'); do
      object="$products/$module.build/$(basename "$source").o"
      [[ ! -e "$object" ]] || say "$object"
    done
    object="$products/$module.build/embedded_resources.swift.o"
    [[ ! -e "$object" ]] || say "$object"
  done
}

# Compiler options for the modules of C libraries.
maps=()
for map in Packages/*/Sources/*/module.modulemap Packages/*/Sources/*/include/module.modulemap; do
  [[ ! -e "$map" ]] || maps+=(-Xcc "-fmodule-map-file=$map")
done
# The headers of libpq are in a folder that compilers do not search.
for flag in $(pkg-config --cflags-only-I libpq 2>/dev/null || true); do maps+=(-Xcc "$flag"); done

# Prints the tracked and the untracked, not ignored Swift files, each followed by a NUL.
swift_files() { git ls-files -z --cached --others --exclude-standard -- '*.swift'; }

# Creates the folder $temporary, which is removed when the script exits. Call it at most once in a script.
temporary_folder() {
  temporary="$(mktemp -d "${TMPDIR:-/tmp}/boundaries.XXXXXX")"
  trap 'rm -rf "$temporary"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# minutes SECONDS: prints seconds as minutes, for example 95 as 1:35.
minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# within SECONDS COMMAND…: runs a command that is stopped after this time, with exit code 124. macOS has no `timeout`.
#
# The command stays in the process group of the script, so that it ends when .ci/run or Ctrl-C ends the script.
within() {
  if [[ -n "$(type -P timeout)" ]]; then
    timeout --foreground --kill-after=10 "$@"
  else
    "${@:2}"
  fi
}

# summary LOG: prints the last line of Swift Testing: `Test run with 35 tests in 7 suites passed after 1.960 seconds.`
# Fails if no test passed: a process that ends early with 0, or a filter without a match, has run no test.
summary() {
  local line
  line="$(grep -aoE 'Test run with [0-9]+ tests? in [0-9]+ suites? .*' "$1" | tail -n 1)" || return 1
  say "$line"
  [[ "$line" =~ ^"Test run with "[1-9].*" passed " ]]
}

# unfinished LOG: prints the names of the tests that started and did not end.
unfinished() {
  grep -aoE '^(◇|✔|✘) Test .* (started|passed|failed)' "$1" |
    awk '{ end = $NF; sub(/^[^ ]+ Test /, ""); sub(/ [a-z]+$/, "") } end == "started" { running[$0] = 1; next }
      { delete running[$0] } END { for (name in running) print "  " name }' | sort
}
