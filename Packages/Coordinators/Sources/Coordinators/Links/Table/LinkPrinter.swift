/// Finds the link for a route: one declaration after the other, each link or group asked once.
@usableFromInline
struct LinkPrinter<Route>: Sendable {
  @usableFromInline let declarations: [LinkDeclaration<Route>]
  /// The number of the first link of each declaration.
  @usableFromInline let starts: [Int]

  @usableFromInline
  init(_ declarations: [LinkDeclaration<Route>]) {
    self.declarations = declarations
    var next = 0
    starts = declarations.map { declaration in
      defer { next += declaration.links.count }
      return next
    }
  }

  /// Writes the route and tells by which link.
  ///
  /// - Parameter base: The number of the first link of these among all links.
  @inlinable
  func write(_ route: Route, _ writer: inout LinkWriter, base: Int) -> Int? {
    for index in declarations.indices {
      switch declarations[index].writing {
      case .link(let write):
        writer.link = base + starts[index]
        if write(route, &writer) { return writer.link }
      case .group(let write):
        if let link = write(route, &writer, base + starts[index]) { return link }
      }
    }
    return nil
  }
}
