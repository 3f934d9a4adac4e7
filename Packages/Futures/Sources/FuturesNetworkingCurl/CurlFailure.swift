internal import CCurl
internal import Foundation
internal import FuturesNetworking

struct CurlFailure {
  let kind: NetworkError.Kind
  let reason: String

  init(_ code: CURLcode, _ text: String, _ systemCode: Int32, _ url: URL?) {
    if let reason = Self.reasonOfTLS(code, text) {
      (kind, self.reason) = (.secureConnectionFailed, reason)
      return
    }
    switch code {
    case _ where text.contains("proxy after CONNECT") || text.contains("Proxy CONNECT aborted"):
      (kind, reason) = (.cannotConnect, "the proxy refused the connection (\(text)). Check http_proxy and https_proxy.")
    case CURLE_SSL_CONNECT_ERROR where Self.isBreak(text): (kind, reason) = (.connectionLost, text)
    case _ where [EMFILE, ENFILE].contains(systemCode):
      (kind, reason) = (.tooManyOpenFiles, text)
    case CURLE_COULDNT_CONNECT:
      (kind, reason) = (.cannotConnect, Self.reasonOfProxy(text, url) ?? text)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: (kind, reason) = (.cannotFindHost, text)
    case CURLE_OPERATION_TIMEDOUT: (kind, reason) = (.timedOut, text)
    case CURLE_URL_MALFORMAT: (kind, reason) = (.badURL, text)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      (kind, reason) = (.connectionLost, text)
    // libcurl reports a response without a status line as an unsupported version of HTTP.
    case CURLE_UNSUPPORTED_PROTOCOL: (kind, reason) = (.notHTTP, "the server does not speak HTTP")
    case CURLE_BAD_CONTENT_ENCODING:
      (kind, reason) = (.notHTTP, "the body does not match its Content-Encoding (\(text))")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR:
      (kind, reason) = (.notHTTP, "the response is not valid HTTP (\(text))")
    default: (kind, reason) = (.other, text)
    }
  }

  /// libcurl's message names the host that it connected to.
  private static func reasonOfProxy(_ text: String, _ url: URL?) -> String? {
    let isSecure = url?.scheme?.lowercased() == "https"
    for variable in (isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"] {
      guard let value = ProcessInfo.processInfo.environment[variable],
        let proxy = URLComponents(string: value.contains("://") ? value : "http://\(value)"), let host = proxy.host
      else { continue }
      // The default port of libcurl.
      let port = proxy.port ?? (proxy.scheme == "https" ? 443 : 1080)
      let name = host.trimmingCharacters(in: ["[", "]"])
      let isServer = host == url?.host && port == url?.port ?? (isSecure ? 443 : 80)
      if !isServer, text.contains("connect to \(name) port \(port) ") {
        return "the proxy \(host):\(port) accepts no connections. Check \(variable)."
      }
    }
    return nil
  }

  private static func reasonOfTLS(_ code: CURLcode, _ text: String) -> String? {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION: return reasonOfCertificate(text)
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return
        "the server's public key does not match a pinned key. Check the address, or pin the new key if it has changed."
    case CURLE_SSL_CACERT_BADFILE:
      return "cannot read the file of certificate authorities (\(text)). Use a readable PEM file."
    case CURLE_SSL_CERTPROBLEM:
      return
        "cannot use the client's certificate or key (\(text)). Use a matching certificate and key in PEM, without a passphrase."
    case CURLE_SSL_CONNECT_ERROR where text.contains("wrong version number") || text.contains("unknown protocol"):
      return "the server does not use TLS on this port. Use http:// or another port."
    case CURLE_SSL_CONNECT_ERROR where isBreak(text): return nil
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
      return "\(text). Check that the port uses TLS 1.2 or later."
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      return text.contains("alert") && (text.contains("certificate") || text.contains("unknown ca"))
        ? "the server rejected the client certificate, or requires one (\(text)). Use a client certificate that it trusts."
        : nil
    default: return nil
    }
  }

  /// Whether the connection broke during the handshake, as when a server restarts.
  private static func isBreak(_ text: String) -> Bool {
    ["SSL_ERROR_SYSCALL", "unexpected eof", "Connection reset"].contains { text.contains($0) }
  }

  private static func reasonOfCertificate(_ text: String) -> String {
    let next: String
    if text.contains("expired") {
      next = "Renew it, or check the clock of this machine."
    } else if text.contains("not yet valid") {
      next = "Check the clock of this machine, or use a valid certificate."
    } else if text.contains("subject name") || text.contains("host name") || text.contains("hostname") {
      next = "Use the host name of the certificate, or a certificate for this host."
    } else if text.contains("self-signed") || text.contains("self signed") || text.contains("issuer") {
      next = "To trust it, add the certificate of its issuer to the trusted authorities."
    } else {
      next = "Check the server's certificate."
    }
    return "the server's certificate is not valid: \(text). \(next)"
  }
}
