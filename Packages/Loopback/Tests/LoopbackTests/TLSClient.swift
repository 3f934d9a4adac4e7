import CLibevent
import Foundation

@testable import LoopbackTesting

/// A blocking TLS client on 127.0.0.1, whose calls run on their own threads.
///
/// `@unchecked Sendable`: a test makes one call at a time.
final class TLSClient: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible { let description: String }

  enum End: Equatable {
    /// The server sent a close notify.
    case closeNotify
    case failed
  }

  private let session: OpaquePointer
  private let connection: RawClient

  /// Connects, and performs the handshake.
  ///
  /// With TLS 1.3, the server can reject a client's certificate only after that.
  init(
    port: Int, trusting authority: TestCertificateAuthority, certificate: TestCertificate? = nil,
    version: TLSVersion = .v13, receiveBuffer: Int32? = nil
  ) async throws {
    connection = try RawClient(port: port, receiveBuffer: receiveBuffer)
    let context = SSL_CTX_new(TLS_client_method())
    defer { SSL_CTX_free(context) }
    SSL_CTX_load_verify_file(context, authority.certificateFile)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, version.rawValue, nil)
    if let certificate {
      SSL_CTX_use_certificate_chain_file(context, certificate.certificateFile)
      SSL_CTX_use_PrivateKey_file(context, certificate.keyFile, SSL_FILETYPE_PEM)
    }
    guard let session = SSL_new(context) else { throw Failure(description: "no memory") }
    SSL_set_fd(session, connection.descriptor)
    self.session = session
    let problem: String? = await onThread { [self] in
      ERR_clear_error()
      guard SSL_connect(self.session) != 1 else { return nil }
      return ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "the server closed"
    }
    if let problem { throw Failure(description: problem) }
  }

  deinit { SSL_free(session) }

  func send(_ text: String) async { await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async {
    await onThread { [self] in
      if !bytes.isEmpty { _ = SSL_write(session, bytes, Int32(bytes.count)) }
    }
  }

  /// Sends a close notify and the end of the TCP stream; data of the server still arrives.
  func endOutput() {
    SSL_shutdown(session)
    connection.endOutput()
  }

  /// Ends the TCP stream without a close notify.
  func cut() { connection.endOutput() }

  /// Returns at most this number of bytes, and how the connection ended, if it did.
  func read(_ count: Int = .max) async -> (bytes: [UInt8], end: End?) {
    await onThread { [self] in
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while bytes.count < count {
        ERR_clear_error()
        let read = SSL_read(session, &chunk, Int32(min(chunk.count, count - bytes.count)))
        guard read > 0 else {
          return (bytes, SSL_get_error(session, read) == SSL_ERROR_ZERO_RETURN ? .closeNotify : .failed)
        }
        bytes += chunk.prefix(Int(read))
      }
      return (bytes, nil)
    }
  }

  func readBody() async -> [UInt8]? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let (bytes, end) = await read(1)
      guard end == nil else { return nil }
      head += bytes
    }
    let text = String(decoding: head, as: UTF8.self)
    guard let field = text.split(separator: "\r\n").first(where: { $0.hasPrefix("Content-Length: ") }),
      let length = Int(field.dropFirst("Content-Length: ".count))
    else { return nil }
    return await read(length).bytes
  }

  func body(of request: String) async -> String? {
    await send(request)
    return await readBody().map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Runs blocking work on its own thread, on which a write to a closed connection raises no signal.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await LoopbackTesting.onThread {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return body()
  }
}
