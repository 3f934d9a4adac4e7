/// Declarations that belong together, and the value they make.
///
/// Use one group in several commands so that they agree on names and help. A title gives it its own section in help.
///
/// ```swift
/// struct Fleet: Sendable { var journal: String?; var seed: UInt64 }
///
/// let fleet = OptionGroup(title: "SIMULATION OPTIONS", output: Fleet.init) {
///   Option<String?>("journal", valueName: "file", help: "Write the journal here.")
///   Option<UInt64>("seed", default: 0, help: "Where chance starts.")
/// }
/// ```
public struct OptionGroup<Value: Sendable>: ArgumentDeclaration {
  /// How the group appears in help and how its value is read.
  public let reader: ArgumentReader<Value>

  /// Groups declarations.
  ///
  /// - Parameters:
  ///   - title: The heading in help; without one, members appear among the command's own options.
  ///   - output: Makes the value; it may refuse a combination by throwing ``ValidationError``.
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
