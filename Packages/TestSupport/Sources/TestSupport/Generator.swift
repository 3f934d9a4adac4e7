/// A generator of test values, which makes the same value from the same seed and can shrink its values.
///
/// Values of composed generators shrink too, because shrinking works on the random choices behind a value.
///
/// ```swift
/// let names = Generator.string(of: .letter, count: 1...12)
/// let users = Generator.zip(names, .int(in: 0...120)).map(User.init(name:age:))
/// let crowds = users.array(count: 0...50)
/// ```
///
/// A generator is immutable and may be used from any number of threads.
public struct Generator<Value>: Sendable {
  let produce: @Sendable (inout Choices) throws(GeneratorError) -> Value

  /// Creates a generator that draws from other generators in several steps.
  ///
  /// ```swift
  /// let slices = Generator { choices throws(GeneratorError) in
  ///   let numbers = try choices.draw(.array(of: .int, count: 1...20))
  ///   let end = try choices.draw(.int(in: 0...numbers.count))
  ///   return numbers[..<end]
  /// }
  /// ```
  ///
  /// - Parameter produce: Makes a value only from the values that it draws, so that the same choices always make the
  ///   same value. May be called any number of times, on any thread.
  public init(_ produce: @escaping @Sendable (_ choices: inout Choices) throws(GeneratorError) -> Value) {
    self.produce = produce
  }
}

/// The error of a generator that cannot make a value.
public struct GeneratorError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  fileprivate static func nothingToChoose(from what: String) -> Self {
    Self(description: "Cannot choose from \(what): the list is empty. Pass at least one.")
  }
}

// MARK: Composition

extension Generator {
  /// A generator of transformed values.
  public func map<New>(_ transform: @escaping @Sendable (Value) -> New) -> Generator<New> {
    Generator<New> { choices throws(GeneratorError) in transform(try choices.draw(self)) }
  }

  /// A generator that draws from a generator that depends on this generator's value.
  ///
  /// - Parameter transform: A pure function from a value to the generator of the result.
  public func flatMap<New>(_ transform: @escaping @Sendable (Value) -> Generator<New>) -> Generator<New> {
    Generator<New> { choices throws(GeneratorError) in
      let next = transform(try choices.draw(self))
      return try choices.draw(next)
    }
  }

  /// A generator of the values that satisfy a condition, also after shrinking.
  ///
  /// - Parameter isIncluded: A pure condition. After 1,000 values in a row that do not satisfy it, making a value
  ///   throws ``GeneratorError``.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Generator {
    Generator { choices throws(GeneratorError) in
      let before = choices.record
      // A second attempt of a replay would read choices of other values.
      for _ in 0..<(choices.isRandom ? 1_000 : 1) {
        choices.rewind(to: before)
        let value = try choices.draw(self)
        if isIncluded(value) { return value }
      }
      throw GeneratorError(
        description: "Cannot generate a value: a filter rejected 1000 values in a row. "
          + "Build valid values with map or flatMap, or use a filter that accepts more values.")
    }
  }

  /// A generator of tuples, one value from each generator.
  public static func zip<each Part>(_ generators: repeat Generator<each Part>) -> Generator
  where Value == (repeat each Part) {
    Generator { choices throws(GeneratorError) in
      (repeat try choices.draw(each generators))
    }
  }

  /// A generator of this generator's values and sometimes `nil`, which shrinking tries first.
  public var optional: Generator<Value?> {
    Generator<Value?> { choices throws(GeneratorError) in
      let isPresent = choices.draw(through: 1) { $0.next(through: 4) == 0 ? 0 : 1 }
      return isPresent == 1 ? try choices.draw(self) : nil
    }
  }

  /// A generator of arrays whose elements come from another generator.
  ///
  /// Shrinks by removing elements, and then by simplifying them.
  ///
  /// - Parameters:
  ///   - element: The generator of the elements.
  ///   - count: The range of the array's count.
  public static func array<Element>(
    of element: Generator<Element>, count: ClosedRange<Int> = 0...20
  ) -> Generator where Value == [Element] {
    Generator { choices throws(GeneratorError) in
      let (fewest, most) = (max(0, count.lowerBound), max(0, count.upperBound))
      let aim = choices.hint { UInt64(fewest) + $0.magnitude(through: UInt64(most - fewest)) } ?? 0
      var elements: [Element] = []
      // A choice of 1 precedes each element, and a choice of 0 the end. So shrinking can remove an element with its 1
      // without changing the meaning of the other choices.
      while true {
        let next = try choices.span { choices throws(GeneratorError) -> Element? in
          let position = elements.count
          let isFree = position >= fewest && position < most
          let goesOn = choices.draw(through: isFree ? 1 : 0) { _ in position < aim ? 1 : 0 } == 1
          return goesOn || position < fewest ? try choices.draw(element) : nil
        }
        guard let next else { return elements }
        elements.append(next)
      }
    }
  }

  /// A generator of arrays of this generator's values; the same as ``array(of:count:)``.
  public func array(count: ClosedRange<Int> = 0...20) -> Generator<[Value]> {
    .array(of: self, count: count)
  }
}

// MARK: Alternatives

extension Generator {
  /// A generator that always makes the same value.
  public static func always(_ value: Value) -> Generator where Value: Sendable {
    Generator { _ in value }
  }

