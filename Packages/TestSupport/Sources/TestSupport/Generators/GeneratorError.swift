/// The error of a generator that cannot make a value.
public struct GeneratorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The problem and its solution.
  public let description: String

  static func filtered(attempts: Int, last: String) -> Self {
    Self(
      description: """
        Cannot generate a value: a filter rejected \(attempts) values in a row, the last one \(last). \
        Build valid values with map or flatMap, or use a filter that accepts more values.
        """)
  }

  static func nothingToChoose(from what: String) -> Self {
    Self(description: "Cannot choose from \(what): the list is empty. Pass at least one.")
  }
}
