extension Command {
  /// Reads a command line, without the name of the program.
  ///
  /// Never traps, whatever the words: not on empty ones, nor on text repaired from bytes that were no UTF-8. The time
  /// taken is linear in the length of the words.
  ///
  /// - Returns: What the command made of its arguments, or why it made nothing: a text was asked for, or the words
  ///   are wrong. `--help` wins over a mistake anywhere before `--`.
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

  /// The help of this command, as `--help` shows it.
  public var help: HelpPage { HelpPage(path: [node]) }

  /// A script that teaches `shell` to complete this command.
  ///
  /// The script knows every subcommand, option and choice; it does not call the command.
  public func completionScript(for shell: CompletionShell) -> String {
    switch shell {
    case .bash: BashCompletion(root: node).script
    case .zsh: ZshCompletion(root: node).script
    case .fish: FishCompletion(root: node).script
    }
  }
}

extension Scanner {
  /// The words scanned, spelled canonically; each command's own before the name of the next.
  var canonicalWords: [String] {
    zip(path, matches).enumerated().flatMap { level, pair in
      (level == 0 ? [] : [pair.0.name]) + pair.1.spelled(by: pair.0)
    }
  }
}
