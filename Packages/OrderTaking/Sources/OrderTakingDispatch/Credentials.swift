internal import OrderTaking

/// The drivers, by bearer token.
///
/// Only hashes of tokens are stored, so a printed value reveals no token. The time of a look-up does not depend on the number of
/// correct characters.
public struct Credentials: Hashable, Sendable {
  private var drivers: [RequestFingerprint: String] = [:]

  /// Creates credentials.
  ///
  /// - Parameter tokens: A driver's name for each token. A driver may have several tokens.
  public init(_ tokens: [String: String]) {
    for (token, driver) in tokens { drivers[RequestFingerprint(of: Array(token.utf8))] = driver }
  }

  /// Returns the driver of a token, or `nil` if the token is missing or unknown.
  public func driver(of token: String?) -> String? {
    token.flatMap { drivers[RequestFingerprint(of: Array($0.utf8))] }
  }
}

extension Credentials: ExpressibleByDictionaryLiteral {
  /// Creates credentials from tokens and drivers.
  ///
  /// The last driver of a repeated token counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
