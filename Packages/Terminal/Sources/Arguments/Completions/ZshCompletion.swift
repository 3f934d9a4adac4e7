/// Writes a completion script for the Z shell.
struct ZshCompletion {
  let root: CommandNode

  var script: String {
    let function = "_\(root.name.shellIdentifier)"
    let parts = PosixCompletion(root: root)
    return """
      #compdef \(root.name)
      # Zsh completion for '\(root.name)'. Save this file as '\(function)' in a directory of $fpath.

      \(function)() {
        local here=\(root.name.shellQuoted) pending='' ended='' closed='' helping='' word=''
        local -i index operands=0
        local -a described

        for ((index = 2; index < CURRENT; index++)); do
          word="${(Q)words[index]}"
          if [[ -n $pending ]]; then
            pending=''
          elif [[ -z $ended && $word == '--' ]]; then
            ended=1
          elif [[ -z $ended && $word == -?* ]]; then
      \(parts.valueOptionBranches("pending=\"$word\"").caseStatement(over: "$here $word", indentedBy: 6))\(parts.closing(indentedBy: 6))
          else
      \((parts.stepBranches + ["*) operands=$((operands + 1)) ;;"]).caseStatement(
        over: "$here/$word", indentedBy: 6))
          fi
        done

        if [[ -z $pending && -z $ended && "${words[CURRENT]}" == --*=* ]]; then
          pending="${words[CURRENT]%%=*}"
          compset -P '*='
        fi

        if [[ -n $pending ]]; then
      \(parts.valueBranches(Self.offer).caseStatement(over: "$here $pending", indentedBy: 4))
        elif [[ -z $ended && -z $helping && "${words[CURRENT]}" == -* ]]; then
      \(optionBranches(parts).caseStatement(over: "$here", indentedBy: 4))
          _describe -o 'option' described
        else
      \(subcommandBranches(parts).caseStatement(over: "$here", indentedBy: 4))
          (( ${#described} )) && _describe 'subcommand' described
          if [[ -z $helping ]]; then
      \(parts.operandBranches(Self.offer).caseStatement(over: "$here $operands", indentedBy: 6))
          fi
        fi
      }

      if [[ "${funcstack[1]}" == \(function.shellQuoted) ]]; then
        \(function) "$@"
      else
        compdef \(function) \(root.name.shellQuoted)
      fi

      """
  }

  private static func offer(_ kind: CompletionKind) -> String? {
    switch kind {
    case .none: nil
    case .file: "_files"
    case .directory: "_files -/"
    case .list(let words): "compadd -- \(words.map(\.shellQuoted).joined(separator: " "))"
    }
  }

  private func optionBranches(_ parts: PosixCompletion) -> [String] {
    parts.contexts.map { context in
      "\(context.key.shellQuoted)) \(described(context.describedNames.map { ($0.name, $0.help) })) ;;"
    }
  }

  private func subcommandBranches(_ parts: PosixCompletion) -> [String] {
    parts.contexts.filter { !$0.subcommands.isEmpty }.map { context in
      let names = described(context.subcommands.map { ($0.name, $0.abstract) })
      return "\(context.key.shellQuoted)) \(context.ifName)\(names) ;;"
    }
  }

  private func described(_ entries: [(String, String)]) -> String {
    let words = entries.map { name, text in
      let escaped = name.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
      return "\(escaped):\(text.firstLine)".shellQuoted
    }
    return "described=(\(words.joined(separator: " ")))"
  }
}
