/// A switch without a value: `--json`.
///
/// ```swift
/// Flag("json", help: "Print JSON.")
/// Flag("pictures", inversion: .prefixedNo, default: true, help: "Draw the pictures.")
/// ```
///
/// Short names combine: `-abc` is `-a -b -c`. Giving a flag again changes nothing, and of `--pictures` and
/// `--no-pictures` the later wins, so that a person can overrule an alias.
public struct Flag: ArgumentDeclaration {
  /// Whether a flag can be switched off by name.
  public enum Inversion: Sendable, Equatable {
    /// It can only be switched on.
    case none
    /// `--no-NAME` switches `--NAME` off.
    case prefixedNo
  }

  /// How the flag appears in help and how its value is read.
  public let reader: ArgumentReader<Bool>

  /// Declares a flag.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The short name, if there is one.
  ///   - inversion: Whether there is a `--no-` form too.
  ///   - initial: The value when the flag is not given.
  ///   - help: What the flag does, in a sentence.
  public init(
    _ name: String, short: Character? = nil, inversion: Inversion = .none, default initial: Bool = false,
    help: String = ""
  ) {
    let definition = Definition(
      kind: .flag(hasInversion: inversion == .prefixedNo),
      name: name,
      short: short,
      valueName: name,
      help: help,
      defaultDescription: inversion == .none ? nil : (initial ? "--\(name)" : "--no-\(name)"))
    reader = ArgumentReader(definitions: [definition]) { matches throws(UsageError.Reason) in
      matches.flags[name] ?? initial
    }
  }
}
