/// The orders that the takers of this process work on.
///
/// A taker claims an order before it reads the record, and releases it after the delivery of the outcome, or with
/// ``ResultAcknowledgement/explicit`` after the acknowledgement. So one taker or worker works on an order at a time. All journals of a
/// storage share one registry. A storage that several processes share also needs leases.
public struct OrderClaims: Sendable {
  /// The number of a claim, which no other claim has.
  typealias Claim = UInt64

  /// The outcome in a record that the owner of a claim has delivered, and whose acknowledgement it awaits.
  final class Unacknowledged: Sendable {
    let claim: Claim
    let record: TakingRecord

    init(_ claim: Claim, _ record: TakingRecord) { (self.claim, self.record) = (claim, record) }
  }

  private struct ClaimedOrder {
    var claim: Claim
    /// `nil` for a single change, for example by ``Journal/discard(_:because:at:)``.
    let owner: ObjectIdentifier?
    /// Afterwards, the outcome is being delivered.
    var isWorking = true
    /// With an operation under way, the outcome of an earlier claim.
    var unacknowledged: Unacknowledged?
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
      if let known {
        let isFree = known.owner == owner || duringDelivery && known.unacknowledged == nil
        guard isFree, !known.isWorking else { return nil }
      }
      orders.last += 1
      orders.claimed[id] = ClaimedOrder(
        claim: orders.last, owner: owner, unacknowledged: known?.unacknowledged, waiting: known?.waiting ?? [])
      return orders.last
    }
  }

  /// Notes that the operation of a claim has ended; without a record, the owner still awaits an earlier acknowledgement.
  ///
  /// - Parameters:
  ///   - claim: The claim.
  ///   - order: The order.
  ///   - record: The record with the outcome, if its caller has to acknowledge it.
  func operationEnded(_ claim: Claim, of order: OrderID, unacknowledged record: TakingRecord?) {
    let id = id(order)
    orders.withLock { orders in
      guard var ended = orders.claimed[id], ended.claim == claim else { return }
      if let record { ended.unacknowledged = Unacknowledged(claim, record) }
      ended.claim = ended.unacknowledged?.claim ?? claim
      ended.isWorking = false
      orders.claimed[id] = ended
    }
  }

  /// Returns the outcome of an order that waits for its acknowledgement by the caller of this owner.
  func unacknowledged(_ order: OrderID, of owner: AnyObject) -> Unacknowledged? {
    let known = orders.withLock { $0.claimed[id(order)] }
    return known?.owner == ObjectIdentifier(owner) ? known?.unacknowledged : nil
  }

  /// Ends a claim; if the order has another one, only the wait for the acknowledgement ends.
  ///
  /// It first calls a function with the lock, also if the order has no claim, so that the journal receives it before the calls of the
  /// next owner.
  func end(_ claim: Claim?, of order: OrderID, first: () -> Void) {
    let id = id(order)
    let waiting = orders.withLock { orders -> [@Sendable () -> Void] in
      if let known = orders.claimed[id], known.claim != claim {
        if known.unacknowledged?.claim == claim { orders.claimed[id]?.unacknowledged = nil }
        return []
      }
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
