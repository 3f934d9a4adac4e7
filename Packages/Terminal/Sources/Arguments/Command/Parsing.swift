extension Command {
  /// Parses a command line, without the name of the program.
  ///
  /// Never traps for any words, including empty words and text repaired from invalid UTF-8. The time is linear in the
  /// length of the words.
  ///
  /// - Returns: The output of the command, or the reason why it has none: a text was requested, or the words are invalid.
  ///   `--help` takes precedence over an error anywhere before `--`.
  public func parse(_ words: some Sequence<String>) -> Result<Invocation<Output>, Interruption> {
    var scanner = Scanner(root: node)
    do throws(UsageError.Reason) {
      switch try scanner.scan(Array(words)) {
      case .help:
        return .failure(.help(HelpPage(path: scanner.path)))
      case .version:
        return .failure(.version(node.version ?? ""))
      case .completionScript(let shell):
        return .failure(.completionScript(completionScript(for: shell)))
      case .matched:
        let output = try read(scanner.matches[...])
        return .success(
          Invocation(output: output, commandPath: scanner.path.map(\.name), arguments: scanner.canonicalWords))
      }
    } catch {
      return .failure(.usage(UsageError(reason: error, path: scanner.path)))
    }
  }

  /// The help of this command, as shown by `--help`.
  public var help: HelpPage { HelpPage(path: [node]) }

  /// Returns a script that completes this command in `shell`.
  ///
  /// The script contains every subcommand, option and choice; it does not call the command.
  public func completionScript(for shell: CompletionShell) -> String {
    switch shell {
    case .bash: BashCompletion(root: node).script
    case .zsh: ZshCompletion(root: node).script
    case .fish: FishCompletion(root: node).script
    }
  }
}

extension Scanner {
  /// The canonical spelling of the scanned words; each command's own words come before the name of the next command.
  var canonicalWords: [String] {
    zip(path, matches).enumerated().flatMap { level, pair in
      (level == 0 ? [] : [pair.0.name]) + pair.1.spelled(by: pair.0)
    }
  }
}
