# Scripts/check-api: what it compares with, and what it says when there is nothing.

given git <<<'true'
given swift <<<'exit 1'
check "no tag yet" 0 'nothing was compared' Scripts/check-api

given git <<<'[[ "$3" != tag ]] || printf "v1.10.0\nv1.9.2\n"'
check "a public interface that broke since the last tag" 1 'not what it was at v1.10.0' Scripts/check-api
given swift <<<'echo "$@"'
check "a public interface that kept its promises" 0 'diagnose-api-breaking-changes v1.10.0' Scripts/check-api
check "a baseline by name" 0 'diagnose-api-breaking-changes main' Scripts/check-api main

given git <<<'[[ "$3" != rev-parse ]]'
check "a baseline that is not there" 1 'no tag, branch or commit `main`' Scripts/check-api main
