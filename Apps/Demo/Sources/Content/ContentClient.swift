internal import Foundation
internal import Futures
internal import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Asks the content server, until it is closed, which ends the requests under way.
///
/// A server that somebody names is a stranger: its answers have a largest size, and a log-in goes to nobody else. Against an
/// answer that ends inside its header a URL session can do nothing: on Linux, Foundation ends the process then.
///
/// `@unchecked Sendable`: `lock` guards `isOpen`. Foundation ends the process when a request is made in a session that was
/// invalidated, so making one and closing take turns.
final class ContentClient: @unchecked Sendable {
  private let server: URLComponents?
  /// What the server's own address says of a name and a password; in a header, so that no error shows them.
  private let account: String?
  private let limit: Duration
  private let urlSession: URLSession
  private let closing = Promise<Void, Never>()
  private let lock = NSLock()
  private var isOpen = true

  /// How many bytes an answer may have: more than a screen can be made of.
  static let mostBytes = 16 << 20

  init(server: URL, within limit: Duration) {
    var address = URLComponents(url: server, resolvingAgainstBaseURL: true)
    account = address?.user.map { Data("\($0):\(address?.password ?? "")".utf8).base64EncodedString() }
    address?.user = nil
    address?.password = nil
    address?.query = nil
    address?.fragment = nil
    self.server = address
    self.limit = limit
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 16
    // With a cache, requests that are cancelled would go on unseen on Linux.
    configuration.urlCache = nil
    // Many people share this client; what tells them apart is their session, and nothing that a server puts into a jar.
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    urlSession = URLSession(
      configuration: configuration, delegate: TransferGuard(mostBytes: Self.mostBytes), delegateQueue: nil)
  }

  /// Gets something.
  ///
  /// - Parameters:
  ///   - path: The segments, each as it is: whatever a link names, it is one segment of what is asked for.
  ///   - query: Names and values.
  ///   - session: Who asks.
  func get<Value: Decodable & Sendable>(
    _ path: String..., query: KeyValuePairs<String, String> = [:], as session: Session? = nil
  ) -> Future<Value, ClientError> {
    guard var request = request(path, query) else { return Future(error: .notFound) }
    if let session { request.setValue("Bearer \(session.token)", forHTTPHeaderField: "Authorization") }
    return send(request)
  }

  /// Sends something, and gets what comes of it.
  func post<Value: Decodable & Sendable>(_ path: String, _ body: some Encodable) -> Future<Value, ClientError> {
    guard var request = request([path], [:]) else { return Future(error: .notFound) }
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try? JSONEncoder().encode(body)
    return send(request)
  }

  /// Tells the server that a session is over.
  func logOut(_ session: Session) -> Future<LoggedOut, ClientError> {
    guard var request = request(["sessions"], [:]) else { return Future(error: .notFound) }
    request.httpMethod = "DELETE"
    request.setValue("Bearer \(session.token)", forHTTPHeaderField: "Authorization")
    return send(request)
  }

  /// Ends the requests under way, and takes no more.
  func close() {
    let wasOpen = lock.withLock {
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    closing.success(())
    urlSession.finishTasksAndInvalidate()
  }

  /// A request, or nothing where a segment would lead elsewhere than into the one before it.
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

  private func send<Value: Decodable & Sendable>(_ request: URLRequest) -> Future<Value, ClientError> {
    let answer = lock.withLock {
      isOpen
        ? urlSession.dataFuture(for: request, within: limit, until: closing.future)
        : Future(error: NetworkError.cancellation)
    }
    return
      answer
      .mapError(immediateExecutionContext) { ClientError($0) }
      .flatMap(immediateExecutionContext) { data, response in
        Self.decode(data, status: (response as? HTTPURLResponse)?.statusCode ?? 200)
      }
  }

  private static func decode<Value: Decodable>(_ data: Data, status: Int) -> Result<Value, ClientError> {
    switch status {
    case 200, 201: Result { try JSONDecoder().decode(Value.self, from: data) }.mapError { _ in .malformed }
    case 401: .failure(.logInNeeded)
    case 404: .failure(.notFound)
    case 409: .failure(.taken)
    case 300..<400: .failure(.redirected)
    default: .failure(.status(status))
    }
  }
}

extension String {
  /// All but letters, digits and `-._~` as percent escapes, so that it means only itself wherever it stands.
  fileprivate var urlEncoded: String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: plain)) ?? ""
  }
}

/// What the server says to a session's end: nothing.
struct LoggedOut: Codable, Sendable {}

/// Why the content server gave nothing.
enum ClientError: Error, Hashable, Sendable, CancellationRepresentable, CustomStringConvertible {
  case logInNeeded, notFound, taken, malformed, redirected, tooLarge, cancelled
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

  /// What happened, and what to do.
  var description: String {
    switch self {
    case .logInNeeded: "Only who is logged in may see this."
    case .notFound: "There is nothing of this name."
    case .taken: "Somebody has this name already. Take another one."
    case .malformed: "The server's answer cannot be read. Is it a content server?"
    case .redirected: "The server sends this elsewhere, where it was not sent. Check the server's address."
    case .tooLarge:
      "The server's answer has more than \(ContentClient.mostBytes >> 20) MiB, the most that is read. Is it a content server?"
    case .cancelled: "Cancelled."
    case .status(let status): "The server answered with status \(status). Try again."
    case .unreachable(let reason): reason
    }
  }
}
