# What is common to the scripts, and Scripts/precheck's own words.

for script in Scripts/*; do
  [[ -f "$script" && -x "$script" ]] || continue
  check "$script explains itself" 0 "usage: $script" "$script" --help
done

check "an unknown stage" 1 'There are: format scripts build test' Scripts/precheck no-such-stage

given swift <<<'exit 1'
given git <<<'printf "A.swift\0"'
check "a stage that fails, with how to run it again" 1 'To run only this one: Scripts/precheck format' Scripts/precheck format
check "a failed stage in the table" 1 '^format +0:0[0-9]  FAILED' Scripts/precheck format
