public import Foundation

extension Snapshotting where Format == String {
  /// Shows the contents of a value in a readable form.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .readable)
  /// ```
  ///
  /// ```
  /// User(
  ///   id: 1,
  ///   name: "Blobby",
  ///   joined: Date(2018-12-17T10:00:00.25Z),
  ///   friends: [
  ///     "Ann",
  ///     "Bo"
  ///   ]
  /// )
  /// ```
  ///
  /// **Nothing is left out silently.** `(…)` marks a part that is not shown. The assertion fails, and names the member, unless the part
  /// differs in each process, as a pointer or a closure does. Show such a member with `CustomReflectable` or
  /// ``AnySnapshotStringConvertible``. <doc:Snapshotting> has a table of the texts.
  ///
  /// An object that contains itself is shown once. The assertion fails for a value with more than 1,000 levels or about 4 MB of
  /// text, and the text ends with the reason. The cost is proportional to the number of lines, and to the depth of sets and
  /// dictionaries in each other.
  public static var readable: Snapshotting { dump(isReadable: true) }

  /// Shows the contents of a value, byte-compatible with `dump` of swift-snapshot-testing.
  ///
  /// Use it for existing reference files, and `readable` for new ones.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .dump)
  /// ```
  ///
  /// ```
  /// ▿ User
  ///   - id: 1
  ///   - name: "Blobby"
  /// ```
  ///
  /// A warning names a member if Swift reflects nothing of it, because changes of it are not found. `Data` is shown as its count, and
  /// a circular reference without its object. As in swift-snapshot-testing, the text of a `TimeZone`, a `Calendar` or `DateComponents`
  /// has addresses, and the entries of a notification, an attributed string or the user information of an `NSError` are in any order.
  ///
  /// Dictionaries and sets are sorted by the texts of their elements, members by name. The limits and the cost are those of `readable`.
  public static var dump: Snapshotting { dump(isReadable: false) }

  private static func dump(isReadable: Bool) -> Snapshotting {
    Snapshotting("txt", .lines) { value, context, callback in
      let dump = Dump(value, isReadable: isReadable, isOpen: isUndetermined(value))
      for (_, gap) in dump.gaps.sorted(by: { $0.key < $1.key }).prefix(10) {
        if gap.isLimit || isReadable { context.fail(gap.message) } else { context.warn(gap.message) }
      }
      callback(isReadable ? Readable.text(of: dump) : PeerDump.text(of: dump))
    }
  }
}

/// A type with its own text in dumps.
///
/// ```swift
/// extension Session: AnySnapshotStringConvertible {
///   var snapshotDescription: String { "Session of \(user)" }  // without the token, which changes
/// }
/// ```
///
/// The strategies `dump` and `readable` use the text. Collections, tuples and optionals are always shown by their elements.
public protocol AnySnapshotStringConvertible {
  /// Whether the contents of the value are shown below its description. The default is `false`.
  static var renderChildren: Bool { get }

  /// The text of the value, on one line.
  var snapshotDescription: String { get }
}

extension AnySnapshotStringConvertible {
  public static var renderChildren: Bool { false }
}

extension AnySnapshotStringConvertible where Self: CustomDebugStringConvertible {
  /// The debug description.
  public var snapshotDescription: String { debugDescription }
}

/// Returns the text that `readable` shows for a value, on one line, for file names; `nil` if it does not show all data.
package func completeLine(of value: Any) -> String? {
  let dump = Dump(value, isReadable: true)
  return dump.gaps.isEmpty ? Readable.text(of: dump, isOnOneLine: true) : nil
}

/// The parts of a value as a tree of numbered nodes, visited without recursion, so that a deep value needs no stack.
struct Dump {
  enum Shape: String {
    case plain = ""
    case circular = " "
    case parentheses = "()"
    case brackets = "[]"
    case set = "([])"
  }

  struct Node {
    let label: String?
    let text: String
    let shape: Shape
    var children: [Int] = []
  }

  struct Form {
    var text = ""
    var shape = Shape.plain
    var children: AnyIterator<Mirror.Child>?
    /// Whether the order of the children is that of their texts.
    var isSorted = false
    /// Whether the children are pairs of a key, whose text becomes a label, and a value.
    var hasKeys = false
    /// Whether the text does not determine the types of the children.
    var isOpen = false
    /// The object, if it has children, which can contain it.
    var object: AnyObject?
    /// The reason why the text does not show all data.
    var gap: String?
  }

  struct Gap: Hashable {
    let place: String
    let reason: String
    let isLimit: Bool

    var message: String {
      """
      Cannot show all data of \(place): \(reason). Different values would look equal. Show the data that matters: with another \
      strategy, for instance with pullback, or in a customMirror or a snapshotDescription of a type that contains it.
      """
    }
  }

