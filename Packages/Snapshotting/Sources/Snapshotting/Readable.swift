internal import Foundation

/// The forms, the order and the text of the strategy `readable`: as in source code, with all data.
enum Readable {
  /// - Parameter isOpen: Whether the text around the value does not determine its type.
  static func form(of value: Any, isOpen: Bool) -> Dump.Form {
    var (content, isOpen, levels): (Any?, Bool, Int) = (value, isOpen, 0)
    // A loop, because the levels of an optional need no stack.
    while let value = content, levels < 1_000 {
      if let text = plainText(of: value) { return Dump.Form(text: text) }
      let facts = TypeFacts(type: type(of: value), isQualified: isOpen)
      if facts.type is any OptionalType.Type {
        content = Mirror(reflecting: value).children.first?.value
        isOpen = isOpen || content.map(isUndetermined) == true
      } else if facts.type == AnyHashable.self, let hashable = value as? AnyHashable {
        (content, isOpen) = (hashable.base, true)
      } else {
        var form = form(of: value, facts, isOpen)
        if facts.isObject { form.object = value as AnyObject }
        form.isOpen = isOpen && (form.text.isEmpty || form.shape == .set)
        return form
      }
      levels += 1
    }
    guard content == nil else { return Dump.Form(text: "(…)", gap: "it has more than 1000 levels") }
    // An optional of `nil` differs from `nil`.
    func repeated(_ text: String) -> String { String(repeating: text, count: levels - 1) }
    return Dump.Form(text: repeated(".some(") + "nil" + repeated(")"))
  }

  private static func form(of value: Any, _ facts: TypeFacts, _ isOpen: Bool) -> Dump.Form {
    // An `NSDate` is shown as a `Date`, for example.
    if let text = leaf(value, facts) { return Dump.Form(text: text) }
    if facts.hasFoundationForm, let form = form(ofFoundation: value, facts) { return form }
    if let elements = (value as? any ReflectedElements)?.reflectedElements {
      return branch("", .brackets, elements.map { (nil, $0) })
    }
    if let mirror = value as? Mirror { return branch("\(mirror)", .parentheses, members(of: mirror)) }
    let mirror = Mirror(reflecting: value)
    let gap = mirror.gap(of: value, facts)
    if let gap, mirror.children.isEmpty { return hidden(facts, gap) }
    var form = form(of: value, mirror, facts, isOpen)
    form.gap = form.gap ?? gap
    return form
  }

  private static func form(of value: Any, _ mirror: Mirror, _ facts: TypeFacts, _ isOpen: Bool) -> Dump.Form {
    // An object can have the mirror of its superclass.
    let name = facts.isObject ? facts.name : TypeFacts(type: mirror.subjectType, isQualified: isOpen).name
    let first = mirror.children.first
    let isSingle = mirror.children.dropFirst().isEmpty
    switch mirror.displayStyle {
    case .enum where isSingle:
      guard let first else {
        // An enum of C has no names of cases.
        if facts.isOfC, let value = value as? any RawRepresentable {
          return Dump.Form(text: "\(name)(rawValue: \(value.rawValue))")
        }
        guard let label = caseName(of: value) else { return hidden(facts, "Swift does not reflect its case") }
        return Dump.Form(text: "\(isOpen ? name : "").\(label)")
      }
      let payload = Mirror(reflecting: first.value)
      let values =
        payload.displayStyle == .tuple ? members(of: payload) : AnyIterator([(nil, first.value)].makeIterator())
      return branch("\(isOpen ? name : "").\(first.label ?? "_")", .parentheses, values)
    case .collection: return Dump.Form(text: "", shape: .brackets, children: first.map { _ in mirror.members })
    case .set: return Dump.Form(text: "Set", shape: .set, children: first.map { _ in mirror.members }, isSorted: true)
    case .dictionary where first == nil: return Dump.Form(text: "[:]")
    case .dictionary: return Dump.Form(shape: .brackets, children: mirror.members, isSorted: true, hasKeys: true)
    case .tuple: return branch("", .parentheses, members(of: mirror))
    default:
      // Such as that of an `ObjectIdentifier` or a `Task`.
      if isSingle, let first, TypeFacts.builtinHandles.contains("\(type(of: first.value))") {
        return hidden(facts, nil)
      }
      if first == nil, mirror.displayStyle != .class, facts.isDescribed {
        return Dump.Form(text: String(describing: value))
      }
      if first == nil, mirror.displayStyle == nil, name.contains(" -> ") { return Dump.Form(text: "(\(name))(…)") }
      return branch(name, .parentheses, members(of: mirror))
    }
  }

