public protocol LoggerType: Sendable {
  func log(message: String)

  func message<Value>(
    for value: Value, with identifier: String?, file: String, line: UInt, function: String
  ) -> String
}

extension LoggerType {
  /// Returns the identifier, or the file, line and function, followed by *completed*.
  ///
  /// The value is not part of the message, because it can be confidential.
  public func message<Value>(
    for value: Value, with identifier: String?, file: String, line: UInt, function: String
  ) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(identifier.map { "Future \($0)" } ?? "\(name) at line \(line), func: \(function) - future") completed"
  }
}

public struct Logger: LoggerType {
  public init() {}

  public func log(message: String) {
    print(message)
  }
}

extension Future {
  @discardableResult
  public func debug(
    _ identifier: String? = nil, logger: any LoggerType = Logger(), file: String = #file, line: UInt = #line,
    function: String = #function, context: @escaping ExecutionContext = defaultContext()
  ) -> Future<T, E> {
    andThen(context: context) { result in
      logger.log(message: logger.message(for: result, with: identifier, file: file, line: line, function: function))
    }
  }
}
