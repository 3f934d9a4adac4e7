/// All links, made ready for both directions.
@usableFromInline
final class LinkTable<Route>: Sendable {
  @usableFromInline let schemePrefix: [UInt8]
  let hosts: [String]
  private let scheme: String
  private let scanner: LinkScanner
  private let links: [LinkDefinition<Route>]
  private let layouts: [LinkLayout]
  private let trie: LinkTrie
  @usableFromInline let linkFor: (@Sendable (Route) -> Link<Route>)?
  private let numbers: [ObjectIdentifier: Int]
  @usableFromInline let printer: LinkPrinter<Route>

  init(
    scheme: String, hosts: [String], declarations: [LinkDeclaration<Route>],
    linkFor: (@Sendable (Route) -> Link<Route>)?
  ) {
    self.scheme = scheme
    schemePrefix = Array("\(scheme)://".utf8)
    self.hosts = hosts.map { $0.lowercased() }
    scanner = LinkScanner(scheme: Array(scheme.lowercased().utf8), hosts: self.hosts.map { Array($0.utf8) })
    links = declarations.flatMap(\.links)
    printer = LinkPrinter(declarations)
    layouts = links.map { LinkLayout($0.template, $0.requirements) }
    var trie = LinkTrie()
    for (index, layout) in layouts.enumerated() where layout.problem == nil { layout.add(index, to: &trie) }
    self.trie = trie
    self.linkFor = linkFor
    numbers = Dictionary(zip(links.map(ObjectIdentifier.init), 0...)) { first, _ in first }
  }

  var problems: [String] { LinkLayout.problems(of: layouts, scheme: scheme) }

  /// The route of the first link that fits.
  func resolve(_ bytes: [UInt8]) -> Route? {
    var parts = LinkParts()
    guard scanner.scan(bytes, into: &parts) == nil else { return nil }
    var candidates = trie.candidates(bytes, parts.segments)
    if candidates.isEmpty { return nil }
    if candidates.count > 1 { candidates.sort() }
    var reader = LinkReader(bytes, parts)
    for index in candidates {
      reader.begin(layouts[index].slots)
      if layouts[index].hasFixedParts, layouts[index].missingFixedPart(&reader) != nil { continue }
      if let route = links[index].read(&reader) { return route }
      // A link that is broken where a value should be means that one; it is not another link by being broken.
      if reader.kind == .malformed { return nil }
    }
    return nil
  }

  /// Why there is no route: each link is asked how far it gets.
  func diagnose(_ bytes: [UInt8]) -> LinkDiagnosis {
    var parts = LinkParts()
    if var diagnosis = scanner.scan(bytes, into: &parts) {
      switch diagnosis.kind.value {
      case .scheme: diagnosis.expected = ["'\(scheme):'"] + hosts.map { "'https://\($0)'" }
      case .host: diagnosis.expected = hosts.map { "'\($0)'" }
      default: diagnosis.expected = ["a character that is allowed in a link"]
      }
      return diagnosis
    }
    var reader = LinkReader(bytes, parts)
    // A link gets no further than its path does. So the one with the best path is asked first, and those that cannot get
    // as far as it are not asked at all: their values may be long.
    let reach = layouts.map { $0.problem == nil ? $0.reach(bytes, parts) : -1 }
    let order = layouts.indices.filter { reach[$0] >= 0 }.sorted { (-reach[$0], $0) < (-reach[$1], $1) }
    var furthest = -1
    var asked: [(index: Int, diagnosis: LinkDiagnosis)] = []
    for index in order {
      if reach[index] < furthest { break }
      let diagnosis = layouts[index].diagnose(bytes, parts, &reader) { reader in links[index].read(&reader) != nil }
      furthest = max(furthest, diagnosis.offset)
      asked.append((index, diagnosis))
    }
    var best = LinkDiagnosis(kind: .mismatch, offset: -1)
    for (_, diagnosis) in asked.sorted(by: { $0.index < $1.index }) { best.take(diagnosis) }
    // No link was asked, since none can be used: it goes wrong where the path begins.
    if best.offset < 0 { best.offset = parts.segments.first?.start ?? parts.pathEnd }
    return best
  }

  @inlinable
  func print(_ route: Route, after prefix: [UInt8]) throws(LinkPrintingError) -> String {
    var writer = begin(after: prefix)
    let index = linkFor.map { write(route, &writer, by: $0(route)) } ?? printer.write(route, &writer, base: 0)
    guard let index else { throw .noLink("\(route)") }
    return try finish(writer, index)
  }

  /// Writes a route by one of the links: the very one, or else one of the same template.
  @usableFromInline
  func write(_ route: Route, _ writer: inout LinkWriter, by link: Link<Route>) -> Int? {
    let number =
      numbers[ObjectIdentifier(link.definition)]
      ?? links.firstIndex { $0.template.text == link.definition.template.text }
    guard let number, layouts[number].problem == nil else { return nil }
    writer.link = number
    return links[number].write(route, &writer) ? number : nil
  }

  @usableFromInline
  func begin(after prefix: [UInt8]) -> LinkWriter { LinkWriter(prefix: prefix, layouts: layouts) }

  @usableFromInline
  func finish(_ writer: LinkWriter, _ index: Int) throws(LinkPrintingError) -> String {
    // Only one without values comes here: the others have refused theirs.
    if layouts[index].problem != nil {
      throw .unprintable(placeholder: links[index].template.placeholders.first ?? "?", in: links[index].template.text)
    }
    if let value = writer.refusedValue {
      let names = links[index].template.placeholders
      let name = names.indices.contains(value) ? names[value] : "?"
      throw .unprintable(placeholder: name, in: links[index].template.text)
    }
    return writer.text(before: layouts[index].after)
  }
}
