#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Command {
  /// Parses the process's own command line; on an interruption prints its text and exits.
  ///
  /// This is the only function of the module with side effects. Requested texts go to standard output and usage errors to
  /// standard error. The process exits with ``Interruption/exitCode``. Call the function from the entry point of a
  /// program:
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
  ///   - width: The maximum number of columns for help and usage lines.
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

/// Writes all of the text, or as much as `descriptor` accepts before an error.
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
