extension Generator {
  /// A generator of transformed values.
  ///
  /// - Parameter transform: A pure function, which may be called any number of times for one value.
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
      let attempts = 1_000
      var last = ""
      for attempt in 1...attempts {
        let before = choices.mark
        let value = try choices.draw(self)
        if isIncluded(value) { return value }
        // A second attempt of a replay would read choices of other values.
        guard choices.isRandom else { break }
        choices.rewind(to: before)
        if attempt == attempts { last = String(reflecting: value) }
      }
      throw .filtered(attempts: attempts, last: last)
    }
  }

  /// A generator of tuples, one value from each generator.
  ///
  /// - Parameter generators: Any number of generators, drawn from left to right.
  public static func zip<each Part>(_ generators: repeat Generator<each Part>) -> Generator
  where Value == (repeat each Part) {
    Generator { choices throws(GeneratorError) in
      (repeat try choices.draw(each generators))
    }
  }

  /// A generator of this generator's values and sometimes `nil`, which shrinking tries first.
  public var optional: Generator<Value?> {
    Generator<Value?> { choices throws(GeneratorError) in
      let isPresent = choices.draw(through: 1) { $0.oneIn(5) ? 0 : 1 }
      return isPresent == 1 ? try choices.draw(self) : nil
    }
  }
}
