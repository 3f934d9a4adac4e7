package import Foundation
package import Futures
package import OrderTaking

/// The transport of requests and responses.
///
/// ``urlSession(_:)`` supports HTTPS, keeps connections open, and uses the system's settings. ``tcp(maxConnections:)`` supports only
/// plain HTTP. It closes the connection of a cancelled request, and invalid responses only cause an error. On Linux, Foundation stops
/// the process if a connection closes inside the header of a response.
public struct HTTPTransport: Sendable {
  package struct Request: Sendable {
    package var method: String
    package var url: URL
    package var headers: [(String, String)]
    package var body: [UInt8]?

    package init(method: String, url: URL, headers: [(String, String)] = [], body: [UInt8]? = nil) {
      (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
  }

  package struct Response: Sendable, Equatable {
    package var status: Int
    package var retryAfter: String?
    package var date: String?
    package var body: Data
  }

  package let send: @Sendable (Request) -> Future<Response, HTTPError>
}
