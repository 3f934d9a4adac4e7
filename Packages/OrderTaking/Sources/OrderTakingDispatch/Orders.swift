public import OrderTaking

/// An order that drivers can take, and the server's decision about it.
///
/// ```swift
/// OfferedOrder("7", details: #"{"stops": 2}"#, decidedAfter: .seconds(3))
/// ```
public struct OfferedOrder: Hashable, Sendable, Codable {
  public enum Verdict: Hashable, Sendable, Codable {
    case accept
    case decline(reason: String)
  }

  /// The name, which a URL can contain; create it from a text with `try OrderID(text)`.
  public var id: OrderID
  /// The JSON body of the response to `GET /orders/{id}` for the driver of the order.
  public var details: String
  public var verdict: Verdict
  /// The time that the decision takes.
  ///
  /// At zero, the response to the PUT contains the decision. Otherwise that response is *processing*.
  public var decidedAfter: Duration

  public init(
    _ id: OrderID, details: String = "{}", verdict: Verdict = .accept, decidedAfter: Duration = .zero
  ) {
    self.id = id
    self.details = details
    self.verdict = verdict
    self.decidedAfter = decidedAfter
  }
}

/// An order of a server, with the driver that has requested it.
public struct ServedOrder: Hashable, Sendable, Codable {
  /// The first intent for an order, which the server has recorded.
  public struct Taking: Hashable, Sendable, Codable {
    public var driver: DriverID
    public var key: IdempotencyKey
    public var body: [UInt8]
    /// The time of the first PUT, since 1970.
    public var begunAt: Duration
    /// The time of the decision, since 1970.
    public var dueAt: Duration
    public var answer: TakingAnswer
    /// The number of its push among all pushes to the driver; `nil` before the decision.
    public var cursor: UInt64?
  }

  public var offer: OfferedOrder
  public var taking: Taking?

  package init(_ offer: OfferedOrder, taking: Taking? = nil) {
    (self.offer, self.taking) = (offer, taking)
  }
}

/// The bearer tokens that a server accepts, and their drivers.
///
/// A driver may have several tokens. Tokens are compared by their bytes, in constant time. No description contains a token.
public struct DriverTokens: Hashable, Sendable {
  private var drivers: [[UInt8]: DriverID] = [:]

  public init() {}

  public mutating func add(_ token: String, for driver: DriverID) { drivers[Array(token.utf8)] = driver }

  public mutating func remove(_ token: String) { drivers[Array(token.utf8)] = nil }

  package func driver(of token: String?) -> DriverID? {
    guard let token = token.map({ Array($0.utf8) }) else { return nil }
    var driver: DriverID?
    for (known, owner) in drivers where Self.isEqual(token, known) { driver = owner }
    return driver
  }

  private static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension DriverTokens: ExpressibleByDictionaryLiteral {
  /// The last driver of a repeated token counts.
  public init(dictionaryLiteral elements: (String, DriverID)...) {
    for (token, driver) in elements { add(token, for: driver) }
  }
}

extension DriverTokens: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(drivers.count) tokens" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
