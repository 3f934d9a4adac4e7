internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import FuturesNetworkingCurl

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

struct ContentClient: Sendable {
  private let server: String
  private let limits: HTTPLimits
  private let client = HTTPClient.curl(CurlConfiguration())

  init(server: URL, within limit: Duration) {
    let address = server.absoluteString
    self.server = address.hasSuffix("/") ? String(address.dropLast()) : address
    limits = HTTPLimits(whole: limit)
  }

  /// Requests one item or a list.
  ///
  /// - Parameters:
  ///   - path: The path segments. Each is percent-encoded, so that it stays one segment.
  ///   - search: The text that the items contain.
  ///   - session: The session of the user.
  func get<Value: Decodable & Sendable>(
    _ path: String..., search: String? = nil, as session: Session? = nil
  ) -> Future<Value, NetworkError> {
    let query = search.map { "?q=" + $0.percentEncoded } ?? ""
    return send("GET", path.map(\.percentEncoded).joined(separator: "/") + query, as: session)
  }

  func logIn(_ credentials: Credentials) -> Future<Session, NetworkError> { send("POST", "sessions", credentials) }

  func signUp(_ credentials: Credentials) -> Future<Session, NetworkError> { send("POST", "accounts", credentials) }

  func logOut(_ session: Session) -> Future<LoggedOut, NetworkError> { send("DELETE", "sessions", as: session) }

  private func send<Value: Decodable & Sendable>(
    _ method: String, _ path: String, _ body: Credentials? = nil, as session: Session? = nil
  ) -> Future<Value, NetworkError> {
    guard let url = URL(string: "\(server)/\(path)") else { return Future(error: NetworkError(.badURL)) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let session { request.setValue("Bearer \(session.token)", forHTTPHeaderField: "Authorization") }
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try? JSONEncoder().encode(body)
    }
    return client.jsonFuture(of: Value.self, for: request, within: limits)
  }
}

extension String {
  fileprivate var percentEncoded: String {
    addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

/// The empty response to a log-out.
struct LoggedOut: Codable, Sendable {}

extension NetworkError {
  /// Whether the server requires a log-in, or refuses its name or password.
  var isUnauthorized: Bool { statusCode == 401 }
}
