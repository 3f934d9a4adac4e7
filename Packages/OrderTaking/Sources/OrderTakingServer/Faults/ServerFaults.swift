internal import OrderTaking

/// The faults that a server simulates: a script for the first requests, then random faults.
///
/// ```swift
/// var faults = ServerFaults()
/// faults.script = [.status(503), .answerLost]   // the first two requests; the others are served
/// let many = try ServerFaults("latency=5ms..50ms,503=0.1,lost=0.1,push-lost=0.2")
/// ```
///
/// Probabilities are from 0 to 1. The same seed leads to the same faults, in the order of requests and pushes.
public struct ServerFaults: Hashable, Sendable {
  public enum RequestFault: Hashable, Sendable {
    case none
    /// A response with a status, without processing.
    case status(Int)
    /// Processing, and a closed connection without a response.
    case answerLost
    /// A connection reset before processing.
    case reset
    /// A connection reset after processing.
    case resetAfterWork
    /// A restart of the server on the same ports.
    case restart
  }

  public enum Latency: Hashable, Sendable {
    case none
    case constant(Duration)
    case uniform(ClosedRange<Duration>)
    /// An exponentially distributed delay with this mean, at most ten times the mean.
    case exponential(mean: Duration)
  }

  public var script: [RequestFault] = []
  public var latency = Latency.none
  /// The probability of each error status, without processing.
  public var statuses: [Int: Double] = [:]
  public var answerLost = 0.0
  /// The probability of a connection reset, before or after processing.
  public var reset = 0.0
  public var restart = 0.0
  public var pushLost = 0.0
  public var pushDuplicated = 0.0
  public var pushDelayed = 0.0
  /// The maximum delay of a push.
  ///
  /// The delay is random, so that pushes overtake each other.
  public var pushDelay = Duration.milliseconds(100)
  /// The probability that a push is sent after the next one, at most ``pushDelay`` later.
  public var pushReordered = 0.0

  public init() {}

  public static let none = ServerFaults()

  /// All faults, each with a probability of at least 0.03, except for a restart with 0.002.
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

struct FaultDice: Sendable {
  enum PushFault: Equatable, CustomStringConvertible {
    case none
    case lost
    case duplicated
    case delayed(Duration)
    case reordered

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

  mutating func request() -> (ServerFaults.RequestFault, Duration) {
    defer { drawn += 1 }
    // The script does not change the number of random draws, so that a longer script does not change later faults.
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
  mutating func share() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }
}
