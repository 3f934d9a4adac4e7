extension Sequence {
  /// Makes a parallel of each element, and calls back with all their values in the order of the elements.
  ///
  /// Each run starts the parallels in order, on the thread that calls `run` and on those where values arrive, never
  /// more at once than the limit. An empty sequence calls back with an empty array, at once.
  ///
  /// - Parameters:
  ///   - limit: How many may be under way at a time, at least 1; all of them when left out.
  ///   - transform: Called once for each element in each run, on whichever thread starts that element, just before its
  ///     parallel is started.
  ///
  /// ```swift
  /// birds.traverse(maxConcurrent: 4, picture(of:)).run { pictures in show(pictures) }
  /// ```
  ///
  /// Costs one allocation for each element and a few for each run. Parallels that call back at once use no stack: a
  /// million of them are fine.
  @preconcurrency
  public func traverse<Value>(
    maxConcurrent limit: Int = .max,
    _ transform: @escaping @Sendable (Element) -> Parallel<Value>
  ) -> Parallel<[Value]> where Element: Sendable {
    let elements = Array(self)
    return Parallel<[Value]>(starting: { receiver in
      Traversal(of: elements, maxConcurrent: limit, for: receiver, transform).begin()
    })
  }

  /// Runs all parallels of the sequence at the same time, and calls back with their values in the sequence's order.
  ///
  /// An empty sequence calls back with an empty array, at once.
  ///
  /// ```swift
  /// [left, right].sequence().run { values in print(values) }
  /// ```
  public func sequence<Value>() -> Parallel<[Value]> where Element == Parallel<Value> {
    traverse { $0 }
  }
}
