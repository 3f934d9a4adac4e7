/// The links of an app, as a value: which route a link leads to, and which link leads to a route.
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
/// - **More than fifty of them** are declared in a function, with ``init(scheme:hosts:declaredBy:linkFor:)``: a block of a
///   thousand takes the compiler a minute, the function a few seconds.
/// - **Order:** the first declared link that fits counts. All links stand in one trie, so it does not matter how many there
///   are, nor which one it is.
/// - **Forgiving where nothing is lost:** case of scheme and host, a slash at the end, query items that no link asked for,
///   `+` for a space in a query, and the order of query items.
/// - **Broken is not another:** a link whose value has an incomplete percent-encoding, or is no text in UTF-8, is refused and
///   never tried as one of the links declared after it.
/// - **Any text will do:** what is no link gets a ``LinkError``, in time proportional to its length.
///
/// An app scheme's first segment stands where a host would; so `boundaries://stories/1` and `boundaries:/stories/1` are the
/// same, and `https://boundaries.example/stories/1` is the universal link for it, with or without the default port. Let the
/// first segment be a literal: platforms may change the case of what stands there.
///
/// Source: *Boundaries in Practice*, whose `url_scheme://stories/12345` this is for.
public struct Links<Route>: Sendable {
  @usableFromInline let table: LinkTable<Route>

  /// Creates the links of an app that has up to fifty of them.
  ///
  /// A block is checked by the compiler as one piece, in time that grows with the square of its length: 50 links take a
  /// fifth of a second, 1,000 a minute. Give the parts of a large app a block each, in a ``LinkGroup``, or declare all of
  /// it flat with ``init(scheme:hosts:declaredBy:linkFor:)``.
  ///
  /// - Parameters:
  ///   - scheme: The app's own scheme, without a colon.
  ///   - hosts: The hosts whose `https` and `http` links the app opens.
  ///   - declarations: The links, in the order in which they are tried.
  ///   - linkFor: Which of them prints a route: a `switch` of which the compiler sees that no case is forgotten. Without it,
  ///     printing asks one link after the other, groups first; that takes 13 ns for each.
  public init(
    scheme: String, hosts: [String] = [], @LinksBuilder<Route> _ declarations: () -> [LinkDeclaration<Route>],
    linkFor: (@Sendable (Route) -> Link<Route>)? = nil
  ) {
    table = LinkTable(scheme: scheme, hosts: hosts, declarations: declarations(), linkFor: linkFor)
  }

  /// Creates the links of an app that has many, by a function that adds one after the other.
  ///
  /// This is the way to declare a table that may grow: the compiler looks at the statements of a function one by one, so 1,000
  /// links take it a few seconds, and twice as many twice as long.
  ///
  /// ```swift
  /// let links = Links<AppRoute>(scheme: "boundaries", declaredBy: declareLinks)
  ///
  /// func declareLinks(_ links: inout LinkList<AppRoute>) {
  ///   links.add(Link("stories", to: .stories))
  ///   links.add(Link("stories/:id", .int) { AppRoute.story($0) } from: { if case .story(let id) = $0 { id } else { nil } })
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - scheme: The app's own scheme, without a colon.
  ///   - hosts: The hosts whose `https` and `http` links the app opens.
  ///   - declare: Adds the links, in the order in which they are tried; called once. A closure would be checked as one
  ///     piece again.
  ///   - linkFor: Which of them prints a route, as above.
  public init(
    scheme: String, hosts: [String] = [], declaredBy declare: (inout LinkList<Route>) -> Void,
    linkFor: (@Sendable (Route) -> Link<Route>)? = nil
  ) {
    var list = LinkList<Route>()
    declare(&list)
    table = LinkTable(scheme: scheme, hosts: hosts, declarations: list.declarations, linkFor: linkFor)
  }

  /// What is wrong with the declarations; a test should see that there is nothing.
  ///
  /// A link whose template and values do not fit is never found and never printed. Worked out each time, by comparing the
  /// links with each other.
  public var problems: [String] { table.problems }

  /// The route that a link leads to.
  ///
  /// - Throws: ``LinkError``, which tells how far the best alternative got, and what it expected there.
  public func route(for link: String) throws(LinkError) -> Route {
    if let route = table.resolve(Array(link.utf8)) { return route }
    throw LinkError(link: link) { [table] link in table.diagnose(Array(link.utf8)) }
  }

  /// The link that leads to a route, in the app's own scheme.
  ///
  /// - Throws: ``LinkPrintingError`` when no link is for this route, or a value cannot be part of a link.
  @inlinable
  public func link(to route: Route) throws(LinkPrintingError) -> String {
    try table.print(route, after: table.schemePrefix)
  }

  /// The universal link that leads to a route.
  ///
  /// - Parameters:
  ///   - route: Where the link shall lead.
  ///   - host: One of the hosts that these links have.
  /// - Throws: ``LinkPrintingError`` as ``link(to:)``, and when the host is not one of them.
  public func universalLink(to route: Route, host: String) throws(LinkPrintingError) -> String {
    guard let index = table.hosts.firstIndex(of: host.lowercased()) else {
      throw .unknownHost(host, known: table.hosts)
    }
    return try table.print(route, after: Array("https://\(table.hosts[index])/".utf8))
  }
}

extension Links {
  /// Declarations without a scheme, for a part of an app; see ``LinkGroup``.
  public static func declarations(
    @LinksBuilder<Route> _ declarations: () -> [LinkDeclaration<Route>]
  ) -> [LinkDeclaration<Route>] {
    declarations()
  }
}
