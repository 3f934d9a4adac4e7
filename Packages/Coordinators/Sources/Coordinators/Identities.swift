/// The identity of a node, valid as long as the navigation exists.
///
/// The ``Navigation`` assigns identities in ascending order and never reuses them. The same steps therefore give the same
/// identities, in tests and in production.
public struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static func < (left: NodeID, right: NodeID) -> Bool { left.rawValue < right.rawValue }

  public var description: String { "#\(rawValue)" }
}

/// The identity of a coordinator: the path from the root coordinator to it.
///
/// ```swift
/// let words = CoordinatorID("application").child("dictionary").child("words")
/// print(words)  // application/dictionary/words
/// ```
///
/// A saved navigation or the target of a link can name the owner of a screen before that coordinator exists. Children of one parent
/// that run at the same time need different names. Names are compared byte by byte.
public struct CoordinatorID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The names from the root coordinator to this one.
  public let names: [String]

  /// Creates an identity from a path: one name, or several separated by slashes.
  public init(_ path: String) {
    names = path.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
  }

  private init(names: [String]) { self.names = names }

  /// Returns the identity of a child with a name, which may be any text.
  public func child(_ name: String) -> CoordinatorID { CoordinatorID(names: names + [name]) }

  public var parent: CoordinatorID? { names.count > 1 ? CoordinatorID(names: names.dropLast()) : nil }

  /// The last name of the path: the name that was passed to ``child(_:)``.
  public var name: String { names.last ?? "" }

  /// Returns whether the other coordinator is this one or a descendant of it.
  public func contains(_ other: CoordinatorID) -> Bool {
    names.count <= other.names.count && zip(names, other.names).allSatisfy { $0.isSame($1) }
  }

  public static func == (left: CoordinatorID, right: CoordinatorID) -> Bool {
    left.names.count == right.names.count && left.contains(right)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(names)
  }

  /// The names, separated by slashes.
  public var description: String { names.joined(separator: "/") }

  /// Whether the first coordinator comes before the second one in the order from the root down.
  static func isAbove(_ left: CoordinatorID, _ right: CoordinatorID) -> Bool {
    (left.names.count, left.description) < (right.names.count, right.description)
  }
}

extension CoordinatorID: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}

/// The name of a tab, unique among the tabs beside it.
public struct TabKey: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let name: String

  public init(_ name: String) { self.name = name }

  public init(stringLiteral value: String) { name = value }

  public var description: String { name }

  /// The name with a capital letter: the title of a tab for which the app has no text.
  package var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}