  static func hidden(_ facts: TypeFacts, _ gap: String? = "its description does not show its data") -> Dump.Form {
    Dump.Form(text: "\(facts.name)(…)", gap: gap)
  }

  static func branch(_ text: String, _ shape: Dump.Shape, _ children: some Sequence<Mirror.Child>) -> Dump.Form {
    Dump.Form(text: text, shape: shape, children: AnyIterator(children.makeIterator()))
  }

  /// The members with their names in the source, those of superclasses first.
  private static func members(of mirror: Mirror) -> AnyIterator<Mirror.Child> {
    // A custom mirror can be endless.
    let rest = mirror.members
    let first = Array(rest.prefix(1_000))
    // A macro such as `@Observable` declares storage that begins with an underscore.
    let isExpanded = first.contains { $0.label?.hasPrefix("_$") == true }
    let members = [AnyIterator(first.makeIterator()), rest].lazy.joined().compactMap { label, value -> Mirror.Child? in
      guard let label, !label.hasPrefix(".") else { return (nil, value) }
      if label.hasPrefix("$__lazy_storage_$_") { return (String(label.dropFirst(18)), value) }
      if label.hasPrefix("$defaultActor") || label == "_$observationRegistrar" { return nil }
      guard label.hasPrefix("_"), isExpanded || isWrapper(value) else { return (label, value) }
      return (String(label.dropFirst()), value)
    }
    guard let parent = mirror.superclassMirror else { return AnyIterator(members.makeIterator()) }
    return AnyIterator([self.members(of: parent), AnyIterator(members.makeIterator())].lazy.joined().makeIterator())
  }

  /// Whether a value is the storage of a property wrapper.
  private static func isWrapper(_ value: Any) -> Bool {
    Mirror(reflecting: value).children.contains { $0.label == "wrappedValue" }
  }

  private static func leaf(_ value: Any, _ facts: TypeFacts) -> String? {
    switch value {
    case let date as Date: return "Date(\(utcText(of: date, fraction: true)))"
    case let decimal as Decimal: return decimal.description
    case let uuid as UUID: return "UUID(\(uuid.uuidString))"
    case let url as URL:
      return "URL(\(url.baseURL.map { "\(url.relativeString) -- \($0.absoluteString)" } ?? url.absoluteString))"
    case let data as Data: return "Data(\(hexadecimal(data)))"
    case let duration as Duration:
      let (seconds, (whole, attoseconds)) = (duration / .seconds(1), duration.components)
      // A number of seconds has 16 digits.
      return .seconds(seconds) == duration ? "\(seconds) seconds" : "\(whole) seconds, \(attoseconds) attoseconds"
    // Their mirrors show values of the compiler.
    case let number as any BinaryFloatingPoint: return "\(number)"
    case let vector as any SIMD: return "\(vector)"
    case let type as Any.Type: return "\(qualifiedName(of: type)).self"
    case let convertible as any AnySnapshotStringConvertible
    where !facts.rendersChildren && !(facts.type is NSObject.Type):
      return convertible.snapshotDescription
    case _ where facts.isHandle: return "\(facts.name)(…)"
    default: return nil
    }
  }

  /// - Parameter levels: The number of levels from the value up to its first occurrence.
  static func form(ofCircular form: Dump.Form, levels: Int) -> Dump.Form {
    Dump.Form(text: "\(form.text)(↩︎ shown \(levels) level\(levels == 1 ? "" : "s") above)")
  }

