/// The common parts of the scripts for Bash and the Z shell: `case` statements over the typed words.
struct PosixCompletion {
  let contexts: [CompletionContext]

  init(root: CommandNode) {
    contexts = CompletionContext.all(below: root)
  }

  /// Returns branches that match `CONTEXT OPTION` for every option with a value.
  func valueOptionBranches(_ body: String) -> [String] {
    let patterns = contexts.flatMap { context in
      context.valueOptions.flatMap(\.names).map { "\(context.key) \($0)".shellQuoted }
    }
    return patterns.map { "\($0)) \(body) ;;" }
  }

  /// Returns code that records an option after which a subcommand's name is refused, or an empty text.
  func closing(indentedBy columns: Int) -> String {
    let patterns = contexts.flatMap(\.closingWords).map { $0.text.shellQuoted + ($0.isOpen ? "*" : "") }
    let branches = patterns.isEmpty ? [] : ["\(patterns.joined(separator: "|"))) closed=1 ;;"]
    return branches.isEmpty ? "" : "\n" + branches.caseStatement(over: "$here $word", indentedBy: columns)
  }

  /// The branches that match `CONTEXT/WORD`, and select the subcommand or request help.
  var stepBranches: [String] {
    contexts.flatMap { context in
      context.steps.map { stepBranch(in: context, name: $0.name, key: $0.key) }
        + (context.offersHelp ? ["\("\(context.key)/help".shellQuoted)) helping=1 ;;"] : [])
    }
  }

  private func stepBranch(in context: CompletionContext, name: String, key: String) -> String {
    let otherwise = context.isGroup ? "" : " || operands=$((operands + 1))"
    return "\("\(context.key)/\(name)".shellQuoted)) \(context.ifName)here=\(key.shellQuoted)\(otherwise) ;;"
  }

  /// Returns branches that match `CONTEXT OPTION` and offer completions for the option's value.
  func valueBranches(_ offer: (CompletionKind) -> String?) -> [String] {
    contexts.flatMap { context in
      context.valueOptions.compactMap { option in
        offer(option.effectiveCompletion).map { action in
          let patterns = option.names.map { "\(context.key) \($0)".shellQuoted }
          return "\(patterns.joined(separator: "|"))) \(action) ;;"
        }
      }
    }
  }

  /// Returns branches that match `CONTEXT POSITION` and offer completions for the positional argument.
  func operandBranches(_ offer: (CompletionKind) -> String?) -> [String] {
    contexts.flatMap { context in
      context.operands.enumerated().compactMap { position, operand in
        offer(operand.effectiveCompletion).map { action in
          let place = operand.isRepeating ? "*" : "\(position)"
          return "\((context.key + " ").shellQuoted)\(place)) \(action) ;;"
        }
      }
    }
  }
}

extension CompletionContext {
  /// The condition for commands that run only if the word can be a subcommand's name.
  ///
  /// The parser treats the name after another argument and after `--` as an argument. After an option it refuses the
  /// name, unless help is requested.
  var ifName: String { isGroup ? "" : "[[ -n $helping || $operands$ended$closed == 0 ]] && " }
}

extension [String] {
  /// Returns the indented lines as one text.
  func indented(by columns: Int) -> String {
    map { String(repeating: " ", count: columns) + $0 }.joined(separator: "\n")
  }

  /// Returns the branches as a `case` statement over `subject`, or `:` when the array is empty.
  func caseStatement(over subject: String, indentedBy columns: Int) -> String {
    guard !isEmpty else { return [":"].indented(by: columns) }
    return (["case \"\(subject)\" in"] + map { "  " + $0 } + ["esac"]).indented(by: columns)
  }
}
