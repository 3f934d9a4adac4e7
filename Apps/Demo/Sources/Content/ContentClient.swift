internal import Foundation
internal import Futures
internal import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Asks the content server, until it is closed, which ends the requests under way.
///
/// `@unchecked Sendable`: `lock` guards `isOpen`. Foundation ends the process when a request is made in a session that was
/// invalidated, so making one and closing take turns.
final class ContentClient: @unchecked Sendable {
  private let server: URL
  private let limit: Duration
  private let urlSession: URLSession
  private let closing = Promise<Void, Never>()
  private let lock = NSLock()
  private var isOpen = true

  init(server: URL, within limit: Duration) {
    self.server = server
    self.limit = limit
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 16
    // With a cache, requests that are cancelled would go on unseen on Linux.
    configuration.urlCache = nil
    urlSession = URLSession(configuration: configuration)
  }

  /// Gets something.
  func get<Value: Decodable & Sendable>(
    _ path: String, query: [URLQueryItem] = [], as session: Session? = nil
  ) -> Future<Value, ClientError> {
    var request = URLRequest(url: server.appending(path: path).appending(queryItems: query))
    if let session { request.setValue("Bearer \(session.token)", forHTTPHeaderField: "Authorization") }
    return send(request)
  }

  /// Sends something, and gets what comes of it.
  func post<Value: Decodable & Sendable>(_ path: String, _ body: some Encodable) -> Future<Value, ClientError> {
    var request = URLRequest(url: server.appending(path: path))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try? JSONEncoder().encode(body)
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
    default: .failure(.status(status))
    }
  }
}

/// Why the content server gave nothing.
enum ClientError: Error, Hashable, Sendable, CancellationRepresentable, CustomStringConvertible {
  case logInNeeded, notFound, taken, malformed, cancelled
  case status(Int)
  case unreachable(String)

  static var cancellation: ClientError { .cancelled }

  init(_ error: NetworkError) {
    switch error.kind {
    case .cancelled: self = .cancelled
    // The address was looked at before: what answers there does not speak HTTP.
    case .badURL: self = .malformed
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
    case .cancelled: "Cancelled."
    case .status(let status): "The server answered with status \(status). Try again."
    case .unreachable(let reason): reason
    }
  }
}
