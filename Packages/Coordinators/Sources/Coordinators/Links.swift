internal import Foundation

/// The links of an app, as a value: the route of a link, and the link to a route.
///
/// ```swift
/// let links = Links<AppRoute>(scheme: "boundaries", hosts: ["boundaries.example"]) {
///   Link("stories", to: .stories)
///   Link("stories/:id?ref=:ref", .int, .optional(.string)) { AppRoute.story($0, ref: $1) } from: {
///     if case .story(let id, let ref) = $0 { (id, ref) } else { nil }
///   }
/// }
/// try links.route(for: "boundaries://stories/12345?ref=push")  // .story(12345, ref: "push")
/// try links.link(to: .stories)  // "boundaries://stories"
/// try links.path(to: .stories)  // "/stories"
/// ```
///
/// - **Order:** links are tried in the order of their declarations, and the first one that matches wins.
/// - **Accepted variants:** scheme and host in any case, a slash at the end, unknown query items, `+` for a space in a
///   query, query items in any order, and any fragment.
/// - **Any text is safe:** a text that is not a valid link throws a ``LinkError``.
///
/// A link with the app's own scheme has no host: in `boundaries://stories/1` the first segment is `stories`.
/// `boundaries:/stories/1` is the same link, and `https://boundaries.example/stories/1`, with or without the default
/// port, is the universal link for it. Use a literal as the first segment: platforms may read it as a host and change
/// its case.
public struct Links<Route>: Sendable {
  public let scheme: String
  /// The hosts of universal links, in lower case.
  public let hosts: [String]
  private let links: [Link<Route>]

  /// Creates links; the app opens `https` and `http` links of `hosts`.
  public init(scheme: String, hosts: [String] = [], @LinksBuilder<Route> _ links: () -> [Link<Route>]) {
    precondition(
      scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil,
      "'\(scheme)' is not a valid scheme; use a letter, then letters, digits, '+', '-' and '.'")
    self.scheme = scheme
    self.hosts = hosts.map { $0.lowercased() }
    self.links = links()
  }

  /// Returns the route of a link, or throws a ``LinkError`` with the place of the difference and the expected alternatives.
  public func route(for link: String) throws(LinkError) -> Route { try route(link, from: start(of: link)) }

  /// Returns the route of a path with its query, percent-encoded, as in the request of a browser.
  public func route(forPath path: String) throws(LinkError) -> Route { try route(path, from: 0) }

  /// Returns the link to a route, in the app's own scheme.
  ///
  /// - Throws: ``LinkPrintingError`` when no link is declared for the route, or a value is unprintable.
  public func link(to route: Route) throws(LinkPrintingError) -> String { "\(scheme)://\(try text(of: route))" }

  /// Returns the path and the query of a route, beginning with a slash: for the address of a page or a universal link.
  ///
  /// - Throws: ``LinkPrintingError`` as ``link(to:)``.
  public func path(to route: Route) throws(LinkPrintingError) -> String { "/\(try text(of: route))" }

  private func route(_ link: String, from start: Int) throws(LinkError) -> Route {
    let text = try LinkText(link, from: start)
    var nearest = LinkError(link: link, at: -1)
    for candidate in links {
      do throws(LinkError) { return try candidate.match(text) } catch { nearest.merge(error) }
    }
    if nearest.offset < 0 { nearest.offset = text.pathEnd }
    throw nearest
  }

  private func text(of route: Route) throws(LinkPrintingError) -> String {
    for link in links {
      if let texts = link.texts(route) { return try link.template.write(texts) }
    }
    throw .noLink("\(route)")
  }

  /// Returns the offset of the path.
  private func start(of link: String) throws(LinkError) -> Int {
    let bytes = Array(link.utf8)
    if let rest = bytes.skip("\(scheme.lowercased()):", from: 0) { return bytes.skip("//", from: rest) ?? rest }
    for (web, port) in [("https://", ":443"), ("http://", ":80")] where !hosts.isEmpty {
      guard let start = bytes.skip(web, from: 0) else { continue }
      let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
      for host in hosts {
        guard let rest = bytes.skip(host, from: start), rest <= end else { continue }
        if ["", ":", port].contains(where: { bytes[rest..<end].elementsEqual($0.utf8) }) { return end }
      }
      throw LinkError(link: link, at: start, hosts.map { "'\($0)'" })
    }
    throw LinkError(link: link, at: 0, ["'\(scheme):'"] + hosts.map { "'https://\($0)'" })
  }
}

