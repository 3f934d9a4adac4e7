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
/// values have the order of the template. An optional value may be absent; an optional segment must be the last one. A repeated
/// value matches the rest of the path, or all query items of its name. All other text stands for itself.
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
  @inlinable @inline(never)
  public init(_ template: String, to route: Route) where Route: Equatable & Sendable {
    self.init(template, [], build: { _ in route }, texts: { $0 == route ? [] : nil })
  }
}

@usableFromInline
final class LinkDefinition<Route>: Sendable {
  @usableFromInline let pattern: LinkPattern
  @usableFromInline let build: @Sendable ([[Any]]) throws -> Route
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

  fileprivate func take(from parsed: inout ArraySlice<[Any]>) throws -> Value {
    guard let value = parsed.popFirst().flatMap(value) else { throw WrongType() }
    return value
  }
}

// Inlinable, so that the compiler specialises the call of `extract`: printing tries one link after another, and an
// unspecialised call takes 20 times as long.

extension Link {
  /// Creates a link with values, in the order of the template.
  ///
  /// `extract` returns `nil` for a route of another kind, and otherwise the values that `build` received.
  @inlinable @inline(__always)
  public init<each Value>(
    _ template: String, _ values: repeat LinkValue<each Value>,
    to build: @escaping @Sendable (repeat each Value) -> Route,
    from extract: @escaping @Sendable (Route) -> (repeat each Value)?
  ) {
    self.init(template, Self.requirements(of: repeat each values), build: Self.route(by: build, of: repeat each values))
    {
      route in
      guard let extracted = extract(route) else { return nil }
      return Self.texts(repeat each extracted, by: repeat each values)
    }
  }

  @usableFromInline
  static func requirements<each Value>(of values: repeat LinkValue<each Value>) -> [LinkRequirement] {
    var requirements: [LinkRequirement] = []
    for value in repeat each values { requirements.append(value.requirement) }
    return requirements
  }

  @usableFromInline
  static func route<each Value>(
    by build: @escaping @Sendable (repeat each Value) -> Route, of values: repeat LinkValue<each Value>
  ) -> @Sendable ([[Any]]) throws -> Route {
    { parsed in
      var rest = parsed[...]
      return try build(repeat (each values).take(from: &rest))
    }
  }

  @usableFromInline
  static func texts<each Value>(
    _ extracted: repeat each Value, by values: repeat LinkValue<each Value>
  ) -> [[String]?] {
    var texts: [[String]?] = []
    repeat texts.append((each values).texts(each extracted))
    return texts
  }
}