  /// Sorts by labels and texts: numbers first, by their size, and all others by their bytes.
  static func sorted(_ children: [Int], in dump: Dump) -> [Int] {
    func line(_ child: Int) -> String { text(of: dump, from: child, isOnOneLine: true) }
    var keys = children.map { dump.nodes[$0].label ?? line($0) }
    let numbers = keys.map { key in Double(key).flatMap { $0.isNaN ? nil : $0 } ?? .infinity }
    // Different keys can have equal texts.
    if Set(keys).count < keys.count { keys = zip(keys, children).map { "\($0)\n\(line($1))" } }
    return children.indices.sorted { left, right in
      guard numbers[left] == numbers[right] else { return numbers[left] < numbers[right] }
      return keys[left].utf8.lexicographicallyPrecedes(keys[right].utf8)
    }
    .map { children[$0] }
  }

  /// Children are between brackets, on separate lines unless they are short.
  static func text(of dump: Dump, from root: Int = 0, isOnOneLine: Bool = false) -> String {
    var text = ""
    var open: [(node: Dump.Node, next: Int, isInline: Bool)] = []
    func startLine() { text += "\n" + String(repeating: "  ", count: open.count) }
    func enter(_ node: Dump.Node, label: String?) {
      if let label { text += "\(label): " }
      // Further lines of a text are indented like the first.
      let lines = node.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        if number > 0 { startLine() }
        text += Substring(line)
      }
      text += node.shape.rawValue.prefix(node.shape.rawValue.count / 2)
      open.append((node, 0, open.last?.isInline ?? isOnOneLine || isInline(node, in: dump)))
    }
    enter(dump.nodes[root], label: nil)
    while let (node, next, isInline) = open.last {
      if next < node.children.count {
        if next > 0 { text += isInline ? ", " : "," }
        if !isInline { startLine() }
        open[open.count - 1].next += 1
        enter(dump.nodes[node.children[next]], label: dump.nodes[node.children[next]].label)
      } else {
        open.removeLast()
        if !isInline, !node.children.isEmpty { startLine() }
        text += node.shape.rawValue.suffix(node.shape.rawValue.count / 2)
      }
    }
    return text
  }

  /// Whether a node is a short tuple, associated value or single member.
  private static func isInline(_ node: Dump.Node, in dump: Dump) -> Bool {
    guard node.shape == .parentheses, node.text.isEmpty || node.text.hasPrefix(".") || node.children.count == 1 else {
      return false
    }
    let children = node.children.map { dump.nodes[$0] }
    return children.allSatisfy { $0.shape == .plain && !$0.text.utf8.contains(UInt8(ascii: "\n")) }
      && children.reduce(0) { $0 + ($1.label?.utf8.count ?? 0) + $1.text.utf8.count } <= 60
  }
}

/// Returns the count and all bytes: up to sixteen on the same line, more in rows of 32.
private func hexadecimal(_ data: Data) -> String {
  let count = data.count == 1 ? "1 byte" : "\(data.count) bytes"
  let rows = stride(from: 0, to: data.count, by: 32).map { start in
    data.dropFirst(start).prefix(32).map { String($0, radix: 16).leftPadded(to: 2) }.joined(separator: " ")
  }
  return rows.isEmpty ? count : "\(count), \(data.count > 16 ? "\n" : "")\(rows.joined(separator: "\n"))"
}

/// Returns a date in the form `2018-12-17T10:00:00Z`, optionally with the fraction of the second to the nanosecond.
func utcText(of date: Date, fraction: Bool) -> String {
  // A date stores this number. Others are less exact.
  let interval = date.timeIntervalSinceReferenceDate
  // Larger values have no precision of a second, and can overflow integers.
  guard interval.isFinite, abs(interval) < 1e14 else { return "\(date.timeIntervalSince1970) seconds since 1970" }
  let seconds = interval.rounded(.down)
  let text = Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format()
  var digits = "\(min(Int(((interval - seconds) * 1e9).rounded()), 999_999_999))".leftPadded(to: 9)
  while digits.hasSuffix("0") { digits.removeLast() }
  return digits.isEmpty || !fraction ? text : "\(text.dropLast()).\(digits)Z"
}

