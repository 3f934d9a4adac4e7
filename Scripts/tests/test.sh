# Scripts/test, with a small program in the place of the test program, and other scripts that run tests.

# program BODY: the test program of a copy of the scripts, which runs the body with the target's filter in "$4".
program() {
  rm -rf "$temporary/repository"
  mkdir -p "$temporary/repository/.build/debug" "$temporary/repository/Packages/A/Tests/"{AlphaTests,BetaTests}
  cp -R Scripts "$temporary/repository/Scripts"
  sed -i.bak 's/^longest=.*/longest=()/' "$temporary/repository/Scripts/test"
  { echo '#!/bin/bash' && cat; } >"$temporary/repository/.build/debug/BoundariesPackageTests.xctest"
  cat >"$temporary/repository/.build/debug/snapshots" <<'END'
#!/bin/bash
echo "snapshots ${*/%*Scripts\/test/…}"
while [[ "$1" != -- ]]; do shift; done
SNAPSHOT_USED_REFERENCES=used exec "${@:2}"
END
  chmod +x "$temporary/repository/.build/debug/"{BoundariesPackageTests.xctest,snapshots}
}
given swift <<<'exit 0'
given uname <<<'echo Linux'
summary='echo "✔ Test run with 3 tests in 1 suite passed after 0.001 seconds."'

program <<<"$summary"
check "all targets pass" 0 '^Test run with 6 tests in 2 suites passed' "$temporary/repository/Scripts/test"
check "the run collects the used references" 0 '^snapshots test -- …$' env CI= "$temporary/repository/Scripts/test"
check "a run in CI leaves no pending snapshots" 0 '^snapshots test --check -- …$' env CI=true "$temporary/repository/Scripts/test"
program <<<"[[ \"\$4\" != *Beta* ]] || kill -ILL \$\$; $summary"
check "a target that crashes fails the run" 1 'Tests failed: BetaTests' "$temporary/repository/Scripts/test"
program <<<"[[ \"\$4\" != *Alpha* ]] || exit 0; $summary"
check "a target that ends early without a summary fails the run" 1 'Tests failed: AlphaTests' "$temporary/repository/Scripts/test"
check "the line of a target that ended early gives the reason" 1 'AlphaTests  *ended before its tests' "$temporary/repository/Scripts/test"
program <<<'echo "✘ Test run with 3 tests in 1 suite failed after 0.001 seconds with 1 issue."; exit 1'
check "a failed test fails the run" 1 'Tests failed: AlphaTests BetaTests' "$temporary/repository/Scripts/test"

for outcome in "0 0 0 the tests use every reference" "1 0 1 snapshots are pending" "0 1 1 no test uses these references" \
  "0 2 1 "; do
  read -r pending unreferenced code words <<<"$outcome"
  printf '#!/bin/bash\n[[ "$1" != status ]] || exit %s\nexit %s\n' "$pending" "$unreferenced" \
    >"$temporary/repository/.build/debug/snapshots"
  check "check-snapshots: $words" "$code" "$words" "$temporary/repository/Scripts/check-snapshots"
done

# In the same copy, with a small `swift test`.
touch "$temporary/repository/Packages/A/Package.swift"
copied() { check "$1" "$2" "$3" "$temporary/repository/Scripts/$4" "${@:5}"; }

given swift <<<"[[ \"\$1\" != test ]] || $summary"
copied "tests that pass under a sanitizer" 0 '^A: no error' check-threads A
given swift <<<"[[ \"\$1\" != test ]] || { echo 'issue of a test'; exit 1; }"
copied "a failed test is printed" 1 '^issue of a test' check-memory A
given swift <<<"[[ \"\$1\" != test ]] || ${summary/3 tests in 1 suite/0 tests in 0 suites}"
for command in "check-threads A" "check-memory A" "check-packages A" "stress sessions" "stress properties"; do
  # shellcheck disable=SC2086 # a script and its arguments
  copied "$command fails if no test ran" 1 'Cannot check .*: no test ran' $command
done
copied "an unknown package" 2 'Cannot check "B": no such package. Use one of: A.$' check-threads A B
