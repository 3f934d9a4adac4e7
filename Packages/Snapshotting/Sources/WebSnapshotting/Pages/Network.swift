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
    /// Of URLs that are the same then, the first one in the order of their texts gives the response. A response that no server could give
    /// (a status that is not 200 to 599, a header field of two lines) is an error of the capture.
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

extension WebPage {
  /// - Throws: ``WebError`` when one of its given responses is none that a server could give.
  func checkResponses() throws(WebError) {
    guard case .answered(let responses) = network else { return }
    for (url, response) in responses {
      guard let fault = response.fault else { continue }
      throw WebError(kind: .cannotLoad, description: "Cannot use the response for \(url.absoluteString): \(fault)")
    }
  }
}

extension WebPage.Response {
  /// What is wrong with it, if anything is.
  fileprivate var fault: String? {
    guard (200...599).contains(status) else {
      return "it has the status \(status). Use a status from 200 to 599."
    }
    let marks = "!#$%&'*+-.^_`|~".utf8
    for (name, value) in headers {
      let isName = name.utf8.allSatisfy {
        $0 < 0x80 && (UnicodeScalar($0).properties.isAlphabetic || (0x30...0x39).contains($0)) || marks.contains($0)
      }
      guard !name.isEmpty, isName else {
        return "it has a header field with the name `\(name)`. Use letters, digits and hyphens."
      }
      guard !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
        return "its header field `\(name)` has a line break or a NUL byte. Remove it."
      }
    }
    return nil
  }
}
