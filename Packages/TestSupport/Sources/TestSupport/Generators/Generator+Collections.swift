extension Generator {
  /// A generator of arrays whose elements come from another generator.
  ///
  /// Shrinks by removing elements, then by simplifying and sorting them.
  ///
  /// - Parameters:
  ///   - element: The generator of the elements.
  ///   - count: The range of the array's count. Bounds below zero count as zero.
  public static func array<Element>(
    of element: Generator<Element>, count: ClosedRange<Int> = 0...20
  ) -> Generator where Value == [Element] {
    Generator { choices throws(GeneratorError) in
      let (fewest, most) = (max(0, count.lowerBound), max(0, count.upperBound))
      let aim = choices.guide { fewest + Int($0.magnitude(through: UInt64(most - fewest))) } ?? 0
      var elements: [Element] = []
      // A choice of 1 precedes each element, and a choice of 0 the end. So shrinking can remove an element with its 1
      // without changing the meaning of the other choices.
      while true {
        let next = try choices.span { choices throws(GeneratorError) -> Element? in
          let position = elements.count
          if position < fewest {
            choices.force(1)
          } else if position >= most {
            choices.force(0)
            return nil
          } else if choices.draw(through: 1, pick: { _ in position < aim ? 1 : 0 }) == 0 {
            return nil
          }
          return try choices.draw(element)
        }
        guard let next else { return elements }
        elements.append(next)
      }
    }
  }

  /// A generator of arrays of this generator's values; the same as ``array(of:count:)``.
  ///
  /// - Parameter count: The range of the array's count. Bounds below zero count as zero.
  public func array(count: ClosedRange<Int> = 0...20) -> Generator<[Value]> {
    .array(of: self, count: count)
  }
}
