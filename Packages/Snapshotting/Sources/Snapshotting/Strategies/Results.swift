internal import Parallel

extension Snapshotting where Format == String {
  /// Shows a result: `success:` or `failure:`, and below it the value or the error.
  ///
  /// ```swift
  /// assertSnapshot(of: Result { try parse("1,2") }, as: .result(.readable, .readable))
  /// ```
  public static func result<Success, Failure>(
    _ success: Snapshotting<Success, String>, _ failure: Snapshotting<Failure, String>
  ) -> Snapshotting where Value == Result<Success, Failure> {
    Snapshotting("txt", .lines) { result, context, callback in
      switch result {
      case .success(let value): success.capture(value, context.with()).map { "success:\n\($0)" }.run(callback)
      case .failure(let error): failure.capture(error, context.with()).map { "failure:\n\($0)" }.run(callback)
      }
    }
  }

  /// Shows a result with an error of any type: `success:` or `failure:`, and below it the value, or the error with its type.
  ///
  /// ```swift
  /// assertSnapshot(of: Result { try parse("1,2") }, as: .result(.readable))
  /// ```
  public static func result<Success>(_ success: Snapshotting<Success, String>) -> Snapshotting
  where Value == Result<Success, any Error> {
    result(success, .error)
  }

  /// Shows the error or the result of a function.
  ///
  /// ```swift
  /// assertSnapshot(of: { try parse("1,,2") }, as: .thrown(.readable))
  /// ```
  public static func thrown<Success>(_ success: Snapshotting<Success, String>) -> Snapshotting
  where Value == () throws -> Success {
    Snapshotting<Result<Success, any Error>, String>.result(success).pullback { function in Result { try function() } }
  }
}

extension Snapshotting where Value == any Error, Format == String {
  /// Shows an error: its type, its description, and its contents if they add to the description.
  ///
  /// ```swift
  /// assertSnapshot(of: error, as: .error)
  /// ```
  public static var error: Snapshotting {
    Snapshotting("txt", .lines) { error, context, callback in
      let contents = readableText(of: error, in: context)
      let words = orderedDescription(of: error)
      let addsWords = type(of: error) is any CustomStringConvertible.Type && words != contents
      callback("\(nameWithoutNumbers(type(of: error))): \(addsWords ? "\(words)\n" : "")\(contents)")
    }
  }
}
