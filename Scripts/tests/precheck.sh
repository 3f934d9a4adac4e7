# The help texts of all scripts, and Scripts/precheck.

for script in Scripts/*; do
  [[ -f "$script" && -x "$script" ]] || continue
  check "$script --help prints its usage" 0 "usage: $script" "$script" --help
done

check "an unknown stage is an error" 1 'There are: format scripts build test' Scripts/precheck no-such-stage

given swift <<<'exit 1'
given git <<<'printf "A.swift\0"'
check "a failed stage prints the command that runs it again" 1 'To run only this one: Scripts/precheck format' Scripts/precheck format
check "the table contains a failed stage" 1 '^format +0:0[0-9]  FAILED' Scripts/precheck format
