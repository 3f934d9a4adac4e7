public import Foundation

extension WebPage {
  public enum Network: Sendable, Hashable {
    /// All requests fail, including WebSockets.
    case off
    case on
    /// The given response for each URL; requests for other URLs fail.
    ///
    /// URLs are compared without fragments. Upper case in the scheme and the host, the default port, an empty path and `/a/../b` make no
    /// difference. The first one of equal URLs in alphabetical order counts. An invalid response (a status that is not 200 to 599, a
    /// line break in a header field) is an error of the capture.
    case responses([URL: Response])
  }

  /// A response that replaces a response of the network.
  public struct Response: Sendable, Hashable {
    public var status: Int
    public var headers: [String: String]
    public var body: Data

    public init(status: Int = 200, headers: [String: String] = [:], body: Data) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// Creates a response of a media type, such as `text/css` or `font/ttf`, which pages of any origin may read.
    public init(_ body: Data, type: String) {
      self.init(headers: ["Content-Type": type, "Access-Control-Allow-Origin": "*"], body: body)
    }
  }
}

extension WebPage {
  func checkResponses() throws(WebError) {
    guard case .responses(let responses) = network else { return }
    for (url, response) in responses {
      guard let fault = response.fault else { continue }
      throw WebError(kind: .cannotLoad, description: "Cannot use the response for \(url.absoluteString): \(fault)")
    }
  }
}

extension WebPage.Response {
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
