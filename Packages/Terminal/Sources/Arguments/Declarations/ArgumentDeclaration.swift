/// A parameter of a command: an ``Option``, a ``Flag``, an ``Argument`` or an ``OptionGroup``.
///
/// With this protocol a ``Command`` accepts any number of declarations and passes their values to one function. Do not
/// conform your own types; group declarations with ``OptionGroup`` instead.
public protocol ArgumentDeclaration<Value>: Sendable {
  /// The type of the parsed value.
  associatedtype Value: Sendable

  /// The description for help, and the conversion from words to a value.
  var reader: ArgumentReader<Value> { get }
}

/// The implementation of a declaration: its description, and the conversion from matched words to its value.
public struct ArgumentReader<Value: Sendable>: Sendable {
  let definitions: [Definition]
  let read: @Sendable (Matches) throws(UsageError.Reason) -> Value
}

extension ArgumentReader where Value: ArgumentValue {
  /// Creates a reader for an option or a positional argument; `words` returns the words given for it.
  init(
    _ definition: Definition, default initial: Value?, words: @escaping @Sendable (Matches) -> [String]
  ) {
    let absent = initial ?? Value.valueWhenAbsent
    self.init(definitions: [definition]) { matches throws(UsageError.Reason) in
      let given = words(matches)
      guard let last = given.last else {
        if let absent { return absent }
        throw .missingArgument(definition.label)
      }
      do throws(ValidationError) {
        return try Value.value(from: given)
      } catch {
        throw .invalidValue(Value.firstRefused(of: given) ?? last, for: definition.label, because: error.message)
      }
    }
  }
}

extension ArgumentValue {
  /// Returns the first word that is invalid by itself, to name it in an error.
  static func firstRefused(of words: [String]) -> String? {
    words.first { (try? value(from: [$0])) == nil }
  }
}
