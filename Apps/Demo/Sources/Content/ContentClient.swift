internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import FuturesNetworkingCurl

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A client of the content server.
///
/// Closing it cancels the requests in flight.
///
/// The server is not trusted: the response size is limited, and credentials are not forwarded on redirects to another
/// origin.
struct ContentClient: Sendable {
  private let server: URLComponents?
  /// The credentials in the server's address, Base64-encoded.
  ///
  /// They are sent in a header, so that no error contains them.
  private let account: String?
  private let limit: Duration
  private let client: HTTPClient
  private let closing = Promise<Void, Never>()

  /// The maximum size of a response in bytes.
  static let byteLimit = 16 << 20

  init(server: URL, within limit: Duration) {
    var address = URLComponents(url: server, resolvingAgainstBaseURL: true)
    account = address?.user.map { Data("\($0):\(address?.password ?? "")".utf8).base64EncodedString() }
    address?.user = nil
    address?.password = nil
    address?.query = nil
    address?.fragment = nil
    self.server = address
    self.limit = limit
    var configuration = CurlConfiguration()
    configuration.maxConcurrentRequests = 16
    client = .curl(configuration)
  }

  /// Sends a GET request.
  ///
  /// - Parameters:
  ///   - path: The path segments. Each is percent-encoded, so that it stays one segment.
  ///   - query: The names and values of the query.
  ///   - session: The session of the user.
  func get<Value: Decodable & Sendable>(
    _ path: String..., query: KeyValuePairs<String, String> = [:], as session: Session? = nil
  ) -> Future<Value, ClientError> {
    guard var request = request(path, query) else { return Future(error: .notFound) }
    if let session { request.setValue("Bearer \(session.token)", forHTTPHeaderField: "Authorization") }
    return send(request, isItem: path.count > 1)
  }

  /// Sends a POST request with a JSON body.
  func post<Value: Decodable & Sendable>(_ path: String, _ body: some Encodable) -> Future<Value, ClientError> {
    guard var request = request([path], [:]) else { return Future(error: .notFound) }
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try? JSONEncoder().encode(body)
    return send(request)
  }

  /// Ends a session at the server.
  func logOut(_ session: Session) -> Future<LoggedOut, ClientError> {
    guard var request = request(["sessions"], [:]) else { return Future(error: .notFound) }
    request.httpMethod = "DELETE"
    request.setValue("Bearer \(session.token)", forHTTPHeaderField: "Authorization")
    return send(request)
  }

  /// Cancels the requests in flight and rejects new ones.
  func close() { closing.success(()) }

  /// Returns a request, or `nil` if a segment is empty, `.` or `..`.
  private func request(_ path: [String], _ query: KeyValuePairs<String, String>) -> URLRequest? {
    guard var address = server, !path.contains(where: { ["", ".", ".."].contains($0) }) else { return nil }
    let base = address.percentEncodedPath
    address.percentEncodedPath =
      (base.hasSuffix("/") ? String(base.dropLast()) : base) + path.map { "/" + $0.urlEncoded }.joined()
    if !query.isEmpty {
      address.percentEncodedQuery = query.map { "\($0.urlEncoded)=\($1.urlEncoded)" }.joined(separator: "&")
    }
    guard let url = address.url else { return nil }
    var request = URLRequest(url: url)
    if let account { request.setValue("Basic \(account)", forHTTPHeaderField: "Authorization") }
    return request
  }

  /// Sends a request, for one item or for a path that every content server has.
  private func send<Value: Decodable & Sendable>(
    _ request: URLRequest, isItem: Bool = false
  ) -> Future<Value, ClientError> {
    let missing: ClientError = isItem ? .notFound : .noPath(request.url?.path ?? "/")
    return
      client
      .dataFuture(for: request, within: HTTPLimits(whole: limit, bodyBytes: Self.byteLimit), until: closing.future)
      .mapError(immediateExecutionContext) { ClientError($0) }
      .flatMap(immediateExecutionContext) { data, response in
        response.statusCode == 404 ? .failure(missing) : Self.decode(data, status: response.statusCode)
      }
  }

  private static func decode<Value: Decodable>(_ data: Data, status: Int) -> Result<Value, ClientError> {
    switch status {
    case 200, 201: Result { try JSONDecoder().decode(Value.self, from: data) }.mapError { _ in .malformed }
    case 401: .failure(.logInNeeded)
    case 409: .failure(.taken)
    case 300..<400: .failure(.redirected)
    default: .failure(.status(status))
    }
  }
}

extension String {
  /// Percent-encodes all characters except letters, digits and `-._~`.
  fileprivate var urlEncoded: String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: plain)) ?? ""
  }
}

/// The empty response to `DELETE /sessions`.
struct LoggedOut: Codable, Sendable {}

/// The reason why a request to the content server failed.
enum ClientError: Error, Hashable, Sendable, CancellationRepresentable, CustomStringConvertible {
  case logInNeeded, notFound, taken, malformed, redirected, tooLarge, cancelled
  case noPath(String)
  case status(Int)
  case unreachable(String)

  static var cancellation: ClientError { .cancelled }

  init(_ error: NetworkError) {
    switch error.kind {
    case .cancelled: self = .cancelled
    case .notHTTP: self = .malformed
    case .tooLarge: self = .tooLarge
    default: self = .unreachable("\(error)")
    }
  }

  /// The reason, and what to do about it.
  var description: String {
    switch self {
    case .logInNeeded: "Log in to see this content."
    case .notFound: "The server has no item with this ID. Check the link."
    case .noPath(let path): "The server has no path \(path). Check --server."
    case .taken: "This name is already taken. Choose another name."
    case .malformed: "Cannot read the server's response. Check that the address belongs to a content server."
    case .redirected: "The server redirected a request that must not be redirected. Check the server's address."
    case .tooLarge:
      "The server's response is larger than \(ContentClient.byteLimit >> 20) MiB. Check that the address belongs to a content server."
    case .cancelled: "Cancelled."
    case .status(let status) where status == 405 || status == 501:
      "The server does not support this request (status \(status)). Check --server."
    // The same request can succeed later only after a timeout or a rate limit.
    case .status(let status) where (400..<500).contains(status) && ![408, 429].contains(status):
      "The server rejected the request with status \(status). Check the link, the input and --server."
    case .status(let status): "The server answered with status \(status). Try again."
    case .unreachable(let reason): reason
    }
  }
}
