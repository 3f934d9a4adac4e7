@usableFromInline
final class LinkTable<Route>: Sendable {
  @usableFromInline let scheme: String
  /// The hosts, in lower case.
  let hosts: [String]
  private let schemePrefix: String
  @usableFromInline let declarations: [LinkDeclaration<Route>]
  private let links: [LinkDefinition<Route>]
  private let trie: LinkTrie
  @usableFromInline let linkFor: (@Sendable (Route) -> Link<Route>)?
  private let numbers: [ObjectIdentifier: Int]

  init(
    scheme: String, hosts: [String], declarations: [LinkDeclaration<Route>],
    linkFor: (@Sendable (Route) -> Link<Route>)?
  ) {
    self.scheme = scheme
    schemePrefix = scheme.lowercased() + ":"
    self.hosts = hosts.map { $0.lowercased() }
    self.declarations = declarations
    self.linkFor = linkFor
    links = declarations.flatMap(\.links)
    var trie = LinkTrie()
    for (index, link) in links.enumerated() where link.pattern.problem == nil { trie.add(index, link.pattern) }
    self.trie = trie
    numbers = Dictionary(zip(links.map(ObjectIdentifier.init), 0...)) { first, _ in first }
  }

  var problems: [String] { LinkPattern.problems(of: links.map(\.pattern), scheme: scheme) }

  func resolve(_ link: String) -> Route? {
    guard let text = try? split(link) else { return nil }
    for index in trie.candidates(for: text) {
      do { return try links[index].build(links[index].pattern.read(text)) } catch {
        // A malformed value of this link must not match a later link.
        let isMalformed = (error as? LinkDiagnosis)?.kind == .malformed
        if isMalformed, links[index].pattern.missingFixedPart(of: text) == nil { return nil }
      }
    }
    return nil
  }

  func diagnose(_ link: String) -> LinkDiagnosis {
    do throws(LinkDiagnosis) {
      let text = try split(link)
      var best = LinkDiagnosis(kind: .mismatch, offset: -1)
      for link in links where link.pattern.problem == nil {
        do throws(LinkDiagnosis) { _ = try link.pattern.read(text) } catch { best.merge(error) }
      }
      // Without a usable link, the difference is at the beginning of the path.
      if best.offset < 0 { best.offset = text.segments.first?.lowerBound ?? text.pathEnd }
      return best
    } catch { return error }
  }

  @inlinable
  func print(_ route: Route, after prefix: String) throws(LinkPrintingError) -> String {
    let found = linkFor.map { find(route, by: $0(route)) } ?? declarations.find(route)
    guard let found else { throw .noLink("\(route)") }
    return try write(found.texts, by: found.link, after: prefix)
  }

  @usableFromInline
  func write(_ texts: [[String]?], by link: Int, after prefix: String) throws(LinkPrintingError) -> String {
    try links[link].pattern.write(texts, after: prefix)
  }

  @usableFromInline
  func find(_ route: Route, by link: Link<Route>) -> (link: Int, texts: [[String]?])? {
    let template = link.definition.pattern.template.text
    let number =
      numbers[ObjectIdentifier(link.definition)] ?? links.firstIndex { $0.pattern.template.text == template }
    guard let number, links[number].pattern.problem == nil else { return nil }
    return links[number].texts(route).map { (number, $0) }
  }

  private func split(_ link: String) throws(LinkDiagnosis) -> LinkText {
    let bytes = Array(link.utf8)
    if let rest = bytes.dropPrefix(schemePrefix, from: 0) {
      return try LinkText(bytes, path: bytes.dropPrefix("//", from: rest) ?? rest)
    }
    for (web, port) in [("https://", ":443"), ("http://", ":80")] where !hosts.isEmpty {
      guard let start = bytes.dropPrefix(web, from: 0) else { continue }
      let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
      for host in hosts {
        guard let rest = bytes.dropPrefix(host, from: start), rest <= end else { continue }
        // The port may be empty or the default port.
        if ["", ":", port].contains(where: { bytes[rest..<end].elementsEqual($0.utf8) }) {
          return try LinkText(bytes, path: end)
        }
      }
      throw LinkDiagnosis(kind: .host, offset: start, expected: hosts.map { "'\($0)'" })
    }
    throw LinkDiagnosis(kind: .scheme, offset: 0, expected: ["'\(scheme):'"] + hosts.map { "'https://\($0)'" })
  }
}

extension [UInt8] {
  fileprivate func dropPrefix(_ prefix: String, from start: Int) -> Int? {
    let end = start + prefix.utf8.count
    guard end <= count else { return nil }
    let matches = zip(self[start..<end], prefix.utf8).allSatisfy { byte, letter in
      byte == letter || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == letter
    }
    return matches ? end : nil
  }
}
