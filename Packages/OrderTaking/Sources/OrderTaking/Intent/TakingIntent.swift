/// The request to take one order.
///
/// It is fixed before the first PUT and never changes.
public struct TakingIntent<OrderID: Hashable & Sendable>: Hashable, Sendable {
  public let order: OrderID

  public let key: IdempotencyKey

  public let body: [UInt8]

  /// The hash of ``body``, computed at each access.
  public var fingerprint: RequestFingerprint { RequestFingerprint(of: body) }

  public init(order: OrderID, key: IdempotencyKey, body: [UInt8] = []) {
    self.order = order
    self.key = key
    self.body = body
  }
}
