#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Command {
  /// Reads the process's own command line; on an interruption prints its text and ends the process.
  ///
  /// This is the one function here with effects. Texts that were asked for go to standard output, mistakes to standard
  /// error, and the process ends with ``Interruption/exitCode``. Call it from the entry point of a program:
  ///
  /// ```swift
  /// @main enum Main {
  ///   static func main() async throws {
  ///     try await run(demo.parseOrExit(width: 100).output)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - words: The command line, without the name of the program.
  ///   - width: The columns that help may take.
  public func parseOrExit(
    _ words: [String] = Array(CommandLine.arguments.dropFirst()), width: Int = 80
  ) -> Invocation<Output> {
    switch parse(words) {
    case .success(let invocation):
      return invocation
    case .failure(let interruption):
      write(interruption.text(width: width), to: interruption.isError ? STDERR_FILENO : STDOUT_FILENO)
      exit(interruption.exitCode.rawValue)
    }
  }
}

/// Writes all of the text, or as much as the other end takes.
private func write(_ text: String, to descriptor: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count == 0 || errno != EINTR {
      return
    }
  }
}
