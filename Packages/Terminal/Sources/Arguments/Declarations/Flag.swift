/// A switch without a value: `--json`.
///
/// ```swift
/// Flag("json", help: "Print JSON.")
/// Flag("pictures", inversion: .prefixedNo, default: true, help: "Draw the pictures.")
/// ```
///
/// Short names combine: `-abc` is `-a -b -c`. Repeating a flag changes nothing. Between `--pictures` and `--no-pictures`
/// the last one wins, so that a command line can override an alias.
public struct Flag: ArgumentDeclaration {
  /// Whether a flag has a form that switches it off.
  public enum Inversion: Sendable, Equatable {
    /// The flag can only be switched on.
    case none
    /// `--no-NAME` switches `--NAME` off.
    case prefixedNo
  }

  /// The description for help, and the conversion from words to a value.
  public let reader: ArgumentReader<Bool>

  /// Declares a flag.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The short name, or nil.
  ///   - inversion: Whether the flag also has a `--no-` form.
  ///   - initial: The value when the flag is absent.
  ///   - help: The effect of the flag, in a sentence.
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
