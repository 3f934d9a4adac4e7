internal import CLibevent
internal import Foundation

extension TLSIdentity {
  /// Creates a new key, and a certificate for `localhost`, `127.0.0.1` and `::1` that is valid for a day.
  ///
  /// No authority has signed it, so clients must trust the certificate itself. Use it for demos and tests.
  ///
  /// ```swift
  /// let identity = try TLSIdentity.selfSigned(in: folder.path)
  /// let server = try await HTTPServer.start(Router {}, tls: identity)
  /// ```
  ///
  /// - Parameter folder: The path of an existing folder, into which `certificate.pem` and `key.pem` are written. Existing files are replaced. Only the owner can
  ///   read the key.
  /// - Throws: ``LoopbackError`` if OpenSSL has no memory, or a file cannot be written.
  public static func selfSigned(in folder: String) throws(LoopbackError) -> TLSIdentity {
    let identity = TLSIdentity(certificateChainFile: folder + "/certificate.pem", keyFile: folder + "/key.pem")
    guard let key = makeKey() else {
      throw LoopbackError("create a key", cause: lastTLSError(), nextStep: checkOpenSSL)
    }
    defer { EVP_PKEY_free(key) }
    guard let certificate = makeCertificate(key) else {
      throw LoopbackError("create a certificate", cause: lastTLSError(), nextStep: checkOpenSSL)
    }
    defer { X509_free(certificate) }
    try write(to: identity.keyFile) { PEM_write_PrivateKey($0, key, nil, nil, 0, nil, nil) == 1 }
    try write(to: identity.certificateChainFile) { PEM_write_X509($0, certificate) == 1 }
    return identity
  }

  private static func makeKey() -> OpaquePointer? {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1 else { return nil }
    return EVP_PKEY_generate(context, &key) == 1 ? key : nil
  }

  private static func makeCertificate(_ key: OpaquePointer) -> OpaquePointer? {
    guard let certificate = X509_new() else { return nil }
    let serial: Int64 = .random(in: 1 ... .max)
    let isComplete =
      X509_set_version(certificate, 2) == 1
      && ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), serial) == 1
      // The certificate is valid from a minute earlier, for clients with a late clock.
      && X509_gmtime_adj(X509_getm_notBefore(certificate), -60) != nil
      && X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400) != nil
      && X509_set_pubkey(certificate, key) == 1
      && X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", 0x1001, "localhost", -1, -1, 0) == 1
      && X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1
      && addHosts("DNS:localhost, IP:127.0.0.1, IP:::1", to: certificate)
      && X509_sign(certificate, key, EVP_sha256()) > 0
    guard isComplete else {
      X509_free(certificate)
      return nil
    }
    return certificate
  }

  private static func addHosts(_ names: String, to certificate: OpaquePointer) -> Bool {
    guard let hosts = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, names) else { return false }
    defer { X509_EXTENSION_free(hosts) }
    return X509_add_ext(certificate, hosts, -1) == 1
  }

  private static func write(to path: String, _ body: (UnsafeMutablePointer<FILE>) -> Bool) throws(LoopbackError) {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, let file = fdopen(descriptor, "w") else {
      throw LoopbackError("write \(path)", fileCode: errno)
    }
    defer { fclose(file) }
    // OpenSSL's own error does not name the cause of a failed write.
    errno = 0
    guard body(file), fflush(file) == 0 else {
      let code = errno
      guard code == 0 else { throw LoopbackError("write \(path)", fileCode: code) }
      throw LoopbackError("write \(path)", cause: lastTLSError(), nextStep: checkOpenSSL)
    }
  }
}
