/// Something a command declares that it takes: an ``Option``, a ``Flag``, an ``Argument`` or an ``OptionGroup``.
///
/// The protocol is what lets a ``Command`` take any number of them and hand their values to one function. There is
/// no need to conform types of your own; group declarations with ``OptionGroup`` instead.
public protocol ArgumentDeclaration<Value>: Sendable {
  /// What the declaration yields once parsed.
  associatedtype Value: Sendable

  /// How the declaration appears in help and how its value is read.
  var reader: ArgumentReader<Value> { get }
}

/// The inside of a declaration: how it is described, and how its value is read from what was matched.
public struct ArgumentReader<Value: Sendable>: Sendable {
  let definitions: [Definition]
  let read: @Sendable (Matches) throws(UsageError.Reason) -> Value
}

extension ArgumentReader where Value: ArgumentValue {
  /// The reader that options and positional arguments share; only where their words are kept differs.
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
  /// The word an error is about: the first that is refused on its own.
  static func firstRefused(of words: [String]) -> String? {
    words.first { (try? value(from: [$0])) == nil }
  }
}
