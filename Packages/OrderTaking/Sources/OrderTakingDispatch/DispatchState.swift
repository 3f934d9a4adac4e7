public import OrderTaking

/// The state of a server: all orders and their drivers, as a value without sockets, disks and clocks.
///
/// ```swift
/// var state = DispatchState([OfferedOrder("7")], credentials: ["secret": "ann"])
/// let reply = state.handle(.take(order: "7", key: key, digest: nil, body: []), token: "secret", at: .zero)
/// let status = reply.response.status  // 200
/// reply.push?.driver     // "ann"
/// ```
///
/// The first driver that requests an order gets it, or is declined like all later ones. An order is never given twice.
/// A repeated PUT gets the current result of the first one, as long as its key is stored.
public struct DispatchState: Sendable, Equatable {
  public struct Entry: Hashable, Sendable {
    public var offer: OfferedOrder
    public var taking: Taking?

    public init(_ offer: OfferedOrder, taking: Taking? = nil) {
      self.offer = offer
      self.taking = taking
    }
  }

  /// A driver's intent that the server has recorded.
  public struct Taking: Hashable, Sendable {
    public var driver: String
    public var key: IdempotencyKey
    public var fingerprint: RequestFingerprint
    /// The time of the first PUT, on the server's clock.
    public var begunAt: Duration
    public var answer: TakingAnswer
    /// The number of its push among all pushes to the driver; `nil` before the decision.
    public var cursor: UInt64?

    public init(
      driver: String, key: IdempotencyKey, fingerprint: RequestFingerprint, begunAt: Duration, answer: TakingAnswer,
      cursor: UInt64? = nil
    ) {
      self.driver = driver
      self.key = key
      self.fingerprint = fingerprint
      self.begunAt = begunAt
      self.answer = answer
      self.cursor = cursor
    }
  }

  public var credentials: Credentials
  /// The time for which a key is stored after its first PUT.
  ///
  /// Later PUTs with the key get 410. GET returns the result at any time.
  public var keyLifetime: Duration
  /// The number of pushes that are stored for each driver, for reconnections.
  public var pushHistory: Int

  /// Names are compared by their bytes, as in URLs.
  private(set) var entries: [OrderKey<String>: Entry] = [:]
  private var orderOfKey: [DriverKey: String] = [:]
  /// The latest pushes to each driver, the oldest first.
  private var pushes: [String: [OrderPush]] = [:]
  private var cursors: [String: UInt64] = [:]

  private struct DriverKey: Hashable {
    let driver: String
    let key: IdempotencyKey
  }

  /// Creates a state in which no order is taken.
  ///
  /// The last order with a repeated name counts.
  public init(
    _ offers: [OfferedOrder] = [], credentials: Credentials = [:], keyLifetime: Duration = .seconds(86_400),
    pushHistory: Int = 1_000
  ) {
    self.credentials = credentials
    self.keyLifetime = keyLifetime
    self.pushHistory = pushHistory
    for offer in offers { entries[OrderKey(offer.id)] = Entry(offer) }
  }

  public subscript(order: String) -> Entry? { entries[OrderKey(order)] }

  /// All orders, sorted by name.
  public var all: [Entry] { entries.values.sorted { $0.offer.id.precedes($1.offer.id) } }

  package var openCount: Int { entries.values.count { $0.taking == nil } }

  /// Returns the number of the last push to a driver, or zero before the first push.
  public func lastCursor(of driver: String) -> UInt64 { cursors[driver] ?? 0 }

  /// Returns the stored pushes to a driver after a cursor, the oldest first.
  ///
  /// The returned cursor is the one before the first push. It is later than the requested one if older pushes are no longer stored.
  public func pushes(to driver: String, after cursor: UInt64) -> (after: UInt64, pushes: ArraySlice<OrderPush>) {
    let later = (pushes[driver] ?? []).drop { $0.cursor <= cursor }
    guard let first = later.first else { return (lastCursor(of: driver), []) }
    return (first.cursor - 1, later)
  }

  func taking(of driver: String, _ key: IdempotencyKey) -> (order: String, taking: Taking)? {
    guard let order = orderOfKey[DriverKey(driver: driver, key: key)], let taking = self[order]?.taking else {
      return nil
    }
    return (order, taking)
  }

  /// Applies a change of this process or of an earlier one.
  public mutating func apply(_ entry: Entry) {
    let before = entries.updateValue(entry, forKey: OrderKey(entry.offer.id))
    guard let taking = entry.taking else { return }
    orderOfKey[DriverKey(driver: taking.driver, key: taking.key)] = entry.offer.id
    guard let push = OrderPush(entry), before?.taking?.cursor != push.cursor else { return }
    cursors[push.driver] = max(lastCursor(of: push.driver), push.cursor)
    var kept = pushes[push.driver] ?? []
    kept.append(push)
    if kept.count > max(0, pushHistory) { kept.removeFirst(kept.count - max(0, pushHistory)) }
    pushes[push.driver] = kept
  }
}

extension String {
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

/// A push to a driver: the decision about an order.
public struct OrderPush: Hashable, Sendable {
  public let driver: String
  /// The number among all pushes to this driver: 1 for the first, without gaps.
  public let cursor: UInt64
  public let order: String
  public let key: IdempotencyKey
  public let result: TakingResult

  public init?(_ entry: DispatchState.Entry) {
    guard let taking = entry.taking, let cursor = taking.cursor else { return nil }
    switch taking.answer {
    case .processing: return nil
    case .accepted: result = .accepted
    case .declined(let reason): result = .declined(reason)
    }
    (driver, order, key) = (taking.driver, entry.offer.id, taking.key)
    self.cursor = cursor
  }
}
