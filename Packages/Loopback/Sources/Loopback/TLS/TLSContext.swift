import CLibevent
import Foundation

/// The loaded identity of a server, from which each connection gets its session.
///
/// `@unchecked Sendable`: the context does not change after `init`, and OpenSSL counts its references atomically.
final class TLSContext: @unchecked Sendable {
  private let context: OpaquePointer

  /// - Parameter isHTTP: Whether to select `http/1.1` for clients that offer it by ALPN.
  init(_ identity: TLSIdentity, isHTTP: Bool) throws(LoopbackError) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw LoopbackError("create a TLS server", cause: lastTLSError(), nextStep: checkOpenSSL)
    }
    self.context = context
    loopback_tls_set_server_options(context)
    // By default, OpenSSL would ask for the passphrase of a key on the terminal.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
    if isHTTP { SSL_CTX_set_alpn_select_cb(context, selectHTTP, nil) }
    try loadCertificates(identity.certificateChainFile)
    try loadKey(identity.keyFile, certificate: identity.certificateChainFile)
    if let file = identity.clientCAFile { try requireClientCertificates(of: file) }
  }

  deinit { SSL_CTX_free(context) }

  func makeSession() -> OpaquePointer? { SSL_new(context) }

  private func loadCertificates(_ file: String) throws(LoopbackError) {
    let attempt = "load the certificate chain \(file)"
    try checkReadable(file, attempt)
    guard SSL_CTX_use_certificate_chain_file(context, file) == 1 else {
      throw LoopbackError(
        attempt, cause: "it contains no usable certificate in PEM (\(lastTLSError()))",
        nextStep: "Give a file that begins with '-----BEGIN CERTIFICATE-----', the server's certificate first.")
    }
  }

  private func loadKey(_ file: String, certificate: String) throws(LoopbackError) {
    let attempt = "load the key \(file)"
    try checkReadable(file, attempt)
    if SSL_CTX_use_PrivateKey_file(context, file, SSL_FILETYPE_PEM) != 1,
      ERR_GET_LIB(ERR_peek_last_error()) != ERR_LIB_X509
    {
      throw LoopbackError(
        attempt, cause: "it contains no usable key in PEM (\(lastTLSError()))",
        nextStep: "Give a private key without a passphrase. 'openssl pkey -in FILE -out NEWFILE' removes one.")
    }
    guard SSL_CTX_check_private_key(context) == 1 else {
      throw LoopbackError(
        attempt, cause: "it does not match the certificate in \(certificate) (\(lastTLSError()))",
        nextStep:
          "Give the private key of that certificate. The server's certificate must be the first in its file.")
    }
    ERR_clear_error()
  }

  private func requireClientCertificates(of file: String) throws(LoopbackError) {
    let attempt = "load the client CA \(file)"
    try checkReadable(file, attempt)
    guard SSL_CTX_load_verify_file(context, file) == 1, let names = SSL_load_client_CA_file(file) else {
      throw LoopbackError(
        attempt, cause: "it contains no usable certificate in PEM (\(lastTLSError()))",
        nextStep: "Give the certificates of the authorities, each beginning with '-----BEGIN CERTIFICATE-----'.")
    }
    SSL_CTX_set_client_CA_list(context, names)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
  }
}

/// Checks that a file can be opened, because OpenSSL's errors do not name the file.
private func checkReadable(_ file: String, _ attempt: String) throws(LoopbackError) {
  let descriptor = open(file, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw LoopbackError(attempt, fileCode: errno) }
  close(descriptor)
}

let checkOpenSSL = "Check the installation and the configuration of OpenSSL."

/// Returns the text of OpenSSL's last error on this thread, and forgets the errors.
func lastTLSError() -> String {
  defer { ERR_clear_error() }
  return tlsText(of: ERR_peek_last_error())
}

func tlsText(of code: UInt) -> String {
  if ERR_GET_LIB(code) == ERR_LIB_SYS { return String(cString: strerror(ERR_GET_REASON(code))) }
  return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
}

/// Without it, the handshake continues without ALPN.
private let selectHTTP: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenCount, offers, count, _ in
  guard let chosen, let chosenCount, let offers else { return SSL_TLSEXT_ERR_NOACK }
  let bytes = UnsafeBufferPointer(start: offers, count: Int(count))
  var index = 0
  while index < bytes.count {
    let offer = bytes[min(index + 1, bytes.count)..<min(index + 1 + Int(bytes[index]), bytes.count)]
    if offer.elementsEqual("http/1.1".utf8) {
      (chosen.pointee, chosenCount.pointee) = (offers + offer.startIndex, bytes[index])
      return SSL_TLSEXT_ERR_OK
    }
    index = offer.endIndex
  }
  return SSL_TLSEXT_ERR_NOACK
}
