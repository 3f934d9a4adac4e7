/// The certificate and the key of a server that uses TLS.
///
/// ```swift
/// let identity = TLSIdentity(certificateChainFile: "server.pem", keyFile: "server-key.pem")
/// let server = try await HTTPServer.start(Router {}, tls: identity)
/// print(server.url)            // https://127.0.0.1:49152
/// ```
///
/// The server reads the files once, when it starts. It accepts TLS 1.2 and 1.3, without renegotiation and without session
/// resumption.
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
}
