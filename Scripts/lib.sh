# Shared by the scripts in this folder. Source this file: it changes to the repository's root and defines functions.

set -euo pipefail

scripts="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(dirname "$scripts")"
# The calling script for messages: its path from the root, for example Scripts/build.
self="$(cd "$(dirname "$0")" && pwd)/$(basename "$0")"
self="${self#"$root"/}"
cd "$root"

# In a container, another user may own the clone. Then git works only with this setting.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

# All debug builds of the whole repository use these flags, so that all checks share one build folder.
strict=(-Xswiftc -warnings-as-errors)

# Flags for the build of one package in its own folder. A target can import only the modules that its manifest lists.
# The index serves only to find tests. Without the toolchain's modules it takes a tenth of the time.
alone=(
  "${strict[@]}" --explicit-target-dependency-import-check error
  -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
)

# Swift Testing starts all tests of a run at the same time. Tests that wait for sockets, processes or browsers then
# exceed their time limits, so this limits the number of concurrent tests.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}"

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
  for manifest in Packages/*/Package.swift; do
    [[ -e "$manifest" ]] && basename "$(dirname "$manifest")"
  done
}

# package_names NAME…: rejects names that are not packages.
package_names() {
  local name
  for name in "$@"; do
    grep -qxF -- "$name" <<<"$(packages)" ||
      misuse "Cannot check \"$name\": no such package. Use one of: $(packages | xargs)."
  done
}

# modules [PACKAGE]: prints the library modules of one package or of all: the source folders without @main.
modules() {
  local folder
  for folder in Packages/${1:-*}/Sources/*/; do
    [[ -n "$(find "$folder" -name '*.swift' -print -quit 2>/dev/null)" ]] || continue
    grep -rqE --include='*.swift' '^@main\b' "$folder" || basename "$folder"
  done
}

# Prints the library modules in C.
modules_in_c() {
  local folder
  for folder in Packages/*/Sources/*/; do
    [[ -z "$(find "$folder" -name '*.c' -print -quit)" ]] || basename "$folder"
  done
}

# Packages with concurrent code. Their tests run under ThreadSanitizer. Add new packages here.
concurrent=(TestSupport Parallel Futures Loopback Terminal Snapshotting Coordinators OrderTaking)

# Packages that parse external input in unsafe memory, sockets or C libraries. Their tests run under AddressSanitizer.
unsafe=(Futures OrderTaking Snapshotting)

# Prints the packages that are not in `concurrent`.
sequential_packages() { packages | grep -vxF "$(printf '%s\n' "${concurrent[@]}")"; }

# test_targets FOLDER: prints the test targets in a folder.
test_targets() { find "$1" -mindepth 1 -maxdepth 1 -type d -name '*Tests' -exec basename {} \; | sort; }

# The folder of the debug build's products. `swift build --show-bin-path` prints it too, but is slow.
products=.build/debug

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

# For scripts that run tests. As root, a browser cannot use its sandbox. The tests load only their own pages.
trust_own_pages() { [[ "$(id -u)" != 0 ]] || export WEB_SNAPSHOTTING_SANDBOX="${WEB_SNAPSHOTTING_SANDBOX:-off}"; }

# summary LOG: prints the last line of Swift Testing: `Test run with 35 tests in 7 suites passed after 1.960 seconds.`
# Fails if no test passed: a process that ends early with 0, or a filter without a match, has run no test.
summary() {
  local line
  line="$(grep -aoE 'Test run with [0-9]+ tests? in [0-9]+ suites? .*' "$1" | tail -n 1)" || return 1
  say "$line"
  [[ "$line" =~ ^"Test run with "[1-9].*" passed " ]]
}

# within SECONDS COMMAND…: runs a command that is stopped after this time, with exit code 124. macOS has no `timeout`.
within() {
  if [[ -n "$(type -P timeout)" ]]; then
    timeout --kill-after=10 "$@"
  else
    "${@:2}"
  fi
}

# unfinished LOG: prints the names of the tests that started and did not end.
unfinished() {
  grep -aoE '^(◇|✔|✘) Test .* (started|passed|failed)' "$1" | sed -E 's/^. Test //' |
    awk '{ name = $0; sub(/ [a-z]+$/, "", name) } / started$/ { running[name] = 1; next } { delete running[name] }
      END { for (name in running) print "  " name }' | sort
}

# run_tests NAME ARGUMENT…: runs `swift test --skip-build` with these arguments, for at most 20 minutes. Writes
# .build/logs/NAME.log, and prints its last line, or all but the passed tests if a test failed. Ends the script if no test ran.
run_tests() {
  local log=".build/logs/$1.log" line status=0
  trust_own_pages
  mkdir -p "$(dirname "$log")"
  # Not through a pipe: a process that a test leaves behind would keep it open.
  within 1200 swift test --skip-build "${@:2}" </dev/null >"$log" 2>&1 || status=$?
  ((status != 124)) || fail "Cannot finish ${1##*/} in 20 minutes. These tests did not end:
$(unfinished "$log")
Run one of them with --filter, or read $log."
  if line="$(summary "$log")" && ((status == 0)); then
    say "✔ ${1##*/}: $line"
    return
  fi
  grep -avE '^(◇|✔)' "$log" >&2 || true
  ((status != 0)) || fail "Cannot check ${1##*/}: no test ran. Correct its name in $self, or read $log."
  return "$status"
}

# sanitize SANITIZER PACKAGE TEST-TARGET…: runs these tests under a sanitizer. Each check has one build folder, so that each
# module is built once. `skipped` are more options of `swift test`.
sanitize() {
  local folder="${self##*-}" package="$2" target from=$SECONDS
  local options=(--package-path "Packages/$2" --scratch-path ".build/$folder" --sanitize="$1" "${alone[@]}")
  (($# > 2)) || fail "Cannot check \"$package\": this check runs none of its test targets. Name another package."
  say "── $package under the $1 sanitizer"
  swift build --build-tests "${options[@]}"
  # Run one target after another. Swift Testing starts all tests of a run at once, and slow tests could exceed time limits.
  for target in "${@:3}"; do
    run_tests "$folder/$target" "${options[@]}" --filter "^$target\\." "${skipped[@]}" ||
      fail "Tests of $package failed under the $1 sanitizer. Run only these: $self $package"
  done
  say "$package: no error of the $1 sanitizer, $(minutes $((SECONDS - from)))"
}
