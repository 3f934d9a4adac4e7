/// A declaration in ``Links``: one link, or a group of links.
public struct LinkDeclaration<Route>: Sendable {
  @usableFromInline let links: [LinkDefinition<Route>]
  @usableFromInline let find: (@Sendable (Route) -> (link: Int, texts: [[String]?])?)?

  @usableFromInline
  init(_ link: Link<Route>) {
    links = [link.definition]
    find = nil
  }

  @usableFromInline
  init(
    _ links: [LinkDefinition<Route>], find: @escaping @Sendable (Route) -> (link: Int, texts: [[String]?])?
  ) {
    (self.links, self.find) = (links, find)
  }
}

extension Array {
  @inlinable
  func find<Route>(_ route: Route) -> (link: Int, texts: [[String]?])? where Element == LinkDeclaration<Route> {
    var first = 0
    for declaration in self {
      if let find = declaration.find {
        if let found = find(route) { return (first + found.link, found.texts) }
      } else if let texts = declaration.links[0].texts(route) {
        return (first, texts)
      }
      first += declaration.links.count
    }
    return nil
  }
}

/// Links below a common prefix, with a route type of their own: the links of a part of an app.
///
/// ```swift
/// LinkGroup("words", wordLinks) { AppRoute.words($0) } from: { if case .words(let route) = $0 { route } else { nil } }
/// ```
///
/// A group also makes printing faster, because one check skips all of its links.
public struct LinkGroup<Route>: Sendable {
  @usableFromInline let declaration: LinkDeclaration<Route>

  /// Creates a group below the literal segments of `prefix`, which may be empty.
  ///
  /// `extract` returns `nil` for a route of another part.
  @inlinable
  public init<Part>(
    _ prefix: String = "", _ declarations: [LinkDeclaration<Part>], to build: @escaping @Sendable (Part) -> Route,
    from extract: @escaping @Sendable (Route) -> Part?
  ) {
    let links = declarations.flatMap(\.links).map { link in
      LinkDefinition<Route>(link.pattern.below(prefix)) {
        build(try link.build($0))
      } texts: {
        extract($0).flatMap(link.texts)
      }
    }
    declaration = LinkDeclaration(links) { extract($0).flatMap(declarations.find) }
  }
}

/// Collects links, one per line; supports `if` and `for`.
@resultBuilder
public enum LinksBuilder<Route> {
  public static func buildExpression(_ link: Link<Route>) -> [LinkDeclaration<Route>] { [LinkDeclaration(link)] }
  public static func buildExpression(_ group: LinkGroup<Route>) -> [LinkDeclaration<Route>] { [group.declaration] }
  public static func buildExpression(_ declarations: [LinkDeclaration<Route>]) -> [LinkDeclaration<Route>] {
    declarations
  }
  public static func buildBlock(_ parts: [LinkDeclaration<Route>]...) -> [LinkDeclaration<Route>] {
    parts.flatMap { $0 }
  }
  public static func buildOptional(_ part: [LinkDeclaration<Route>]?) -> [LinkDeclaration<Route>] { part ?? [] }
  public static func buildEither(first: [LinkDeclaration<Route>]) -> [LinkDeclaration<Route>] { first }
  public static func buildEither(second: [LinkDeclaration<Route>]) -> [LinkDeclaration<Route>] { second }
  public static func buildArray(_ parts: [[LinkDeclaration<Route>]]) -> [LinkDeclaration<Route>] {
    parts.flatMap { $0 }
  }
}

/// Links that a function adds one by one; see ``Links/init(scheme:hosts:declaredBy:linkFor:)``.
public struct LinkList<Route>: Sendable {
  private(set) var declarations: [LinkDeclaration<Route>] = []

  init() {}

  // Autoclosures: the optimiser treats each link as a function, and not a thousand of them as one block, in quadratic time.

  public mutating func add(_ link: @autoclosure () -> Link<Route>) { declarations.append(LinkDeclaration(link())) }

  public mutating func add(_ group: @autoclosure () -> LinkGroup<Route>) { declarations.append(group().declaration) }
}
