public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Why a request got no response.
///
/// A response with a status such as 500 is a response: it is not reported here.
public struct NetworkError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it was.
  ///
  /// More kinds may come: compare with the ones that you know.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    fileprivate enum Code {
      case cannotConnect, cannotFindHost, connectionLost, notHTTP, badURL, timedOut, tooLarge, cancelled, other
    }
    fileprivate let code: Code

    /// Nothing accepts connections at the address.
    public static let cannotConnect = Kind(code: .cannotConnect)
    /// The host's name has no address.
    public static let cannotFindHost = Kind(code: .cannotFindHost)
    /// The connection ended before the whole answer was there.
    public static let connectionLost = Kind(code: .connectionLost)
    /// What answers at the address does not speak HTTP.
    public static let notHTTP = Kind(code: .notHTTP)
    /// The URL is not one that can be loaded.
    public static let badURL = Kind(code: .badURL)
    /// The time allowed for the request was over.
    public static let timedOut = Kind(code: .timedOut)
    /// The answer has more bytes than a ``TransferGuard`` lets through.
    public static let tooLarge = Kind(code: .tooLarge)
    /// The request, its session, or the task that waited for it was cancelled.
    public static let cancelled = Kind(code: .cancelled)
    /// Anything else; ``NetworkError/underlying`` tells more.
    public static let other = Kind(code: .other)

    /// The kind's name.
    public var description: String { "\(code)" }
  }

  /// What kind of failure it was.
  public let kind: Kind

  /// The request's method, such as `GET`.
  public let method: String

  /// What was asked for.
  public let url: URL?

  /// The time that was allowed, when that was over.
  public let limit: Duration?

  /// The most bytes that the answer might have, when it has more.
  public let mostBytes: Int?

  /// What the system reported, if it was the system.
  public let underlying: URLError?

  private init(_ kind: Kind) {
    self.kind = kind
    method = "GET"
    url = nil
    limit = nil
    mostBytes = nil
    underlying = nil
  }

  init(
    _ kind: Kind, request: URLRequest, limit: Duration? = nil, mostBytes: Int? = nil, underlying: URLError? = nil
  ) {
    self.kind = kind
    self.method = request.httpMethod ?? "GET"
    self.url = request.url
    self.limit = limit
    self.mostBytes = mostBytes
    self.underlying = underlying
  }

  init(_ error: (any Error)?, request: URLRequest) {
    let underlying = error as? URLError
    let kind: Kind =
      switch underlying?.code {
      case .cannotConnectToHost?, .notConnectedToInternet?: .cannotConnect
      case .cannotFindHost?, .dnsLookupFailed?: .cannotFindHost
      // A body that ends too soon is reported as unknown (-1).
      case .networkConnectionLost?, .badServerResponse?, .cannotParseResponse?, .unknown?: .connectionLost
      // On Linux an answer that is not HTTP is reported as a URL that is not supported.
      case .unsupportedURL? where request.url.map(isHTTP) == true: .notHTTP
      case .badURL?, .unsupportedURL?: .badURL
      case .timedOut?: .timedOut
      case .cancelled?: .cancelled
      default: .other
      }
    self.init(kind, request: request, underlying: underlying)
  }

  /// What was tried, what came back, and what to do; a user name and a password in the URL are left out.
  public var description: String {
    let attempt = "\(method) \(url.map(withoutCredentials) ?? "(no URL)")"
    switch kind.code {
    case .cannotConnect:
      return "\(attempt): nothing accepts connections there. Start the server, or check the host and the port."
    case .cannotFindHost:
      return "\(attempt): the host's name has no address. Check how it is spelled, and the network."
    case .connectionLost:
      return "\(attempt): the connection ended before the whole answer was there. Try again."
    case .notHTTP:
      return "\(attempt): what answers there does not speak HTTP. Check the host and the port."
    case .badURL where url?.host?.contains(":") == true:
      // As Foundation on Linux is built.
      return "\(attempt): an IPv6 address cannot be loaded here. Give the host's name, or its IPv4 address."
    case .badURL:
      return "\(attempt): this is not a URL that can be loaded. Give one such as http://127.0.0.1:8080."
    case .timedOut:
      let limit = limit.map { "within \($0)" } ?? "in time"
      return "\(attempt): no whole answer \(limit). Try again, or allow more time."
    case .tooLarge:
      let most = mostBytes.map { "more than \($0) bytes" } ?? "too many bytes"
      return "\(attempt): the answer has \(most), the most that is taken. Ask for less, or allow more."
    case .cancelled:
      return "\(attempt): cancelled."
    case .other:
      return "\(attempt): \(underlying?.localizedDescription ?? "no response and no error"). Try again."
    }
  }
}

extension NetworkError: CancellationRepresentable {
  /// The error of something that was cancelled and of which nobody knows which request it was.
  public static var cancellation: NetworkError { NetworkError(.cancelled) }
}

/// Errors are shown and kept in logs, where no password belongs.
private func withoutCredentials(_ url: URL) -> String {
  guard url.user != nil || url.password != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
  else {
    return url.absoluteString
  }
  (parts.user, parts.password) = (nil, nil)
  return parts.string ?? "(a URL with credentials)"
}

private func isHTTP(_ url: URL) -> Bool {
  url.host?.isEmpty == false && ["http", "https"].contains(url.scheme?.lowercased())
}
