internal import Foundation
internal import OrderTaking
internal import OrderTakingDispatch

/// The audit log of a server: who tried to take which order, and with what result.
///
/// A server records each request to take an order before it responds and before it sends a push, in the order of its
/// decisions. It also records each later decision about an order that was being processed. It omits requests that are
/// not processed: malformed requests, requests beyond a rate limit, and simulated failures.
public struct AuditLog: Sendable {
  /// The server calls it one entry at a time, on a thread that may wait for the disk.
  public var record: @Sendable (AuditEntry) throws(OrderStoreError) -> Void

  public init(record: @escaping @Sendable (AuditEntry) throws(OrderStoreError) -> Void) {
    self.record = record
  }
}

public struct AuditEntry: Hashable, Sendable {
  /// The time since 1970, on the server's clock.
  public var at: Duration
  public var order: String
  /// The result: `accepted`, `processing`, `declined`, or the code of an error such as `unauthorized`.
  public var result: String
  /// The status of the response; `nil` for a later decision.
  public var status: Int?
  /// The driver, also of an expired token; `nil` if the token is missing or unknown.
  public var driver: String?
  /// The first digits of the SHA-256 of the token; `nil` if the token is missing or unknown, and for a later decision.
  public var tokenID: String?
  public var key: String?
  /// The IP address of the client; `nil` for a later decision.
  public var address: String?

  public init(
    at: Duration, order: String, result: String, status: Int? = nil, driver: String? = nil, tokenID: String? = nil,
    key: String? = nil, address: String? = nil
  ) {
    self.at = at
    self.order = order
    self.result = result
    self.status = status
    self.driver = driver
    self.tokenID = tokenID
    self.key = key
    self.address = address
  }

  /// The entry as JSON with sorted keys, without a line feed and control characters.
  ///
  /// For example `{"address":"127.0.0.1","at":"2026-11-25T03:12:01.123Z","driver":"ann",…}`. `token_hash` is ``tokenID``.
  public var json: String {
    struct Line: Encodable {
      let address: String?
      let at: String
      let driver: String?
      let key: String?
      let order: String
      let result: String
      let status: Int?
      let tokenHash: String?

      enum CodingKeys: String, CodingKey {
        case address, at, driver, key, order, result, status
        case tokenHash = "token_hash"
      }
    }
    let time = Date(timeIntervalSince1970: at / .seconds(1))
    let line = JSONText.of(
      Line(
        address: address, at: time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), driver: driver,
        key: key, order: order, result: result, status: status, tokenHash: tokenID))
    return line.unicodeScalars.map { $0.controlsText ? Self.escaped($0) : String($0) }.joined()
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
