struct Deadline: Sendable {
  /// Returns a future of `true` at this time, or of `false` at once if it is cancelled.
  let alarm: @Sendable () -> Future<Bool, Never>

  init<C: Clock>(after duration: C.Duration, on clock: C) {
    let instant = clock.now.advanced(by: (duration as? Duration)?.sleepable as? C.Duration ?? duration)
    alarm = { Future { (try? await clock.sleep(until: instant, tolerance: nil)) != nil } }
  }
}

func hasRung(_ alarm: _AsyncCore) -> Bool {
  unsafeDowncast(alarm, to: Future<Bool, Never>.self).completedValue == .success(true)
}

extension Duration {
  /// This duration, but at least 0 and at most a hundred years, because the system's clocks trap when a deadline is
  /// much earlier or later.
  package var sleepable: Duration { max(.zero, min(self, .seconds(3_155_760_000 as Int64))) }
}
