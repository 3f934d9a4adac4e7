internal import OrderTaking

/// A push that a worker has received, with the channel's checkpoint after it.
struct ReceivedPush: Equatable, Sendable {
  var order: String
  var key: IdempotencyKey?
  var result: TakingResult
  var checkpoint: PushCheckpoint?
}

extension ReceivedPush {
  /// PostgreSQL cannot store a zero byte, and a refused push would be received again after each reconnection.
  init?<OrderID>(_ push: PushedResult<OrderID>, to order: String) {
    guard !order.utf8.contains(0) else { return nil }
    self.init(order: order, key: push.key, result: push.result, checkpoint: push.checkpoint)
    if case .declined(let reason) = result { result = .declined(reason.replacing("\0", with: "\u{FFFD}")) }
    if checkpoint?.epoch.utf8.contains(0) == true { checkpoint = nil }
  }
}

/// At most one worker owns a driver, and connects to its push channel.
///
/// It stores the pushes one at a time, each with the checkpoint after it. If it cannot store a push, it closes the
/// channel. The next claim then continues from the stored checkpoint, so no push is lost.
struct DriverState {
  private struct Driver {
    /// The fence of the claim, or `nil` while this worker does not own the driver.
    var fence: Int64?
    /// The received pushes that are not stored.
    ///
    /// The first one is being stored.
    var pushes: [ReceivedPush] = []
    /// Whether the channel is closed until the received pushes are stored.
    var isFull = false
  }

  struct Claim: Equatable, Sendable {
    let driver: DriverID
    /// The fence of the claim to renew, or `nil` for a new claim.
    let fence: Int64?
  }

  enum Effect: Equatable {
    case claim([Claim])
    /// Connect to the push channel; the fence identifies the connection, so that pushes of an earlier one are ignored.
    case open(DriverID, fence: Int64, from: PushCheckpoint?)
    case close(DriverID)
    case store(ReceivedPush, of: DriverID, fence: Int64)
    case release(DriverID, fence: Int64)
  }

  /// A channel that brings more is closed, and opens again when they are stored.
  static let limit = 1_024

  private var drivers: [DriverID: Driver] = [:]
  private var isClaiming = false
  private var isClaimDue = false
  private var effects: [Effect] = []

  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  mutating func subscribe(_ driver: DriverID) {
    guard drivers[driver] == nil else { return }
    drivers[driver] = Driver()
    claim()
  }

  mutating func unsubscribe(_ driver: DriverID) {
    guard let fence = drivers.removeValue(forKey: driver)?.fence else { return }
    effects += [.close(driver), .release(driver, fence: fence)]
  }

  mutating func claim() {
    isClaimDue = isClaiming
    guard !isClaiming, !drivers.isEmpty else { return }
    isClaiming = true
    let claims = drivers.map { Claim(driver: $0.key, fence: $0.value.fence) }
    effects.append(.claim(claims.sorted { $0.driver < $1.driver }))
  }

  struct Claimed: Equatable {
    let fence: Int64
    let checkpoint: PushCheckpoint?
  }

  mutating func claimed(_ claims: [Claim], _ owned: [DriverID: Claimed]?) {
    isClaiming = false
    for claim in claims {
      guard let owned else { break }
      guard let driver = drivers[claim.driver] else {
        // The last subscriber has left during the claim, which may have followed the release.
        if let late = owned[claim.driver] { effects.append(.release(claim.driver, fence: late.fence)) }
        continue
      }
      // The channel was closed during the claim, because a push could not be stored.
      guard driver.fence == claim.fence else {
        isClaimDue = true
        continue
      }
      guard owned[claim.driver]?.fence != claim.fence else { continue }
      lose(claim.driver)
      guard let new = owned[claim.driver] else { continue }
      drivers[claim.driver]?.fence = new.fence
      effects.append(.open(claim.driver, fence: new.fence, from: new.checkpoint))
    }
    if isClaimDue { claim() }
  }

  mutating func received(_ push: ReceivedPush, of driver: DriverID, fence: Int64) {
    guard let state = drivers[driver], state.fence == fence, !state.isFull else { return }
    guard state.pushes.count < Self.limit else {
      drivers[driver]?.isFull = true
      return effects.append(.close(driver))
    }
    drivers[driver]?.pushes.append(push)
    if state.pushes.isEmpty { effects.append(.store(push, of: driver, fence: fence)) }
  }

  mutating func stored(_ driver: DriverID, fence: Int64, isStored: Bool) {
    guard let state = drivers[driver], state.fence == fence else { return }
    guard isStored else { return lose(driver) }
    drivers[driver]?.pushes.removeFirst()
    if state.pushes.count > 1 {
      effects.append(.store(state.pushes[1], of: driver, fence: fence))
    } else if state.isFull {
      // Another claim reads the checkpoint of the last push.
      drivers[driver] = Driver()
      claim()
    }
  }

  private mutating func lose(_ driver: DriverID) {
    guard drivers[driver]?.fence != nil else { return }
    drivers[driver] = Driver()
    effects.append(.close(driver))
  }
}
