/// Collects declarations written one below the other, keeping the type of each.
@resultBuilder
public enum ArgumentBuilder {
  /// Takes the declarations as they are.
  public static func buildBlock<each Declaration: ArgumentDeclaration>(
    _ declarations: repeat each Declaration
  ) -> (repeat each Declaration) {
    (repeat each declarations)
  }
}

extension ArgumentReader {
  /// Reads all of `declarations`, in order, and makes one value of theirs.
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
