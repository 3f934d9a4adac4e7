public import OrderTaking

/// All orders and who has them: the server's state, as a value that knows no socket, no disk and no clock.
///
/// ```swift
/// var book = OrderBook([OfferedOrder("7")], credentials: ["secret": "ann"])
/// let reply = book.handle(.take(order: "7", key: key, digest: nil, body: []), token: "secret", at: .zero)
/// reply.response.status  // 200
/// reply.push?.driver     // "ann"
/// ```
///
/// The first driver who asks for an order gets it, or learns that nobody does. One order is never given twice; a PUT that
/// comes again with its key is answered as the first one, for as long as the key lives.
public struct OrderBook: Sendable, Equatable {
  /// An order, and the taking of it once somebody has asked for it.
  public struct Entry: Hashable, Sendable {
    /// What is offered.
    public var offer: OfferedOrder
    /// Who asked first, and what came of it.
    public var taking: Taking?

    /// Creates an entry.
    public init(_ offer: OfferedOrder, taking: Taking? = nil) {
      self.offer = offer
      self.taking = taking
    }
  }

  /// A driver's wish that the server has taken up.
  public struct Taking: Hashable, Sendable {
    /// Whose.
    public var driver: String
    /// The key of its PUTs.
    public var key: IdempotencyKey
    /// The hash of their body.
    public var bodyHash: BodyHash
    /// When the first one came, by the server's clock.
    public var begunAt: Duration
    /// How it stands.
    public var answer: TakingAnswer
    /// The place of its push among all of the driver's, once it is decided.
    public var cursor: UInt64?

    /// Creates a taking.
    public init(
      driver: String, key: IdempotencyKey, bodyHash: BodyHash, begunAt: Duration, answer: TakingAnswer,
      cursor: UInt64? = nil
    ) {
      self.driver = driver
      self.key = key
      self.bodyHash = bodyHash
      self.begunAt = begunAt
      self.answer = answer
      self.cursor = cursor
    }
  }

  /// The users, by token.
  public var credentials: Credentials
  /// How long a key is remembered after its first PUT; afterwards a PUT with it is refused, and GET still tells.
  public var keyLifetime: Duration
  /// The number of pushes that are stored for each driver, for reconnections.
  public var pushHistory: Int

  /// By name, and names by their bytes, as a URL compares them.
  private(set) var entries: [OrderKey<String>: Entry] = [:]
  private var orderOfKey: [DriverKey: String] = [:]
  /// By driver, the oldest first; their cursors have no gaps.
  private var pushes: [String: [OrderPush]] = [:]
  private var cursors: [String: UInt64] = [:]

  private struct DriverKey: Hashable {
    let driver: String
    let key: IdempotencyKey
  }

  /// Creates a book in which nothing is taken.
  ///
  /// - Parameters:
  ///   - offers: The orders; of the same name twice, the last counts.
  ///   - credentials: Who may ask.
  ///   - keyLifetime: How long a key is remembered after its first PUT.
  ///   - pushHistory: How many pushes to each driver are kept for those who come back.
  public init(
    _ offers: [OfferedOrder] = [], credentials: Credentials = [:], keyLifetime: Duration = .seconds(86_400),
    pushHistory: Int = 1_000
  ) {
    self.credentials = credentials
    self.keyLifetime = keyLifetime
    self.pushHistory = pushHistory
    for offer in offers { entries[OrderKey(offer.id)] = Entry(offer) }
  }

  /// An order, or `nil` when there is none of that name.
  public subscript(order: String) -> Entry? { entries[OrderKey(order)] }

  /// All orders, by name.
  public var all: [Entry] { entries.values.sorted { $0.offer.id.precedes($1.offer.id) } }

  /// The place of the last push to a driver; zero when there was none.
  public func lastCursor(of driver: String) -> UInt64 { cursors[driver] ?? 0 }

  /// The pushes to a driver after a place, the oldest first, and the place that they really come after: a later one than asked
  /// for when older pushes are not kept any more.
  public func pushes(to driver: String, after cursor: UInt64) -> (after: UInt64, pushes: ArraySlice<OrderPush>) {
    let kept = pushes[driver] ?? []
    let last = lastCursor(of: driver)
    guard cursor < last else { return (last, []) }
    let count = UInt64(kept.count)
    let after = max(cursor, last - count)
    return (after, kept.suffix(Int(last - after)))
  }

  /// The driver's taking of this key, if a PUT with it was taken up.
  func taking(of driver: String, _ key: IdempotencyKey) -> (order: String, taking: Taking)? {
    guard let order = orderOfKey[DriverKey(driver: driver, key: key)], let taking = self[order]?.taking else {
      return nil
    }
    return (order, taking)
  }

  /// Takes over what was decided about an order, in this process or in an earlier one.
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
  /// Whether this name comes before another one, by their bytes.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

/// How the server decided, as it is pushed to the driver.
public struct OrderPush: Hashable, Sendable {
  /// To whom.
  public let driver: String
  /// Its place among all pushes to this driver: 1 for the first, without gaps.
  public let cursor: UInt64
  /// Which order.
  public let order: String
  /// Which wish.
  public let key: IdempotencyKey
  /// How it was decided.
  public let result: TakingResult

  /// The push about an order; `nil` while it is not decided.
  public init?(_ entry: OrderBook.Entry) {
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
