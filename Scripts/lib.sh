# Shared by the scripts beside it. To be sourced, not run: it moves to the repository's root and defines a few words.

set -euo pipefail

scripts="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(dirname "$scripts")"
cd "$root"

# Every debug build of the whole house uses these flags, so that one build folder serves every check.
strict=(-Xswiftc -warnings-as-errors)

# The builds of one package in a folder of its own: as strict, and no module goes into a target unless its manifest says so.
# Their index is for finding tests only, and takes a tenth of the time without what the toolchain brings.
alone=(
  "${strict[@]}" --explicit-target-dependency-import-check error
  -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
)

# Swift Testing starts all tests of a run at once, and each that waits for a socket, a child or a browser then waits for the
# others' too, until its patience ends: so a few at a time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}"

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
fail() {
  warn "error: $*"
  exit 1
}

# `--help` prints the comment at the head of the calling script.
offer_help() {
  case "${1-}" in
    -h | --help)
      awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
      exit 0
      ;;
  esac
}

# The packages, from the ground floor up where the order matters to a reader: alphabetical is enough for a machine.
packages() {
  local manifest
  for manifest in Packages/*/Package.swift; do
    [[ -e "$manifest" ]] && basename "$(dirname "$manifest")"
  done
}

# The library modules of one package, or of all: every folder of Swift sources that is no program.
modules() {
  local folder
  for folder in Packages/${1:-*}/Sources/*/; do
    [[ -n "$(find "$folder" -name '*.swift' -print -quit 2>/dev/null)" ]] || continue
    grep -rqE --include='*.swift' '^@main\b' "$folder" || basename "$folder"
  done
}

# The packages whose code runs on more than one thread: their tests run under ThreadSanitizer. Add a new one here.
concurrent=(Parallel Futures Loopback Terminal Snapshotting Coordinators OrderTaking)

# The packages that parse foreign bytes in unsafe memory, with sockets or C libraries: their tests run under AddressSanitizer.
unsafe=(OrderTaking Snapshotting)

# All other packages.
sequential_packages() { packages | grep -vxF "$(printf '%s\n' "${concurrent[@]}")"; }

# The test targets in a folder.
test_targets() { find "$1" -mindepth 1 -maxdepth 1 -type d -name '*Tests' -exec basename {} \; | sort; }

# Where the debug build puts its products: what `swift build --show-bin-path` says, without the wait.
products=.build/debug

# The Swift files that are in git or would be, each ended by a NUL.
swift_files() { git -c safe.directory='*' ls-files -z --cached --others --exclude-standard -- '*.swift'; }

# A folder that is removed however the script ends. At most one in a script.
temporary_folder() {
  temporary="$(mktemp -d "${TMPDIR:-/tmp}/boundaries.XXXXXX")"
  trap 'rm -rf "$temporary"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# minutes SECONDS: prints 95 as 1:35.
minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# For scripts that run tests: a browser confines no page when it runs as root, and the tests show it their own pages only.
trust_own_pages() { [[ "$(id -u)" != 0 ]] || export WEB_SNAPSHOTTING_SANDBOX="${WEB_SNAPSHOTTING_SANDBOX:-off}"; }