  /// A generator of the elements of a collection, with equal probability.
  ///
  /// Put the simplest element first: shrinking moves towards it. An empty collection throws ``GeneratorError``.
  public static func element<Elements: Collection & Sendable>(of elements: Elements) -> Generator
  where Elements.Element == Value {
    Generator { choices throws(GeneratorError) in
      guard !elements.isEmpty else { throw .nothingToChoose(from: "elements") }
      let offset = Int(choices.draw(through: UInt64(elements.count - 1)))
      return elements[elements.index(elements.startIndex, offsetBy: offset)]
    }
  }

  /// A generator that draws from one of several generators, with equal probability.
  ///
  /// Put the simplest generator first: shrinking moves towards it.
  public static func oneOf(_ generators: [Generator]) -> Generator {
    frequency(generators.map { (1, $0) })
  }

  /// A generator that draws from one of several generators, with a probability proportional to their weights.
  ///
  /// Put the simplest generator first: shrinking moves towards it, for any weights. Generators with a weight of zero or
  /// less are ignored.
  ///
  /// - Parameter generators: Pairs of a weight and a generator. The sum of the weights must fit 64 bits.
  public static func frequency(_ generators: [(weight: Int, generator: Generator)]) -> Generator {
    let candidates = generators.filter { $0.weight > 0 }
    let total = candidates.reduce(UInt64(0)) { $0 + UInt64($1.weight) }
    return Generator { choices throws(GeneratorError) in
      guard !candidates.isEmpty else { throw .nothingToChoose(from: "generators with a positive weight") }
      let index = choices.draw(through: UInt64(candidates.count - 1)) { numbers in
        var left = numbers.next(through: total - 1)
        for (index, candidate) in candidates.enumerated() {
          if left < UInt64(candidate.weight) { return UInt64(index) }
          left -= UInt64(candidate.weight)
        }
        return 0
      }
      return try choices.draw(candidates[Int(index)].generator)
    }
  }
}

// MARK: Numbers

extension Generator where Value == Bool {
  /// A generator of both Boolean values, which shrinks towards `false`.
  public static var bool: Generator {
    Generator { choices in choices.draw(through: 1) == 1 }
  }
}

extension Generator where Value == UInt64 {
  /// A generator of all 64-bit numbers, which prefers small ones and the maximum, and shrinks towards zero.
  public static var uint64: Generator {
    Generator { choices in choices.draw(through: .max) { $0.magnitude(through: .max) } }
  }
}

extension Generator where Value == Int {
  /// A generator of all integers, which prefers small ones and the extremes, and shrinks towards zero.
  public static var int: Generator { .int(in: .min ... .max) }

  /// A generator of the integers in a range, which prefers small numbers and the bounds.
  ///
  /// Shrinks towards the number in the range that is closest to zero, and from negative to positive.
  public static func int(in range: ClosedRange<Int>) -> Generator {
    let origin = min(max(0, range.lowerBound), range.upperBound)
    let below = UInt64(UInt(bitPattern: origin &- range.lowerBound))
    let above = UInt64(UInt(bitPattern: range.upperBound &- origin))
    return Generator { choices in
      let isBelow = below > 0 && (above == 0 || choices.draw(through: 1) == 1)
      let limit = isBelow ? below : above
      let distance = Int(truncatingIfNeeded: choices.draw(through: limit) { $0.magnitude(through: limit) })
      return isBelow ? origin &- distance : origin &+ distance
    }
  }
}

// MARK: Text

extension Generator where Value == Character {
  /// A generator of the letters a–z and A–Z, which shrinks towards `a`.
  public static var letter: Generator {
    .element(of: Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
  }

  /// A generator of printable ASCII characters, which shrinks towards `a`: signs to digits to letters.
  public static var character: Generator {
    let simple = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")
    let signs = (0x21...0x7E).map { Character(Unicode.Scalar(UInt8($0))) }.filter { !simple.contains($0) }
    return .element(of: simple + signs)
  }

  /// A generator of characters that are difficult to handle, which shrinks towards `a`.
  ///
  /// Includes control characters, line ends of two scalars, combining marks, right-to-left and wide characters, emoji
  /// of many scalars, flags, and any other scalar, assigned or not.
  public static var unicodeCharacter: Generator {
    let scalar = Generator<Int>.int(in: 0...0x10_FFFF).map { Character(Unicode.Scalar(UInt32($0)) ?? "a") }
    return .frequency([(2, .character), (3, .element(of: awkwardCharacters)), (1, scalar)])
  }
}

extension Generator where Value == String {
  /// A generator of strings of up to twenty printable ASCII characters, which shrink like arrays.
  public static var string: Generator { .string(of: .character) }

  /// A generator of strings of up to twenty characters that are difficult to handle.
  public static var unicodeString: Generator { .string(of: .unicodeCharacter) }

  /// A generator of strings of another generator's characters, which shrink like arrays.
  ///
  /// - Parameters:
  ///   - character: The generator of the characters. If two characters combine, the string has fewer than were drawn.
  ///   - count: The range of the number of drawn characters.
  public static func string(of character: Generator<Character>, count: ClosedRange<Int> = 0...20) -> Generator {
    character.array(count: count).map { String($0) }
  }
}

private let awkwardCharacters: [Character] = [
  "\0", "\n", "\r\n", "\t", "\u{1B}", "\u{7F}", "\"", "\\", "é", "e\u{301}", "ß", "İ", "ı", "ﬁ", "Å", "a\u{30A}\u{323}",
  "א", "ش", "\u{202E}", "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{2028}", "字", "한", "\u{1112}\u{1161}\u{11AB}", "ｱ",
  "नि", "😀", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "🇺🇳", "☹️", "1️⃣", "𝔘", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}",
]
