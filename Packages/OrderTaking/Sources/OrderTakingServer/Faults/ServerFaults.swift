internal import OrderTaking

/// What the server does wrong on purpose: a script for the first requests, then chances.
///
/// ```swift
/// var faults = ServerFaults()
/// faults.script = [.status(503), .answerLost]   // the first two requests; the others are served
/// let many = try ServerFaults("latency=5ms..50ms,503=0.1,lost=0.1,push-lost=0.2")
/// ```
///
/// Chances are from 0 to 1. The same seed draws the same faults, in the order in which requests and pushes come.
public struct ServerFaults: Hashable, Sendable {
  /// What happens to one request.
  public enum RequestFault: Hashable, Sendable {
    /// It is served.
    case none
    /// It is answered with a status, unread.
    case status(Int)
    /// The work is done, and the connection closed without an answer.
    case answerLost
    /// The connection is reset before the work.
    case reset
    /// The connection is reset after the work.
    case resetAfterWork
    /// The server starts anew: every connection breaks, the state is read again, the ports stay.
    case restart
  }

  /// How long an answer is held back.
  public enum Latency: Hashable, Sendable {
    /// Not at all.
    case none
    /// Always as long.
    case constant(Duration)
    /// Any time in a range, each as likely as the others.
    case uniform(ClosedRange<Duration>)
    /// Mostly short and sometimes long, with this mean; at most ten times the mean.
    case exponential(mean: Duration)
  }

  /// What happens to the first requests, in order.
  public var script: [RequestFault] = []
  /// How long answers are held back.
  public var latency = Latency.none
  /// The chance of each status, the request being turned away unread.
  public var statuses: [Int: Double] = [:]
  /// The chance that the answer is lost after the work.
  public var answerLost = 0.0
  /// The chance of a reset, before or after the work.
  public var reset = 0.0
  /// The chance that a request makes the server start anew.
  public var restart = 0.0
  /// The chance that a push is not sent.
  public var pushLost = 0.0
  /// The chance that a push is sent twice.
  public var pushDuplicated = 0.0
  /// The chance that a push is held back.
  public var pushDelayed = 0.0
  /// How long a push is held back: any time up to this, so that others overtake it.
  public var pushDelay = Duration.milliseconds(100)
  /// The chance that a push waits for the next one, and follows it; for ``pushDelay`` at most.
  public var pushReordered = 0.0

  /// Creates faults of which none happens.
  public init() {}

  /// Nothing goes wrong.
  public static let none = ServerFaults()

  /// Everything goes wrong, each thing often enough to be seen within a hundred requests.
  public static let all: ServerFaults = {
    var faults = ServerFaults()
    faults.latency = .exponential(mean: .milliseconds(5))
    faults.statuses = [429: 0.03, 500: 0.05, 503: 0.05]
    faults.answerLost = 0.08
    faults.reset = 0.08
    faults.restart = 0.002
    faults.pushLost = 0.15
    faults.pushDuplicated = 0.1
    faults.pushDelayed = 0.15
    faults.pushReordered = 0.1
    return faults
  }()
}

/// Draws faults.
struct FaultDice: Sendable {
  /// How a push is sent.
  enum PushFault: Equatable, CustomStringConvertible {
    case none
    case lost
    case duplicated
    case delayed(Duration)
    /// After the next one.
    case reordered

    /// What is done to the push, for logs.
    var description: String {
      switch self {
      case .none: "sent"
      case .lost: "lost"
      case .duplicated: "sent twice"
      case .delayed(let delay): "delayed, by \((delay / .milliseconds(1) * 10).rounded() / 10) ms"
      case .reordered: "sent after the next push"
      }
    }
  }

  let faults: ServerFaults
  private var drawn = 0
  private var chance: SplitMix64

  init(_ faults: ServerFaults, seed: UInt64) {
    self.faults = faults
    chance = SplitMix64(seed: seed)
  }

  /// What happens to the next request, and how long its answer is held back.
  mutating func request() -> (ServerFaults.RequestFault, Duration) {
    defer { drawn += 1 }
    // Drawn whatever the script says, so that a longer script does not move all that follows.
    let (kind, delay) = (kind(), latency())
    return (drawn < faults.script.count ? faults.script[drawn] : kind, delay)
  }

  mutating func push() -> PushFault {
    let (share, time) = (chance.share(), chance.share())
    var limit = faults.pushLost
    if share < limit { return .lost }
    limit += faults.pushDuplicated
    if share < limit { return .duplicated }
    limit += faults.pushDelayed
    if share < limit { return .delayed(faults.pushDelay * time) }
    limit += faults.pushReordered
    return share < limit ? .reordered : .none
  }

  private mutating func kind() -> ServerFaults.RequestFault {
    let (share, side) = (chance.share(), chance.share())
    var limit = 0.0
    for (status, likelihood) in faults.statuses.sorted(by: { $0.key < $1.key }) {
      limit += likelihood
      if share < limit { return .status(status) }
    }
    limit += faults.answerLost
    if share < limit { return .answerLost }
    limit += faults.reset
    if share < limit { return side < 0.5 ? .reset : .resetAfterWork }
    limit += faults.restart
    return share < limit ? .restart : .none
  }

  private mutating func latency() -> Duration {
    let share = chance.share()
    switch faults.latency {
    case .none: return .zero
    case .constant(let duration): return duration
    case .uniform(let range): return range.lowerBound + (range.upperBound - range.lowerBound) * share
    case .exponential(let mean): return mean * min(-naturalLogarithm(1 - share), 10)
    }
  }
}

extension SplitMix64 {
  /// From 0 up to and without 1.
  mutating func share() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }
}
