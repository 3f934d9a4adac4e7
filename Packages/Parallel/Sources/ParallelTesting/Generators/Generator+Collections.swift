extension Generator {
  /// A generator of arrays whose elements come from another generator.
  ///
  /// Shrinks by leaving elements out, then by making them simpler and putting them in order.
  ///
  /// - Parameters:
  ///   - element: Makes the elements.
  ///   - count: How many there may be; bounds below zero count as zero.
  public static func array<Element>(
    of element: Generator<Element>, count: ClosedRange<Int> = 0...20
  ) -> Generator where Value == [Element] {
    Generator { choices throws(GeneratorError) in
      let (fewest, most) = (max(0, count.lowerBound), max(0, count.upperBound))
      let aim = choices.guide { fewest + Int($0.magnitude(through: UInt64(most - fewest))) } ?? 0
      var elements: [Element] = []
      // Each element follows a choice of 1, the end a choice of 0. So an element and its 1 can be left out of the record
      // without a shift in what the rest means.
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

  /// A generator of arrays of this one's values; the same as ``array(of:count:)``.
  ///
  /// - Parameter count: How many elements there may be; bounds below zero count as zero.
  public func array(count: ClosedRange<Int> = 0...20) -> Generator<[Value]> {
    .array(of: self, count: count)
  }
}
