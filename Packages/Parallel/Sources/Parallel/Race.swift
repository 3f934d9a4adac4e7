internal import Synchronization

/// Runs parallels at the same time, and calls back with the first value that arrives.
///
/// ```swift
/// race(cached, fetched).run { show($0) }
/// ```
///
/// The parallels start in order, on the thread that calls `run`. After the first value has arrived, the next ones need not
/// start. The callback runs on the thread where the first value arrives. Later values are dropped. The work of the others
/// continues, because a `Parallel` cannot be cancelled.
///
/// - Returns: A parallel of the first value. Without contenders it never calls back.
public func race<Value>(_ contenders: Parallel<Value>...) -> Parallel<Value> {
  contenders.race()
}

extension Sequence {
  /// Runs all parallels of the sequence at the same time, and calls back with the first value that arrives.
  ///
  /// Like ``race(_:)``, for a sequence.
  public func race<Value>() -> Parallel<Value> where Element == Parallel<Value> {
    let contenders = Array(self)
    let depth = contenders.map(\.depth).max() ?? 0
    return Parallel<Value>(depth: depth + 1, linksEnd: contenders.contains(where: \.mayRecur)) { next in
      let first = FirstValueCallback(next)
      for contender in contenders where !first.isPassed {
        contender.start { first.pass(with: $0) }
      }
    }
  }
}

/// Releases the callback with the first value, because a loser may retain this object for ever.
///
/// `@unchecked Sendable`: `next` belongs to the one caller that changes `passed`.
final class FirstValueCallback<Value>: @unchecked Sendable {
  private let passed = Atomic(false)
  private var next: Parallel<Value>.Callback?

  init(_ next: @escaping Parallel<Value>.Callback) {
    self.next = next
  }

  var isPassed: Bool { passed.load(ordering: .relaxed) }

  func pass(with value: sending Value) {
    guard !passed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if let next = next.take() { Parallel.pass(value, to: next) }
  }
}
