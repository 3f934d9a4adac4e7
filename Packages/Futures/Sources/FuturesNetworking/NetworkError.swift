public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The reason why a request failed.
///
/// A response with an error status such as 500 is a `NetworkError` only for `jsonFuture`.
public struct NetworkError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A kind of failure.
  ///
  /// Later versions may add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    fileprivate enum Code {
      case cannotConnect, cannotFindHost, secureConnectionFailed, connectionLost, notHTTP, badURL, invalidRequest
      case timedOut, tooLarge, tooManyRedirects, tooManyOpenFiles, badStatus, invalidJSON, cancelled, other
    }
    fileprivate let code: Code

    /// The server cannot be reached: nothing accepts connections, or this device has no network.
    public static let cannotConnect = Kind(code: .cannotConnect)
    /// This process has no free file descriptor for a connection.
    public static let tooManyOpenFiles = Kind(code: .tooManyOpenFiles)
    public static let cannotFindHost = Kind(code: .cannotFindHost)
    /// The TLS handshake failed, for example because the certificate is not trusted.
    public static let secureConnectionFailed = Kind(code: .secureConnectionFailed)
    /// The connection closed before the response was complete.
    public static let connectionLost = Kind(code: .connectionLost)
    /// The server does not speak HTTP, or its response is not valid HTTP.
    public static let notHTTP = Kind(code: .notHTTP)
    public static let badURL = Kind(code: .badURL)
    /// The request cannot be sent, for example because a header field contains a line break.
    public static let invalidRequest = Kind(code: .invalidRequest)
    public static let timedOut = Kind(code: .timedOut)
    /// The response is larger than the limit of the request or of a ``TransferGuard``.
    public static let tooLarge = Kind(code: .tooLarge)
    public static let tooManyRedirects = Kind(code: .tooManyRedirects)
    /// The status of the response to a `jsonFuture` is not 2xx.
    public static let badStatus = Kind(code: .badStatus)
    /// The body of the response to a `jsonFuture` is not JSON of the expected type.
    public static let invalidJSON = Kind(code: .invalidJSON)
    /// The request, its session, or the waiting task was cancelled.
    public static let cancelled = Kind(code: .cancelled)
    public static let other = Kind(code: .other)

    public var description: String { "\(code)" }
  }

  public enum Phase: Sendable, Hashable {
    /// The server has not received the request.
    ///
    /// With TLS 1.3, a server that refuses the client's certificate may have received bytes, but does not read them.
    case connecting
    /// A part of the request, or all of it, may have been sent.
    case sending
    /// A part of the response has been received.
    case receiving
  }

  public let kind: Kind

  public let phase: Phase

  /// Whether the server may have received the request, so that repeating it may repeat its effect.
  public var mayHaveReachedServer: Bool { phase != .connecting }

  public let method: String

  public let url: URL?

  public let limit: Duration?

  /// The maximum size of the response's header or body in bytes, if it was exceeded.
  public let byteLimit: Int?

  public let statusCode: Int?

  public let jsonProblem: String?

  /// The details that the system or the HTTP library has reported, for people.
  public let reason: String?

  public let underlying: URLError?

  /// Creates an error, for example in a client for a test.
  ///
  /// If `phase` is `nil` and the kind does not decide it, the request counts as sent.
  public init(
    _ kind: Kind, request: URLRequest? = nil, phase: Phase? = nil, limit: Duration? = nil, byteLimit: Int? = nil,
    statusCode: Int? = nil, jsonProblem: String? = nil, reason: String? = nil, underlying: URLError? = nil
  ) {
    self.kind = kind
    self.phase = phase ?? kind.assumedPhase
    self.reason = reason ?? underlying?.localizedDescription
    self.method = request?.httpMethod ?? "GET"
    self.url = request?.url
    self.limit = limit
    self.byteLimit = byteLimit
    self.statusCode = statusCode
    self.jsonProblem = jsonProblem
    self.underlying = underlying
  }

  init(_ error: (any Error)?, request: URLRequest) {
    let underlying = error as? URLError
    let kind: Kind =
      switch underlying?.code {
      case .cannotConnectToHost?, .notConnectedToInternet?: .cannotConnect
      case .cannotFindHost?, .dnsLookupFailed?: .cannotFindHost
      case .secureConnectionFailed?, .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
        .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?, .clientCertificateRejected?,
        .clientCertificateRequired?:
        .secureConnectionFailed
      // Linux reports TLS failures, local failures and truncated bodies as unknown (-1). Only the text differs.
      case .unknown? where request.url?.scheme?.lowercased() == "https" && Self.isAboutTLS(underlying):
        .secureConnectionFailed
      case .unknown? where underlying?.localizedDescription.contains("Couldn't connect") == true: .other
      case .networkConnectionLost?, .badServerResponse?, .cannotParseResponse?, .unknown?: .connectionLost
      // Linux reports a response that is not HTTP as an unsupported URL.
      case .unsupportedURL? where request.url.map(isHTTP) == true: .notHTTP
      case .badURL?, .unsupportedURL?: .badURL
      case .timedOut?: .timedOut
      case .httpTooManyRedirects?: .tooManyRedirects
      case .cancelled?: .cancelled
      default: .other
      }
    self.init(kind, request: request, underlying: underlying)
  }

  private static func isAboutTLS(_ error: URLError?) -> Bool {
    let text = error?.localizedDescription.lowercased() ?? ""
    return ["ssl", "tls", "certificate"].contains { text.contains($0) }
  }

  /// The failed request, the reason and the next step, without the user name and password of the URL.
  public var description: String {
    let attempt = "Cannot \(escaped(method)) \(url.map(withoutCredentials) ?? "(no URL)")"
    switch kind.code {
    case .cancelled where url == nil:
      return "Cannot complete the request: it was cancelled. Send it again if you need the response."
    case .cannotConnect where reason?.hasPrefix("the proxy") == true:
      return "\(attempt): \(reason ?? "")"
    case .cannotConnect:
      return "\(attempt): nothing accepts connections there. Start the server, or check the host and the port."
    case .tooManyOpenFiles:
      return "\(attempt): this process has too many open files. Raise the limit with 'ulimit -n'."
    case .cannotFindHost where reason?.contains("proxy") == true:
      return "\(attempt): the proxy's host name has no address. Check the variables http_proxy and https_proxy."
    case .cannotFindHost:
      return "\(attempt): the host name has no address. Check its spelling, and the network."
    case .secureConnectionFailed:
      // The advice depends on the reason, which libcurl knows better than the URL session.
      if let reason, underlying == nil { return "\(attempt): the TLS connection failed: \(reason)" }
      let reason = reason.map { " (\($0))" } ?? ""
      return
        "\(attempt): the TLS connection failed\(reason). Check the server's certificate, and that its port uses TLS."
    case .connectionLost where phase == .connecting:
      return "\(attempt): the connection closed during the TLS handshake. Try again."
    case .connectionLost:
      // A reason that is a sentence ends with its own advice.
      if let reason, reason.hasSuffix(".") { return "\(attempt): \(reason)" }
      return "\(attempt): the connection closed before the response was complete. Try again."
    case .notHTTP:
      let otherProtocol = "the server does not speak HTTP"
      let problem = underlying == nil ? reason ?? otherProtocol : otherProtocol
      let next = problem == otherProtocol ? "Check the host and the port." : "Correct the server's response."
      return "\(attempt): \(problem). \(next)"
    case .badURL where underlying != nil && url?.host?.contains(":") == true:
      return "\(attempt): Foundation on Linux loads no IPv6 addresses. Use the host name, or its IPv4 address."
    case .badURL where reason != nil && underlying == nil:
      return "\(attempt): \(reason ?? ""). Correct the address."
    case .badURL:
      return "\(attempt): the URL is invalid or not supported. Use a URL such as http://127.0.0.1:8080."
    case .invalidRequest:
      return "\(attempt): \(reason ?? "the request is invalid")."
    case .timedOut:
      let limit = limit.map { "within \($0)" } ?? "within the time limit"
      let missing = phase == .connecting ? "no connection" : "no complete response"
      return "\(attempt): \(missing) \(limit). Try again, or allow more time."
    case .tooManyRedirects:
      return "\(attempt): too many HTTP redirects. Check the address, or correct the server's redirects."
    case .tooLarge where reason != nil:
      return "\(attempt): \(reason ?? "")"
    case .tooLarge:
      let size = byteLimit.map { "larger than \($0) bytes" } ?? "too large"
      return "\(attempt): the response is \(size). Request less data, or raise the limit."
    case .badStatus:
      return "\(attempt): the response has status \(statusCode ?? 0) instead of 2xx. Check the URL and the request."
    case .invalidJSON:
      return "\(attempt): the body is not the expected JSON: \(jsonProblem ?? "unknown problem"). "
        + "Correct the server's response or the type that is decoded."
    case .cancelled:
      return "\(attempt): the request was cancelled. Send it again if you need the response."
    case .other where underlying?.code == .unknown:
      let reason = underlying?.localizedDescription ?? ""
      return "\(attempt): this process cannot open a connection (\(reason)). "
        + "Check the network, and the limit of open files with 'ulimit -n'."
    case .other:
      return "\(attempt): \(reason ?? "no response and no error"). Try again."
    }
  }
}

extension NetworkError.Kind {
  /// A request that may have been sent counts as sent.
  fileprivate var assumedPhase: NetworkError.Phase {
    switch code {
    case .cannotConnect, .cannotFindHost, .tooManyOpenFiles, .secureConnectionFailed, .badURL, .invalidRequest:
      .connecting
    case .connectionLost, .timedOut, .cancelled, .other: .sending
    case .notHTTP, .tooLarge, .tooManyRedirects, .badStatus, .invalidJSON: .receiving
    }
  }
}

extension NetworkError: CancellationRepresentable {
  public static var cancellation: NetworkError { NetworkError(.cancelled) }
}

/// Errors end up in logs, which must not contain passwords.
private func withoutCredentials(_ url: URL) -> String {
  guard url.user != nil || url.password != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
  else {
    return url.absoluteString
  }
  (parts.user, parts.password) = (nil, nil)
  return parts.string ?? "(a URL with credentials)"
}

private func escaped(_ text: String) -> String {
  text.unicodeScalars.map { $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0) }
    .joined()
}

package func isHTTP(_ url: URL) -> Bool {
  url.host?.isEmpty == false && ["http", "https"].contains(url.scheme?.lowercased())
}
