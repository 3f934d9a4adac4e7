public import Foundation

extension WebPage {
  /// What a request of a page gets.
  public enum Network: Sendable, Hashable {
    /// Nothing: requests fail, WebSockets included.
    case off
    /// What the network gives.
    case on
    /// The response that is given here for its URL, and nothing when there is none.
    ///
    /// Fragments are left out, and scheme, host, the usual port, an empty path and steps in it (`/a/../b`) may be spelled in any way.
    /// Of URLs that are the same then, the first one in the order of their texts gives the response.
    case answered([URL: Response])
  }

  /// A response that a page gets in place of the network's.
  public struct Response: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The header fields.
    public var headers: [String: String]
    /// The content.
    public var body: Data

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - headers: The header fields.
    ///   - body: The content.
    public init(status: Int = 200, headers: [String: String] = [:], body: Data) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// Creates a response of a media type.
    ///
    /// - Parameters:
    ///   - body: The content.
    ///   - type: The media type, such as `text/css` or `font/ttf`. Pages of any origin may read it.
    public init(_ body: Data, type: String) {
      self.init(headers: ["Content-Type": type, "Access-Control-Allow-Origin": "*"], body: body)
    }
  }
}
