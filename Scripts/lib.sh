# Shared by the scripts in this folder. Source this file: it changes to the repository's root and defines functions.

set -euo pipefail

scripts="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(dirname "$scripts")"
cd "$root"

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

# Handles --help: prints the comment at the start of the calling script.
offer_help() {
  case "${1-}" in
    -h | --help)
      awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
      exit 0
      ;;
  esac
}

# Prints the names of the packages, in alphabetical order.
packages() {
  local manifest
  for manifest in Packages/*/Package.swift; do
    [[ -e "$manifest" ]] && basename "$(dirname "$manifest")"
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

# Packages with concurrent code. Their tests run under ThreadSanitizer. Add new packages here.
concurrent=(Parallel Futures Loopback Terminal Snapshotting Coordinators OrderTaking)

# Packages that parse external input in unsafe memory, sockets or C libraries. Their tests run under AddressSanitizer.
unsafe=(OrderTaking Snapshotting)

# Prints the packages that are not in `concurrent`.
sequential_packages() { packages | grep -vxF "$(printf '%s\n' "${concurrent[@]}")"; }

# test_targets FOLDER: prints the test targets in a folder.
test_targets() { find "$1" -mindepth 1 -maxdepth 1 -type d -name '*Tests' -exec basename {} \; | sort; }

# The folder of the debug build's products. `swift build --show-bin-path` prints it too, but is slow.
products=.build/debug

# Prints the tracked and the untracked, not ignored Swift files, each followed by a NUL.
swift_files() { git -c safe.directory='*' ls-files -z --cached --others --exclude-standard -- '*.swift'; }

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
