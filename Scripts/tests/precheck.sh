# What all scripts have in common, and the stages that Scripts/precheck chooses.

given swift <<<'exit 1'
for script in Scripts/*; do
  [[ -f "$script" && -x "$script" ]] || continue
  check "$script prints its usage" 0 "usage: $script" "$script" --help
  # These three pass their arguments to a program.
  [[ "$script" =~ /(bench|demo|test)$ ]] ||
    check "$script rejects an unknown option" 2 '^error: Cannot .*: .*\. .*\.$' "$script" --no-such-option
done
check "an unknown stage" 2 'Cannot run the stage `no-such-stage`' Scripts/precheck no-such-stage
check "a surplus argument" 2 'Cannot use the argument `v2`' Scripts/check-api v1 v2
check "a wrong number of orders" 2 'Cannot use --orders x: it needs a number' Scripts/stress workers --orders x
check "a missing stress test" 2 'Use one of: short, properties' Scripts/stress

check "--since without a commit" 2 'Cannot use --since' Scripts/precheck --since

given git <<<'printf "A.swift\0"'
check "a failed stage, and how to run it again" 1 'Run only this stage: Scripts/precheck format' Scripts/precheck format
check "a failed stage in the table" 1 '^format +0:0[0-9]  FAILED' Scripts/precheck format

changed() { given git <<<"case \"\$*\" in *diff*) echo '$1' ;; esac"; }
changed Packages/Coordinators/Sources/Coordinators/A.swift
check "a package and its dependents are affected" 0 'check-packages Boundaries$' Scripts/precheck --list --since v1
check "packages below it are not" 0 'check-threads Coordinators$' Scripts/precheck --list --since v1
changed Packages/Parallel/Sources/Parallel/A.swift
check "dependents of dependents are affected" 0 'check-threads Parallel Futures Snapshotting Coordinators OrderTaking$' \
  Scripts/precheck --list --since v1
changed Tests/Consumers/Clients/Futures.swift
check "a changed client affects the consumers" 0 'check-consumers$' Scripts/precheck --list --since v1
changed Apps/Benchmarks/Sources/Benchmarks/A.swift
check "a changed benchmark affects the budgets" 0 'bench --counted-only$' Scripts/precheck --list --since v1
changed Package.swift
check "the root manifest affects all packages" 0 'check-memory Futures OrderTaking Snapshotting$' Scripts/precheck --list --since v1
given git <<<'[[ "$*" != *rev-parse* ]]'
check "a commit that does not exist" 2 'Cannot compare with `v9`' Scripts/precheck --list --since v9
