/// The identity of a node, valid as long as the navigation exists.
///
/// The ``Navigation`` assigns identities in ascending order and never reuses them. The same steps therefore give the same
/// identities, in tests and in production.
public struct NodeID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public init(from decoder: any Decoder) throws { rawValue = try Int(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }

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
/// An identity is a value, not an object. A saved navigation or the target of a link can therefore name the owner of a screen
/// before that coordinator exists. Children of one parent that run at the same time need different names.
///
/// Paths are compared byte by byte. Names that look alike, such as `é` as one character or as two, are different names.
public struct CoordinatorID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The names from the root coordinator to this one, separated by slashes.
  public let path: String

  /// Creates an identity from a path: one name, or several separated by slashes.
  public init(_ path: String) { self.path = path }

  public init(from decoder: any Decoder) throws { path = try String(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try path.encode(to: encoder) }

  /// Returns the identity of a child with a name.
  ///
  /// The name may be any text; a slash in it is escaped as `%2F`.
  public func child(_ name: String) -> CoordinatorID {
    CoordinatorID(path + "/" + escaped(name))
  }

  public var parent: CoordinatorID? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { CoordinatorID(String(path[..<$0])) }
  }

  /// The last name of the path, unescaped: the name that was passed to ``child(_:)``.
  public var name: String {
    let last = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    // Only the names that `child(_:)` escapes are unescaped, so that different paths of siblings have different names.
    guard let name = String(percentEncoded: last.utf8), escaped(name) == last else { return last }
    return name
  }

  /// Returns whether the other coordinator is this one or a descendant of it.
  public func contains(_ other: CoordinatorID) -> Bool {
    let (own, others) = (path.utf8, other.path.utf8)
    guard others.starts(with: own) else { return false }
    let rest = others.dropFirst(own.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  public static func == (left: CoordinatorID, right: CoordinatorID) -> Bool {
    left.path.utf8.elementsEqual(right.path.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    var path = path
    // `String` hashes canonically equivalent texts equally, so an attacker could make thousands of different paths with one
    // hash.
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  public var description: String { path }

  var depth: Int { 1 + path.utf8.count { $0 == UInt8(ascii: "/") } }
}

/// Works on scalars, because a slash with a combining accent is another character but still contains a slash.
private func escaped(_ name: String) -> String {
  var text = ""
  for scalar in name.unicodeScalars {
    switch scalar {
    case "%": text += "%25"
    case "/": text += "%2F"
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text
}

extension CoordinatorID: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}

/// The name of a tab, unique among the tabs beside it.
public struct TabKey: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let name: String

  public init(_ name: String) { self.name = name }

  public init(stringLiteral value: String) { name = value }

  public init(from decoder: any Decoder) throws { name = try String(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }

  public var description: String { name }
}
