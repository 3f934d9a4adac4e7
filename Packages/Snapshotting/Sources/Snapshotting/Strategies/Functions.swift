internal import Parallel

extension Snapshotting where Value: CaseIterable & Sendable, Value.AllCases: Sendable, Format == String {
  /// Shows the result of a function for each case of its input, as comma-separated values.
  ///
  /// Quotation marks and line feeds in the values are not escaped, as in swift-snapshot-testing, so different values
  /// that contain them can have equal texts.
  ///
  /// ```swift
  /// assertSnapshot(of: \.rotatedLeft, as: Snapshotting<Direction, String>.func(into: .description))
  /// ```
  ///
  /// ```
  /// "up","left"
  /// "down","right"
  /// ```
  public static func `func`<Output>(
    into witness: Snapshotting<Output, Format>
  ) -> Snapshotting<(Value) -> Output, Format> {
    Snapshotting<(Value) -> Output, Format>("csv", .lines) { [capture = witness.capture] function, context, callback in
      Value.allCases
        .map { input in capture(function(input), context.with()).map { "\"\(input)\",\"\($0)\"" } }
        .sequence()
        .map { $0.joined(separator: "\n") }
        .run(callback)
    }
  }
}
