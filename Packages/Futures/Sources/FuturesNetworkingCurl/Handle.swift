internal import CCurl
internal import Foundation
internal import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A handle of libcurl, with the facts that libcurl reports about its transfer in addition to its result.
///
/// Use it only on the client's thread.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private var fields: UnsafeMutablePointer<curl_slist>?
  private let text: UnsafeMutablePointer<CChar>
  /// The error number of the last socket that could not be opened, or 0.
  private var socketError: Int32 = 0
  /// The address of the server or the proxy of the last connection.
  private var peer: (name: String, port: Int)?

  init?() {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    text = .allocate(capacity: Int(CURL_ERROR_SIZE))
    text.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    curl_set_pointer(easy, CURLOPT_ERRORBUFFER, text)
    curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
    curl_set_open_socket(easy) { this, _, address in
      guard let address, let this else { return -1 }
      return Unmanaged<CurlHandle>.fromOpaque(this).takeUnretainedValue().openSocket(address)
    }
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(fields)
    text.deallocate()
  }

  func setFields(_ lines: [String]) {
    for line in lines { fields = curl_slist_append(fields, line) ?? fields }
    curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields)
  }

  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
    let descriptor = socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    guard descriptor >= 0 else {
      socketError = errno
      return descriptor
    }
    // Child processes must not keep connections open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var bytes = [CChar](repeating: 0, count: 64)
    let port = Int(curl_numeric_address(address, &bytes, UInt32(bytes.count)))
    let host = bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    peer = (host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)", port)
    return descriptor
  }

  /// - Parameter isUnread: Whether a server that refuses the client's certificate has not read the request.
  func error(
    _ code: CURLcode, _ request: URLRequest?, _ phase: NetworkError.Phase, isUnread: Bool = true
  ) -> NetworkError {
    var text = String(cString: text)
    if text.isEmpty { text = String(cString: curl_easy_strerror(code)) }
    var proxyStatus = 0
    curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
    let tlsReason = Self.tlsReason(in: text)
    let isRefused = isUnread && Self.certificateAlerts.contains(tlsReason ?? 0)
    var (kind, phase, reason): (NetworkError.Kind, NetworkError.Phase, String?) = (.other, phase, text)
    switch code {
    case _ where [EMFILE, ENFILE].contains(socketError): kind = .tooManyOpenFiles
    case _ where proxyStatus >= 300:
      return NetworkError(
        .cannotConnect, request: request, phase: .connecting, statusCode: proxyStatus, proxy: peer?.name,
        reason: text)
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: kind = .cannotConnect
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: kind = .cannotFindHost
    case CURLE_OPERATION_TIMEDOUT: kind = .timedOut
    case CURLE_URL_MALFORMAT: kind = .badURL
    // libcurl reports a response without a status line as an unsupported version of HTTP.
    case CURLE_UNSUPPORTED_PROTOCOL: (kind, reason) = (.notHTTP, nil)
    // libcurl 7.88 reports some header lines as a bad argument.
    case CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR,
      CURLE_BAD_FUNCTION_ARGUMENT where phase == .receiving:
      (kind, reason) = (.notHTTP, "the response is not valid HTTP (\(text))")
    // The connection broke during the handshake, as when a server restarts.
    case CURLE_SSL_CONNECT_ERROR where tlsReason == nil || tlsReason == Self.unexpectedEnd: kind = .connectionLost
    // With TLS 1.3, the client sends its request before a server refuses the certificate. The server then never reads
    // the request.
    case CURLE_RECV_ERROR where isRefused, CURLE_SEND_ERROR where isRefused:
      (kind, phase) = (.secureConnectionFailed, .connecting)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      kind = .connectionLost
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
      kind = .secureConnectionFailed
    default: break
    }
    // libcurl does not report whether a failed connection was one to a proxy. A proxy usually has another port.
    let proxy = kind == .cannotConnect && peer?.port != Origin(request?.url).port ? peer?.name : nil
    return NetworkError(kind, request: request, phase: phase, proxy: proxy, reason: reason)
  }

  // MARK: Codes of OpenSSL

  /// `SSL_R_UNEXPECTED_EOF_WHILE_READING`.
  private static let unexpectedEnd = 294
  /// The alerts about certificates in RFC 8446, to which OpenSSL adds 1,000.
  private static let certificateAlerts: Set = [1_042, 1_043, 1_044, 1_045, 1_046, 1_048, 1_049, 1_116]

  /// Returns the reason code of OpenSSL, which libcurl passes on only in its text, as in `error:0A00045C:SSL routines`.
  private static func tlsReason(in text: String) -> Int? {
    text.firstMatch(of: /error:([0-9A-Fa-f]{8}):/).flatMap { Int($0.1, radix: 16) }.map { $0 & 0xFFF }
  }
}
