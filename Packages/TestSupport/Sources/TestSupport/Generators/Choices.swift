/// The random choices behind one generated value, and a record of them.
///
/// A generated value is a function of its choices: numbers from zero to a limit, where zero is the simplest. They are
/// drawn from a seed, or replayed from a changed record. So values shrink: the record is made shorter and smaller, and
/// the value is made again through the same `map`, `filter` and `flatMap`. The result is always a value that the
/// generator could have made.
///
/// The closure of ``Generator/init(_:)`` uses this type to draw from other generators.
public struct Choices {
  /// A drawn number and its maximum, which is zero for a forced choice.
  struct Choice: Hashable, Sendable {
    var value: UInt64
    var limit: UInt64
  }

  /// A range of choices that belong together, so that shrinking can remove or move them together.
  struct Span: Hashable, Sendable {
    var start: Int
    var end: Int
    var parent: Int?
  }

  private enum Source {
    case random(SeededGenerator)
    case replay([UInt64])
  }

  /// The maximum number of random choices for one value.
  ///
  /// All later choices are zero, so that the value ends.
  static let randomLimit = 100_000

  private var source: Source
  private var openSpan: Int?
  private(set) var record = Recording()

  init(seed: UInt64) {
    source = .random(SeededGenerator(seed: seed))
  }

  init(replaying choices: [UInt64]) {
    source = .replay(choices)
  }

  /// Draws a value from another generator.
  ///
  /// - Parameter generator: The generator of the value.
  /// - Returns: The value.
  /// - Throws: ``GeneratorError`` if the generator cannot make a value.
  public mutating func draw<Value>(_ generator: Generator<Value>) throws(GeneratorError) -> Value {
    try span { choices throws(GeneratorError) in try generator.produce(&choices) }
  }

  /// Draws a number from zero through `limit`, with `pick` or else with a uniform distribution.
  mutating func draw(through limit: UInt64, pick: ((inout SeededGenerator) -> UInt64)? = nil) -> UInt64 {
    let next = nextValue { numbers in pick.map { $0(&numbers) } ?? numbers.next(through: limit) }
    let value = min(next, limit)
    record.choices.append(Choice(value: value, limit: limit))
    return value
  }

  /// Records a choice that can only be `value`, so that the record has the same shape as with a free choice.
  mutating func force(_ value: UInt64) {
    _ = nextValue { _ in value }
    record.choices.append(Choice(value: value, limit: 0))
  }

  /// Draws a hint for later choices without recording it, or returns `nil` during a replay.
  mutating func guide<Hint>(_ pick: (inout SeededGenerator) -> Hint) -> Hint? {
    guard case .random(var numbers) = source else { return nil }
    defer { source = .random(numbers) }
    return pick(&numbers)
  }

  mutating func span<Value>(
    _ body: (inout Choices) throws(GeneratorError) -> Value
  ) throws(GeneratorError) -> Value {
    let index = record.spans.count
    let parent = openSpan
    record.spans.append(Span(start: record.choices.count, end: record.choices.count, parent: parent))
    openSpan = index
    let value = try body(&self)
    record.spans[index].end = record.choices.count
    openSpan = parent
    return value
  }

  /// Whether choices are random, so that another attempt can have a different result.
  var isRandom: Bool {
    if case .random = source { true } else { false }
  }

  /// A position in the record.
  struct Mark {
    let choices: Int
    let spans: Int
  }

  var mark: Mark { Mark(choices: record.choices.count, spans: record.spans.count) }

  /// Removes everything that was recorded after `mark`.
  mutating func rewind(to mark: Mark) {
    record.choices.removeSubrange(mark.choices...)
    record.spans.removeSubrange(mark.spans...)
  }

  private mutating func nextValue(_ pick: (inout SeededGenerator) -> UInt64) -> UInt64 {
    let position = record.choices.count
    switch source {
    case .replay(let values):
      return position < values.count ? values[position] : 0
    case .random(var numbers):
      guard position < Self.randomLimit else { return 0 }
      let value = pick(&numbers)
      source = .random(numbers)
      return value
    }
  }
}

/// The recorded choices of one value.
struct Recording: Equatable, Sendable {
  var choices: [Choices.Choice] = []
  var spans: [Choices.Span] = []

  var values: [UInt64] { choices.map(\.value) }
}
