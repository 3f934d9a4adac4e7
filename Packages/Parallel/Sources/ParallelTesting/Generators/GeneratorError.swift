/// Thrown when a generator cannot make a value.
public struct GeneratorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What could not be made, why, and the way out.
  public let description: String

  static func filtered(attempts: Int, last: String) -> Self {
    Self(
      description: """
        A filter turned down \(attempts) values in a row, the last of them \(last). \
        Make values that satisfy it by construction (map, flatMap), or filter on something likelier.
        """)
  }

  static func nothingToChoose(from what: String) -> Self {
    Self(description: "Cannot choose from \(what): give at least one to choose from.")
  }
}
