/// The request to take one order.
///
/// It is fixed before the first PUT and never changes.
public struct TakingIntent<OrderID: Hashable & Sendable>: Hashable, Sendable {
  /// The order to take.
  public let order: OrderID

  /// The key that makes all PUTs of this intent one request.
  public let key: IdempotencyKey

  /// The body of every PUT.
  public let body: [UInt8]

  /// The hash of ``body``, computed at each access.
  public var fingerprint: RequestFingerprint { RequestFingerprint(of: body) }

  /// Creates an intent.
  ///
  /// - Parameters:
  ///   - order: The order to take.
  ///   - key: A unique key.
  ///   - body: The body of every PUT.
  public init(order: OrderID, key: IdempotencyKey, body: [UInt8] = []) {
    self.order = order
    self.key = key
    self.body = body
  }
}
