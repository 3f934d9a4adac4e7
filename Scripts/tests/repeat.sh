# Scripts/repeat-tests: options and counts.

check "an unknown option is an error" 1 'Cannot use the option `--quick`' Scripts/repeat-tests --quick 3
check "an option without a number is an error" 1 'without a number of runs' Scripts/repeat-tests --fast many

given swift <<<'[[ "$1" == build ]] || echo "✔ Test run with 3 tests in 1 suite passed after 0.001 seconds."'
check "counts passing runs" 0 'fast: 2 runs, 0 failed' Scripts/repeat-tests --fast 2
given swift <<<'[[ "$1" == build ]] || { echo "✘ Test waits() failed after 1.0 seconds with 1 issue."; exit 1; }'
check "counts the failures of a test" 1 '2 waits\(\)' Scripts/repeat-tests --fast 2
check "a failed run keeps its log" 1 'run 1 of 1 failed: .build/logs/repeat/fast.1.log' Scripts/repeat-tests --fast 1
rm -rf .build/logs/repeat
