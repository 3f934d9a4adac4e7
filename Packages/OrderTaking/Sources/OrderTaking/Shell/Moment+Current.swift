#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Moment {
  static var current: Moment {
    Moment(sinceEpoch: time(of: CLOCK_REALTIME), sinceBoot: time(of: clockOfBoot), boot: currentBoot)
  }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  #if canImport(Darwin)
    /// Counts the time in which the machine sleeps.
    private static let clockOfBoot = CLOCK_MONOTONIC

    private static let currentBoot: UInt64 = {
      var text = [UInt8](repeating: 0, count: 64)
      var count = text.count
      guard sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 else { return 0 }
      return number(of: text.prefix(count))
    }()
  #else
    /// Counts the time in which the machine sleeps.
    private static let clockOfBoot = CLOCK_BOOTTIME

    private static let currentBoot: UInt64 = {
      let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return 0 }
      defer { close(file) }
      var text = [UInt8](repeating: 0, count: 64)
      let count = read(file, &text, text.count)
      return count > 0 ? number(of: text.prefix(count)) : 0
    }()
  #endif

  /// A number for an identifier, never zero: the FNV-1a hash, which is the same in every process.
  private static func number(of identifier: ArraySlice<UInt8>) -> UInt64 {
    max(1, identifier.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }
}
