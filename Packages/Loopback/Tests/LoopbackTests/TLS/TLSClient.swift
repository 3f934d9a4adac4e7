import CLibevent
import Foundation
import LoopbackTesting

/// A blocking TLS client on 127.0.0.1, whose calls run on their own threads.
///
/// No call waits for longer than a minute.
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
  private let descriptor: Int32

  /// Connects, and performs the handshake.
  ///
  /// With TLS 1.3, the server can reject a client's certificate only after that.
  init(
    port: Int, trusting authority: TestCertificateAuthority, certificate: TestCertificate? = nil,
    offering protocols: String = "",
    version: Int32 = 0, receiveBuffer: Int32? = nil
  ) async throws {
    let descriptor = try connected(port, receiveBuffer)
    let context = SSL_CTX_new(TLS_client_method())
    defer { SSL_CTX_free(context) }
    SSL_CTX_load_verify_file(context, authority.certificateFile)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    if let certificate {
      SSL_CTX_use_certificate_chain_file(context, certificate.certificateFile)
      SSL_CTX_use_PrivateKey_file(context, certificate.keyFile, SSL_FILETYPE_PEM)
    }
    if !protocols.isEmpty {
      let list = protocols.split(separator: " ").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
      SSL_CTX_set_alpn_protos(context, list, UInt32(list.count))
    }
    guard let session = SSL_new(context) else { throw Failure(description: "no memory") }
    SSL_set_fd(session, descriptor)
    self.session = session
    self.descriptor = descriptor
    try await onThread { [self] in
      ERR_clear_error()
      guard SSL_connect(self.session) != 1 else { return }
      let text = ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) }
      throw Failure(description: text ?? "the server closed the connection")
    }
  }

  deinit {
    SSL_free(session)
    close(descriptor)
  }

  var selectedProtocol: String {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(session, &name, &count)
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
  }

  func send(_ text: String) async { await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async {
    await onThread { [self] in
      if !bytes.isEmpty { _ = SSL_write(session, bytes, Int32(bytes.count)) }
    }
  }

  /// Sends a close notify and the end of the TCP stream; data of the server still arrives.
  func endOutput() {
    SSL_shutdown(session)
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends the TCP stream without a close notify.
  func cut() { shutdown(descriptor, Int32(SHUT_WR)) }

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

private func connected(_ port: Int, _ receiveBuffer: Int32?) throws -> Int32 {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  var time = timeval(tv_sec: 60, tv_usec: 0)
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  if var size = receiveBuffer {
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(clamping: port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let result = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard result == 0 else {
    close(descriptor)
    throw TLSClient.Failure(description: "cannot connect")
  }
  return descriptor
}

/// Runs blocking work on its own thread, on which a write to a closed connection raises no signal.
private func onThread<Value: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      do throws(Failure) { continuation.resume(returning: .success(try body())) } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }
  return try result.get()
}
