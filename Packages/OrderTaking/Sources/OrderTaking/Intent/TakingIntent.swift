/// The wish to take one order, as it is told to the server: fixed before the first PUT, the same for ever after.
public struct TakingIntent<OrderID: Hashable & Sendable>: Hashable, Sendable {
  /// The order to take.
  public let order: OrderID

  /// What makes all PUTs of this intent one.
  public let key: IdempotencyKey

  /// What every PUT of this intent carries.
  public let body: [UInt8]

  /// The hash of ``body``, worked out each time.
  public var bodyHash: BodyHash { BodyHash(of: body) }

  /// Creates an intent.
  ///
  /// - Parameters:
  ///   - order: The order to take.
  ///   - key: A key that no other intent has.
  ///   - body: What every PUT carries; empty for an API that needs none.
  public init(order: OrderID, key: IdempotencyKey, body: [UInt8] = []) {
    self.order = order
    self.key = key
    self.body = body
  }
}
