package import Foundation
package import Futures
package import OrderTaking

/// The transport of requests and responses.
///
/// ``urlSession(_:)`` speaks HTTPS, keeps connections, and heeds the system's settings. ``tcp(maxConnections:)`` speaks
/// plain HTTP, ends a request that is not wanted any more on the wire, and whatever a server sends, the worst that comes of it is
/// an error: on Linux Foundation ends the process when a connection ends inside the header of an answer.
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
