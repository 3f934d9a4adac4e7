public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The reason why a request failed.
///
/// A response with an error status such as 500 is a `NetworkError` only for `jsonFuture`.
public struct NetworkError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    /// The server cannot be reached: nothing accepts connections, this device is offline, or a proxy refuses.
    case cannotConnect
    /// This process cannot open another file descriptor.
    case tooManyOpenFiles
    case cannotFindHost
    /// The TLS handshake failed, for example because the certificate is not trusted.
    case secureConnectionFailed
    /// The connection closed before the response was complete, or the response ends inside its compressed data.
    case connectionLost
    /// The server does not speak HTTP, or its response is not valid HTTP.
    case notHTTP
    case badURL
    /// The request cannot be sent, for example because its `Content-Length` disagrees with its body.
    case invalidRequest
    case timedOut
    /// The response is larger than the limit of the request.
    case tooLarge
    case tooManyRedirects
    /// The status of the response to a `jsonFuture` is not 2xx.
    case badStatus
    /// The body of the response to a `jsonFuture` is not JSON of the expected type.
    case invalidJSON
    /// The request, its session, or the waiting task was cancelled.
    case cancelled
    case other
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

  /// Whether the same request may succeed if it is sent again, as for `curl --retry`.
  ///
  /// It is `true` without a connection or a complete response in time, and for the statuses 408, 429, 500, 502, 503 and 504. Before you
  /// repeat a method that changes something, read ``mayHaveReachedServer`` too.
  ///
  /// ```swift
  /// let policy = RetryPolicy<NetworkError>(attempts: 3, backoff: .constant(.seconds(1)), isRetryable: \.isTransient)
  /// ```
  public var isTransient: Bool {
    switch kind {
    case .cannotConnect: proxy == nil || statusCode == nil
    case .cannotFindHost, .connectionLost, .timedOut, .tooManyOpenFiles: true
    case .badStatus: [408, 429, 500, 502, 503, 504].contains(statusCode)
    default: false
    }
  }

  public let method: String

  public let url: URL?

  public let limit: Duration?

  /// The maximum size of the response's header or body in bytes, if it was exceeded.
  public let byteLimit: Int?

  /// The status of the response, or of the proxy that refused to connect to the server.
  public let statusCode: Int?

  /// The numeric address and the port of the proxy, if the connection to it or through it failed.
  public let proxy: String?

  /// The details that the system or the HTTP library has reported, or the place of a fault in JSON, for people.
  public let reason: String?

  public let underlying: URLError?

  /// Creates an error, for example in a client for a test.
  ///
  /// If `phase` is `nil` and the kind does not decide it, the request counts as sent.
  public init(
    _ kind: Kind, request: URLRequest? = nil, phase: Phase? = nil, limit: Duration? = nil, byteLimit: Int? = nil,
    statusCode: Int? = nil, proxy: String? = nil, reason: String? = nil, underlying: URLError? = nil
  ) {
    self.kind = kind
    self.phase = phase ?? kind.assumedPhase
    self.reason = reason ?? underlying?.localizedDescription
    self.method = request?.httpMethod ?? "GET"
    self.url = request?.url
    self.limit = limit
    self.byteLimit = byteLimit
    self.statusCode = statusCode
    self.proxy = proxy
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
      // Linux reports most failures as unknown.
      case .networkConnectionLost?, .badServerResponse?, .cannotParseResponse?, .unknown?: .connectionLost
      case .badURL?, .unsupportedURL?: .badURL
      case .timedOut?: .timedOut
      case .httpTooManyRedirects?: .tooManyRedirects
      case .cancelled?: .cancelled
      default: .other
      }
    let reason = underlying == nil ? error.map { "\($0)" } : nil
    self.init(kind, request: request, reason: reason, underlying: underlying)
  }

  /// The failed request, the reason and the next step, without the password of the URL.
  public var description: String {
    let (problem, next) = explanation
    let attempt = url.map { "\(method) \(withoutCredentials($0))" } ?? "complete the request"
    let text = "Cannot \(attempt): \(problem). \(next)."
    return text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }

  private var explanation: (problem: String, next: String) {
    let details = reason.map { " (\($0))" } ?? ""
    switch kind {
    case .cannotConnect:
      guard let proxy else {
        return ("nothing accepts connections there", "Start the server, or check the host and the port")
      }
      let refusal = statusCode.map { "refused the connection with status \($0)" } ?? "accepts no connections"
      return ("the proxy \(proxy) \(refusal)", "Check http_proxy and https_proxy")
    case .tooManyOpenFiles: return ("this process has too many open files", "Raise the limit with 'ulimit -n'")
    case .cannotFindHost: return ("the host name has no address\(details)", "Check its spelling, and the network")
    case .secureConnectionFailed:
      return (
        "the TLS connection failed\(details)",
        "Check the certificates, the clock of this machine, and that the port uses TLS"
      )
    case .connectionLost:
      guard underlying == nil else { return ("the response ended before it was complete", "Try again") }
      switch phase {
      case .connecting: return ("the connection closed before the request was sent\(details)", "Try again")
      case .sending:
        let next = url?.scheme?.lowercased() == "http" ? ", or use https:// if the port uses TLS" : ""
        return ("the server closed the connection without a response", "Try again\(next)")
      case .receiving: return ("the response ended before it was complete\(details)", "Try again")
      }
    case .notHTTP:
      return reason.map { ($0, "Correct the server's response") }
        ?? ("the server does not speak HTTP", "Check the host and the port")
    case .badURL:
      return ("the URL is invalid or not supported\(details)", "Use a URL such as http://127.0.0.1:8080")
    case .invalidRequest: return (reason ?? "the request is invalid", "Correct the request")
    case .timedOut:
      let missing = phase == .connecting ? "no connection" : "no complete response"
      let limit = limit.map { "within \($0)" } ?? "within the time limit"
      return ("\(missing) \(limit)", "Try again, or allow more time")
    case .tooManyRedirects: return ("too many redirects", "Check the address, or correct the server's redirects")
    case .tooLarge:
      let size = byteLimit.map { "larger than \($0) bytes" } ?? "too large"
      let next = reason == nil ? "Request less data, or raise the limit" : "Correct the server's response"
      return ("\(reason ?? "the response") is \(size)", next)
    case .badStatus:
      return ("the response has status \(statusCode ?? 0) instead of 2xx", "Check the URL and the request")
    case .invalidJSON:
      return (
        "the body is not the expected JSON: \(reason ?? "unknown problem")",
        "Correct the server's response or the type that is decoded"
      )
    case .cancelled: return ("it was cancelled", "Send it again if you need the response")
    case .other: return (reason ?? "no response and no error", "Try again")
    }
  }
}

extension NetworkError.Kind {
  /// A request that may have been sent counts as sent.
  fileprivate var assumedPhase: NetworkError.Phase {
    switch self {
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
