/// Finds the link for a route: one declaration after the other, each link or group asked once.
struct LinkPrinter<Route>: Sendable {
  private let declarations: [LinkDeclaration<Route>]
  /// The number of the first link of each declaration.
  private let starts: [Int]

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
  func write(_ route: Route, _ writer: inout LinkWriter, base: Int) -> Int? {
    for (index, declaration) in declarations.enumerated() {
      if let link = declaration.write(route, &writer, base + starts[index]) { return link }
    }
    return nil
  }
}
