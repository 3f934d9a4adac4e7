/// Writes a completion script for GNU Bash 3.2 and later.
///
/// Bash splits words at `=`, so `--color=al` arrives as three words. The script compares candidates itself, because
/// `compgen -W` would expand shell syntax in them.
struct BashCompletion {
  let root: CommandNode

  var script: String {
    let parts = PosixCompletion(root: root)
    return """
      # Bash completion for '\(root.name)'. Source this file from ~/.bashrc.

      \(function)() {
        local here=\(root.name.shellQuoted) pending='' ended='' closed='' helping='' word='' current="${COMP_WORDS[COMP_CWORD]}"
        local index operands=0
        local words
        words=()
        COMPREPLY=()

        for ((index = 1; index < COMP_CWORD; index++)); do
          word="${COMP_WORDS[index]}"
          if [[ -n $pending ]]; then
            [[ $word == '=' ]] || pending=''
          elif [[ -z $ended && $word == '--' ]]; then
            ended=1
          elif [[ -z $ended && $word == -?* ]]; then
      \(parts.valueOptionBranches("pending=\"$word\"").caseStatement(over: "$here $word", indentedBy: 6))\(parts.closing(indentedBy: 6))
          else
      \((parts.stepBranches + ["*) operands=$((operands + 1)) ;;"]).caseStatement(
        over: "$here/$word", indentedBy: 6))
          fi
        done

        if [[ -n $pending ]]; then
          [[ $current == '=' ]] && current=''
      \(parts.valueBranches(offer).caseStatement(over: "$here $pending", indentedBy: 4))
        elif [[ -z $ended && -z $helping && $current == -* ]]; then
      \(optionBranches(parts).caseStatement(over: "$here", indentedBy: 4))
        else
      \(subcommandBranches(parts).caseStatement(over: "$here", indentedBy: 4))
          if [[ -z $helping ]]; then
      \(parts.operandBranches(offer).caseStatement(over: "$here $operands", indentedBy: 6))
          fi
        fi

        for word in ${words[@]+"${words[@]}"}; do
          [[ "$word" == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
        done
        return 0
      }

      \(function)_paths() {
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do
          COMPREPLY+=("$word")
        done < <(compgen "$1" -- "$current")
      }

      complete -F \(function) \(root.name.shellQuoted)

      """
  }

  private var function: String { "_\(root.name.shellIdentifier)_completions" }

  private func offer(_ kind: CompletionKind) -> String? {
    switch kind {
    case .none: nil
    case .file: "\(function)_paths -f"
    case .directory: "\(function)_paths -d"
    case .list(let words): "words+=(\(words.map(\.shellQuoted).joined(separator: " ")))"
    }
  }

  private func optionBranches(_ parts: PosixCompletion) -> [String] {
    parts.contexts.map { context in
      let names = context.describedNames.map(\.name.shellQuoted).joined(separator: " ")
      return "\(context.key.shellQuoted)) words=(\(names)) ;;"
    }
  }

  private func subcommandBranches(_ parts: PosixCompletion) -> [String] {
    parts.contexts.filter { !$0.subcommands.isEmpty }.map { context in
      let names = context.subcommands.map(\.name.shellQuoted).joined(separator: " ")
      return "\(context.key.shellQuoted)) \(context.ifName)words=(\(names)) ;;"
    }
  }
}
