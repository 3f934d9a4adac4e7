# Scripts/check-api: the baseline, and the report of breaking changes.

given git <<<'true'
given swift <<<'exit 1'
check "without a tag, nothing is compared" 0 'nothing was compared' Scripts/check-api

given git <<<'[[ "$3" != tag ]] || printf "v1.10.0\nv1.9.2\n"'
given swift <<'E2'
echo "No breaking changes detected in Futures"
echo "1 breaking change detected in Terminal:"
echo "  💔 API breakage: func a(b:) has been renamed to func a(c:)"
exit 1
E2
check "a breaking change since the last tag fails" 1 'Breaking changes since v1.10.0' Scripts/check-api
check "prints a breaking change in the form of api-changes.txt" 1 '^API breakage: func a\(b:\) has been renamed to func a\(c:\)$' Scripts/check-api
given swift <<<'echo "error: no such module"; exit 1'
check "a baseline that does not build is an error" 1 'Cannot compare the public interface with v1.10.0' Scripts/check-api

given swift <<<'[[ "$*" != *"-changes v1.10.0 "* ]] || echo "No breaking changes detected in Futures"'
check "an unchanged public interface passes" 0 'since v1.10.0, in 1 modules' Scripts/check-api
given swift <<<'[[ "$*" != *"-changes main "* ]] || echo "No breaking changes detected in Futures"'
check "compares with a named branch" 0 'since main, in 1 modules' Scripts/check-api main

given git <<<'[[ "$3" != rev-parse ]]'
check "an unknown baseline is an error" 1 'Cannot find the tag, branch or commit `main`' Scripts/check-api main
rm -f .build/logs/api.log
