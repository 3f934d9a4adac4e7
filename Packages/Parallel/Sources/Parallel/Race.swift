internal import Synchronization

/// Runs parallels at the same time, and calls back with the first value that arrives.
///
/// They are started in order, on the thread that calls `run`, until one has answered. The callback runs on the thread
/// where the first value arrives; later values are dropped. Nothing is cancelled, since a `Parallel` has no way to be.
///
/// ```swift
/// race(cached, fetched).run { show($0) }
/// ```
///
/// - Returns: A parallel of the first value. It never calls back when there are no contenders.
public func race<Value>(_ contenders: Parallel<Value>...) -> Parallel<Value> {
  contenders.race()
}

extension Sequence {
  /// Runs all parallels of the sequence at the same time, and calls back with the first value that arrives.
  ///
  /// The same as ``race(_:)``, for a sequence.
  public func race<Value>() -> Parallel<Value> where Element == Parallel<Value> {
    let contenders = Array(self)
    return Parallel<Value>(starting: { receiver in
      let finish = FinishLine(receiver)
      for contender in contenders where !finish.isPassed {
        contender.start { finish.pass(with: $0) }
      }
    })
  }
}

/// Lets the first of several values through, and drops the rest without a word.
///
/// It lets go of the receiver with the first value, since a loser may hold on to the line for ever.
///
/// `@unchecked Sendable`: after `init`, `receiver` belongs to the one caller that finds `passed` false.
final class FinishLine<Value>: @unchecked Sendable {
  private let passed = Atomic(false)
  private var receiver: Receiver<Value>?

  init(_ receiver: Receiver<Value>) {
    self.receiver = receiver
  }

  var isPassed: Bool { passed.load(ordering: .relaxed) }

  func pass(with value: sending Value) {
    guard !passed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    receiver.take()?.deliver(value)
  }
}
