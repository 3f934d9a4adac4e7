public import Futures
public import OrderTaking

/// A client whose responses are closures that a test sets.
///
/// A request without a closure gets no response. You can use the members from any thread.
///
/// Source: *Reasons to love functional programming*, `OrderHTTPClientMock`.
public final class OrderHTTPClientMock<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  public typealias Answer = @Sendable (TakingIntent<OrderID>) -> Future<TakingAnswer, HTTPError>

  private struct Closures {
    var take: Answer?
    var status: Answer?
    var details: (@Sendable (OrderID) -> Future<Details, HTTPError>)?
    var token: (@Sendable () -> Future<Void, HTTPError>)?
  }

  private let closures = Locked(Closures())

  public init() {}

  public var takeClosure: Answer? {
    get { closures.withLock { $0.take } }
    set { closures.withLock { $0.take = newValue } }
  }

  public var takingOperationStatusClosure: Answer? {
    get { closures.withLock { $0.status } }
    set { closures.withLock { $0.status = newValue } }
  }

  public var acceptedOrderDetailsClosure: (@Sendable (OrderID) -> Future<Details, HTTPError>)? {
    get { closures.withLock { $0.details } }
    set { closures.withLock { $0.details = newValue } }
  }

  public var refreshTokenClosure: (@Sendable () -> Future<Void, HTTPError>)? {
    get { closures.withLock { $0.token } }
    set { closures.withLock { $0.token = newValue } }
  }

  public var client: OrderHTTPClient<OrderID, Details> {
    OrderHTTPClient(
      take: { intent in self.takeClosure?(intent) ?? Future() },
      takingOperationStatus: { intent in self.takingOperationStatusClosure?(intent) ?? Future() },
      acceptedOrderDetails: { order in self.acceptedOrderDetailsClosure?(order) ?? Future() },
      refreshToken: { self.refreshTokenClosure?() ?? Future() })
  }
}
