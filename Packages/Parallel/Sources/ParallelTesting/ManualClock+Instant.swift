extension ManualClock {
  /// A point in a manual clock's time, measured from that clock's zero.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock's zero; negative before it.
    public var offset: Duration

    /// The default start of a clock.
    public static let zero = Instant(offset: .zero)

    /// Creates the instant `offset` after a clock's zero.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// Returns the instant `duration` later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the time from this instant to `other`, which is negative if `other` is earlier.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether the left instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }

    /// The offset in seconds, such as `1.5 seconds`.
    public var description: String { offset.description }
  }
}
