/// What ``Links`` are made of: one link, or a group of them.
public struct LinkDeclaration<Route>: Sendable {
  @usableFromInline
  enum Writing: Sendable {
    case link
    case group(@Sendable (Route, inout LinkWriter, Int) -> Int?)
  }

  @usableFromInline let links: [LinkDefinition<Route>]
  @usableFromInline let writing: Writing

  @inlinable
  init(_ link: Link<Route>) {
    links = [link.definition]
    writing = .link
  }

  @inlinable
  init(_ group: LinkGroup<Route>) {
    links = group.links
    writing = .group(group.write)
  }
}

/// Collects links written one below the other; `if` and `for` may stand among them.
@resultBuilder
public enum LinksBuilder<Route> {
  /// A single link.
  @inlinable
  public static func buildExpression(_ link: Link<Route>) -> [LinkDeclaration<Route>] { [LinkDeclaration(link)] }
  /// A group of links.
  @inlinable
  public static func buildExpression(_ group: LinkGroup<Route>) -> [LinkDeclaration<Route>] {
    [LinkDeclaration(group)]
  }
  /// Declarations that were made elsewhere.
  @inlinable
  public static func buildExpression(_ declarations: [LinkDeclaration<Route>]) -> [LinkDeclaration<Route>] {
    declarations
  }
  /// All of a block.
  public static func buildBlock(_ parts: [LinkDeclaration<Route>]...) -> [LinkDeclaration<Route>] {
    parts.flatMap { $0 }
  }
  /// A branch without `else`.
  public static func buildOptional(_ part: [LinkDeclaration<Route>]?) -> [LinkDeclaration<Route>] { part ?? [] }
  /// The first of two branches.
  public static func buildEither(first: [LinkDeclaration<Route>]) -> [LinkDeclaration<Route>] { first }
  /// The second of two branches.
  public static func buildEither(second: [LinkDeclaration<Route>]) -> [LinkDeclaration<Route>] { second }
  /// A loop.
  public static func buildArray(_ parts: [[LinkDeclaration<Route>]]) -> [LinkDeclaration<Route>] {
    parts.flatMap { $0 }
  }
}

/// Links that are added one after the other, for hundreds of them; see ``Links/init(scheme:hosts:declaredBy:linkFor:)``.
public struct LinkList<Route>: Sendable {
  private(set) var declarations: [LinkDeclaration<Route>] = []

  init() {}

  // Autoclosures: each link is a function of its own for the optimiser, which otherwise goes through a thousand of them as one
  // block, in time that grows with the square of its length.

  /// Adds a link, to be tried after those before it.
  ///
  /// - Parameter link: The link; asked for once, at once.
  public mutating func add(_ link: @autoclosure () -> Link<Route>) { declarations.append(LinkDeclaration(link())) }

  /// Adds a group, to be tried after what is before it.
  ///
  /// - Parameter group: The links of a part of the app; asked for once, at once.
  public mutating func add(_ group: @autoclosure () -> LinkGroup<Route>) {
    declarations.append(LinkDeclaration(group()))
  }
}
