/// Where ``Future/debug(_:logger:file:line:function:context:)`` writes.
public protocol LoggerType: Sendable {
  /// Writes one message.
  func log(message: String)

  /// What to write about a result.
  func message<Value>(
    for value: Value, with identifier: String?, file: String, line: UInt, function: String
  ) -> String
}

extension LoggerType {
  /// The identifier, or else the file, the line and the function, and the result.
  public func message<Value>(
    for value: Value, with identifier: String?, file: String, line: UInt, function: String
  ) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(identifier.map { "Future \($0)" } ?? "\(name) at line \(line), func: \(function) - future") \(value)"
  }
}

/// Writes to standard output.
public struct Logger: LoggerType {
  /// Creates a logger.
  public init() {}

  /// Prints the message.
  public func log(message: String) {
    print(message)
  }
}

extension Future {
  /// Logs the result once it is there.
  ///
  /// - Parameters:
  ///   - identifier: What to call the future; its place in the source when left out.
  ///   - logger: Where to write.
  ///   - file: The file to name.
  ///   - line: The line to name.
  ///   - function: The function to name.
  ///   - context: Where the logger is called.
  /// - Returns: The same future.
  @discardableResult
  public func debug(
    _ identifier: String? = nil, logger: any LoggerType = Logger(), file: String = #file, line: UInt = #line,
    function: String = #function, context: @escaping ExecutionContext = defaultContext()
  ) -> Self {
    onComplete(context) { result in
      logger.log(
        message: logger.message(for: result, with: identifier, file: file, line: line, function: function))
    }
  }
}