/// Returns the text of a value of a common type, which needs no mirror.
///
/// The description of a number that conforms to `AnySnapshotStringConvertible` has priority.
func plainText(of value: Any) -> String? {
  let type = type(of: value)
  if type == String.self { return (value as? String)?.debugDescription }
  guard type == Int.self || type == Double.self || type == Bool.self else { return nil }
  return type is any AnySnapshotStringConvertible.Type ? nil : String(describing: value)
}

/// The properties of a type that a dump needs.
struct TypeFacts {
  let type: Any.Type
  var isQualified = false

  static let builtinHandles = ["Builtin.RawPointer", "Builtin.NativeObject", "Builtin.Executor", "Builtin.Job"]

  var name: String { isQualified ? qualifiedName(of: type) : nameWithoutNumbers(type) }
  var isObject: Bool { type is AnyObject.Type }
  private var convertible: (any AnySnapshotStringConvertible.Type)? { type as? any AnySnapshotStringConvertible.Type }
  var isSnapshotConvertible: Bool { convertible != nil }
  var rendersChildren: Bool { convertible?.renderChildren ?? true }
  var isStringConvertible: Bool { type is any CustomStringConvertible.Type }
  var isDescribed: Bool { isStringConvertible || type is any CustomDebugStringConvertible.Type }
  /// Whether values may need another form than their mirror or their description.
  var hasFoundationForm: Bool {
    type is NSObject.Type || type is AnyKeyPath.Type || "\(type)".hasPrefix("Measurement<")
      || [
        AttributedString.self, Calendar.self, CharacterSet.self, DispatchData.self, Locale.self, TimeZone.self,
      ].contains { $0 == type }
  }
  /// Whether a type is imported from C, perhaps without some of its members.
  var isOfC: Bool { !isObject && String(reflecting: type).hasPrefix("__C.") }
  /// Whether values differ in each run, because they are addresses or depend on hashes or counters.
  var isHandle: Bool {
    let name = "\(type)"
    return name == "Index" && ["Swift.Set<", "Swift.Dictionary<"].contains(where: String(reflecting: type).hasPrefix)
      || name == "VariableID" && isOfFoundation(type) || Self.builtinHandles.contains(name)
      || type is any _Pointer.Type || type is DispatchObject.Type || type == DispatchWorkItem.self
  }
}

/// Returns a type's name without the numbers of local types: `Point` for `Point #1`.
func nameWithoutNumbers(_ type: Any.Type) -> String {
  let name = String(describing: type)
  guard name.utf8.contains(UInt8(ascii: "#")) else { return name }
  return name.replacingOccurrences(of: " #\\d+", with: "", options: .regularExpression)
}

/// Whether the declared type of a value does not determine its type, because it is `Any`, a protocol or a superclass, for example.
func isUndetermined(_ value: Any) -> Bool {
  func declaredType<Value>(of value: Value) -> Any.Type { Value.self }
  return _openExistential(value, do: declaredType) != type(of: value)
}

/// Returns a type's name with the types that contain it, but without modules, functions and private contexts: `Path.Point`.
func qualifiedName(of type: Any.Type) -> String {
  let hidden = #"\(unknown context[^)]*\)\."#
  // A type in a function has several private contexts.
  let contexts = #"(\w+\.)+(\#(hidden)){2,}|\#(hidden)|\(extension in \w+\):| #\d+|(?<![\w.`])\w+\."#
  return String(reflecting: type).replacingOccurrences(of: contexts, with: "", options: .regularExpression)
}

/// A member that Swift does not reflect, because its type is not copyable.
struct Unreflected: CustomStringConvertible {
  var description: String { "(…)" }
}

