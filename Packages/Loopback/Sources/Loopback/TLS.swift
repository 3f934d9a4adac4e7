import CLibevent
import Foundation

/// The loaded identity of a server, from which each connection gets its session.
///
/// `@unchecked Sendable`: the context does not change after `init`, and OpenSSL counts its references atomically.
final class TLSContext: @unchecked Sendable {
  private let context: OpaquePointer

  init(_ identity: TLSIdentity) throws(LoopbackError) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw LoopbackError(openSSL: "create a TLS server") }
    self.context = context
    loopback_tls_set_server_options(context)
    // By default, OpenSSL would ask for the passphrase of a key on the terminal.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
    guard SSL_CTX_use_certificate_chain_file(context, identity.certificateChainFile) == 1 else {
      throw LoopbackError(
        openSSL: "load the certificate chain \(identity.certificateChainFile)",
        nextStep: "Give a file in PEM that begins with '-----BEGIN CERTIFICATE-----', the server's certificate first.")
    }
    guard SSL_CTX_use_PrivateKey_file(context, identity.keyFile, SSL_FILETYPE_PEM) == 1 else {
      throw LoopbackError(
        openSSL: "load the key \(identity.keyFile) of \(identity.certificateChainFile)",
        nextStep: "Give the private key of the first certificate, in PEM and without a passphrase.")
    }
    guard let file = identity.clientCAFile else { return }
    guard SSL_CTX_load_verify_file(context, file) == 1, let names = SSL_load_client_CA_file(file) else {
      throw LoopbackError(
        openSSL: "load the client CA \(file)",
        nextStep: "Give the certificates of the authorities, each beginning with '-----BEGIN CERTIFICATE-----'.")
    }
    SSL_CTX_set_client_CA_list(context, names)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
  }

  deinit { SSL_CTX_free(context) }

  func makeSession() -> OpaquePointer? { SSL_new(context) }
}

/// Returns the subject common name of the client's verified certificate, if it has exactly one.
func verifiedName(of session: OpaquePointer) -> String? {
  guard let certificate = SSL_get0_peer_certificate(session), SSL_get_verify_result(session) == X509_V_OK else {
    return nil
  }
  let subject = X509_get_subject_name(certificate)
  let index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
  guard index >= 0, X509_NAME_get_index_by_NID(subject, NID_commonName, index) < 0 else { return nil }
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)))
  guard count >= 0, let bytes else { return nil }
  defer { CRYPTO_free(bytes, nil, 0) }
  return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
}

/// Returns the text of OpenSSL's error, or of a system call that it made.
func tlsText(of code: UInt) -> String {
  if ERR_GET_LIB(code) == ERR_LIB_SYS { return String(cString: strerror(ERR_GET_REASON(code))) }
  return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
}
