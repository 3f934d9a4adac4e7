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
/// ```
///
/// - **Many links:** declare more than fifty in a function, with ``init(scheme:hosts:declaredBy:linkFor:)``. The
///   compiler takes a minute for a block of a thousand, and a few seconds for the function.
/// - **Order:** the first declared link that matches wins.
/// - **Accepted variants:** scheme and host in any case, a slash at the end, unknown query items, `+` for a space in a
///   query, and query items in any order.
/// - **A malformed link never matches a later declaration:** an incomplete percent-encoding or invalid UTF-8 in a value
///   is an error.
/// - **Any text is safe:** a text that is not a valid link throws a ``LinkError``, in time proportional to its length.
///
/// A link with the app's own scheme has no host: in `boundaries://stories/1` the first segment is `stories`.
/// `boundaries:/stories/1` is the same link, and `https://boundaries.example/stories/1`, with or without the default
/// port, is the universal link for it. Use a literal as the first segment: platforms may read it as a host and change
/// its case.
public struct Links<Route>: Sendable {
  @usableFromInline let table: LinkTable<Route>

  /// Creates links from a block of at most about fifty.
  ///
  /// The compiler checks a block as one expression, in time quadratic in its length. The declarations are in the order
  /// of preference.
  ///
  /// `linkFor` returns the link that prints a route: a `switch`, which the compiler checks for completeness. Without
  /// it, printing tries the declarations in order. The app opens `https` and `http` links of `hosts`.
  public init(
    scheme: String, hosts: [String] = [], @LinksBuilder<Route> _ declarations: () -> [LinkDeclaration<Route>],
    linkFor: (@Sendable (Route) -> Link<Route>)? = nil
  ) {
    table = LinkTable(scheme: scheme, hosts: hosts, declarations: declarations(), linkFor: linkFor)
  }

  /// Creates any number of links with a function that adds them one by one.
  ///
  /// Pass a function: the compiler checks a closure as one expression.
  ///
  /// ```swift
  /// let links = Links<AppRoute>(scheme: "boundaries", declaredBy: declareLinks)
  ///
  /// func declareLinks(_ links: inout LinkList<AppRoute>) {
  ///   links.add(Link("stories", to: .stories))
  ///   links.add(Link("stories/:id", .int) { AppRoute.story($0) } from: { if case .story(let id) = $0 { id } else { nil } })
  /// }
  /// ```
  public init(
    scheme: String, hosts: [String] = [], declaredBy declare: (inout LinkList<Route>) -> Void,
    linkFor: (@Sendable (Route) -> Link<Route>)? = nil
  ) {
    var list = LinkList<Route>()
    declare(&list)
    table = LinkTable(scheme: scheme, hosts: hosts, declarations: list.declarations, linkFor: linkFor)
  }

  /// The mistakes in the declarations; a test should check that it is empty.
  ///
  /// A link with a mistake is never matched and never printed.
  public var problems: [String] { table.problems }

  /// Returns the route of a link.
  ///
  /// - Throws: ``LinkError`` with the place of the difference and the expected alternatives.
  public func route(for link: String) throws(LinkError) -> Route {
    if let route = table.resolve(link) { return route }
    throw LinkError(link: link) { [table] in table.diagnose(link) }
  }

  /// Returns the link to a route, in the app's own scheme.
  ///
  /// - Throws: ``LinkPrintingError`` when no link is declared for the route, or a value is unprintable.
  @inlinable
  public func link(to route: Route) throws(LinkPrintingError) -> String {
    try table.print(route, after: "\(table.scheme)://")
  }

  /// Returns the universal link to a route.
  ///
  /// - Throws: ``LinkPrintingError`` as ``link(to:)``, and for an unknown host.
  public func universalLink(to route: Route, host: String) throws(LinkPrintingError) -> String {
    let known = host.lowercased()
    guard table.hosts.contains(known) else { throw .unknownHost(host, known: table.hosts) }
    return try table.print(route, after: "https://\(known)/")
  }

  /// Collects declarations without a scheme, for a ``LinkGroup``.
  public static func declarations(
    @LinksBuilder<Route> _ declarations: () -> [LinkDeclaration<Route>]
  ) -> [LinkDeclaration<Route>] {
    declarations()
  }
}
