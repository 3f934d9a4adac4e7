/// Several links below a common beginning, with a route type of their own: what a part of an app declares for itself.
///
/// ```swift
/// LinkGroup("words", wordLinks) { AppRoute.words($0) } from: { if case .words(let route) = $0 { route } else { nil } }
/// ```
///
/// A group also makes printing quicker, since one look tells that a route belongs to none of its links.
public struct LinkGroup<Route>: Sendable {
  @usableFromInline let links: [LinkDefinition<Route>]
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
