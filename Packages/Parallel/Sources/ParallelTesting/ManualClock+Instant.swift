extension ManualClock {
  /// A point in a manual clock's time, measured from that clock's zero.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock's zero; negative before it.
    public var offset: Duration

    public static let zero = Instant(offset: .zero)

    public init(offset: Duration) {
      self.offset = offset
    }

    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }

    public var description: String { offset.description }
  }
}
