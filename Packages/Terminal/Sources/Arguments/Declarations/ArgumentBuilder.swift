/// Collects declarations written one below the other, and keeps the type of each.
@resultBuilder
public enum ArgumentBuilder {
  /// Returns the declarations unchanged.
  public static func buildBlock<each Declaration: ArgumentDeclaration>(
    _ declarations: repeat each Declaration
  ) -> (repeat each Declaration) {
    (repeat each declarations)
  }
}

extension ArgumentReader {
  /// Creates a reader that reads all `declarations` in order and combines their values.
  init<each Declaration: ArgumentDeclaration>(
    _ declarations: repeat each Declaration,
    output: @escaping @Sendable (repeat (each Declaration).Value) throws(ValidationError) -> Value
  ) {
    var definitions: [Definition] = []
    let readers = (repeat (each declarations).reader)
    for reader in repeat each readers { definitions += reader.definitions }
    self.init(definitions: definitions) { matches throws(UsageError.Reason) in
      let values = (repeat try (each readers).read(matches))
      do throws(ValidationError) {
        return try output(repeat each values)
      } catch {
        throw .failedValidation(error.message)
      }
    }
  }
}
