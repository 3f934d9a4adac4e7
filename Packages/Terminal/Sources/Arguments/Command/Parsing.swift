extension Command {
  /// Parses a command line, without the name of the program.
  ///
  /// Never traps for any words, including empty words and text repaired from invalid UTF-8. The time is linear in the
  /// length of the words.
  ///
  /// - Returns: The output of the command, or the reason why it has none: a text was requested, or the words are invalid.
  ///   `--help` takes precedence over an error anywhere before `--`.
  public func parse(_ words: some Sequence<String>) -> Result<Invocation<Output>, Interruption> {
    let words = Array(words)
    if words.first == CompletionShell.request {
      return .failure(.completionScript(CompletionShell.answer(words.dropFirst(), root: node)))
    }
    var scanner = Scanner(root: node)
    do throws(UsageError.Reason) {
      switch try scanner.scan(words) {
      case .help:
        return .failure(.help(HelpPage(path: scanner.path)))
      case .version:
        return .failure(.version(node.version ?? ""))
      case .completionScript(let shell):
        return .failure(.completionScript(shell.script(for: name)))
      case .matched:
        let output = try read(scanner.matches[...])
        return .success(Invocation(output: output, commandPath: scanner.path.map(\.name)))
      }
    } catch {
      return .failure(.usage(UsageError(reason: error, path: scanner.path)))
    }
  }

  /// The help of this command, as shown by `--help`.
  public var help: HelpPage { HelpPage(path: [node]) }
}
