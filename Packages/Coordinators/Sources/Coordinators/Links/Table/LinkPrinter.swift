/// Finds the link for a route: one declaration after the other, each link or group asked once.
@usableFromInline
struct LinkPrinter<Route>: Sendable {
  @usableFromInline
  enum Step: Sendable {
    /// Links one after the other, and the number of the first of them.
    case links([LinkDefinition<Route>], first: Int)
    /// A group, and the number of its first link.
    case group(@Sendable (Route, inout LinkWriter, Int) -> Int?, first: Int)
  }

  @usableFromInline let steps: [Step]

  @usableFromInline
  init(_ declarations: [LinkDeclaration<Route>]) {
    var steps: [Step] = []
    var run: [LinkDefinition<Route>] = []
    var next = 0
    for declaration in declarations {
      switch declaration.writing {
      case .link: run += declaration.links
      case .group(let write):
        if !run.isEmpty { steps.append(.links(run, first: next - run.count)) }
        run = []
        steps.append(.group(write, first: next))
      }
      next += declaration.links.count
    }
    if !run.isEmpty { steps.append(.links(run, first: next - run.count)) }
    self.steps = steps
  }

  /// Writes the route and tells by which link.
  ///
  /// - Parameter base: The number of the first link of these among all links.
  @inlinable
  func write(_ route: Route, _ writer: inout LinkWriter, base: Int) -> Int? {
    for step in steps {
      switch step {
      case .links(let links, let first):
        for index in links.indices {
          writer.link = base + first + index
          if links[index].write(route, &writer) { return writer.link }
        }
      case .group(let write, let first):
        if let link = write(route, &writer, base + first) { return link }
      }
    }
    return nil
  }
}
