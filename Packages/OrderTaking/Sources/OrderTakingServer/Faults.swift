internal import OrderTaking

/// A failure that a server simulates.
public enum ServerFault: String, Hashable, Sendable, CaseIterable {
  /// The request is processed, and the connection closes without a response.
  case lostResponse = "lost-response"
  /// The response comes later.
  case delayedResponse = "delayed-response"
  /// The connection is reset before the request is processed.
  case refused
  /// The response has the status 500, and the request is not processed.
  case serverError = "500"
  case lostPush = "lost-push"
  /// The push comes later, also after later pushes.
  case delayedPush = "delayed-push"
  /// The push comes twice.
  case duplicatedPush = "duplicated-push"
  /// The push comes after the next one.
  case reorderedPush = "reordered-push"
  /// The push connection closes instead of the push.
  case closedPush = "closed-push"

  var isOfPushes: Bool {
    switch self {
    case .lostResponse, .delayedResponse, .refused, .serverError: false
    case .lostPush, .delayedPush, .duplicatedPush, .reorderedPush, .closedPush: true
    }
  }
}

/// The faults that a server simulates at random.
///
/// ```swift
/// let faults = ServerFaults([.lostResponse, .lostPush], probability: 0.2, seed: 7)
/// ```
///
/// The same seed leads to the same faults, in the order of requests and of pushes. ``OrderServer/inject(_:)`` simulates one exactly.
public struct ServerFaults: Hashable, Sendable {
  public var kinds: Set<ServerFault>
  /// The probability, from 0 to 1, that a request has one of its faults, and that a push has one of its faults.
  public var probability: Double
  public var seed: UInt64
  /// The maximum time by which a response or a push is delayed.
  public var longestDelay: Duration = .milliseconds(100)

  public init(_ kinds: Set<ServerFault> = [], probability: Double = 0.1, seed: UInt64 = 0) {
    (self.kinds, self.probability, self.seed) = (kinds, probability, seed)
  }

  public static let none = ServerFaults()

  public static func all(probability: Double = 0.1, seed: UInt64 = 0) -> ServerFaults {
    ServerFaults(Set(ServerFault.allCases), probability: probability, seed: seed)
  }
}

struct FaultDice: Sendable {
  private let faults: ServerFaults
  private let kinds: [Bool: [ServerFault]]
  private var chances: [Bool: SplitMix64]
  private var injected: [ServerFault] = []

  init(_ faults: ServerFaults) {
    self.faults = faults
    kinds = Dictionary(grouping: ServerFault.allCases.filter(faults.kinds.contains)) { $0.isOfPushes }
    // Requests and pushes have numbers of their own, so that the time of one does not change the other.
    chances = [false: SplitMix64(seed: faults.seed), true: SplitMix64(seed: ~faults.seed)]
  }

  mutating func inject(_ faults: [ServerFault]) { injected += faults }

  /// Returns the fault of the next request or push, and a random delay.
  mutating func roll(isPush: Bool) -> (fault: ServerFault?, delay: Duration) {
    var chance = chances[isPush] ?? SplitMix64(seed: 0)
    let (share, choice, time) = (chance.share(), chance.next(), chance.share())
    chances[isPush] = chance
    let delay = faults.longestDelay * time
    if let index = injected.firstIndex(where: { $0.isOfPushes == isPush }) {
      return (injected.remove(at: index), delay)
    }
    guard let kinds = kinds[isPush], share < faults.probability else { return (nil, delay) }
    return (kinds[Int(choice % UInt64(kinds.count))], delay)
  }
}

extension SplitMix64 {
  fileprivate mutating func share() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }
}
