/// A group of related declarations that produces one value.
///
/// Use the same group in several commands to give them the same names and help. A group with a title has its own section
/// in help.
///
/// ```swift
/// struct Fleet: Sendable { var journal: String?; var seed: UInt64 }
///
/// let fleet = OptionGroup(title: "SIMULATION OPTIONS", output: Fleet.init) {
///   Option<String?>("journal", valueName: "file", help: "Write the journal here.")
///   Option<UInt64>("seed", default: 0, help: "The seed of random numbers.")
/// }
/// ```
public struct OptionGroup<Value: Sendable>: ArgumentDeclaration {
  /// The description for help, and the conversion from words to a value.
  public let reader: ArgumentReader<Value>

  /// Groups declarations.
  ///
  /// - Parameters:
  ///   - title: The heading in help; without a title, help lists the members with the command's own options.
  ///   - output: Makes the value; throws ``ValidationError`` for an invalid combination.
  ///   - arguments: The declarations, in the order of `output`'s parameters.
  public init<each Declaration: ArgumentDeclaration>(
    title: String? = nil,
    output: @escaping @Sendable (repeat (each Declaration).Value) throws(ValidationError) -> Value,
    @ArgumentBuilder arguments: () -> (repeat each Declaration)
  ) {
    let declarations = arguments()
    let all = ArgumentReader(repeat each declarations, output: output)
    reader = ArgumentReader(
      definitions: all.definitions.map { definition in
        var titled = definition
        titled.section = definition.section ?? title
        return titled
      },
      read: all.read)
  }
}
