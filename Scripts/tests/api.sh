# Scripts/check-api: what it compares with, and what it says when there is nothing.

given git <<<'true'
given swift <<<'exit 1'
check "no tag yet" 0 'nothing was compared' Scripts/check-api

given git <<<'[[ "$3" != tag ]] || printf "v1.10.0\nv1.9.2\n"'
given swift <<'E2'
echo "No breaking changes detected in Futures"
echo "1 breaking change detected in Terminal:"
echo "  💔 API breakage: func a(b:) has been renamed to func a(c:)"
exit 1
E2
check "a public interface that broke since the last tag" 1 'not what it was at v1.10.0' Scripts/check-api
check "what broke, as it is to be listed" 1 '^API breakage: func a\(b:\) has been renamed to func a\(c:\)$' Scripts/check-api
given swift <<<'echo "error: no such module"; exit 1'
check "a baseline that does not build" 1 'could not be compared with v1.10.0' Scripts/check-api

given swift <<<'[[ "$*" != *"-changes v1.10.0 "* ]] || echo "No breaking changes detected in Futures"'
check "a public interface that kept its promises" 0 'since v1.10.0, in 1 modules' Scripts/check-api
given swift <<<'[[ "$*" != *"-changes main "* ]] || echo "No breaking changes detected in Futures"'
check "a baseline by name" 0 'since main, in 1 modules' Scripts/check-api main

given git <<<'[[ "$3" != rev-parse ]]'
check "a baseline that is not there" 1 'no tag, branch or commit `main`' Scripts/check-api main
rm -f .build/logs/api.log
