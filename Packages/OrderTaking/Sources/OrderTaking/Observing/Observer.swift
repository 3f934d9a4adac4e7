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
  public var requestEnded: @Sendable (ObservedRequest) -> Void
  public var retryScheduled: @Sendable (ObservedRetry) -> Void
  public var connectionChanged: @Sendable (ObservedConnection) -> Void
  public var leasesChanged: @Sendable (ObservedLeases) -> Void

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

  public static func all(_ observers: Observer...) -> Observer {
    Observer(
      requestEnded: { request in for observer in observers { observer.requestEnded(request) } },
      retryScheduled: { retry in for observer in observers { observer.retryScheduled(retry) } },
      connectionChanged: { connection in for observer in observers { observer.connectionChanged(connection) } },
      leasesChanged: { leases in for observer in observers { observer.leasesChanged(leases) } })
  }
}

public enum ObservedSide: String, Hashable, Sendable {
  /// A taker or a push client.
  case client
  case server
}

public struct ObservedRequest: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    /// A client reports each success as 200.
    case status(Int)
    /// A client's request failed, or its response has a status of failure.
    case failed(HTTPError.Kind)
    /// A client cancelled the request, for example because a push brought the result.
    case cancelled
    /// A server sent no response, because of a simulated fault.
    case unanswered
  }

  public var side: ObservedSide
  /// The method and the path with placeholders, for example `PUT /orders/:id/taking`; `other` for a request without a route.
  public var route: String
  public var order: String?
  public var driver: String?
  public var result: Result
  /// The time from the start of the request to its end.
  ///
  /// A server measures the time from the complete request to the complete decision, including writes to the disk.
  public var duration: Duration

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
  var route: String {
    switch self {
    case .put: "PUT /orders/:id/taking"
    case .get: "GET /orders/:id/taking"
    case .details: "GET /orders/:id"
    }
  }
}

public struct ObservedRetry: Hashable, Sendable {
  public var order: String
  public var pause: Duration

  public init(order: String, pause: Duration) {
    self.order = order
    self.pause = pause
  }
}

public struct ObservedConnection: Hashable, Sendable {
  public enum Change: Hashable, Sendable {
    /// For a client, the server has accepted the subscription. For a server, a client has connected, and may not have
    /// subscribed yet.
    case opened
    /// A client does not report the end that it caused itself. A server reports each end.
    case lost(reason: String)
  }

  public var side: ObservedSide
  public var change: Change

  public init(side: ObservedSide, _ change: Change) {
    self.side = side
    self.change = change
  }
}

/// Leases of orders whose state has changed at the same time.
public struct ObservedLeases: Hashable, Sendable {
  public enum Change: String, Hashable, Sendable {
    case claimed
    case renewed
    /// Another worker has taken over the order, because the lease had ended.
    case lost
  }

  public var change: Change
  public var count: Int

  public init(_ change: Change, count: Int) {
    self.change = change
    self.count = count
  }
}
