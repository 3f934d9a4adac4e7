/// What goes wrong in a simulated world, as chances in a thousand.
public struct Faults: Hashable, Sendable {
  /// A request or an answer is lost on the way.
  public var lost = 0
  /// A request or a push arrives twice.
  public var duplicated = 0
  /// A message takes up to a minute instead of up to a second, so that others overtake it.
  public var slow = 0
  /// A connection is refused, so that a request never leaves.
  public var refusedConnection = 0
  /// The server turns a request away unread: 429, 503, 401, or another 4xx; or something before the server says 404.
  public var turnedAway = 0
  /// The server does the work, and answers 500 or nothing.
  public var failedAfterWork = 0
  /// A push is lost.
  public var lostPush = 0
  /// The client's process dies at a write to its journal, just before or just after it.
  public var crash = 0
  /// Somebody cancels an operation.
  public var cancel = 0

  /// Nothing goes wrong.
  public static let none = Faults()

  /// Everything that a network and a server can do, and no crash.
  public static let network = Faults(
    lost: 100, duplicated: 100, slow: 100, refusedConnection: 50, turnedAway: 100, failedAfterWork: 100, lostPush: 200,
    crash: 0, cancel: 50)

  /// All of it.
  public static let all = Faults(
    lost: 100, duplicated: 100, slow: 100, refusedConnection: 50, turnedAway: 100, failedAfterWork: 100, lostPush: 200,
    crash: 100, cancel: 100)

  /// Creates faults from chances in a thousand.
  public init(
    lost: Int = 0, duplicated: Int = 0, slow: Int = 0, refusedConnection: Int = 0, turnedAway: Int = 0,
    failedAfterWork: Int = 0, lostPush: Int = 0, crash: Int = 0, cancel: Int = 0
  ) {
    self.lost = lost
    self.duplicated = duplicated
    self.slow = slow
    self.refusedConnection = refusedConnection
    self.turnedAway = turnedAway
    self.failedAfterWork = failedAfterWork
    self.lostPush = lostPush
    self.crash = crash
    self.cancel = cancel
  }

  /// Each kind left as it is, left out, or made four times as likely; in some worlds one kind alone, but often.
  ///
  /// What all faults together never bring about, such as the end of all attempts without one that may have reached the
  /// server, comes about where there is one.
  func drawn(using random: inout SimulatedChance) -> Faults {
    var drawn = self
    if random.next(below: 4) == 0 {
      let only = Faults.kinds[random.next(below: Faults.kinds.count)]
      drawn = Faults(cancel: min(cancel * 4, 600))
      drawn[keyPath: only] = min(self[keyPath: only] * 8, 800)
      return drawn
    }
    for kind in Faults.kinds {
      switch random.next(below: 4) {
      case 0: drawn[keyPath: kind] = 0
      case 1: drawn[keyPath: kind] = min(drawn[keyPath: kind] * 4, 600)
      default: break
      }
    }
    return drawn
  }

  private nonisolated(unsafe) static let kinds: [WritableKeyPath<Faults, Int>] = [  // never changed
    \.lost, \.duplicated, \.slow, \.refusedConnection, \.turnedAway, \.failedAfterWork, \.lostPush, \.crash, \.cancel,
  ]
}
