internal import CLibevent
internal import Foundation

/// The certificate and the key of a server that uses TLS.
///
/// ```swift
/// let identity = TLSIdentity(certificateChainFile: "server.pem", keyFile: "server-key.pem")
/// let server = try await HTTPServer.start(Router {}, tls: identity)
/// print(server.url)            // https://127.0.0.1:49152
/// ```
///
/// The server reads the files once, when it starts. It accepts TLS 1.2 and 1.3.
public struct TLSIdentity: Sendable, Hashable {
  /// The path of a PEM file with the server's certificate first, and then the intermediate certificates.
  public var certificateChainFile: String
  /// The path of the certificate's key in PEM, without a passphrase.
  public var keyFile: String
  /// The path of a PEM file with the authorities whose client certificates are accepted; `nil` to request none.
  ///
  /// With a file, a client without a certificate of one of these authorities cannot connect (mutual TLS).
  public var clientCAFile: String?

  public init(certificateChainFile: String, keyFile: String, clientCAFile: String? = nil) {
    self.certificateChainFile = certificateChainFile
    self.keyFile = keyFile
    self.clientCAFile = clientCAFile
  }

  /// Creates a new key, and a certificate for `localhost`, `127.0.0.1` and `::1` that is valid for a day.
  ///
  /// Clients must trust the certificate itself. Use it for demos and tests.
  ///
  /// - Parameter folder: The path of an existing folder, into which `certificate.pem` and `key.pem` are written. Existing files
  ///   are replaced. Only the owner can read the key.
  /// - Throws: ``LoopbackError`` if OpenSSL has no memory, or a file cannot be written.
  public static func selfSigned(in folder: String) throws(LoopbackError) -> TLSIdentity {
    try issue("localhost", [("subjectAltName", "DNS:localhost,IP:127.0.0.1,IP:::1")], in: folder)
  }
}

extension TLSIdentity {
  /// - Parameters:
  ///   - extensions: Names and values as in the configuration of `openssl`.
  ///   - validity: In seconds from now. By default it begins a minute earlier, for clients with a late clock.
  ///   - issuer: The signer, or `nil` for a self-signed certificate.
  package static func issue(
    _ name: String, _ extensions: [(String, String)], validity: Range<Int> = -60..<86_400,
    by issuer: TLSIdentity? = nil, in folder: String
  ) throws(LoopbackError) -> TLSIdentity {
    ERR_clear_error()
    let attempt = "create a certificate for '\(name)'"
    let identity = TLSIdentity(certificateChainFile: folder + "/certificate.pem", keyFile: folder + "/key.pem")
    let signer = try issuer.map { issuer throws(LoopbackError) in try issuer.readCertificate() }
    defer { X509_free(signer) }
    let signerKey = try issuer.map { issuer throws(LoopbackError) in
      try read(issuer.keyFile) { PEM_read_PrivateKey($0, nil, nil, nil) }
    }
    defer { EVP_PKEY_free(signerKey) }
    guard let key = makeKey() else { throw LoopbackError(openSSL: attempt) }
    defer { EVP_PKEY_free(key) }
    let certificate = X509_new()
    defer { X509_free(certificate) }
    let subject = X509_get_subject_name(certificate)
    let isComplete =
      X509_set_version(certificate, 2) == 1
      && ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), .random(in: 1 ... .max)) == 1
      && X509_gmtime_adj(X509_getm_notBefore(certificate), validity.lowerBound) != nil
      && X509_gmtime_adj(X509_getm_notAfter(certificate), validity.upperBound) != nil
      && X509_set_pubkey(certificate, key) == 1
      && X509_NAME_add_entry_by_txt(subject, "CN", 0x1000, name, -1, -1, 0) == 1
      && X509_set_issuer_name(certificate, signer.map { X509_get_subject_name($0) } ?? subject) == 1
      && add(extensions, to: certificate, by: signer ?? certificate)
      && X509_sign(certificate, signerKey ?? key, EVP_sha256()) > 0
    guard isComplete else { throw LoopbackError(openSSL: attempt) }
    try write(to: identity.keyFile) { PEM_write_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    try write(to: identity.certificateChainFile) { PEM_write_X509($0, certificate) }
    return identity
  }

  /// Returns the SHA-256 hash of the public key.
  package func publicKeyHash() throws(LoopbackError) -> [UInt8] {
    let certificate = try readCertificate()
    defer { X509_free(certificate) }
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &bytes)
    defer { CRYPTO_free(bytes, nil, 0) }
    var hash = [UInt8](repeating: 0, count: 32)
    guard count > 0, EVP_Digest(bytes, Int(count), &hash, nil, EVP_sha256(), nil) == 1 else {
      throw LoopbackError(openSSL: "hash the key of \(certificateChainFile)")
    }
    return hash
  }

  private static func makeKey() -> OpaquePointer? {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1 else { return nil }
    return EVP_PKEY_generate(context, &key) == 1 ? key : nil
  }

  private static func add(
    _ extensions: [(String, String)], to certificate: OpaquePointer?, by issuer: OpaquePointer?
  ) -> Bool {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
    let identifiers = [("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid")]
    return (extensions + identifiers).allSatisfy { name, value in
      guard let part = X509V3_EXT_conf(nil, &context, name, value) else { return false }
      defer { X509_EXTENSION_free(part) }
      return X509_add_ext(certificate, part, -1) == 1
    }
  }

  private func readCertificate() throws(LoopbackError) -> OpaquePointer {
    try Self.read(certificateChainFile) { PEM_read_X509($0, nil, nil, nil) }
  }

  private static func read(
    _ path: String, _ body: (UnsafeMutablePointer<FILE>) -> OpaquePointer?
  ) throws(LoopbackError) -> OpaquePointer {
    guard let file = fopen(path, "r") else { throw LoopbackError(file: "read \(path)", code: errno) }
    defer { fclose(file) }
    guard let value = body(file) else { throw LoopbackError(openSSL: "read \(path)") }
    return value
  }

  private static func write(to path: String, _ body: (UnsafeMutablePointer<FILE>) -> Int32) throws(LoopbackError) {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, let file = fdopen(descriptor, "w") else {
      throw LoopbackError(file: "write \(path)", code: errno)
    }
    defer { fclose(file) }
    guard body(file) == 1, fflush(file) == 0 else { throw LoopbackError(file: "write \(path)", code: errno) }
  }
}
