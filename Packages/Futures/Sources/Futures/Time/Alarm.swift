/// Returns a future of `true` after a time, or of `false` at once if it is cancelled.
func alarm<C: Clock>(after duration: C.Duration, on clock: C) -> Future<Bool, Never> {
  let deadline = clock.now.advanced(by: (duration as? Duration)?.sleepable as? C.Duration ?? duration)
  return Future { (try? await clock.sleep(until: deadline, tolerance: nil)) != nil }
}

extension Duration {
  /// This duration, but at least 0 and at most a hundred years, because the system's clocks trap when a deadline is
  /// much earlier or later.
  package var sleepable: Duration { max(.zero, min(self, .seconds(3_155_760_000 as Int64))) }
}
