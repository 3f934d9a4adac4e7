public import Foundation

extension WebPage {
  public enum Network: Sendable, Hashable {
    /// All requests fail, including WebSockets.
    case off
    case on
    /// The given response for each URL; requests for other URLs fail.
    ///
    /// URLs are compared without fragments and percent encoding. The browser refuses a status without a standard reason phrase, and an
    /// invalid header field: the request fails then.
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
  /// The page's address; `nil` for text without a base URL.
  var address: URL? {
    switch content {
    case .html(_, let url): url
    case .file(let url), .url(let url): url
    }
  }

  /// The path of the page on this machine; `nil` if the page is not a file.
  var file: String? {
    switch content {
    case .file(let url), .url(let url): url.isFileURL ? url.path : nil
    case .html: nil
    }
  }

  /// Whether the library decides about each request.
  ///
  /// HTML text without a base URL needs no decisions: its tab has no network, and the browser refuses it files.
  var interceptsRequests: Bool {
    if credentials != nil { return true }
    return switch (content, network) {
    case (.html(_, baseURL: nil), .off), (.html(_, baseURL: nil), .on): false
    case (.url(let url), .on): url.isFileURL
    default: true
    }
  }
}

/// The answer to one request of a page.
enum RequestDecision: Hashable {
  case proceed
  case fulfil(WebPage.Response)
  case refuse

  /// Decides about a request of a page.
  ///
  /// - Parameters:
  ///   - url: The address in the browser's spelling, without a fragment.
  ///   - isDocument: Whether the request is for the page itself.
  ///   - responses: The given responses by their addresses, decoded.
  init(on url: String, isDocument: Bool, responses: [String: WebPage.Response], of page: WebPage) {
    if case .html(let text, _?) = page.content, isDocument {
      self = .fulfil(WebPage.Response(Data(text.utf8), type: "text/html; charset=utf-8"))
    } else if url.hasPrefix("file:") {
      let (path, file) = (URL(string: url)?.path ?? "", page.file ?? "")
      self = page.file != nil && isFile(path, inFolderOf: file) ? .proceed : .refuse
    } else {
      switch page.network {
      case .on: self = page.isOffline && !isDocument ? .refuse : .proceed
      case .off: self = .refuse
      case .responses: self = responses[url.decoded].map { .fulfil($0) } ?? .refuse
      }
    }
  }
}

/// Returns whether a file is in the folder of another file or below, after symbolic links are resolved.
private func isFile(_ path: String, inFolderOf page: String) -> Bool {
  let folder = URL(fileURLWithPath: page).resolvingSymlinksInPath().deletingLastPathComponent()
  let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
  return file.pathComponents.count > folder.pathComponents.count
    && file.pathComponents.starts(with: folder.pathComponents)
}

extension URL {
  var isWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }

  /// The address as a browser requests it, decoded and without a fragment.
  var spelled: String {
    let text = absoluteString.withoutFragment.decoded
    return isWeb && path.isEmpty && query == nil ? text + "/" : text
  }
}

extension String {
  /// The address without a user name and a password, for messages.
  var withoutPassword: String { replacing(/^([^:]+:\/\/)[^\/?#]*@/) { String($0.1) } }

  var withoutFragment: String { String(prefix { $0 != "#" }) }

  /// The address without percent encoding: a `URL` escapes characters that a browser does not.
  var decoded: String { removingPercentEncoding ?? self }
}
