# Scripts/repeat-tests: what it counts.

check "an option that is none" 1 'neither --fast nor --all' Scripts/repeat-tests --quick 3
check "a number that is none" 1 'wants a number of runs' Scripts/repeat-tests --fast many

given swift <<<'[[ "$1" == build ]] || echo "✔ Test run with 3 tests in 1 suite passed after 0.001 seconds."'
check "runs that pass" 0 'fast: 2 runs, 0 failed' Scripts/repeat-tests --fast 2
given swift <<<'[[ "$1" == build ]] || { echo "✘ Test waits() failed after 1.0 seconds with 1 issue."; exit 1; }'
check "runs that fail" 1 '2 waits\(\)' Scripts/repeat-tests --fast 2
check "what runs that fail keep" 1 'run 1 of 1 failed: .build/logs/repeat/fast.1.log' Scripts/repeat-tests --fast 1
rm -rf .build/logs/repeat
