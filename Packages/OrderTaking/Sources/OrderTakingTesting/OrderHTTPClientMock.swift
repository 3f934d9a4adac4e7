public import Futures
public import OrderTaking

/// A client whose responses are closures that a test sets.
///
/// A request without a closure gets no response. You can use the members from any thread.
///
/// Source: *Reasons to love functional programming*, `OrderHTTPClientMock`.
@dynamicMemberLookup
public final class OrderHTTPClientMock<Details: Sendable>: Sendable {
  public struct Closures: Sendable {
    public var takeClosure: (@Sendable (TakingIntent) -> Future<TakingAnswer, HTTPError>)?
    public var takingOperationStatusClosure: (@Sendable (TakingIntent) -> Future<TakingAnswer, HTTPError>)?
    public var acceptedOrderDetailsClosure: (@Sendable (OrderID) -> Future<Details, HTTPError>)?
    public var refreshTokenClosure: (@Sendable () -> Future<Void, HTTPError>)?
  }

  private let closures = Locked(Closures())

  public init() {}

  public subscript<Value>(dynamicMember member: WritableKeyPath<Closures, Value>) -> Value {
    get { closures.withLock { $0[keyPath: member] } }
    set { closures.withLock { $0[keyPath: member] = newValue } }
  }

  public var client: OrderHTTPClient<Details> {
    OrderHTTPClient(
      take: { intent in self.takeClosure?(intent) ?? Future() },
      takingOperationStatus: { intent in self.takingOperationStatusClosure?(intent) ?? Future() },
      acceptedOrderDetails: { order in self.acceptedOrderDetailsClosure?(order) ?? Future() },
      refreshToken: { self.refreshTokenClosure?() ?? Future() })
  }
}