/// A kind of link: a template that reads like the link itself, with a typed value for each placeholder.
///
/// ```swift
/// Link("stories", to: .stories)
/// Link("stories/:id?ref=:ref", .int, .optional(.string)) { AppRoute.story($0, ref: $1) } from: {
///   if case .story(let id, let ref) = $0 { (id, ref) } else { nil }
/// }
/// ```
///
/// In a template `:name` stands for a value: as a segment of the path, or as the value of a query item. The values have the
/// order of the template. An optional value may be absent; an optional segment must be the last one. All other text
/// stands for itself.
///
/// The same declaration parses and prints, so the two cannot diverge. A template that does not agree with its values ends the
/// program with a message.
public struct Link<Route>: Sendable {
  let template: LinkTemplate
  let build: @Sendable ([[String]]) -> Route?
  let texts: @Sendable (Route) -> [[String]?]?
}

extension Link {
  /// Creates a link without values.
  public init(_ template: String, to route: Route) where Route: Equatable & Sendable {
    self.template = LinkTemplate(template, [])
    build = { _ in route }
    texts = { $0 == route ? [] : nil }
  }

  /// Creates a link with values, in the order of the template.
  ///
  /// `extract` returns `nil` for a route of another kind, and otherwise the values that `build` received.
  public init<each Value>(
    _ template: String, _ values: repeat LinkValue<each Value>,
    to build: @escaping @Sendable (repeat each Value) -> Route,
    from extract: @escaping @Sendable (Route) -> (repeat each Value)?
  ) {
    var kinds: [LinkValueKind] = []
    for value in repeat each values { kinds.append(value.kind) }
    self.template = LinkTemplate(template, kinds)
    self.build = { texts in
      var rest = texts[...]
      return try? build(repeat (each values).take(from: &rest))
    }
    texts = { route in
      guard let extracted = extract(route) else { return nil }
      var texts: [[String]?] = []
      repeat texts.append((each values).print(each extracted))
      return texts
    }
  }

  func match(_ text: LinkText) throws(LinkError) -> Route {
    guard let route = build(try template.read(text)) else {
      throw LinkError(link: text.link, at: text.pathEnd)
    }
    return route
  }
}

/// Collects links, one per line.
@resultBuilder
public enum LinksBuilder<Route> {
  public static func buildExpression(_ link: Link<Route>) -> Link<Route> { link }
  public static func buildBlock(_ links: Link<Route>...) -> [Link<Route>] { links }
}

// MARK: - Matching

/// The parsed form of a template such as `stories/:id?ref=:ref`.
struct LinkTemplate: Sendable {
  private enum Part: Sendable {
    case literal(String)
    case value(String, LinkValueKind)
  }

  private let text: String
  private var path: [Part] = []
  private var query: [(name: String, part: Part)] = []

  init(_ text: String, _ kinds: [LinkValueKind]) {
    self.text = text
    var kinds = kinds[...]
    func part(_ text: Substring) -> Part {
      guard text.first == ":", text.utf8.count > 1 else { return .literal(String(text)) }
      guard let kind = kinds.popFirst() else {
        preconditionFailure("The link '\(self.text)' has more placeholders than values; pass a value for each.")
      }
      return .value(String(text.dropFirst()), kind)
    }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    for segment in halves[0].split(separator: "/") {
      if case .value(let name, let kind)? = path.last, kind.isOptional {
        preconditionFailure("In the link '\(text)', ':\(name)' is optional and must end the path.")
      }
      path.append(part(segment))
    }
    for item in halves.dropFirst().joined().split(separator: "&") {
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(sides[0])
      precondition(!query.contains { $0.name.isSame(name) }, "The link '\(text)' has the query item '\(name)' twice.")
      query.append((name, sides.count > 1 ? part(sides[1]) : .literal("")))
    }
    precondition(kinds.isEmpty, "The link '\(text)' has fewer placeholders than values; add one for each value.")
  }

  /// Returns the texts of each value; an absent value gives an empty list.
  func read(_ text: LinkText) throws(LinkError) -> [[String]] {
    var values: [[String]] = []
    var rest = text.segments[...]
    for part in path {
      let offset = rest.first?.offset ?? text.pathEnd
      switch part {
      case .literal(let literal):
        guard let segment = rest.popFirst(), segment.text.isSame(literal) else {
          throw LinkError(link: text.link, at: offset, ["'\(literal)'"])
        }
      case .value(_, let kind):
        let segment = rest.popFirst().map { ($0.text, $0.offset) }
        values.append(try kind.read(segment, of: text, at: offset, allowsEmpty: false))
      }
    }
    if let segment = rest.first {
      throw LinkError(link: text.link, at: segment.offset, [LinkError.endOfPath])
    }
    for (name, part) in query {
      let items = text.items.filter { $0.name.isSame(name) }.map { ($0.text, $0.offset) }
      switch part {
      case .literal(let literal):
        if items.contains(where: { $0.0.isSame(literal) }) { continue }
        throw LinkError(link: text.link, at: text.end, ["the query item '\(name)=\(literal)'"])
      case .value(_, let kind):
        if items.isEmpty, !kind.isOptional {
          throw LinkError(
            link: text.link, at: text.end, ["the query item '\(name)' with \(kind.expectation)"])
        }
        values.append(try kind.read(items.first, of: text, at: text.end))
      }
    }
    return values
  }

