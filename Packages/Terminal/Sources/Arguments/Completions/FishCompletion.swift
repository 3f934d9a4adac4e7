/// Writes a completion script for the fish shell.
struct FishCompletion {
  let root: CommandNode

  var script: String {
    let contexts = CompletionContext.all(below: root)
    let function = "__\(root.name.shellIdentifier)_at"
    let lines = contexts.flatMap { context in
      context.options.map { optionLine($0, in: context, function) }
        + context.subcommands.map { subcommandLine($0, in: context, function) }
        + operandLines(of: context, function)
    }
    return """
      # Fish completion for '\(root.name)'. Save this file as ~/.config/fish/completions/\(root.name).fish.

      # Succeeds if the words before the cursor select the command $argv[1] and, unless $argv[2] is empty, hold
      # $argv[2] operands. 'none' means that a subcommand name may follow: no operand, no '--', no own option of the command.
      # After 'help' only the command counts, and $argv[3] must be 'help'.
      function \(function)
        set -l here \(root.name.fishQuoted)
        set -l operands 0
        set -l pending 0
        set -l ended 0
        set -l closed 0
        set -l helping 0
        set -l typed (commandline -opc)
        for word in $typed[2..-1]
          if test $pending = 1
            set pending 0
          else if test $ended = 0; and test "$word" = --
            set ended 1
          else if test $ended = 0; and string match -q -- '-?*' "$word"
            switch "$here $word"
      \(valueBranches(contexts))
            end\(closing(contexts))
          else
            switch "$here/$word"
      \(stepBranches(contexts))
              case '*'
                set operands (math $operands + 1)
            end
          end
        end
        test "$here" = "$argv[1]"; or return 1
        if test $helping = 1
          test "$argv[3]" = help
        else
          test -z "$argv[2]"; or test "$argv[2]" = "$operands"; or test "$argv[2] $operands $ended $closed" = 'none 0 0 0'
        end
      end

      complete -c \(root.name.fishQuoted) -f
      \(lines.joined(separator: "\n"))

      """
  }

  private func valueBranches(_ contexts: [CompletionContext]) -> String {
    let patterns = contexts.flatMap { context in
      context.valueOptions.flatMap(\.names).map { "\(context.key) \($0)".fishQuoted }
    }
    return ["case \(patterns.joined(separator: " "))", "  set pending 1"].indented(by: 8)
  }

  /// Returns code that records an option after which a subcommand's name is refused, or an empty text.
  private func closing(_ contexts: [CompletionContext]) -> String {
    // In fish a star is a wildcard inside of quotes, too; outside of quotes it matches file names.
    let patterns = contexts.flatMap(\.closingWords).map { ($0.text + ($0.isOpen ? "*" : "")).fishQuoted }
    guard !patterns.isEmpty else { return "" }
    let branch = ["switch \"$here $word\"", "  case \(patterns.joined(separator: " "))", "    set closed 1", "end"]
    return "\n" + branch.indented(by: 6)
  }

  private func stepBranches(_ contexts: [CompletionContext]) -> String {
    contexts.flatMap { context in
      context.steps.flatMap { stepBranch(in: context, name: $0.name, key: $0.key) }
        + (context.offersHelp ? ["case \("\(context.key)/help".fishQuoted)", "  set helping 1"] : [])
    }.indented(by: 8)
  }

  /// Returns the branch for a subcommand's name.
  ///
  /// After another argument and after `--` the name is an argument. After an option it is refused, unless the command is
  /// a group or help is requested.
  private func stepBranch(in context: CompletionContext, name: String, key: String) -> [String] {
    let pattern = "case \("\(context.key)/\(name)".fishQuoted)"
    let step = "set here \(key.fishQuoted)"
    if context.isGroup { return [pattern, "  " + step] }
    return [
      pattern, "  if test $helping = 1; or test \"$operands $ended $closed\" = '0 0 0'", "    " + step, "  else",
      "    set operands (math $operands + 1)", "  end",
    ]
  }

  private func optionLine(_ option: Definition, in context: CompletionContext, _ function: String) -> String {
    let names = option.longNames.map { " -l \(String($0.dropFirst(2)).fishQuoted)" }.joined()
    let short = option.short.map { " -s \("\($0)".fishQuoted)" } ?? ""
    let require = option.effectiveCompletion == .file ? " -r" : " -x"
    let value = option.takesValue ? require + offer(option.effectiveCompletion) : ""
    return line(function, [context.key]) + names + short + value + description(option.help)
  }

  private func subcommandLine(
    _ subcommand: (name: String, abstract: String), in context: CompletionContext, _ function: String
  ) -> String {
    let isHelp = subcommand.name == "help" && context.offersHelp
    let condition = isHelp ? [context.key] : [context.key, context.isGroup ? "" : "none", "help"]
    return line(function, condition) + " -a \(subcommand.name.fishQuoted.fishQuoted)" + description(subcommand.abstract)
  }

  private func operandLines(of context: CompletionContext, _ function: String) -> [String] {
    context.operands.enumerated().compactMap { position, operand in
      let offered = offer(operand.effectiveCompletion)
      guard !offered.isEmpty else { return nil }
      return line(function, operand.isRepeating ? [context.key] : [context.key, "\(position)"]) + offered
        + description(operand.help)
    }
  }

  private func line(_ function: String, _ condition: [String]) -> String {
    let words = ([function] + condition.map(\.fishQuoted)).joined(separator: " ")
    return "complete -c \(root.name.fishQuoted) -n \(words.fishQuoted)"
  }

  private func offer(_ kind: CompletionKind) -> String {
    switch kind {
    case .none: ""
    case .file: " -F"
    case .directory: " -a '(__fish_complete_directories)'"
    case .list(let words): " -a \(words.map(\.fishQuoted).joined(separator: " ").fishQuoted)"
    }
  }

  private func description(_ text: String) -> String {
    text.isEmpty ? "" : " -d \(text.firstLine.fishQuoted)"
  }
}

extension String {
  /// The text quoted as one literal word of fish.
  fileprivate var fishQuoted: String {
    var quoted = ""
    for character in self {
      if character == "'" || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return "'\(quoted)'"
  }
}
