import CLibevent
import Foundation

/// The TLS session of a bufferevent, which owns it.
///
/// Use it on the loop's thread only.
struct TLSSession {
  private let session: OpaquePointer

  init?(of buffers: OpaquePointer) {
    guard let session = bufferevent_openssl_get_ssl(buffers) else { return nil }
    self.session = session
  }

  var clientName: String? {
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

  /// Call it after all bytes were sent, and not after an error.
  func sendCloseNotify() {
    guard SSL_is_init_finished(session) == 1 else { return }
    SSL_shutdown(session)
    ERR_clear_error()
  }

  static func cause(of buffers: OpaquePointer, errno code: Int32) -> String {
    let error = bufferevent_get_openssl_error(buffers)
    // libevent adds the category, a small number, before the errors of OpenSSL.
    guard error > 0xFF else { return code == 0 ? missingNotify : String(cString: strerror(code)) }
    if ERR_GET_LIB(error) == ERR_LIB_SSL, ERR_GET_REASON(error) == SSL_R_UNEXPECTED_EOF_WHILE_READING {
      return missingNotify
    }
    return "TLS: \(tlsText(of: error))"
  }

  private static let missingNotify = "the client ended it without a TLS close notify"
}
