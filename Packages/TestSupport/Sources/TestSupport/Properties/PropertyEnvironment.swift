import Foundation

/// The two environment variables that control property checks.
///
/// | variable | value | effect |
/// |---|---|---|
/// | `PROPERTY_SEED` | a number, decimal or `0x…` | the seed of every check without a `seed:` argument |
/// | `PROPERTY_SEED` | `random` | a new seed for every such check; a failure prints it |
/// | `PROPERTY_COUNT` | a number from 1 | multiplies the number of cases of every check |
///
/// Without them, a check starts from ``defaultSeed``, so every run tries the same cases.
public struct PropertyEnvironment: Sendable, Equatable {
  /// The name of the variable that sets the seed.
  public static let seedVariable = "PROPERTY_SEED"
  /// The name of the variable that multiplies the number of cases.
  public static let countVariable = "PROPERTY_COUNT"
  /// The seed of a check without another seed.
  public static let defaultSeed: UInt64 = 0x5EED

  /// The source of a check's seed.
  public enum Seed: Sendable, Equatable {
    /// The same seed each time.
    case fixed(UInt64)
    /// A new seed each time.
    case random
  }

  /// The seed of checks without a `seed:` argument.
  public var seed: Seed
  /// The factor for the number of cases, at least one.
  public var countMultiplier: Int

  /// Reads the variables from an environment.
  ///
  /// - Parameter variables: Names and values, as in `ProcessInfo.processInfo.environment`.
  /// - Throws: ``InvalidValue`` if a variable has an invalid value.
  public init(variables: [String: String]) throws(InvalidValue) {
    switch variables[Self.seedVariable] {
    case nil, "": seed = .fixed(Self.defaultSeed)
    case "random": seed = .random
    case let text?:
      guard let number = UInt64(seedText: text) else {
        throw InvalidValue(variable: Self.seedVariable, value: text, allowed: "a number from 0 to 2⁶⁴−1 or 'random'")
      }
      seed = .fixed(number)
    }
    switch variables[Self.countVariable] {
    case nil, "": countMultiplier = 1
    case let text?:
      guard let number = Int(text), number > 0 else {
        throw InvalidValue(variable: Self.countVariable, value: text, allowed: "a positive integer")
      }
      countMultiplier = number
    }
  }

  /// The environment of this process.
  static func current() throws(InvalidValue) -> PropertyEnvironment {
    try PropertyEnvironment(variables: ProcessInfo.processInfo.environment)
  }

  /// The error of a variable with an invalid value.
  public struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
    /// The variable's name.
    public let variable: String
    /// The invalid value.
    public let value: String
    /// The allowed values.
    public let allowed: String

    /// The variable, its value and the allowed values.
    public var description: String {
      "Cannot read the environment variable \(variable): '\(value)' is not \(allowed). Correct or unset the variable."
    }
  }
}

extension UInt64 {
  fileprivate init?(seedText: String) {
    let isHexadecimal = seedText.lowercased().hasPrefix("0x")
    self.init(isHexadecimal ? String(seedText.dropFirst(2)) : seedText, radix: isHexadecimal ? 16 : 10)
  }
}
