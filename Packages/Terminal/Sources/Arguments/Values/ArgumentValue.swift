/// What an option or argument can hold: one value, perhaps a value, or any number of values.
///
/// The type of the declaration says which, as in `Option<Int>`, `Option<Int?>` and `Option<[Int]>`. Conform your own
/// types to ``ExpressibleByArgument``; optionals and arrays of it conform to this protocol by themselves.
public protocol ArgumentValue: Sendable {
  /// Makes the value of the words that were given; there is at least one, and exactly one unless ``isRepeating``.
  ///
  /// - Throws: ``ValidationError`` when a word does not spell a value.
  static func value(from words: [String]) throws(ValidationError) -> Self

  /// The value when nothing was given, or nil when something must be.
  static var valueWhenAbsent: Self? { get }

  /// Whether more than one word may be given.
  static var isRepeating: Bool { get }

  /// The words to choose from for each value; empty when there is no such list.
  static var choices: [String] { get }

  /// How help shows this value as a default, or nil when there is nothing to show.
  var shownAsDefault: String? { get }
}

extension ExpressibleByArgument {
  /// Reads the last word.
  ///
  /// - Throws: What its `init(argument:)` throws.
  public static func value(from words: [String]) throws(ValidationError) -> Self {
    try Self(argument: words.last ?? "")
  }

  /// Nil: a plain value has to be given.
  public static var valueWhenAbsent: Self? { nil }

  /// A plain value is given once.
  public static var isRepeating: Bool { false }

  /// The type's own list of words.
  public static var choices: [String] { allValueStrings }

  /// The word that stands for this value, unless it is empty.
  public var shownAsDefault: String? { defaultValueDescription.isEmpty ? nil : defaultValueDescription }
}

extension Optional: ArgumentValue where Wrapped: ExpressibleByArgument {
  /// Reads the last word.
  ///
  /// - Throws: What its `init(argument:)` throws.
  public static func value(from words: [String]) throws(ValidationError) -> Wrapped? {
    try Wrapped(argument: words.last ?? "")
  }

  /// Nil, as a value: an optional need not be given.
  public static var valueWhenAbsent: Wrapped?? { .some(nil) }

  /// An optional is given once at most.
  public static var isRepeating: Bool { false }

  /// The wrapped type's list of words.
  public static var choices: [String] { Wrapped.allValueStrings }

  /// The wrapped value's word, if there is one.
  public var shownAsDefault: String? { self?.shownAsDefault }
}

extension Array: ArgumentValue where Element: ExpressibleByArgument {
  /// Reads every word, in the order given.
  ///
  /// - Throws: ``ValidationError`` about the first word that cannot be read.
  public static func value(from words: [String]) throws(ValidationError) -> [Element] {
    var values: [Element] = []
    values.reserveCapacity(words.count)
    for word in words { values.append(try Element(argument: word)) }
    return values
  }

  /// Empty: an array need not be given.
  public static var valueWhenAbsent: [Element]? { [] }

  /// An array may be given any number of times.
  public static var isRepeating: Bool { true }

  /// The element's list of words.
  public static var choices: [String] { Element.allValueStrings }

  /// The elements' words separated by commas, or nil when empty.
  public var shownAsDefault: String? {
    isEmpty ? nil : map(\.defaultValueDescription).joined(separator: ", ")
  }
}