  func write(_ values: [[String]?]) throws(LinkPrintingError) -> String {
    var rest = values[...]
    func texts(of part: Part, allowsEmpty: Bool) throws(LinkPrintingError) -> [String] {
      switch part {
      case .literal(let literal): return [literal]
      case .value(let name, _):
        guard let value = rest.popFirst() ?? nil, allowsEmpty || !value.contains("") else {
          throw .unprintable(placeholder: name, in: text)
        }
        return value
      }
    }
    var segments: [String] = []
    for part in path { segments += try texts(of: part, allowsEmpty: false).map(\.encodedInPath) }
    var items: [String] = []
    for (name, part) in query {
      for text in try texts(of: part, allowsEmpty: true) {
        items.append("\(name.encodedInQuery)=\(text.encodedInQuery)")
      }
    }
    return segments.joined(separator: "/") + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }
}

/// The decoded parts of a link, with their offsets in bytes.
struct LinkText {
  let link: String
  /// The segments; empty ones at the beginning and at the end of the path are removed.
  private(set) var segments: [(text: String, offset: Int)] = []
  private(set) var items: [(name: String, text: String, offset: Int)] = []
  let pathEnd: Int
  /// The end of the query.
  let end: Int

  init(_ link: String, from start: Int) throws(LinkError) {
    self.link = link
    let bytes = Array(link.utf8)
    if let index = bytes[start...].firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
      throw LinkError(link: link, at: index, ["a character that is allowed in a link"])
    }
    end = bytes[start...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    pathEnd = bytes[start..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
    func decoded(_ bytes: some Sequence<UInt8>, at offset: Int) throws(LinkError) -> String {
      guard let text = String(percentEncoded: bytes) else {
        throw LinkError(link: link, at: offset, ["two hexadecimal digits after '%', in UTF-8"])
      }
      return text
    }
    let slash = UInt8(ascii: "/")
    var path = bytes[start..<pathEnd].drop { $0 == slash }
    while path.last == slash { path.removeLast() }
    if !path.isEmpty {
      for segment in path.split(separator: slash, omittingEmptySubsequences: false) {
        segments.append((try decoded(segment, at: segment.startIndex), segment.startIndex))
      }
    }
    for item in bytes[min(pathEnd + 1, end)..<end].split(separator: UInt8(ascii: "&")) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      let value = item.dropFirst(name.count + 1)
      items.append(
        (
          try decoded(name.withSpaces, at: name.startIndex), try decoded(value.withSpaces, at: value.startIndex),
          value.startIndex
        ))
    }
  }
}

extension [UInt8] {
  /// Returns the index after a prefix in lower case; letters match in any case.
  fileprivate func skip(_ prefix: String, from start: Int) -> Int? {
    let end = start + prefix.utf8.count
    guard end <= count else { return nil }
    let matches = zip(self[start..<end], prefix.utf8).allSatisfy { byte, letter in
      byte == letter || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == letter
    }
    return matches ? end : nil
  }
}

extension String {
  /// Compares bytes: texts that differ only in their Unicode form are different links.
  func isSame(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

// MARK: - Percent-encoding

extension String {
  /// The text as a segment of a path, without `:` and `@`, which have a meaning in the first segment.
  ///
  /// URL parsers resolve the segments `.` and `..`, so their dots are encoded.
  fileprivate var encodedInPath: String {
    self == "." || self == ".." ? replacing(".", with: "%2E") : encoded(also: "!$&'()*+,;=")
  }

  /// The text in a query, without `+`, which many parsers read as a space.
  fileprivate var encodedInQuery: String { encoded(also: "!$'()*,;:@/?") }

  /// Returns the text with percent-encoding, except for ASCII letters, digits, `-._~` and other allowed characters.
  package func encoded(also allowed: String = "") -> String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: letters + allowed)) ?? self
  }

  /// Decodes a part of a URL; `nil` for an incomplete percent-encoding or invalid UTF-8.
  package init?(percentEncoded bytes: some Sequence<UInt8>) {
    // Foundation removes a byte order mark at the beginning of the text, so the text does not begin there.
    let encoded = String(validating: [UInt8(ascii: ".")] + Array(bytes), as: UTF8.self)
    guard let decoded = encoded?.removingPercentEncoding else { return nil }
    self = String(String.UnicodeScalarView(decoded.unicodeScalars.dropFirst()))
  }
}

extension Sequence<UInt8> {
  /// The bytes of a query or a form, with a space for each `+`.
  package var withSpaces: [UInt8] { map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 } }
}
