/// An order that drivers can take, and the server's decision about it.
///
/// ```swift
/// OfferedOrder("7", details: #"{"stops": 2}"#, decidedAfter: .seconds(3))
/// ```
public struct OfferedOrder: Hashable, Sendable {
  public enum Verdict: Hashable, Sendable {
    case accept
    case decline(reason: String)
  }

  /// The name in URLs: any text without a slash and a zero byte, except the empty text, `.` and `..`.
  ///
  /// No request can name any other order.
  public var id: String
  /// The JSON body of the response to `GET /orders/{id}` for the driver of the order.
  public var details: String
  public var verdict: Verdict
  /// The time that the decision takes.
  ///
  /// At zero, the response to the PUT contains the decision. Otherwise that response is *processing*.
  public var decidedAfter: Duration

  public init(
    _ id: String, details: String = "{}", verdict: Verdict = .accept, decidedAfter: Duration = .zero
  ) {
    self.id = id
    self.details = details
    self.verdict = verdict
    self.decidedAfter = decidedAfter
  }
}
