/// The identity of one node of a navigation, for as long as the navigation exists.
///
/// Identities are given out by the ``Navigation`` itself, counting up, and never again. So the same steps give the same
/// identities, in a test and in the field.
public struct NodeID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  /// The number, from 0.
  public let rawValue: Int

  /// Creates an identity from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Decodes a plain number.
  public init(from decoder: any Decoder) throws { rawValue = try Int(from: decoder) }

  /// Encodes a plain number.
  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }

  /// Whether one was given out before the other.
  public static func < (left: NodeID, right: NodeID) -> Bool { left.rawValue < right.rawValue }

  /// `#` and the number.
  public var description: String { "#\(rawValue)" }
}

/// The place of a coordinator among the others: its name, after those of its parents.
///
/// ```swift
/// let words = CoordinatorID("application").child("dictionary").child("words")
/// print(words)  // application/dictionary/words
/// ```
///
/// It is a value and not an object, so a tree that was saved, or that a link asks for, can say whose a screen is before
/// that coordinator exists. A parent gives each of its children that live at the same time a name of its own.
public struct CoordinatorID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The names from the first coordinator to this one, with slashes between them.
  public let path: String

  /// Creates an identity from a path: one name, or several with slashes between them.
  public init(_ path: String) { self.path = path }

  /// Decodes a plain string.
  public init(from decoder: any Decoder) throws { path = try String(from: decoder) }

  /// Encodes a plain string.
  public func encode(to encoder: any Encoder) throws { try path.encode(to: encoder) }

  /// The identity of a child with a name.
  public func child(_ name: String) -> CoordinatorID { CoordinatorID(path + "/" + name) }

  /// The parent, or `nil` when there is none.
  public var parent: CoordinatorID? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { CoordinatorID(String(path[..<$0])) }
  }

  /// The last name of the path.
  public var name: String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// Whether this is the other one, or above it.
  public func contains(_ other: CoordinatorID) -> Bool {
    let (own, others) = (path.utf8, other.path.utf8)
    guard others.starts(with: own) else { return false }
    let rest = others.dropFirst(own.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  /// The path.
  public var description: String { path }

  /// How many names the path has.
  var depth: Int { 1 + path.utf8.count { $0 == UInt8(ascii: "/") } }
}

extension CoordinatorID: ExpressibleByStringLiteral {
  /// Creates an identity from a literal, as ``init(_:)`` does.
  public init(stringLiteral value: String) { self.init(value) }
}

/// The name of a tab among its neighbours.
///
/// A string literal will do: `.select("phrases", in: tabs)`.
public struct TabKey: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name.
  public let name: String

  /// Creates a key from a name.
  public init(_ name: String) { self.name = name }

  /// Creates a key from a literal.
  public init(stringLiteral value: String) { name = value }

  /// Decodes a plain string.
  public init(from decoder: any Decoder) throws { name = try String(from: decoder) }

  /// Encodes a plain string.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }

  /// The name.
  public var description: String { name }
}
