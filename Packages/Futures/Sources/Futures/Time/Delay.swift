extension Future {
  /// Returns a future with the same result, which is completed later by a duration.
  ///
  /// The completion is asynchronous, on Swift's cooperative pool, even if the duration is 0. Cancelling the future ends
  /// the delay. If the error type has no cancellation value, the future is then completed at once. A listener that
  /// leaves does not shorten the delay.
  public func delay<C: Clock>(for duration: C.Duration, on clock: C) -> Future<T, E> {
    let begin = Delay<T, E>.waiting { Deadline(after: duration, on: clock) }
    let delayed = Stage<Delay<T, E>?, T, E>(begin, waitingFor: .one(self)) { listener, upstream, _ in
      let delayed = unsafeDowncast(listener, to: Stage<Delay<T, E>?, T, E>.self)
      if delayed.isSettled { delayed.held = nil }
      switch delayed.held {
      case .waiting(let deadline):
        let result = unsafeDowncast(upstream, to: Future<T, E>.self).completedValue
        delayed.complete(with: result, at: deadline(), isDue: false)
      case .delaying(let result, let deadline):
        // An alarm whose clock failed ends without being cancelled.
        delayed.complete(with: result, at: deadline, isDue: hasRung(upstream) || !upstream.isCancelled)
      case nil: break
      }
      return true
    }
    register(delayed)
    return delayed
  }

  /// Returns a future with the same result, which is completed later by a duration of real time.
  ///
  /// Like ``delay(for:on:)`` with a `ContinuousClock`.
  public func delay(for duration: Duration) -> Future<T, E> { delay(for: duration, on: ContinuousClock()) }
}

private enum Delay<T: Sendable, E: Error>: Sendable {
  case waiting(@Sendable () -> Deadline)
  case delaying(Result<T, E>, until: Deadline)
}

extension Stage where Held == Delay<T, E>? {
  /// An alarm stops when the last listener leaves.
  ///
  /// For a later listener, another alarm rings at the same time.
  fileprivate func complete(with result: Result<T, E>, at deadline: Deadline, isDue: Bool) {
    if isDue || isCancelled {
      held = nil
      tryComplete(result)
    } else {
      held = .delaying(result, until: deadline)
      if !replaceUpstream(with: deadline.alarm()) { held = nil }
    }
  }
}
