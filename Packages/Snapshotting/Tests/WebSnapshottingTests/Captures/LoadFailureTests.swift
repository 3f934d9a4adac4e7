import Testing

@testable import WebSnapshotting

@Suite("Errors of loading a page")
struct LoadFailureTests {
  @Test(
    "a code of the browser is explained",
    arguments: [
      ("net::ERR_NAME_NOT_RESOLVED", "the host is not known"),
      ("net::ERR_CONNECTION_REFUSED", "no server accepts connections there"),
      ("net::ERR_CONNECTION_RESET", "the server closed the connection before the response was complete"),
      ("net::ERR_TIMED_OUT", "the server did not respond in time"),
      ("net::ERR_ADDRESS_UNREACHABLE", "this machine cannot reach the host"),
      ("net::ERR_INTERNET_DISCONNECTED", "this machine has no network"),
      ("net::ERR_INVALID_HTTP_RESPONSE", "the server does not speak HTTP"),
      ("net::ERR_BLOCKED_BY_CLIENT", "the page has no access to this address, or to one that it redirects to"),
      ("net::ERR_TOO_MANY_REDIRECTS", "the server redirects without end"),
      ("net::ERR_CERT_AUTHORITY_INVALID", "the browser does not trust the server's certificate"),
      ("net::ERR_SSL_PROTOCOL_ERROR", "the secure connection failed"),
      ("net::ERR_QUIC_HANDSHAKE_FAILED", "the browser could not load it"),
    ])
  func explained(code: String, cause: String) {
    #expect(LoadFailure(code).cause == cause)
  }
}
