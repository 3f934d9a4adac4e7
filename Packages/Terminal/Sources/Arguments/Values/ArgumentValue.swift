/// The value of an option or argument: one value, an optional value, or any number of values.
///
/// The type of the declaration selects the variant, as in `Option<Int>`, `Option<Int?>` and `Option<[Int]>`. Conform your
/// own types to ``ExpressibleByArgument``; their optionals and arrays then conform to this protocol automatically.
public protocol ArgumentValue: Sendable {
  /// Returns the value of the given words.
  ///
  /// There is at least one word, and exactly one unless ``isRepeating``.
  ///
  /// - Throws: ``ValidationError`` when a word is not a valid value.
  static func value(from words: [String]) throws(ValidationError) -> Self

  /// The value when no word is given, or nil when the value is required.
  static var valueWhenAbsent: Self? { get }

  /// Whether more than one word can be given.
  static var isRepeating: Bool { get }

  /// The valid words for each value, or an empty array when they are not enumerable.
  static var choices: [String] { get }

  /// The text for this value as a default in help, or nil to show no default.
  var shownAsDefault: String? { get }
}

extension ExpressibleByArgument {
  /// Converts the last word.
  ///
  /// - Throws: The error of its `init(argument:)`.
  public static func value(from words: [String]) throws(ValidationError) -> Self {
    try Self(argument: words.last ?? "")
  }

  /// Nil: a plain value is required.
  public static var valueWhenAbsent: Self? { nil }

  /// False: a plain value can be given only once.
  public static var isRepeating: Bool { false }

  /// The type's list of valid words.
  public static var choices: [String] { allValueStrings }

  /// The word for this value, or nil when it is empty.
  public var shownAsDefault: String? { defaultValueDescription.isEmpty ? nil : defaultValueDescription }
}

extension Optional: ArgumentValue where Wrapped: ExpressibleByArgument {
  /// Converts the last word.
  ///
  /// - Throws: The error of the wrapped type's `init(argument:)`.
  public static func value(from words: [String]) throws(ValidationError) -> Wrapped? {
    try Wrapped(argument: words.last ?? "")
  }

  /// Nil as a value: an optional is not required.
  public static var valueWhenAbsent: Wrapped?? { .some(nil) }

  /// False: an optional can be given at most once.
  public static var isRepeating: Bool { false }

  /// The wrapped type's list of valid words.
  public static var choices: [String] { Wrapped.allValueStrings }

  /// The wrapped value's word, or nil.
  public var shownAsDefault: String? { self?.shownAsDefault }
}

extension Array: ArgumentValue where Element: ExpressibleByArgument {
  /// Converts every word, in the order given.
  ///
  /// - Throws: ``ValidationError`` for the first invalid word.
  public static func value(from words: [String]) throws(ValidationError) -> [Element] {
    var values: [Element] = []
    values.reserveCapacity(words.count)
    for word in words { values.append(try Element(argument: word)) }
    return values
  }

  /// An empty array: an array is not required.
  public static var valueWhenAbsent: [Element]? { [] }

  /// True: an array can be given any number of times.
  public static var isRepeating: Bool { true }

  /// The element type's list of valid words.
  public static var choices: [String] { Element.allValueStrings }

  /// The elements' words separated by commas, or nil when empty.
  public var shownAsDefault: String? {
    isEmpty ? nil : map(\.defaultValueDescription).joined(separator: ", ")
  }
}
