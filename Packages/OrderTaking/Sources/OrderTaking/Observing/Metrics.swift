/// Counts what an ``Observer`` receives, for a monitoring system.
///
/// ```swift
/// let metrics = Metrics()
/// let taker = OrderTaker(httpClient: http, journal: journal, observer: .counting(in: metrics))
/// print(metrics.text)  // order_taking_requests_total{side="client",route="PUT /orders/:id/taking",status="200"} 1 …
/// ```
///
/// No label names an order or a driver, so the memory does not grow with their number. You can use every member from any thread.
public final class Metrics: Sendable {
  private struct Durations {
    /// The number of requests in each bucket, not cumulative.
    var counts = [Int](repeating: 0, count: Metrics.bounds.count + 1)
    var sum = Duration.zero
  }

  private struct State {
    var requests: [String: Int] = [:]
    var durations: [String: Durations] = [:]
    var retries = 0
    var opened: [String: Int] = [:]
    var lost: [String: Int] = [:]
    var leases: [String: Int] = [:]
  }

  /// The upper bounds of the histogram, in seconds.
  private static let bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30]

  private let state = Locked(State())

  public init() {}

  func count(_ request: ObservedRequest) {
    let labels = "side=\"\(request.side.rawValue)\",route=\"\(Self.escaped(request.route))\""
    let index = Self.bounds.firstIndex { request.duration <= .seconds($0) } ?? Self.bounds.count
    state.withLock { state in
      state.requests["\(labels),status=\"\(request.result.label)\"", default: 0] += 1
      state.durations[labels, default: Durations()].counts[index] += 1
      state.durations[labels, default: Durations()].sum += request.duration
    }
  }

  func countRetry() { state.withLock { $0.retries += 1 } }

  func count(_ connection: ObservedConnection) {
    let labels = "side=\"\(connection.side.rawValue)\""
    state.withLock { state in
      switch connection.change {
      case .opened: state.opened[labels, default: 0] += 1
      case .lost: state.lost[labels, default: 0] += 1
      }
    }
  }

  func count(_ leases: ObservedLeases) {
    state.withLock { $0.leases["change=\"\(leases.change.rawValue)\"", default: 0] += leases.count }
  }

  /// The counters in the text format of Prometheus, version 0.0.4, sorted.
  public var text: String {
    let state = state.withLock { $0 }
    let durations = state.durations.sorted { $0.key < $1.key }.flatMap { Self.histogram($0.key, $0.value) }
    return Self.counter("requests_total", "Requests that have ended.", state.requests)
      + Self.metric("request_seconds", "histogram", "Durations of requests.", durations)
      + Self.metric(
        "retries_total", "counter", "Retries that were scheduled.", ["retries_total \(state.retries)"])
      + Self.counter("push_connections_opened_total", "Push connections that were opened.", state.opened)
      + Self.counter("push_connections_lost_total", "Push connections that ended or were not made.", state.lost)
      + Self.counter("leases_total", "Leases of orders that were claimed, renewed or lost.", state.leases)
  }

  private static func counter(_ name: String, _ help: String, _ counts: [String: Int]) -> String {
    metric(name, "counter", help, counts.sorted { $0.key < $1.key }.map { "\(name){\($0.key)} \($0.value)" })
  }

  private static func metric(_ name: String, _ type: String, _ help: String, _ samples: [String]) -> String {
    guard !samples.isEmpty else { return "" }
    let lines = ["# HELP order_taking_\(name) \(help)", "# TYPE order_taking_\(name) \(type)"]
    return (lines + samples.map { "order_taking_\($0)" }).map { $0 + "\n" }.joined()
  }

  private static func histogram(_ labels: String, _ durations: Durations) -> [String] {
    var total = 0
    var lines: [String] = []
    for (bound, count) in zip(bounds.map { "\($0)" } + ["+Inf"], durations.counts) {
      total += count
      lines.append("request_seconds_bucket{\(labels),le=\"\(bound)\"} \(total)")
    }
    return lines + [
      "request_seconds_sum{\(labels)} \(durations.sum.secondsText)", "request_seconds_count{\(labels)} \(total)",
    ]
  }

  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.map { ["\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\r": "\\r"][$0] ?? String($0) }.joined()
  }
}

extension Observer {
  public static func counting(in metrics: Metrics) -> Observer {
    Observer(
      requestEnded: { metrics.count($0) }, retryScheduled: { _ in metrics.countRetry() },
      connectionChanged: { metrics.count($0) }, leasesChanged: { metrics.count($0) })
  }
}
