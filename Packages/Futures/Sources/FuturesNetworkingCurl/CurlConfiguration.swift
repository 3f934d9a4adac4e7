internal import CCurl
internal import Foundation

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
  /// The maximum number of requests at the same time.
  ///
  /// Further requests wait. `StreamClient` does not limit its connections.
  public var maxConcurrentRequests = 64

  public init() {}
}

extension CurlConfiguration {
  func setConnection(of easy: UnsafeMutableRawPointer, to url: URL?, within limit: Duration?) {
    curl_set_text(easy, CURLOPT_URL, url?.absoluteString)
    curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // Otherwise, a cancelled request would wait for the look-up of its host.
    curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    let longest = Int(Int32.max)
    curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, limit.map { min(milliseconds($0), longest) } ?? longest)
    // A proxy cannot reach a server on this machine.
    let host = url?.host?.lowercased() ?? ""
    if ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost") || host.hasPrefix("127.") {
      curl_set_text(easy, CURLOPT_PROXY, "")
    }
    setTLS(of: easy)
  }

  private func setTLS(of easy: UnsafeMutableRawPointer) {
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
