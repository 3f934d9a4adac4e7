import AllocationCounter

/// Counts allocations on all threads of the process.
public enum AllocationMeter {
  /// Whether this system supports counting.
  public static var isAvailable: Bool { allocation_counter_is_available() }

  /// Runs work and counts its allocations.
  ///
  /// - Returns: The number of allocations, the bytes that are still allocated when the work returns its result, and the
  ///   maximum of bytes that were allocated at the same time.
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
