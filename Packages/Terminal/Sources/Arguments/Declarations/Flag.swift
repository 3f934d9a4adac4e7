/// A switch without a value: `--json`.
///
/// ```swift
/// Flag("json", help: "Print JSON.")
/// ```
///
/// Short names combine: `-abc` is `-a -b -c`. Repeating a flag changes nothing.
public struct Flag: ArgumentDeclaration {
  /// The description for help, and the conversion from words to a value.
  public let reader: ArgumentReader<Bool>

  /// Declares a flag.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The short name, or nil.
  ///   - help: The effect of the flag, in a sentence.
  public init(_ name: String, short: Character? = nil, help: String = "") {
    let definition = Definition(kind: .flag, name: name, short: short, valueName: name, help: help)
    reader = ArgumentReader(definitions: [definition]) { matches throws(UsageError.Reason) in
      matches.flags.contains(name)
    }
  }
}