  private(set) var nodes: [Node] = []
  /// At most one for each reason and last part of a path.
  private(set) var gaps: [String: Gap] = [:]
  private var frames: [Frame] = []
  private var bytes = 0
  private let isReadable: Bool
  private let isOpen: Bool
  private let maximumDepth: Int

  private struct Frame {
    let node: Int
    let name: String
    let form: Form
    /// The value of the last child, if that is a key.
    var value: Any?
  }

  /// - Parameters:
  ///   - isReadable: Whether the forms, the order and the text are those of `readable`, and not those of `dump`.
  ///   - isOpen: Whether the declaration of the value does not determine its type.
  init(
    _ value: Any, isReadable: Bool, isOpen: Bool = false, maximumDepth: Int = 1_000, maximumBytes: Int = 4_000_000
  ) {
    (self.isReadable, self.isOpen, self.maximumDepth) = (isReadable, isOpen, maximumDepth)
    visit(value, label: nil)
    while let frame = frames.last {
      if bytes > maximumBytes {
        frames = Array(frames.prefix(1))
        end("it has more than \(maximumBytes) bytes", label: nil)
        frames = []
      } else if let value = frame.value, let key = nodes[frame.node].children.popLast() {
        let label = Readable.text(of: self, from: key, isOnOneLine: true)
        nodes.removeSubrange(key...)
        frames[frames.count - 1].value = nil
        visit(value, label: label)
      } else if let (label, child) = frame.form.children?.next() {
        let parts = frame.form.hasKeys && label == nil ? Array(Mirror(reflecting: child).children) : []
        if parts.count == 2 { frames[frames.count - 1].value = parts[1].value }
        visit(parts.count == 2 ? parts[0].value : child, label: label)
      } else {
        frames.removeLast()
        guard frame.form.isSorted else { continue }
        let sorted = isReadable ? Readable.sorted : PeerDump.sorted
        nodes[frame.node].children = sorted(nodes[frame.node].children, self)
      }
    }
  }

  private mutating func visit(_ value: Any, label: String?) {
    if let text = plainText(of: value) { return add(Form(text: text), label: label) }
    let isOpen = frames.last.map { $0.form.isOpen || isUndetermined(value) } ?? isOpen
    var form = isReadable ? Readable.form(of: value, isOpen: isOpen) : PeerDump.form(of: value)
    guard form.children == nil || frames.count < maximumDepth else {
      return end("it has more than \(maximumDepth) levels", label: label)
    }
    if form.children != nil, let object = form.object,
      let ancestor = frames.lastIndex(where: { $0.form.object === object })
    {
      form = isReadable ? Readable.form(ofCircular: form, levels: frames.count - ancestor) : Form(shape: .circular)
    }
    func type() -> String { nameWithoutNumbers(Swift.type(of: value)) }
    let name = place(of: label) ?? type()
    if let gap = form.gap {
      let suffix = frames.isEmpty || value is Unreflected ? "" : " of type \(type())"
      let key = "\(label ?? type()): \(gap)"
      gaps[key] = gaps[key] ?? Gap(place: name + suffix, reason: gap, isLimit: false)
    }
    add(form, label: label)
    if form.children != nil { frames.append(Frame(node: nodes.count - 1, name: name, form: form)) }
  }

  /// Returns the path from the dumped value to a member, for a message; `nil` for the value itself.
  private func place(of label: String?) -> String? {
    frames.last.map { frame in
      if frame.name.utf8.count > 200 { return frame.name }
      let number = "[\(frame.value == nil ? "" : "key ")\(nodes[frame.node].children.count)]"
      return frame.name + (label.map { $0.hasPrefix("\"") ? "[\($0)]" : ".\($0)" } ?? number)
    }
  }

  private mutating func add(_ form: Form, label: String?) {
    if let parent = frames.last?.node { nodes[parent].children.append(nodes.count) }
    nodes.append(Node(label: label, text: form.text, shape: form.shape))
    bytes += 2 * frames.count + (label?.utf8.count ?? 0) + form.text.utf8.count + 4
  }

  private mutating func end(_ reason: String, label: String?) {
    gaps[reason] = gaps[reason] ?? Gap(place: place(of: label) ?? "the value", reason: reason, isLimit: true)
    add(Form(text: "… (the dump ends here: \(reason))"), label: label)
  }
}

