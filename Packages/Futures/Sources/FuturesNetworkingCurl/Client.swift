internal import CCurl
internal import Foundation
internal import Futures
public import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPClient {
  /// Returns a client that uses libcurl.
  ///
  /// It reuses connections, supports HTTP/2 over TLS, and uses the proxies of the environment (`http_proxy`, `https_proxy`,
  /// `no_proxy`). It stores no cookies, and caches nothing. A header of more than 64 KiB is too large. A request with a stream as its body
  /// fails as invalid.
  ///
  /// All requests use one thread, which ends after the client has been released and its requests have ended. On this thread, parts of
  /// bodies are passed and futures complete; cancelled ones complete on the cancelling thread. A function in the immediate context must not
  /// block, because it delays all requests of the client.
  ///
  /// Compression: the client accepts `gzip` and `deflate`, and decompresses them. A body with another coding is passed as it came. So is
  /// each body of a request that sets `Accept-Encoding` or `Range`.
  ///
  /// Truncation: a body that ends before its declared length, its last chunk or the end of its compressed data is an error. A body without
  /// all of them ends with its connection, and libcurl does not check whether that end is authentic.
  ///
  /// Redirects are followed from their header, without their body. If they have a body, their HTTP/1.1 connection is closed.
  ///
  /// Repetition: if a reused connection turns out to be closed, libcurl sends the request again. Methods that are not idempotent,
  /// such as POST, use a new connection, so that they are sent at most once.
  public static func curl(_ configuration: CurlConfiguration = CurlConfiguration()) -> HTTPClient {
    let owner = ThreadOwner(CurlThread(configuration))
    return HTTPClient { request, limits, receive in
      if let error = request.sendingError { return Future(error: error) }
      guard request.httpBodyStream == nil else {
        return Future(
          error: NetworkError(.invalidRequest, request: request, reason: "the body is a stream instead of httpBody"))
      }
      let promise = Promise<HTTPResponseHead, NetworkError>()
      let exchange = CurlExchange(request, limits, receive) { promise.tryComplete($0) }
      promise.onCancel {
        promise.tryFailure(NetworkError(.cancelled, request: request))
        owner.thread.post { $0.stop(exchange, exchange.failure(.cancelled)) }
      }
      owner.thread.post { $0.start(exchange) }
      return promise.future
    }
  }
}

extension StreamClient {
  /// Returns a client that uses libcurl for TCP and TLS.
  ///
  /// It supports the proxies of the environment, which must allow CONNECT. All connections use one thread.
  public static func curl(_ configuration: CurlConfiguration = CurlConfiguration()) -> StreamClient {
    let owner = ThreadOwner(CurlThread(configuration))
    return StreamClient { address, onEvent in
      let stream = CurlStream(address, onEvent)
      owner.thread.post { $0.open(stream) }
      return StreamConnection(
        send: { bytes in owner.thread.post { _ in stream.send(bytes) } },
        close: {
          stream.silence()
          owner.thread.post { _ in stream.close() }
        })
    }
  }
}

private final class ThreadOwner: Sendable {
  let thread: CurlThread
  init(_ thread: CurlThread) { self.thread = thread }
  deinit { thread.close() }
}

/// The settings of a libcurl client.
///
/// ```swift
/// var configuration = CurlConfiguration()
/// configuration.certificateAuthorities = "/etc/example/ca.pem"
/// let client = HTTPClient.curl(configuration)
/// ```
///
/// The certificate and the host name of a server are always verified, and at least TLS 1.2 is required.
public struct CurlConfiguration: Sendable, Equatable {
  public struct Identity: Sendable, Equatable {
    /// The path of a PEM file with the certificate, and with those of intermediate authorities, if any.
    public var certificate: String
    /// The path of a PEM file with the private key, without a password.
    public var key: String

    public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
  }

  /// The path of a PEM file with the only certificate authorities to trust; `nil` for those of the system.
  public var certificateAuthorities: String?
  /// The SHA-256 digests of public keys, each as `sha256//` and Base64, as for `curl --pinnedpubkey`.
  ///
  /// If there are any, the server must also have one of these keys.
  public var pinnedPublicKeys: [String] = []
  /// The client certificate, for servers with mutual TLS.
  public var identity: Identity?
  /// The maximum number of requests at the same time; further ones wait.
  public var maxConcurrentRequests = 256
  /// The maximum number of requests to one origin (scheme, host and port) at the same time; further ones wait.
  public var maxConcurrentRequestsPerHost = 64

  public init() {}
}

extension CurlConfiguration {
  func setConnection(of easy: UnsafeMutableRawPointer, to url: URL?, within limit: Duration?) {
    curl_set_text(easy, CURLOPT_URL, url?.absoluteString)
    curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // Otherwise, a cancelled request would wait for the look-up of its host.
    curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(limit ?? .seconds(Int32.max)))
    // A proxy cannot reach a server on this machine.
    let host = url?.host?.lowercased() ?? ""
    if ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost") || host.hasPrefix("127.") {
      curl_set_text(easy, CURLOPT_PROXY, "")
    }
    curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
    curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
    curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = certificateAuthorities {
      curl_set_text(easy, CURLOPT_CAINFO, file)
      // Otherwise, the authorities of the system would be trusted too.
      curl_set_text(easy, CURLOPT_CAPATH, nil)
    }
    if !pinnedPublicKeys.isEmpty {
      curl_set_text(easy, CURLOPT_PINNEDPUBLICKEY, pinnedPublicKeys.joined(separator: ";"))
    }
    if let identity {
      curl_set_text(easy, CURLOPT_SSLCERT, identity.certificate)
      curl_set_text(easy, CURLOPT_SSLKEY, identity.key)
      // Otherwise, OpenSSL would ask for the passphrase of an encrypted key in the terminal.
      curl_set_text(easy, CURLOPT_KEYPASSWD, "")
    }
  }
}

/// Returns a time in whole milliseconds, rounded up, from 1 to the maximum of libcurl, which is 24 days.
func milliseconds(_ duration: Duration) -> Int {
  let longest = Duration.milliseconds(Int32.max)
  // The components of a very long duration trap.
  let (seconds, attoseconds) = min(max(duration, .zero), longest).components
  return max(1, Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
}
