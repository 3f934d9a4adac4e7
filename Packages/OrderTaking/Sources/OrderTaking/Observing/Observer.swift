/// Receives ended requests, retries, and changes of connections and leases, for logs and metrics.
///
/// One observer can serve takers, push clients and servers at the same time:
///
/// ```swift
/// let metrics = Metrics()
/// let observer = Observer.all(.lines { print($0) }, .counting(in: metrics))
/// let taker = OrderTaker(httpClient: http, pushClient: push, journal: journal, observer: observer)
/// ```
///
/// The functions are called on any thread, also concurrently. They must return quickly, and must not call back. Nothing that they
/// receive contains a token.
public struct Observer: Sendable {
  /// Called after the end of a request.
  public var requestEnded: @Sendable (ObservedRequest) -> Void
  /// Called when a failed request will be repeated after a pause.
  public var retryScheduled: @Sendable (ObservedRetry) -> Void
  /// Called when a push connection was opened or lost.
  public var connectionChanged: @Sendable (ObservedConnection) -> Void
  /// Called when a worker has claimed, renewed or lost the leases of orders in a shared journal.
  public var leasesChanged: @Sendable (ObservedLeases) -> Void

  /// Creates an observer from functions.
  public init(
    requestEnded: @escaping @Sendable (ObservedRequest) -> Void = { _ in },
    retryScheduled: @escaping @Sendable (ObservedRetry) -> Void = { _ in },
    connectionChanged: @escaping @Sendable (ObservedConnection) -> Void = { _ in },
    leasesChanged: @escaping @Sendable (ObservedLeases) -> Void = { _ in }
  ) {
    self.requestEnded = requestEnded
    self.retryScheduled = retryScheduled
    self.connectionChanged = connectionChanged
    self.leasesChanged = leasesChanged
  }

  /// Returns an observer that calls other observers, in order.
  public static func all(_ observers: Observer...) -> Observer {
    Observer(
      requestEnded: { request in for observer in observers { observer.requestEnded(request) } },
      retryScheduled: { retry in for observer in observers { observer.retryScheduled(retry) } },
      connectionChanged: { connection in for observer in observers { observer.connectionChanged(connection) } },
      leasesChanged: { leases in for observer in observers { observer.leasesChanged(leases) } })
  }
}

/// The side of a connection on which something was observed.
public enum ObservedSide: String, Hashable, Sendable {
  /// A taker or a push client.
  case client
  /// A server.
  case server
}

/// A request that has ended.
public struct ObservedRequest: Hashable, Sendable {
  /// The result of a request.
  public enum Result: Hashable, Sendable {
    /// A response with this status.
    ///
    /// A client reports each success as 200.
    case status(Int)
    /// A client's request failed, or its response has a status of failure.
    case failed(HTTPError.Kind)
    /// A client cancelled the request, for example because a push brought the result.
    case cancelled
    /// A server sent no response, because of a simulated fault.
    case unanswered
  }

  /// The side.
  public var side: ObservedSide
  /// The method and the path with placeholders, for example `PUT /orders/:id/taking`; `other` for a request without a route.
  public var route: String
  /// The order, if the path contains one.
  public var order: String?
  /// The driver, if a server knows it from the token.
  public var driver: String?
  /// The result.
  public var result: Result
  /// The time from the start of the request to its end.
  ///
  /// A server measures the time from the complete request to the complete decision, including writes to the disk.
  public var duration: Duration

  /// Creates a request.
  public init(
    side: ObservedSide, route: String, order: String? = nil, driver: String? = nil, result: Result, duration: Duration
  ) {
    self.side = side
    self.route = route
    self.order = order
    self.driver = driver
    self.result = result
    self.duration = duration
  }
}

extension TakingRequest.Kind {
  /// The method and the path of the protocol.
  var route: String {
    switch self {
    case .put: "PUT /orders/:id/taking"
    case .get: "GET /orders/:id/taking"
    case .details: "GET /orders/:id"
    }
  }
}

/// A failed request of a taker that will be repeated.
public struct ObservedRetry: Hashable, Sendable {
  /// The order.
  public var order: String
  /// The pause before the next request.
  public var pause: Duration

  /// Creates a retry.
  public init(order: String, pause: Duration) {
    self.order = order
    self.pause = pause
  }
}

/// A push connection that was opened or lost.
public struct ObservedConnection: Hashable, Sendable {
  /// The change of a connection.
  public enum Change: Hashable, Sendable {
    /// The connection was opened.
    ///
    /// For a client, the server has accepted the subscription. For a server, a client has connected, and may not have subscribed yet.
    case opened
    /// The connection ended or was not made, for a reason.
    ///
    /// A client does not report the end that it caused itself. A server reports each end.
    case lost(reason: String)
  }

  /// The side.
  public var side: ObservedSide
  /// The change.
  public var change: Change

  /// Creates a change.
  public init(side: ObservedSide, _ change: Change) {
    self.side = side
    self.change = change
  }
}

/// Leases of orders whose state has changed at the same time.
public struct ObservedLeases: Hashable, Sendable {
  /// The change of a lease.
  public enum Change: String, Hashable, Sendable {
    /// The worker owns the order from now on.
    case claimed
    /// The worker owns the order for longer.
    case renewed
    /// Another worker has taken over the order, because the lease had ended.
    case lost
  }

  /// The change.
  public var change: Change
  /// The number of orders.
  public var count: Int

  /// Creates a change.
  public init(_ change: Change, count: Int) {
    self.change = change
    self.count = count
  }
}