/// The forms, the order and the text of the strategy `dump`, as in swift-snapshot-testing.
enum PeerDump {
  static func form(of value: Any) -> Dump.Form {
    // A cast unwraps an `AnyHashable` with its own text.
    let hashable = type(of: value) == AnyHashable.self ? value as? AnyHashable : nil
    let facts = TypeFacts(type: type(of: hashable?.base as? any AnySnapshotStringConvertible ?? value))
    let mirror = Mirror(reflecting: value)
    let count = mirror.children.count
    func name() -> String { nameWithoutNumbers(mirror.subjectType) }
    func counted(_ singular: String, _ plural: String) -> String { count == 1 ? "1 \(singular)" : "\(count) \(plural)" }
    var form = Dump.Form(text: "", children: count == 0 ? nil : mirror.members)
    // A described C type, such as `Decimal`, shows its data in its description.
    if !facts.isStringConvertible || !facts.isOfC { form.gap = mirror.gap(of: value, facts) }
    if mirror.superclassMirror?.children.isEmpty == false { form.gap = "the members of its superclass are not shown" }
    form.object = facts.isObject ? value as AnyObject : nil
    switch mirror.displayStyle {
    case _ where value is Unreflected: form.text = "(0 elements)"
    case .collection: form.text = counted("element", "elements")
    case .dictionary: (form.text, form.isSorted) = (counted("key/value pair", "key/value pairs"), true)
    case .set: (form.text, form.isSorted) = (counted("member", "members"), true)
    case .tuple: form.text = "(\(counted("element", "elements")))"
    case .optional: form.text = count == 0 ? "\(name()).none" : name()
    case _ where facts.isSnapshotConvertible:
      form.text = (value as? any AnySnapshotStringConvertible)?.snapshotDescription ?? ""
      if !facts.rendersChildren { (form.children, form.gap) = (nil, (value as? NSObject).flatMap(gap(ofDescribed:))) }
    case _ where value is AttributedString:
      (form.text, form.children) = (String(describing: value), nil)
    case _ where facts.isStringConvertible: form.text = (value as? any CustomStringConvertible)?.description ?? ""
    case .class, .struct: (form.text, form.isSorted) = (name(), true)
    case .enum: form.text = count == 0 ? "\(name()).\(value)" : name()
    default: form.text = String(describing: value)
    }
    return form
  }

  /// The reason why the description of an object does not show all data.
  private static func gap(ofDescribed object: NSObject) -> String? {
    if (object as? NSNumber)?.isBoolean == true { return "a boolean of Foundation is shown as a number" }
    return !(object is any NSLocking) && object.hasAddress ? "only its type is shown" : nil
  }

  /// Sorts by the dump of a pair of a label and a value: nodes without a label first.
  ///
  /// The bullets are in ASCII, because such texts are compared faster, and have the same order.
  static func sorted(_ children: [Int], in dump: Dump) -> [Int] {
    var keys = children.map { child in dump.nodes[child].label.map { "~~\($0.debugDescription)" } ?? "" }
    // Members have different labels, which decide.
    if Set(keys).count < keys.count {
      for (index, child) in children.enumerated() {
        keys[index] += "\n" + text(of: dump, from: child, label: "value", bullet: "~ ")
      }
    }
    return children.indices.sorted { keys[$0] < keys[$1] }.map { children[$0] }
  }

  static func text(of dump: Dump) -> String { text(of: dump, from: 0, label: nil, bullet: "▿ ") }

  private static func text(of dump: Dump, from root: Int, label: String?, bullet: String) -> String {
    var text = ""
    var pending = [(node: root, depth: 0)]
    while let (number, depth) = pending.popLast() {
      let node = dump.nodes[number]
      let label = depth == 0 ? label : node.label
      if depth > 0 { text += String(repeating: "  ", count: depth) }
      text += node.children.isEmpty && node.shape != .circular ? "- " : bullet
      if node.shape == .circular {
        text += "\(label ?? "value") (circular reference detected)\n"
      } else {
        if let label { text += "\(label): " }
        text += node.text
        text += "\n"
      }
      for child in node.children.reversed() { pending.append((child, depth + 1)) }
    }
    return text
  }
}

extension Character: AnySnapshotStringConvertible {}

extension Data: AnySnapshotStringConvertible {}

extension Date: AnySnapshotStringConvertible {
  /// The date and time to the second, in UTC: `2018-12-17T10:00:00Z`.
  public var snapshotDescription: String { utcText(of: self, fraction: false) }
}

extension NSObject: AnySnapshotStringConvertible {
  #if canImport(ObjectiveC)
    /// The debug description without addresses.
    @objc open var snapshotDescription: String { withoutAddresses(debugDescription) }
  #else
    public var snapshotDescription: String { withoutAddresses(debugDescription) }
  #endif
}

extension NSObject {
  /// Whether the description has an address, so that it differs in each run.
  var hasAddress: Bool { withoutAddresses(debugDescription) != debugDescription }
}

/// Returns a text without addresses, and without the colon and the space before each.
func withoutAddresses(_ text: String) -> String {
  text.replacingOccurrences(of: ":?\\s*0x[\\da-f]+(\\s*)", with: "$1", options: .regularExpression)
}

extension String: AnySnapshotStringConvertible {}

extension Substring: AnySnapshotStringConvertible {}

extension URL: AnySnapshotStringConvertible {}
