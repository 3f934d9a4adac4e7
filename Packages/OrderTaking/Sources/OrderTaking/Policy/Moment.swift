/// A point in time, on the wall clock and on a monotonic clock.
///
/// The wall clock can be set. The monotonic clock cannot, and counts the time in which the machine sleeps.
public struct Moment: Hashable, Sendable {
  /// The time since 1970.
  ///
  /// It jumps when the wall clock is set.
  public var sinceEpoch: Duration

  /// The time since the machine started, including the time in which it slept.
  public var sinceBoot: Duration

  /// A number that is different after each start of the machine, or zero if it is unknown.
  public var boot: UInt64

  public init(sinceEpoch: Duration, sinceBoot: Duration, boot: UInt64 = 0) {
    self.sinceEpoch = sinceEpoch
    self.sinceBoot = sinceBoot
    self.boot = boot
  }

  /// Returns the time that has certainly passed since an earlier point.
  ///
  /// It is zero after a restart of the machine, or if ``boot`` is unknown, because the wall clock can be set.
  func provenTime(since earlier: Moment) -> Duration {
    boot != 0 && boot == earlier.boot ? max(.zero, sinceBoot - earlier.sinceBoot) : .zero
  }
}
