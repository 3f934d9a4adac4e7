internal import Arguments
internal import Foundation
internal import ImageSnapshotting
internal import WebSnapshotting

/// The parsed options of `demo snapshot`.
struct SnapshotOptions: Sendable {
  enum Format: Sendable { case picture, dom, text }

  var page: WebPage
  /// The address of the page, without its password.
  var address: String
  var format: Format
  /// The output file; `nil` for standard output.
  var output: String?
  var json: Bool
  var quiet: Bool

  init(
    page address: PageAddress, output: FilePath?, fullPage: Bool, selector: String?, viewport: ViewportSize?,
    waits: [WaitCondition], dark: Bool, dom: Bool, text: Bool, timeout: Seconds?, json: Bool, quiet: Bool
  ) throws(ValidationError) {
    guard !fullPage || selector == nil else {
      throw ValidationError("--full-page and --selector cannot be used together.")
    }
    guard !dom || !text else { throw ValidationError("--dom and --text cannot be used together.") }
    guard !json || dom || text || output?.path != "-" else {
      throw ValidationError("--json and '-o -' cannot be used together: both write to standard output.")
    }
    let viewport = viewport ?? .usual
    (self.json, self.quiet, self.address) = (json, quiet, address.text)
    format = dom ? .dom : text ? .text : .picture
    page = WebPage(
      address.content, viewport: WebPage.Viewport(width: viewport.width, height: viewport.height),
      appearance: dark ? .dark : .light, network: address.isFile ? .off : .on,
      area: selector.map { .element($0) } ?? (fullPage ? .fullPage : .viewport),
      readiness: [.fonts] + waits.map(\.readiness), timeout: (timeout ?? Seconds(30)).duration)
    // The command shows the page with the real time, not with the fixed time of tests.
    page.now = nil
    self.output = output?.path ?? (format == .picture ? "snapshot.png" : nil)
    if self.output == "-" { self.output = nil }
  }
}

enum SnapshotAction: Sendable {
  case capture(SnapshotOptions)
  case compare(CompareOptions)
}

/// A number from 0 to 1.
struct Share: ExpressibleByArgument, Sendable, Equatable {
  let value: Double

  init(_ value: Double) {
    self.value = value
  }

  init(argument: String) throws(ValidationError) {
    guard let value = Double(argument), (0...1).contains(value) else {
      throw ValidationError("expected a number from 0 to 1, such as 0.98")
    }
    self.value = value
  }

  var defaultValueDescription: String { value == 1 ? "1" : "\(value)" }
}

/// A URL or a file path of a web page.
struct PageAddress: ExpressibleByArgument, Sendable, Equatable {
  let content: WebPage.Content

  /// The address for messages, without its password.
  var text: String {
    switch content {
    case .url(let url): url.withoutSecrets
    case .file(let url): url.path
    default: "the page"
    }
  }

  var isFile: Bool { if case .file = content { true } else { false } }

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a URL or a file path") }
    if let url = URL(string: argument), let scheme = url.scheme?.lowercased(), argument.contains("://") {
      switch scheme {
      case "http", "https": content = .url(url)
      case "file": content = .file(url)
      default: throw ValidationError("expected http, https or file instead of '\(scheme)'")
      }
    } else if argument.contains("://") {
      throw ValidationError("expected a valid address; write a space as %20")
    } else {
      content = .file(URL(filePath: argument).absoluteURL)
    }
  }
}

/// The size of a browser window, such as 1280x800.
struct ViewportSize: ExpressibleByArgument, Sendable, Equatable {
  let width: Int
  let height: Int

  static let usual = ViewportSize(width: 1280, height: 800)

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init(argument: String) throws(ValidationError) {
    let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], (1...16_384).contains(width),
      (1...16_384).contains(height)
    else { throw ValidationError("expected a size such as 1280x800, with 1 to 16384 pixels for each side") }
    self.init(width: width, height: height)
  }

  var defaultValueDescription: String { "\(width)x\(height)" }
}

/// A condition to wait for before the capture.
struct WaitCondition: ExpressibleByArgument, Sendable, Equatable {
  let readiness: WebPage.Readiness

  init(argument: String) throws(ValidationError) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("idle", nil): readiness = .networkIdle(for: .milliseconds(500))
    case ("stable", nil): readiness = .stableImages(3)
    case ("selector", let selector?) where !selector.isEmpty: readiness = .selector(selector)
    case ("js", let predicate?) where !predicate.isEmpty: readiness = .predicate(predicate)
    default: throw ValidationError("expected 'idle', 'stable', 'selector:CSS' or 'js:EXPRESSION'")
    }
  }
}
