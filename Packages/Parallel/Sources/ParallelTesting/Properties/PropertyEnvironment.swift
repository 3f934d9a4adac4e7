import Foundation

/// The two environment variables that steer property checks, read here and nowhere else.
///
/// | variable | value | effect |
/// |---|---|---|
/// | `PROPERTY_SEED` | a number, decimal or `0x…` | every check that is not given a `seed:` starts from it |
/// | `PROPERTY_SEED` | `random` | every such check makes up a new seed; a failure prints it |
/// | `PROPERTY_COUNT` | a number from 1 | every check runs so many times its usual number of cases |
///
/// Without them a check starts from ``defaultSeed``, so that it does today what it did yesterday.
public struct PropertyEnvironment: Sendable, Equatable {
  /// The name of the variable that sets the seed.
  public static let seedVariable = "PROPERTY_SEED"
  /// The name of the variable that multiplies the number of cases.
  public static let countVariable = "PROPERTY_COUNT"
  /// The seed of a check for which no other was given.
  public static let defaultSeed: UInt64 = 0x5EED

  /// Where the seed of a check comes from.
  public enum Seed: Sendable, Equatable {
    /// The same one each time.
    case fixed(UInt64)
    /// A new one each time.
    case random
  }

  /// The seed for checks that are not given one.
  public var seed: Seed
  /// By how much the number of cases is multiplied; one or more.
  public var countMultiplier: Int

  /// Reads the variables from an environment.
  ///
  /// - Parameter variables: Names and values, as in `ProcessInfo.processInfo.environment`.
  /// - Throws: ``InvalidValue`` when one of them is set to something else than the table says.
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

  /// Thrown when a variable is set to something that it cannot mean.
  public struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
    /// The variable's name.
    public let variable: String
    /// What it is set to.
    public let value: String
    /// What it may be set to.
    public let allowed: String

    /// What is set to what, and what it may be.
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
