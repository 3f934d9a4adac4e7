extension Generator {
  /// A generator that always makes the same value.
  public static func always(_ value: Value) -> Generator where Value: Sendable {
    Generator { _ in value }
  }

  /// A generator of the elements of a collection, with equal probability.
  ///
  /// Put the simplest element first: shrinking moves towards it. With an empty collection, making a value throws
  /// ``GeneratorError``.
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
  /// Put the simplest generator first: shrinking moves towards it. With an empty array, making a value throws
  /// ``GeneratorError``.
  public static func oneOf(_ generators: [Generator]) -> Generator {
    frequency(generators.map { (1, $0) })
  }

  /// A generator that draws from one of several generators, with a probability proportional to their weights.
  ///
  /// Put the simplest generator first: shrinking moves towards it, for any weights. Generators with a weight of zero or
  /// less are ignored. If none remains, making a value throws ``GeneratorError``.
  ///
  /// - Parameter generators: Pairs of a weight and a generator.
  public static func frequency(_ generators: [(weight: Int, generator: Generator)]) -> Generator {
    let candidates = generators.filter { $0.weight > 0 }
    // Limit the sum of the weights to 64 bits instead of trapping.
    let total = candidates.reduce(UInt64(0)) { sum, candidate in
      let (next, overflow) = sum.addingReportingOverflow(UInt64(candidate.weight))
      return overflow ? .max : next
    }
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

  /// A generator of nested values, such as trees.
  ///
  /// ```swift
  /// let trees = Generator.recursive(Generator.int.map(Tree.leaf)) { smaller in
  ///   smaller.array(count: 1...3).map(Tree.branch)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - leaf: The generator of values without nesting. Shrinking moves towards them.
  ///   - depth: The maximum depth of nesting.
  ///   - branch: Returns the generator of values that contain values of a less deeply nested generator. Called `depth`
  ///     times before this function returns.
  public static func recursive(
    _ leaf: Generator, depth: Int = 4, _ branch: (_ smaller: Generator) -> Generator
  ) -> Generator {
    // The innermost level records a forced choice, so that a part can replace the whole that contains it.
    let innermost = Generator { choices throws(GeneratorError) in
      choices.force(0)
      return try choices.draw(leaf)
    }
    return (0..<max(0, depth)).reduce(innermost) { smaller, _ in
      .frequency([(weight: 1, generator: leaf), (weight: 2, generator: branch(smaller))])
    }
  }
}
