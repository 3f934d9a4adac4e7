/// Runs parallels at the same time, and calls back with the first value that arrives.
///
/// ```swift
/// race(cached, fetched).run { show($0) }
/// ```
///
/// The parallels start in order, on the thread that calls `run`; after a value has arrived, no more start. The callback runs on the thread
/// where the first value arrives. The work of the others continues, because a `Parallel` cannot be cancelled. Without contenders it never
/// calls back.
public func race<Value>(_ contenders: Parallel<Value>...) -> Parallel<Value> {
  contenders.race()
}

extension Sequence {
  /// Runs all parallels of the sequence at the same time, and calls back with the first value, like ``race(_:)``.
  public func race<Value>() -> Parallel<Value> where Element == Parallel<Value> {
    let contenders = Array(self)
    return Parallel<Value>(
      Stage { next in
        let first = Once(next)
        for contender in contenders where !first.isTaken {
          contender.start { value in first.take()?.call(value) }
        }
      })
  }
}
