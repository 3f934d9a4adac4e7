/// One kind of link: a template that reads like the link itself, with a typed value for each placeholder.
///
/// ```swift
/// Link("stories", to: .stories)
/// Link("stories/:id?ref=:ref", .int, .optional(.string)) { AppRoute.story($0, ref: $1) } from: {
///   if case .story(let id, let ref) = $0 { (id, ref) } else { nil }
/// }
/// ```
///
/// In a template `:name` stands for a value: as a segment of the path, as the value of a query item, or as the fragment.
/// Values are given in that order. An optional one may be absent, a segment only at the end of the path; a repeated one
/// takes the rest of the path, or all query items of that name. Everything else stands for itself.
///
/// Both directions come from this one declaration, so they cannot drift apart.
public struct Link<Route>: Sendable {
  let template: LinkTemplate
  let requirements: [LinkRequirement]
  @usableFromInline let read: @Sendable (inout LinkReader) -> Route?
  /// Writes a route that this link is for, or says that it is for another.
  @usableFromInline let write: @Sendable (Route, inout LinkWriter) -> Bool

  @usableFromInline
  init(
    _ template: String, _ requirements: [LinkRequirement],
    read: @escaping @Sendable (inout LinkReader) -> Route?,
    write: @escaping @Sendable (Route, inout LinkWriter) -> Bool
  ) {
    self.init(template: LinkTemplate(template), requirements: requirements, read: read, write: write)
  }

  /// The same link after some segments, for another type of route.
  @usableFromInline
  func below<Whole>(
    _ prefix: String, read: @escaping @Sendable (inout LinkReader) -> Whole?,
    write: @escaping @Sendable (Whole, inout LinkWriter) -> Bool
  ) -> Link<Whole> {
    Link<Whole>(template: template.below(prefix), requirements: requirements, read: read, write: write)
  }

  init(
    template: LinkTemplate, requirements: [LinkRequirement], read: @escaping @Sendable (inout LinkReader) -> Route?,
    write: @escaping @Sendable (Route, inout LinkWriter) -> Bool
  ) {
    self.template = template
    self.requirements = requirements
    self.read = read
    self.write = write
  }

  /// Creates a link without values.
  @inlinable
  public init(_ template: String, to route: Route) where Route: Equatable & Sendable {
    self.init(template, [], read: { _ in route }, write: { other, _ in other == route })
  }
}

/// Several links below a common beginning, with a route type of their own: what a part of an app declares for itself.
///
/// ```swift
/// LinkGroup("words", wordLinks) { AppRoute.words($0) } from: { if case .words(let route) = $0 { route } else { nil } }
/// ```
///
/// A group also makes printing quicker, since one look tells that a route belongs to none of its links.
public struct LinkGroup<Route>: Sendable {
  @usableFromInline let links: [Link<Route>]
  /// Writes a route and tells by which link; the last argument is the number of the first of them among all.
  @usableFromInline let write: @Sendable (Route, inout LinkWriter, Int) -> Int?

  /// Creates a group.
  ///
  /// - Parameters:
  ///   - prefix: The segments before those of the links, without placeholders; may be empty.
  ///   - declarations: The links of the part.
  ///   - build: Makes the app's route from the part's.
  ///   - extract: Gives the part's route back, or `nil` for a route of another part.
  @inlinable
  public init<Part>(
    _ prefix: String = "", _ declarations: [LinkDeclaration<Part>], to build: @escaping @Sendable (Part) -> Route,
    from extract: @escaping @Sendable (Route) -> Part?
  ) {
    let parts = declarations.flatMap(\.links)
    let printer = LinkPrinter(declarations)
    links = parts.map { link in
      link.below(
        prefix, read: { reader in link.read(&reader).map(build) },
        write: { route, writer in extract(route).map { link.write($0, &writer) } ?? false })
    }
    write = { route, writer, base in extract(route).flatMap { printer.write($0, &writer, base: base) } }
  }
}

/// What ``Links`` are made of: one link, or a group of them.
public struct LinkDeclaration<Route>: Sendable {
  @usableFromInline
  enum Writing: Sendable {
    case link(@Sendable (Route, inout LinkWriter) -> Bool)
    case group(@Sendable (Route, inout LinkWriter, Int) -> Int?)
  }

  @usableFromInline let links: [Link<Route>]
  @usableFromInline let writing: Writing

  @inlinable
  init(_ link: Link<Route>) {
    links = [link]
    writing = .link(link.write)
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
