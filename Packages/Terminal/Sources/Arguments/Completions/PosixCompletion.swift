/// The parts that the scripts for Bash and the Z shell have in common: `case` statements over what was typed.
struct PosixCompletion {
  let contexts: [CompletionContext]

  init(root: CommandNode) {
    contexts = CompletionContext.all(below: root)
  }

  /// Branches that match `CONTEXT OPTION` for every option followed by a value.
  func valueOptionBranches(_ body: String) -> [String] {
    let patterns = contexts.flatMap { context in
      context.valueOptions.flatMap(\.names).map { "\(context.key) \($0)".shellQuoted }
    }
    return patterns.map { "\($0)) \(body) ;;" }
  }

  /// What notes that an option was given behind which a word is no name any more; nothing where there are none.
  func closing(indentedBy columns: Int) -> String {
    let patterns = contexts.flatMap(\.closingWords).map { $0.text.shellQuoted + ($0.isOpen ? "*" : "") }
    let branches = patterns.isEmpty ? [] : ["\(patterns.joined(separator: "|"))) closed=1 ;;"]
    return branches.isEmpty ? "" : "\n" + branches.caseStatement(over: "$here $word", indentedBy: columns)
  }

  /// Branches that match `CONTEXT/WORD` and step into the subcommand, or into asking for help.
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

  /// Branches that match `CONTEXT OPTION` and offer what the option's value can be.
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

  /// Branches that match `CONTEXT POSITION` and offer what the positional argument can be.
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
  /// What stands before that which is only done where a word can be the name of a subcommand.
  ///
  /// The parser takes it for an argument after another one and behind `--`, and refuses it after an option, unless only help is
  /// asked for.
  var ifName: String { isGroup ? "" : "[[ -n $helping || $operands$ended$closed == 0 ]] && " }
}

extension [String] {
  /// The lines, each moved right, as one text.
  func indented(by columns: Int) -> String {
    map { String(repeating: " ", count: columns) + $0 }.joined(separator: "\n")
  }

  /// The branches as a `case` statement over `subject`; nothing when there are none.
  func caseStatement(over subject: String, indentedBy columns: Int) -> String {
    guard !isEmpty else { return [":"].indented(by: columns) }
    return (["case \"\(subject)\" in"] + map { "  " + $0 } + ["esac"]).indented(by: columns)
  }
}
