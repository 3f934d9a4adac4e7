/// The orders that the takers of this process work on.
///
/// A taker claims an order before it reads the record, and releases it after the delivery of the outcome, or with
/// ``ResultAcknowledgement/explicit`` after the acknowledgement. So one taker or worker works on an order at a time. All journals of a
/// storage share one registry. A storage that several processes share also needs leases.
public struct OrderClaims: Sendable {
  private struct Claimed: Hashable {
    let driver: DriverID
    let order: OrderID
  }

  private struct Claims {
    var owners: [Claimed: ObjectIdentifier] = [:]
    /// The orders whose operation has ended, while the owner delivers the outcome.
    var delivering: Set<Claimed> = []
  }

  private let claims: Locked<Claims>
  private let driver: DriverID

  /// Creates a registry for the journal of one driver; keep it, and pass it to each value of that journal.
  public init() {
    (claims, driver) = (Locked(Claims()), "driver")
  }

  private init(_ claims: Locked<Claims>, _ driver: DriverID) {
    (self.claims, self.driver) = (claims, driver)
  }

  /// Returns the claims of a driver in the same registry.
  public func of(_ driver: DriverID) -> OrderClaims { OrderClaims(claims, driver) }

  /// Returns whether the owner has the order now.
  @discardableResult
  func claim(_ order: OrderID, by owner: AnyObject, whileDelivering: Bool = true) -> Bool {
    let (claimed, owner) = (Claimed(driver: driver, order: order), ObjectIdentifier(owner))
    return claims.withLock { claims in
      let isFree = whileDelivering && claims.delivering.contains(claimed)
      if let known = claims.owners[claimed], known != owner, !isFree { return false }
      claims.owners[claimed] = owner
      claims.delivering.remove(claimed)
      return true
    }
  }

  /// Lets callers take or change the order, because its operation has ended.
  ///
  /// Only its delivery is left to the owner.
  func deliver(_ order: OrderID, by owner: AnyObject) {
    let claimed = Claimed(driver: driver, order: order)
    claims.withLock { claims in
      if claims.owners[claimed] == ObjectIdentifier(owner) { claims.delivering.insert(claimed) }
    }
  }

  /// Ends the claim of an owner; does nothing if another owner has the order.
  ///
  /// It first calls a function with the lock, also if no owner has the order, so that the journal receives it before the calls of the
  /// next owner.
  func release(_ order: OrderID, by owner: AnyObject, first: () -> Void) {
    let claimed = Claimed(driver: driver, order: order)
    claims.withLock { claims in
      if let known = claims.owners[claimed], known != ObjectIdentifier(owner) { return }
      first()
      claims.owners[claimed] = nil
      claims.delivering.remove(claimed)
    }
  }

  func orders(of owner: AnyObject) -> Set<OrderID> {
    let owner = ObjectIdentifier(owner)
    return orders { $0 == owner }
  }

  /// Returns the orders that other owners have claimed.
  func orders(except owner: AnyObject? = nil) -> Set<OrderID> {
    let owner = owner.map { ObjectIdentifier($0) }
    return orders { $0 != owner }
  }

  private func orders(where isIncluded: (ObjectIdentifier) -> Bool) -> Set<OrderID> {
    claims.withLock { claims in
      Set(claims.owners.compactMap { $0.key.driver == driver && isIncluded($0.value) ? $0.key.order : nil })
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
