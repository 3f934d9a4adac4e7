internal import Foundation

/// The properties of a type that a dump needs, determined once for each type and dump.
struct TypeFacts {
  enum Plain { case string, int, double, bool, other }

  let name: String
  let plain: Plain
  let isObject: Bool
  let isSnapshotConvertible: Bool
  let rendersChildren: Bool
  let isStringConvertible: Bool
  let hasFoundationForm: Bool
  /// Whether the description lists a dictionary, so its order must be fixed.
  let hasOrderedDescription: Bool
  /// Whether values are addresses, which differ from run to run.
  let isPointer: Bool

  init(_ type: Any.Type) {
    name = nameWithoutNumbers(type)
    isObject = type is AnyObject.Type
    let convertible = type as? any AnySnapshotStringConvertible.Type
    isSnapshotConvertible = convertible != nil
    rendersChildren = convertible?.renderChildren ?? true
    isStringConvertible = type is any CustomStringConvertible.Type
    hasFoundationForm = FoundationContent.exists(for: type)
    hasOrderedDescription = type is any CustomNSError.Type || type == Notification.self
    isPointer = type is any _Pointer.Type || type == OpaquePointer.self
    // The description of a number that conforms to the protocol has priority.
    plain =
      switch type {
      case is String.Type: .string
      case _ where isSnapshotConvertible: .other
      case is Int.Type: .int
      case is Double.Type: .double
      case is Bool.Type: .bool
      default: .other
      }
  }
}

struct TypeFactsCache {
  private var known: [ObjectIdentifier: TypeFacts] = [:]
  private var last: (type: ObjectIdentifier, facts: TypeFacts)?

  mutating func facts(of type: Any.Type) -> TypeFacts {
    let id = ObjectIdentifier(type)
    if let last, last.type == id { return last.facts }
    let facts = known[id] ?? TypeFacts(type)
    known[id] = facts
    last = (id, facts)
    return facts
  }

  /// For an `AnyHashable` they are the facts of the wrapped value, because a cast unwraps it.
  mutating func facts(ofValue value: Any) -> TypeFacts {
    let type = type(of: value)
    if type == AnyHashable.self, let hashable = value as? AnyHashable {
      let facts = facts(of: Swift.type(of: hashable.base))
      if facts.isSnapshotConvertible { return facts }
    }
    return facts(of: type)
  }
}
