internal import Arguments
internal import Foundation
internal import FuturesNetworkingCurl

/// The certificates of a command that uses an HTTPS server.
struct ClientTLS: Sendable, Equatable {
  private let authorities: FilePath?
  private let certificate: FilePath?
  private let key: FilePath?

  static let none = ClientTLS()

  static let options = OptionGroup(output: ClientTLS.checked) {
    Option<FilePath?>(
      "ca", valueName: "file", help: "Trust only the certificate authorities in this PEM file.", completion: .file)
    Option<FilePath?>(
      "client-cert", valueName: "file", help: "Client certificate in PEM, for an https URL in --server.",
      completion: .file)
    Option<FilePath?>(
      "client-key", valueName: "file", help: "The key of --client-cert, in PEM, without a passphrase.",
      completion: .file)
  }

  private init(_ authorities: FilePath? = nil, _ certificate: FilePath? = nil, _ key: FilePath? = nil) {
    (self.authorities, self.certificate, self.key) = (authorities, certificate, key)
  }

  @Sendable private static func checked(
    _ authorities: FilePath?, _ certificate: FilePath?, _ key: FilePath?
  ) throws(ValidationError) -> ClientTLS {
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("'--client-cert' and '--client-key' must be used together.")
    }
    return ClientTLS(authorities, certificate, key)
  }

  /// Checks that the options have an effect.
  func check(with server: ServerAddress?) throws(ValidationError) {
    guard self == .none || server?.url.scheme?.lowercased() == "https" else {
      throw ValidationError("'--ca' and '--client-cert' can only be used with an https URL in '--server'.")
    }
  }

  /// The settings of a client with a number of concurrent requests.
  func configuration(maxConcurrentRequests: Int) -> CurlConfiguration {
    var configuration = CurlConfiguration()
    configuration.maxConcurrentRequests = maxConcurrentRequests
    configuration.certificateAuthorities = authorities?.path
    if let certificate, let key { configuration.identity = .init(certificate: certificate.path, key: key.path) }
    return configuration
  }

  /// The names and values of the given options.
  var words: [(option: String, path: String)] {
    [("--ca", authorities), ("--client-cert", certificate), ("--client-key", key)]
      .compactMap { option, file in file.map { (option, $0.path) } }
  }
}
