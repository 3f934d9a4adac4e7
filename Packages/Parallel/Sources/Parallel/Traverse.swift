internal import Isolation

extension Sequence {
  /// Returns a parallel that makes a parallel from each element, and calls back with all values in the order of the
  /// elements.
  ///
  /// ```swift
  /// birds.traverse(maxConcurrent: 4, picture(of:)).run { pictures in show(pictures) }
  /// ```
  ///
  /// Each run starts the parallels in order, on the thread that calls `run` and on the threads where values arrive. An
  /// empty sequence calls back at once with an empty array. A run costs one allocation for each element and a few more.
  /// It uses constant stack space. At most `limit` parallels, and at least one, are in flight at the same time.
  @preconcurrency
  public func traverse<Value>(
    maxConcurrent limit: Int = .max,
    _ transform: @escaping @Sendable (Element) -> Parallel<Value>
  ) -> Parallel<[Value]> where Element: Sendable {
    let work = TraverseWork(Array(self), limit, transform)
    return Parallel<[Value]>(depth: 1, mayRecur: true) { work.start($0) }
  }

  /// Returns a parallel that runs all parallels at the same time, and calls back with their values in order.
  ///
  /// An empty sequence calls back at once with an empty array.
  ///
  /// ```swift
  /// [left, right].sequence().run { values in print(values) }
  /// ```
  public func sequence<Value>() -> Parallel<[Value]> where Element == Parallel<Value> {
    let parallels = Array(self)
    var depth = 0
    for parallel in parallels { depth = Swift.max(depth, parallel.depth) }
    return Parallel<[Value]>(depth: depth + 1, linksEnd: parallels.contains(where: \.mayRecur)) { next in
      Traversal(of: parallels, maxConcurrent: .max, for: next) { $0 }.begin()
    }
  }
}

/// The work of a `traverse`.
///
/// It releases its function through the trampoline, as `FlatMapWork` does.
///
/// `@unchecked Sendable`: only the deinitialiser changes `transform`.
private final class TraverseWork<Element: Sendable, Value>: @unchecked Sendable {
  private let elements: [Element]
  private let limit: Int
  private var transform: (@Sendable (Element) -> Parallel<Value>)?

  init(_ elements: [Element], _ limit: Int, _ transform: @escaping @Sendable (Element) -> Parallel<Value>) {
    (self.elements, self.limit, self.transform) = (elements, limit, transform)
  }

  deinit {
    Trampoline.call {
      transform = nil
    } orLater: {
      let last = transform
      return { _ = last }
    }
  }

  func start(_ next: @escaping Parallel<[Value]>.Callback) {
    if let transform { Traversal(of: elements, maxConcurrent: limit, for: next, transform).begin() }
  }
}
