internal import Foundation

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
///
/// Paths are compared byte by byte, so names that only look alike, `é` as one character or as two, are two names.
public struct CoordinatorID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The names from the first coordinator to this one, with slashes between them.
  public let path: String

  /// Creates an identity from a path: one name, or several with slashes between them.
  public init(_ path: String) { self.path = path }

  /// Decodes a plain string.
  public init(from decoder: any Decoder) throws { path = try String(from: decoder) }

  /// Encodes a plain string.
  public func encode(to encoder: any Encoder) throws { try path.encode(to: encoder) }

  /// The identity of a child with a name, which may be any text: a slash in it is written as `%2F`.
  ///
  /// - Parameter name: Its name among the children that live at the same time.
  public func child(_ name: String) -> CoordinatorID {
    let isPlain = !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }
    return CoordinatorID(path + "/" + (isPlain ? name : escaped(name)))
  }

  /// The parent, or `nil` when there is none.
  public var parent: CoordinatorID? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { CoordinatorID(String(path[..<$0])) }
  }

  /// The last name of the path, as ``child(_:)`` was given it.
  public var name: String {
    let last = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    return last.utf8.contains(UInt8(ascii: "%")) ? unescaped(last) : last
  }

  /// Whether this is the other one, or above it.
  public func contains(_ other: CoordinatorID) -> Bool {
    let (own, others) = (path.utf8, other.path.utf8)
    guard others.starts(with: own) else { return false }
    let rest = others.dropFirst(own.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  /// Whether both have the same path, byte by byte.
  public static func == (left: CoordinatorID, right: CoordinatorID) -> Bool {
    var (left, right) = (left.path, right.path)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
          return left.count == right.count
        }
        return memcmp(first, second, left.count) == 0
      }
    }
  }

  /// Hashes the bytes of the path.
  ///
  /// - Parameter hasher: What takes them.
  public func hash(into hasher: inout Hasher) {
    var path = path
    // Not the text, of which somebody could make thousands that are different and hash the same.
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The path.
  public var description: String { path }

  /// How many names the path has.
  var depth: Int { 1 + path.utf8.count { $0 == UInt8(ascii: "/") } }
}

/// A name without slashes.
///
/// By bytes: a slash with an accent after it is another character and still a slash.
private func escaped(_ name: String) -> String {
  var bytes: [UInt8] = []
  for byte in name.utf8 {
    switch byte {
    case UInt8(ascii: "%"): bytes += "%25".utf8
    case UInt8(ascii: "/"): bytes += "%2F".utf8
    default: bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The name that was escaped.
private func unescaped(_ name: String) -> String {
  var bytes: [UInt8] = []
  var rest = name.utf8[...]
  while let byte = rest.popFirst() {
    bytes.append(byte)
    guard byte == UInt8(ascii: "%") else { continue }
    if rest.starts(with: "25".utf8) {
      rest = rest.dropFirst(2)
    } else if rest.starts(with: "2F".utf8) {
      rest = rest.dropFirst(2)
      bytes[bytes.count - 1] = UInt8(ascii: "/")
    }
  }
  return String(decoding: bytes, as: UTF8.self)
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
