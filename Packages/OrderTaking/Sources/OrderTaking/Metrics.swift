/// Counts what an ``Observer`` receives, for a monitoring system.
///
/// ```swift
/// let metrics = Metrics()
/// let taker = OrderTaker(httpClient: http, journal: journal, observer: .counting(in: metrics))
/// print(metrics.text)  // order_taking_requests_total{status="200"} 1 …
/// ```
///
/// No label names an order or a driver, so the memory does not grow with their number.
public final class Metrics: Sendable {
  private static let counters = [
    ("requests_total", "Requests that have ended."), ("retries_total", "Retries that were scheduled."),
    ("push_connections_total", "Push connections that were opened or lost."),
    ("leases_total", "Leases of orders that were claimed, renewed or lost."),
    ("delivery_errors_total", "Results that a worker could not deliver."),
  ]

  /// The counts of each counter by its label.
  private let counts = Locked<[String: [String: Int]]>(["retries_total": ["": 0], "delivery_errors_total": ["": 0]])

  public init() {}

  func count(_ event: ObservedEvent) {
    switch event {
    case .progress(let progress): if case .report(.retrying) = progress.step { add(1, "retries_total") }
    case .request(let request): add(1, "requests_total", "status=\"\(request.result.label)\"")
    case .connection(let connection):
      add(1, "push_connections_total", "change=\"\(connection.change == .opened ? "opened" : "lost")\"")
    case .leases(let change, let count): add(count, "leases_total", "change=\"\(change.rawValue)\"")
    case .worker(.notDelivered): add(1, "delivery_errors_total")
    case .worker: break
    }
  }

  private func add(_ count: Int, _ name: String, _ label: String = "") {
    counts.withLock { $0[name, default: [:]][label, default: 0] += count }
  }

  /// The counters in the text format of Prometheus, version 0.0.4, sorted by their labels.
  public var text: String {
    let counts = counts.withLock { $0 }
    return Self.counters.map { name, help in
      Self.metric(name, "counter", help, (counts[name] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }.joined()
  }

  static func metric(
    _ name: String, _ type: String, _ help: String, _ samples: [(label: String, value: any CustomStringConvertible)]
  ) -> String {
    guard !samples.isEmpty else { return "" }
    let name = "order_taking_\(name)"
    let lines = samples.map { "\(name)\($0.label.isEmpty ? "" : "{\($0.label)}") \($0.value)\n" }
    return "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n" + lines.joined()
  }
}
