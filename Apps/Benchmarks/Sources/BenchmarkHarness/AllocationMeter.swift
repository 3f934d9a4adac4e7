import AllocationCounter

/// Counts what work allocates, on all threads of the process.
public enum AllocationMeter {
  /// Whether it can count here.
  public static var isAvailable: Bool { allocation_counter_is_available() }

  /// What was allocated while the work ran, what of it was still there when the work had returned its result, and the most
  /// that was there at once.
  public static func count<Kept>(
    _ work: () async -> Kept
  ) async -> (allocations: Int64, liveBytes: Int64, peakBytes: Int64) {
    allocation_counter_begin()
    allocation_counter_reset_peak()
    let before = allocation_counter_read()
    let kept = await work()
    let after = allocation_counter_read()
    allocation_counter_end()
    withExtendedLifetime(kept) {}
    return (
      after.allocations - before.allocations, after.live_bytes - before.live_bytes,
      after.peak_bytes - before.live_bytes
    )
  }
}
