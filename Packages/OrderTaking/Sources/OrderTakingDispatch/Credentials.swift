internal import OrderTaking

/// The drivers and their rights, by bearer token.
///
/// ```swift
/// var credentials: Credentials = ["secret": "ann"]
/// credentials.add("reader", for: Authorization(driver: "bob", scopes: [.readOrders]))
/// ```
///
/// Only hashes of tokens are stored. A hash reveals a token that can be guessed, so use random tokens. Hashes are compared in constant time, so the time of a
/// look-up does not depend on the number of correct characters.
public struct Credentials: Hashable, Sendable {
  private var authorizations: [RequestFingerprint: Authorization] = [:]

  /// Creates credentials whose tokens can read and take orders, and do not expire.
  ///
  /// A driver may have several tokens.
  public init(_ tokens: [String: String] = [:]) {
    for (token, driver) in tokens { add(token, for: Authorization(driver: driver)) }
  }

  public mutating func add(_ token: String, for authorization: Authorization) {
    authorizations[RequestFingerprint(of: Array(token.utf8))] = authorization
  }

  /// - Throws: ``Refusal/unknown`` if the token is missing or unknown, ``Refusal/expired(_:)`` at
  ///   ``Authorization/expiresAt`` or later.
  package func authorization(of token: String?, at now: Duration) throws(Refusal) -> Authorization {
    guard let token else { throw .unknown }
    let fingerprint = RequestFingerprint(of: Array(token.utf8))
    guard var authorization = authorizations[fingerprint] else { throw .unknown }
    authorization.tokenID = String(fingerprint.description.prefix(12))
    guard !authorization.hasExpired(at: now) else { throw .expired(authorization) }
    return authorization
  }

  package enum Refusal: Error, Hashable, Sendable {
    case unknown
    /// The token has expired. It had these rights.
    case expired(Authorization)
  }
}

extension Credentials: ExpressibleByDictionaryLiteral {
  /// The last driver of a repeated token counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

public struct Authorization: Hashable, Sendable {
  public enum Scope: String, Hashable, Sendable, CaseIterable {
    /// Read the open orders, the results and details of the driver's own orders, and their pushes.
    case readOrders = "read_orders"
    /// Take orders.
    ///
    /// An app that takes orders also needs ``readOrders``, to read their results.
    case takeOrders = "take_orders"
    case readMetrics = "read_metrics"
  }

  public var driver: String
  public var scopes: Set<Scope>
  /// The time since 1970 at which the token expires; `nil` if it does not expire.
  public var expiresAt: Duration?
  /// The first 12 hexadecimal digits of the SHA-256 of the token, for logs and rate limits.
  ///
  /// Empty in a value that does not come from ``Credentials``.
  package internal(set) var tokenID = ""

  public init(driver: String, scopes: Set<Scope> = [.readOrders, .takeOrders], expiresAt: Duration? = nil) {
    self.driver = driver
    self.scopes = scopes
    self.expiresAt = expiresAt
  }

  package func hasExpired(at now: Duration) -> Bool { expiresAt.map { now >= $0 } ?? false }
}
