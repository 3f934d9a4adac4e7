internal import OrderTaking

public enum Fault: Int, Hashable, Sendable, CaseIterable {
  case lost
  /// A request or a push arrives twice, or a push also arrives at another driver.
  case duplicated
  /// A message takes up to a minute instead of up to a second, so that others overtake it.
  case slow
  /// A connection is refused, or sometimes TLS fails, so a request does not leave the device.
  case refusedConnection
  /// The server rejects a request unread with 401, 429, 503 or another 4xx, or a proxy answers with 404.
  case turnedAway
  /// The server does the work, and responds with 500.
  case failedAfterWork
  case lostPush
  /// A response or a timer arrives although it was just cancelled.
  case lateEvent
  case cancel
  /// A process crashes just before or just after a write to its journal.
  case crash
  case failedWrite
  /// A write to the journal fails, and the record may be stored, now or after a recovery.
  case ambiguousWrite
  case slowWrite
  /// A device loses its power and the writes that were not synced, and starts again.
  case powerFailure
  /// The wall clock of a device jumps by up to a day.
  case clockJump
  /// A device sleeps for up to three hours.
  case suspension
  case duplicateProcess
  /// The idempotency key of a new intent was used before for another order.
  case keyCollision
}

/// The probability of each fault in a simulated world, per thousand.
public struct Faults: Hashable, Sendable {
  private var chances = SIMD32<UInt16>()

  public subscript(fault: Fault) -> Int {
    get { Int(chances[fault.rawValue]) }
    set { chances[fault.rawValue] = UInt16(clamping: newValue) }
  }

  public static let none = Faults()

  /// Every fault of the network and the server, and cancellation.
  public static let network: Faults = {
    var faults = Faults()
    for fault in [Fault.lost, .duplicated, .slow, .turnedAway, .failedAfterWork, .lateEvent] { faults[fault] = 100 }
    for fault in [Fault.refusedConnection, .cancel] { faults[fault] = 50 }
    faults[.lostPush] = 200
    return faults
  }()

  public static let all: Faults = {
    var faults = network
    for fault in [Fault.cancel, .crash, .slowWrite, .keyCollision] { faults[fault] = 100 }
    for fault in [Fault.failedWrite, .ambiguousWrite] { faults[fault] = 50 }
    for fault in [Fault.powerFailure, .clockJump, .suspension, .duplicateProcess] { faults[fault] = 300 }
    return faults
  }()

  public init() {}

  /// Returns the faults of one world: each unchanged, absent, or four times as likely; in some worlds one kind alone.
  ///
  /// A single kind causes events that all faults together do not, for example the end of all attempts before a PUT may have
  /// reached the server.
  func drawn(using random: inout SplitMix64) -> Faults {
    var drawn = self
    if random.next(below: 4) == 0 {
      let only = Fault.allCases[random.next(below: Fault.allCases.count)]
      drawn = Faults()
      drawn[.cancel] = min(self[.cancel] * 4, 600)
      drawn[only] = min(self[only] * 8, 800)
      return drawn
    }
    for fault in Fault.allCases {
      switch random.next(below: 4) {
      case 0: drawn[fault] = 0
      case 1: drawn[fault] = min(drawn[fault] * 4, 600)
      default: break
      }
    }
    return drawn
  }
}
