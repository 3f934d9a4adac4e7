/// The orders that the takers of this process work on.
///
/// A taker claims an order before it reads the record, and releases it after the delivery of the outcome, or with
/// ``ResultAcknowledgement/explicit`` after the acknowledgement. So one taker or worker works on an order at a time. All journals of a
/// storage share one registry. A storage that several processes share also needs leases.
public struct OrderClaims: Sendable {
  /// The number of a claim, which no other claim has.
  typealias Claim = UInt64

  private enum Stage {
    case working
    /// The operation has ended, and its outcome is being delivered.
    case delivering
    /// The owner waits for the acknowledgement of the outcome in a record.
    indirect case unacknowledged(TakingRecord)
  }

  private struct ClaimedOrder {
    let claim: Claim
    /// `nil` for a single change, for example by ``Journal/discard(_:because:at:)``.
    let owner: ObjectIdentifier?
    var stage = Stage.working
    /// Called after the release.
    var waiting: [@Sendable () -> Void] = []
  }

  private typealias Orders = (claimed: [ListedRecord.ID: ClaimedOrder], last: Claim)

  private let orders: Locked<Orders>
  private let driver: DriverID

  /// Creates a registry for the journal of one driver; keep it, and pass it to each value of that journal.
  public init() {
    (orders, driver) = (Locked((claimed: [:], last: 0)), "driver")
  }

  private init(_ orders: Locked<Orders>, _ driver: DriverID) {
    (self.orders, self.driver) = (orders, driver)
  }

  /// Returns the claims of a driver in the same registry.
  public func of(_ driver: DriverID) -> OrderClaims { OrderClaims(orders, driver) }

  private func id(_ order: OrderID) -> ListedRecord.ID { ListedRecord.ID(driver: driver, order: order) }

  /// Claims an order, and ends an earlier claim of the same owner.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - owner: The taker, or `nil` for a single change.
  ///   - duringDelivery: Whether the order can be claimed while another owner delivers its outcome.
  /// - Returns: `nil` if another owner has the order.
  func claim(_ order: OrderID, by owner: AnyObject?, duringDelivery: Bool = true) -> Claim? {
    let (id, owner) = (id(order), owner.map { ObjectIdentifier($0) })
    return orders.withLock { orders in
      let known = orders.claimed[id]
      if let known, known.owner != owner || owner == nil {
        guard duringDelivery, case .delivering = known.stage else { return nil }
      }
      orders.last += 1
      orders.claimed[id] = ClaimedOrder(claim: orders.last, owner: owner, waiting: known?.waiting ?? [])
      return orders.last
    }
  }

  /// Notes that the operation of a claim has ended.
  ///
  /// - Parameters:
  ///   - claim: The claim.
  ///   - order: The order.
  ///   - record: The record with the outcome, if its caller has to acknowledge it.
  func operationEnded(_ claim: Claim, of order: OrderID, unacknowledged record: TakingRecord?) {
    let id = id(order)
    orders.withLock { orders in
      guard orders.claimed[id]?.claim == claim else { return }
      orders.claimed[id]?.stage = record.map { .unacknowledged($0) } ?? .delivering
    }
  }

  /// Returns the outcome of an order that waits for its acknowledgement by the caller of this owner.
  func unacknowledged(_ order: OrderID, of owner: AnyObject) -> (claim: Claim, record: TakingRecord)? {
    orders.withLock { orders in
      guard let known = orders.claimed[id(order)], known.owner == ObjectIdentifier(owner),
        case .unacknowledged(let record) = known.stage
      else { return nil }
      return (known.claim, record)
    }
  }

  /// Ends a claim; does nothing if the order has another one.
  ///
  /// It first calls a function with the lock, also if the order has no claim, so that the journal receives it before the calls of the
  /// next owner.
  func end(_ claim: Claim?, of order: OrderID, first: () -> Void) {
    let id = id(order)
    let waiting = orders.withLock { orders -> [@Sendable () -> Void] in
      if let known = orders.claimed[id], known.claim != claim { return [] }
      first()
      return orders.claimed.removeValue(forKey: id)?.waiting ?? []
    }
    for call in waiting { call() }
  }

  /// Calls a function when the order has no claim, now or later.
  func whenFree(_ order: OrderID, _ call: @escaping @Sendable () -> Void) {
    let isFree = orders.withLock { $0.claimed[id(order)]?.waiting.append(call) == nil }
    if isFree { call() }
  }

  /// Returns the claimed orders.
  ///
  /// - Parameter owner: An owner whose orders are left out.
  func orders(except owner: AnyObject? = nil) -> Set<OrderID> {
    let owner = owner.map { ObjectIdentifier($0) }
    return orders.withLock { orders in
      Set(
        orders.claimed.filter { $0.key.driver == driver && (owner == nil || $0.value.owner != owner) }.map(\.key.order))
    }
  }
}

extension JournalError {
  static func claimed(_ order: OrderID) -> JournalError {
    JournalError(
      .inUse,
      "Cannot use order \(order): another taker or worker of this process works on it, and reports its result. Nothing was changed. "
        + "Wait for that result.")
  }
}
