internal import Foundation

/// A point in time, on the wall clock and on a monotonic clock.
///
/// The wall clock can be set. The monotonic clock cannot, and counts the time in which the machine sleeps.
public struct Moment: Hashable, Sendable {
  /// The time since 1970, which jumps when the wall clock is set.
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

extension Moment {
  /// The system's clocks.
  public static var current: Moment {
    current(sinceEpoch: time(of: CLOCK_REALTIME))
  }

  /// The system's monotonic clock, with a given wall clock.
  package static func current(sinceEpoch: Duration) -> Moment {
    Moment(sinceEpoch: sinceEpoch, sinceBoot: time(of: clockOfBoot), boot: currentBoot)
  }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  // The clocks count the time in which the machine sleeps.
  #if canImport(Darwin)
    private static let clockOfBoot = CLOCK_MONOTONIC

    private static let currentBoot: UInt64 = {
      var text = [CChar](repeating: 0, count: 64)
      var count = text.count
      return sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 ? number(of: String(cString: text)) : 0
    }()
  #else
    private static let clockOfBoot = CLOCK_BOOTTIME

    private static let currentBoot = number(
      of: (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? "")
  #endif

  /// The first half of a UUID, or zero for another text.
  private static func number(of text: String) -> UInt64 {
    UInt64(text.replacing("-", with: "").prefix(16), radix: 16) ?? 0
  }
}
