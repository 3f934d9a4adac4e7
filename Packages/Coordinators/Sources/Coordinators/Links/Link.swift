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
  /// One object, so that a link costs one reference to hand on, and has an identity.
  @usableFromInline let definition: LinkDefinition<Route>

  @usableFromInline
  init(
    _ template: String, _ requirements: [LinkRequirement],
    read: @escaping @Sendable (inout LinkReader) -> Route?,
    write: @escaping @Sendable (Route, inout LinkWriter) -> Bool
  ) {
    definition = LinkDefinition(
      template: LinkTemplate(template), requirements: requirements, read: read, write: write)
  }

  /// Creates a link without values.
  ///
  /// - Parameters:
  ///   - template: What the link looks like, from the first segment of the path on.
  ///   - route: Where it leads.
  @inlinable @inline(never)
  public init(_ template: String, to route: Route) where Route: Equatable & Sendable {
    self.init(template, [], read: { _ in route }, write: { other, _ in other == route })
  }
}

/// What a link is made of.
@usableFromInline
final class LinkDefinition<Route>: Sendable {
  let template: LinkTemplate
  let requirements: [LinkRequirement]
  @usableFromInline let read: @Sendable (inout LinkReader) -> Route?
  /// Writes a route that this link is for, or says that it is for another.
  @usableFromInline let write: @Sendable (Route, inout LinkWriter) -> Bool

  init(
    template: LinkTemplate, requirements: [LinkRequirement], read: @escaping @Sendable (inout LinkReader) -> Route?,
    write: @escaping @Sendable (Route, inout LinkWriter) -> Bool
  ) {
    self.template = template
    self.requirements = requirements
    self.read = read
    self.write = write
  }

  /// The same after some segments, for another type of route.
  @usableFromInline
  func below<Whole>(
    _ prefix: String, read: @escaping @Sendable (inout LinkReader) -> Whole?,
    write: @escaping @Sendable (Whole, inout LinkWriter) -> Bool
  ) -> LinkDefinition<Whole> {
    LinkDefinition<Whole>(
      template: template.below(prefix), requirements: requirements, read: read, write: write)
  }
}
