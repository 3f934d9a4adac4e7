internal import OrderTaking

/// Which bearer token stands for which driver.
///
/// Tokens are kept as hashes: nothing that prints this value tells one, and how long a look-up takes says nothing about how
/// much of a guess was right.
public struct Credentials: Hashable, Sendable {
  private var drivers: [BodyHash: String] = [:]

  /// Creates credentials.
  ///
  /// - Parameter tokens: A driver's name for each token. A driver may have several.
  public init(_ tokens: [String: String]) {
    for (token, driver) in tokens { drivers[BodyHash(of: Array(token.utf8))] = driver }
  }

  /// Whose token it is; `nil` for no token and for one that nobody has.
  public func driver(of token: String?) -> String? {
    token.flatMap { drivers[BodyHash(of: Array($0.utf8))] }
  }
}

extension Credentials: ExpressibleByDictionaryLiteral {
  /// Creates credentials from tokens and drivers; of the same token twice, the last counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
