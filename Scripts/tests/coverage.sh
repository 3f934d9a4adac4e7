# Scripts/coverage, with small logs and reports.

toolchain() {
  given swift <<END
case "\$*" in
  -print-target-info) echo '    "runtimeResourcePath": "$temporary/lib/swift",' ;;
  test*) cat "$temporary/said"; exit $1 ;;
esac
END
  mkdir -p "$temporary/lib/swift"
}
given llvm-cov <<'END'
echo 'Filename  Regions  Missed  Cover  Functions  Missed  Executed  Lines  Missed  Cover  Branches  Missed  Cover'
echo 'A.swift        10       1  90.00%         4       0   100.00%     20       5  75.00%         0       0      -'
echo 'TOTAL          10       1  90.00%         4       0   100.00%     20       5  75.00%         0       0      -'
END
given llvm-profdata <<<'exit 0'
cat >"$temporary/said" <<'END'
	 Executed 3 tests, with 0 failures (0 unexpected) in 0.001 (0.001) seconds
	 Executed 4 tests, with 0 failures (0 unexpected) in 0.001 (0.001) seconds
	 Executed 7 tests, with 0 failures (0 unexpected) in 0.002 (0.002) seconds
✔ Test run with 21 tests in 3 suites passed after 0.003 seconds.
END

check "an unknown package is an error" 1 'Choose from: Boundaries' Scripts/coverage Nowhere
toolchain 0
check "counts the tests of both libraries and the covered lines" 0 '^Terminal .* 28 +75\.00%$' Scripts/coverage Terminal
toolchain 1
check "failing tests are an error" 1 'Read .build/coverage/Terminal.log' Scripts/coverage Terminal
rm "$temporary/bin/llvm-cov"
check "a toolchain without llvm-cov is an error" 1 'Cannot find .*/llvm-cov in the Swift toolchain' Scripts/coverage Terminal
rm -f .build/coverage/Terminal.log .build/coverage/Terminal.txt
