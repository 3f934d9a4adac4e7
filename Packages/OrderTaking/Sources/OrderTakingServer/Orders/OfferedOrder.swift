/// An order that the server has to give away, and how it will decide about it.
///
/// ```swift
/// OfferedOrder("7", details: #"{"stops": 2}"#, decidedAfter: .seconds(3))
/// ```
public struct OfferedOrder: Hashable, Sendable {
  /// How the server decides when the first driver asks.
  public enum Verdict: Hashable, Sendable {
    /// It gives the order to that driver.
    case accept
    /// It gives it to nobody, for a reason.
    case decline(reason: String)
  }

  /// Its name in URLs: any text without a slash and a zero byte, but the empty one, `.` and `..`.
  ///
  /// Nobody can ask for an order with another name.
  public var id: String
  /// What `GET /orders/{id}` answers to the driver who has it: JSON.
  public var details: String
  /// How the server decides.
  public var verdict: Verdict
  /// How long the decision takes; at zero the answer to the PUT has it, otherwise that one says *processing*.
  public var decidedAfter: Duration

  /// Creates an order.
  public init(
    _ id: String, details: String = "{}", verdict: Verdict = .accept, decidedAfter: Duration = .zero
  ) {
    self.id = id
    self.details = details
    self.verdict = verdict
    self.decidedAfter = decidedAfter
  }
}
