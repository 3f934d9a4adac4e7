internal import Foundation
internal import Futures
internal import OrderTaking

/// How requests and answers travel.
///
/// ``urlSession(_:)`` speaks HTTPS, keeps connections, and heeds the system's settings. ``tcp(maximumConnections:)`` speaks
/// plain HTTP, ends a request that is not wanted any more on the wire, and whatever a server sends, the worst that comes of it is
/// an error: on Linux Foundation ends the process when a connection ends inside the header of an answer.
public struct HTTPTransport: Sendable {
  struct Request: Sendable {
    var method: String
    var url: URL
    var headers: [(String, String)] = []
    var body: [UInt8]?
  }

  struct Response: Sendable, Equatable {
    var status: Int
    var retryAfter: String?
    var date: String?
    var body: Data
  }

  let send: @Sendable (Request) -> Future<Response, HTTPError>
}
