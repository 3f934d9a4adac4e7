/// A kind of link: a template that reads like the link itself, with a typed value for each placeholder.
///
/// ```swift
/// Link("stories", to: .stories)
/// Link("stories/:id?ref=:ref", .int, .optional(.string)) { AppRoute.story($0, ref: $1) } from: {
///   if case .story(let id, let ref) = $0 { (id, ref) } else { nil }
/// }
/// ```
///
/// In a template `:name` stands for a value: as a segment of the path, as the value of a query item, or as the fragment. The
/// values are in this order. An optional value may be absent, a segment only at the end of the path. A repeated value matches
/// the rest of the path, or all query items of its name. All other text stands for itself.
///
/// The same declaration parses and prints, so the two cannot diverge.
public struct Link<Route>: Sendable {
  /// A class, so that a link has an identity.
  @usableFromInline let definition: LinkDefinition<Route>

  @usableFromInline
  init(
    _ template: String, _ values: [LinkRequirement], build: @escaping @Sendable ([[Any]]) throws -> Route,
    texts: @escaping @Sendable (Route) -> [[String]?]?
  ) {
    definition = LinkDefinition(LinkPattern(LinkTemplate(template), values), build: build, texts: texts)
  }

  /// Creates a link without values.
  ///
  /// - Parameters:
  ///   - template: The link from the first segment of the path on.
  ///   - route: The route of the link.
  @inlinable @inline(never)
  public init(_ template: String, to route: Route) where Route: Equatable & Sendable {
    self.init(template, [], build: { _ in route }, texts: { $0 == route ? [] : nil })
  }
}

/// The pattern of a link, and the conversion between its values and a route.
@usableFromInline
final class LinkDefinition<Route>: Sendable {
  @usableFromInline let pattern: LinkPattern
  /// Makes the route of parsed values.
  @usableFromInline let build: @Sendable ([[Any]]) throws -> Route
  /// Returns the texts of the values of a route; `nil` for a route of another link.
  @usableFromInline let texts: @Sendable (Route) -> [[String]?]?

  @usableFromInline
  init(
    _ pattern: LinkPattern, build: @escaping @Sendable ([[Any]]) throws -> Route,
    texts: @escaping @Sendable (Route) -> [[String]?]?
  ) {
    (self.pattern, self.build, self.texts) = (pattern, build, texts)
  }
}

extension LinkValue {
  private struct WrongType: Error {}

  @usableFromInline
  func get(_ parsed: [Any]) throws -> Value {
    guard let value = value(parsed) else { throw WrongType() }
    return value
  }
}

// Each number of values has its own inlinable initialiser: printing tries one link after another, and an unspecialised
// initialiser takes 0.3 µs (benchmark "link: print the last of 1,000"). A parameter pack cannot be specialised.

extension Link {
  /// Creates a link with one value.
  ///
  /// - Parameters:
  ///   - template: The link from the first segment of the path on.
  ///   - a: The value of the placeholder.
  ///   - build: Makes the route of the value.
  ///   - extract: Returns the value of a route, or `nil` for a route of another kind. It must return the value that `build`
  ///     received.
  @inlinable @inline(never)
  public init<A>(
    _ template: String, _ a: LinkValue<A>,
    to build: @escaping @Sendable (A) -> Route, from extract: @escaping @Sendable (Route) -> A?
  ) {
    self.init(template, [a.requirement]) {
      try build(a.get($0[0]))
    } texts: {
      extract($0).map { [a.texts($0)] }
    }
  }

  /// Creates a link with two values, in the order of the template.
  @inlinable @inline(never)
  public init<A, B>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>,
    to build: @escaping @Sendable (A, B) -> Route, from extract: @escaping @Sendable (Route) -> (A, B)?
  ) {
    self.init(template, [a.requirement, b.requirement]) {
      try build(a.get($0[0]), b.get($0[1]))
    } texts: {
      extract($0).map { [a.texts($0.0), b.texts($0.1)] }
    }
  }

  /// Creates a link with three values, in the order of the template.
  @inlinable @inline(never)
  public init<A, B, C>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>, _ c: LinkValue<C>,
    to build: @escaping @Sendable (A, B, C) -> Route, from extract: @escaping @Sendable (Route) -> (A, B, C)?
  ) {
    self.init(template, [a.requirement, b.requirement, c.requirement]) {
      try build(a.get($0[0]), b.get($0[1]), c.get($0[2]))
    } texts: {
      extract($0).map { [a.texts($0.0), b.texts($0.1), c.texts($0.2)] }
    }
  }

  /// Creates a link with four values, in the order of the template.
  @inlinable @inline(never)
  public init<A, B, C, D>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>, _ c: LinkValue<C>, _ d: LinkValue<D>,
    to build: @escaping @Sendable (A, B, C, D) -> Route, from extract: @escaping @Sendable (Route) -> (A, B, C, D)?
  ) {
    self.init(template, [a.requirement, b.requirement, c.requirement, d.requirement]) {
      try build(a.get($0[0]), b.get($0[1]), c.get($0[2]), d.get($0[3]))
    } texts: {
      extract($0).map { [a.texts($0.0), b.texts($0.1), c.texts($0.2), d.texts($0.3)] }
    }
  }

  /// Creates a link with five values, in the order of the template.
  @inlinable @inline(never)
  public init<A, B, C, D, E>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>, _ c: LinkValue<C>, _ d: LinkValue<D>, _ e: LinkValue<E>,
    to build: @escaping @Sendable (A, B, C, D, E) -> Route,
    from extract: @escaping @Sendable (Route) -> (A, B, C, D, E)?
  ) {
    self.init(template, [a.requirement, b.requirement, c.requirement, d.requirement, e.requirement]) {
      try build(a.get($0[0]), b.get($0[1]), c.get($0[2]), d.get($0[3]), e.get($0[4]))
    } texts: {
      extract($0).map { [a.texts($0.0), b.texts($0.1), c.texts($0.2), d.texts($0.3), e.texts($0.4)] }
    }
  }

  /// Creates a link with six values, in the order of the template.
  @inlinable @inline(never)
  public init<A, B, C, D, E, F>(
    _ template: String, _ a: LinkValue<A>, _ b: LinkValue<B>, _ c: LinkValue<C>, _ d: LinkValue<D>, _ e: LinkValue<E>,
    _ f: LinkValue<F>,
    to build: @escaping @Sendable (A, B, C, D, E, F) -> Route,
    from extract: @escaping @Sendable (Route) -> (A, B, C, D, E, F)?
  ) {
    self.init(template, [a.requirement, b.requirement, c.requirement, d.requirement, e.requirement, f.requirement]) {
      try build(a.get($0[0]), b.get($0[1]), c.get($0[2]), d.get($0[3]), e.get($0[4]), f.get($0[5]))
    } texts: {
      extract($0).map { [a.texts($0.0), b.texts($0.1), c.texts($0.2), d.texts($0.3), e.texts($0.4), f.texts($0.5)] }
    }
  }
}