extension Mirror {
  /// The children, with ``Unreflected`` for members of a class that are not copyable: Swift shows them as `()`.
  var members: AnyIterator<Mirror.Child> {
    let (children, type) = (children.makeIterator(), subjectType)
    // Only objects that Swift reflects itself have such members.
    guard type is AnyObject.Type, !(type is any CustomReflectable.Type) else { return children }
    var index = memberCount(type) - self.children.count
    return AnyIterator {
      defer { index += 1 }
      return children.next().map { label, value in
        // A member without data, for example of type `Void`, takes no place in the object.
        let isHidden = value is Void && !isUndetermined(value) && memberOffset(type, index: index) != 0
        return (label, isHidden ? Unreflected() : value)
      }
    }
  }

  /// The reason why the mirror does not show all data of its value.
  func gap(of value: Any, _ facts: TypeFacts) -> String? {
    if value is Unreflected {
      return """
        Swift reflects nothing of it, because its type is not copyable. Show it in a customMirror of its object; a Mutex \
        has its value in 'withLock { $0 }', an Atomic in 'load(ordering: .relaxed)'
        """
    }
    if value is Mirror { return "only its type is shown" }
    if value is any CustomReflectable {
      func isInherited<Subject>(_ subject: Subject.Type) -> Bool { value is Subject }
      if let subject = subjectType as? AnyObject.Type, memberCount(type(of: value)) > memberCount(subject),
        _openExistential(subject, do: isInherited)
      {
        return "the customMirror of its superclass does not show its members"
      }
      let isShown = !children.isEmpty || displayStyle != nil || facts.isDescribed
      return isShown ? nil : "its mirror is empty, and it has no description"
    }
    if value is any TailElements, !isOfFoundation(type(of: value)) {
      return "Swift does not reflect the elements of a ManagedBuffer"
    }
    let name = "\(type(of: value))"
    if name == "<<< invalid type >>>" || name.hasPrefix("Builtin."), !facts.isHandle {
      return "Swift does not reflect its type"
    }
    return displayStyle == .struct && facts.isOfC && !isComplete(of: value)
      ? "Swift does not import all members of this C type" : nil
  }

  /// Whether the members of a C structure fill its size; Swift imports no unions, bit fields and vectors.
  private func isComplete(of value: Any) -> Bool {
    func layout<Value>(of type: Value.Type) -> (size: Int, alignment: Int) {
      (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
    }
    let end = children.reduce(0) { end, member in
      let (size, alignment) = _openExistential(type(of: member.value), do: layout)
      return (end + alignment - 1) / alignment * alignment + size
    }
    let (size, alignment) = _openExistential(type(of: value), do: layout)
    return (end + alignment - 1) / alignment * alignment == size
  }
}

/// Returns the name of a case without associated values.
///
/// A description of the enum can hide it.
private func caseName(of value: Any) -> String? {
  func name<Value>(in type: Value.Type) -> String? {
    (value as? Value).flatMap(enumCaseName).map { String(cString: $0) }
  }
  return _openExistential(type(of: value), do: name)
}

// Functions of Swift's runtime, with which the standard library reflects and prints values.

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Returns the number of stored members, with those of superclasses.
@_silgen_name("swift_reflectionMirror_recursiveCount")
private func memberCount(_ type: Any.Type) -> Int

/// Returns the offset of a member; 0 for a member without size.
@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func memberOffset(_ type: Any.Type, index: Int) -> Int

protocol OptionalType {}

extension Optional: OptionalType {}

/// A type that stores elements after its members, in memory that only its code knows.
private protocol TailElements {}

extension ManagedBuffer: TailElements where Element: ~Copyable {}

/// A type whose mirror lacks its elements.
protocol ReflectedElements {
  var reflectedElements: [Any] { get }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension InlineArray: ReflectedElements {
  var reflectedElements: [Any] { indices.map { self[$0] } }
}
