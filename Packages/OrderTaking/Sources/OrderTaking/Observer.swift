/// Receives what takers, push clients, workers and servers report, for logs and metrics.
///
/// ```swift
/// let metrics = Metrics()
/// let observer = Observer.all(.lines { print($0) }, .counting(in: metrics))
/// let taker = OrderTaker(httpClient: http, pushClient: push, journal: journal, observer: observer)
/// ```
///
/// The closure is called on any thread, also concurrently; the events of one order come one at a time. It must return quickly,
/// and must not call back. No event contains a token.
public struct Observer: Sendable {
  public var receive: @Sendable (ObservedEvent) -> Void

  public init(receive: @escaping @Sendable (ObservedEvent) -> Void) {
    self.receive = receive
  }

  public static func all(_ observers: Observer...) -> Observer {
    Observer { event in for observer in observers { observer.receive(event) } }
  }

  /// Returns an observer that describes each event in one line of `key=value` pairs.
  ///
  /// ```
  /// request side=client route="PUT /orders/:id/taking" order=7 status=200 seconds=0.012
  /// retry order=7 pause=0.25
  /// ended order=7 outcome=accepted
  /// connection side=client change=lost reason="the server closed the channel: stopping"
  /// leases change=claimed count=12
  /// worker change=stopped
  /// ```
  ///
  /// Values are quoted and escaped if necessary, so a value cannot add a line or a pair. Writes to the journal have no line.
  ///
  /// - Parameter write: Receives each line, without its line feed, on any thread.
  public static func lines(_ write: @escaping @Sendable (String) -> Void) -> Observer {
    Observer { event in
      if let line = event.line { write(line) }
    }
  }

  public static func counting(in metrics: Metrics) -> Observer {
    Observer { metrics.count($0) }
  }
}

public enum ObservedEvent: Hashable, Sendable {
  /// A step of an operation.
  case progress(TakingProgress)
  /// A request that has ended.
  case request(ObservedRequest)
  case connection(ObservedConnection)
  case leases(LeaseChange, count: Int)
  case worker(WorkerChange)
}

/// An effect of the operation of one order.
public struct TakingProgress: Hashable, Sendable {
  public let order: OrderID
  public internal(set) var driver: DriverID?
  /// A time since 1970.
  public let at: Duration
  public let step: TakingEffect
}

public struct ObservedRequest: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    /// A client reports each success as 200.
    case status(Int)
    /// A client's request failed, or its response has a status of failure.
    case failed(HTTPError.Kind)
    /// A client cancelled the request, for example because a push brought the result.
    case cancelled
    case unanswered
  }

  public var side: ObservedSide
  /// The method and the path with placeholders, for example `PUT /orders/:id/taking`; `other` for a request without a route.
  public var route: String
  public var order: String?
  public var driver: String?
  public var result: Result
  /// For a server, the time from the complete request to the decision, including writes to the disk.
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

public enum ObservedSide: String, Hashable, Sendable {
  /// A taker or a push client.
  case client
  case server
}

/// A change of a push channel.
public struct ObservedConnection: Hashable, Sendable {
  public enum Change: Hashable, Sendable {
    /// For a client, the server has accepted the subscription. For a server, a client has connected.
    case opened
    /// A client does not report the end that it caused itself.
    case lost(reason: String)
  }

  public var side: ObservedSide
  public var driver: String?
  public var change: Change

  public init(side: ObservedSide, driver: String? = nil, _ change: Change) {
    self.side = side
    self.driver = driver
    self.change = change
  }
}

/// A change of an ``OrderWorker``.
public enum WorkerChange: Hashable, Sendable {
  case started
  case stopping(underWay: Int)
  /// `released` is the number of orders whose operations have not ended.
  case stopped(released: Int)
  /// An error that lasts is reported once.
  case storageFailed(JournalError)
  case storageRecovered
  /// The closure that receives results threw an error, so the result is delivered again.
  case notDelivered(OrderID, DriverID, error: String)
}

// MARK: Lines

extension ObservedEvent {
  fileprivate var line: String? {
    guard let (name, values) = values else { return nil }
    return values.reduce(name) { line, pair in pair.1.map { "\(line) \(pair.0)=\(Self.quoted($0))" } ?? line }
  }

  private var values: (String, [(String, String?)])? {
    switch self {
    case .progress(let progress):
      let name = [("order", progress.order.text), ("driver", progress.driver?.text)]
      switch progress.step {
      case .report(.retrying(let pause)): return ("retry", name + [("pause", pause.secondsText)])
      case .finish(let outcome):
        let failure = OrderTakingFailure(outcome)
        return ("ended", name + [("outcome", failure?.kind.rawValue ?? "accepted"), ("reason", failure?.reason)])
      // Each request is an event of its own when it ends.
      case .report(.failed): return nil
      case .report(let notice): return ("notice", name + [("notice", "\(notice)".replacing("OrderTaking.", with: ""))])
      default: return nil
      }
    case .request(let request):
      let values = [
        ("side", request.side.rawValue), ("route", request.route), ("order", request.order), ("driver", request.driver),
        ("status", request.result.label), ("seconds", request.duration.secondsText),
      ]
      return ("request", values)
    case .connection(let connection):
      let values = [("side", connection.side.rawValue), ("driver", connection.driver)]
      guard case .lost(let reason) = connection.change else { return ("connection", values + [("change", "opened")]) }
      return ("connection", values + [("change", "lost"), ("reason", reason)])
    case .leases(let change, let count): return ("leases", [("change", change.rawValue), ("count", "\(count)")])
    case .worker(.stopping(let count)): return ("worker", [("change", "stopping"), ("underWay", "\(count)")])
    case .worker(.stopped(let count)): return ("worker", [("change", "stopped"), ("released", "\(count)")])
    case .worker(.storageFailed(let error)): return ("worker", [("change", "storageFailed"), ("reason", "\(error)")])
    case .worker(.notDelivered(let order, let driver, let error)):
      let values = [("change", "notDelivered"), ("order", order.text), ("driver", driver.text), ("reason", error)]
      return ("worker", values)
    case .worker(let change): return ("worker", [("change", "\(change)")])
    }
  }

  private static func quoted(_ value: String) -> String {
    let isPlain = value.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      // The punctuation -./ before the digits, and the colon after them.
      case UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"): true
      default: false
      }
    }
    if isPlain, !value.isEmpty { return value }
    let escaped = value.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.controlsText: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}

extension ObservedRequest.Result {
  var label: String {
    switch self {
    case .status(let status): "\(status)"
    case .failed(let kind): kind.label
    case .cancelled: "cancelled"
    case .unanswered: "none"
    }
  }
}

extension Unicode.Scalar {
  package var controlsText: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension Duration {
  var secondsText: String { "\(self / .seconds(1))" }
}
