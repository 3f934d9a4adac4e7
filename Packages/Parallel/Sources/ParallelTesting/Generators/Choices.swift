/// The choices that the making of one value draws from, and a record of them.
///
/// A generated value is a function of the choices drawn for it: numbers from zero up to some limit, where zero means the
/// simplest. They are either made up from a seed, or replayed from a record that may have been altered. That is how
/// values shrink: the record is made shorter and smaller and the value made again, through the same `map`, `filter` and
/// `flatMap`, so that whatever comes out is a value the generator could have made.
///
/// You meet this type in the closure of ``Generator/init(_:)``, to draw from other generators.
public struct Choices {
  /// One number drawn, and the largest it could have been; the limit of a choice that was forced is zero.
  struct Choice: Hashable, Sendable {
    var value: UInt64
    var limit: UInt64
  }

  /// The choices from `start` up to `end` belong together: dropping or moving them all is likely to make sense.
  struct Span: Hashable, Sendable {
    var start: Int
    var end: Int
    var parent: Int?
  }

  private enum Source {
    case random(SeededGenerator)
    case replay([UInt64])
  }

  /// So many random choices may be drawn for one value; from then on each is the simplest, so that the value ends.
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
  /// - Parameter generator: What makes the value.
  /// - Returns: The value.
  /// - Throws: ``GeneratorError`` when that generator cannot make one.
  public mutating func draw<Value>(_ generator: Generator<Value>) throws(GeneratorError) -> Value {
    try span { choices throws(GeneratorError) in try generator.produce(&choices) }
  }

  /// Draws a number from zero through `limit`; `pick` says how to make one up, uniformly unless told otherwise.
  mutating func draw(through limit: UInt64, pick: ((inout SeededGenerator) -> UInt64)? = nil) -> UInt64 {
    let next = nextValue { numbers in pick.map { $0(&numbers) } ?? numbers.next(through: limit) }
    let value = min(next, limit)
    record.choices.append(Choice(value: value, limit: limit))
    return value
  }

  /// Draws a choice that can only be `value`, to keep the record in step with one where it was free.
  mutating func force(_ value: UInt64) {
    _ = nextValue { _ in value }
    record.choices.append(Choice(value: value, limit: 0))
  }

  /// Makes something up without recording it, for what only guides later draws; nil when replaying.
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

  /// Whether choices are made up, so that another attempt may come out differently.
  var isRandom: Bool {
    if case .random = source { true } else { false }
  }

  /// How far the record has got, to rewind to.
  struct Mark {
    let choices: Int
    let spans: Int
  }

  var mark: Mark { Mark(choices: record.choices.count, spans: record.spans.count) }

  /// Forgets what has been recorded since `mark` was taken.
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

/// What was drawn for one value.
struct Recording: Equatable, Sendable {
  var choices: [Choices.Choice] = []
  var spans: [Choices.Span] = []

  var values: [UInt64] { choices.map(\.value) }
}
