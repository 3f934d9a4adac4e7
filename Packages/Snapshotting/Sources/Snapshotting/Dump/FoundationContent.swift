internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A complete and deterministic form of a Foundation value.
///
/// Some Foundation types have a mirror or a description that shows addresses, omits data, or lists entries in a random order.
enum FoundationContent {
  case leaf(String)
  /// A value to show instead.
  case value(Any)
  case members([Mirror.Child])
  /// The elements that the value's mirror has.
  case reflected
  case object
  /// Only the type is shown, although the object has data.
  case hidden

  /// Whether values of a type may need another form.
  static func exists(for type: Any.Type) -> Bool {
    type is NSObject.Type || type == TimeZone.self || type == Calendar.self || type == CharacterSet.self
      || type == AttributedString.self || type == DispatchData.self || type is AnyKeyPath.Type
      || type is any AnyMeasurement.Type
  }

  init?(of value: Any, name: String) {
    switch value {
    case is NSNumber: return nil
    case let set as NSCountedSet: self = .members([(nil, counts(in: set))])
    case is NSArray, is NSDictionary, is NSSet, is NSOrderedSet: self = .reflected
    case let zone as TimeZone: self = .leaf("TimeZone(\(zone.identifier))")
    case let calendar as Calendar:
      self = .members([
        ("identifier", calendar.identifier), ("locale", calendar.locale?.identifier as Any),
        ("timeZone", calendar.timeZone), ("firstWeekday", calendar.firstWeekday),
        ("minimumDaysInFirstWeek", calendar.minimumDaysInFirstWeek),
      ])
    case let set as CharacterSet: self = .leaf("CharacterSet(\(codePoints(in: set)))")
    case let text as AttributedString: self = .members(runs(of: text))
    case let data as DispatchData: self = .value(Data(data))
    case let path as AnyKeyPath:
      let text = "\(path)"
      self = text.hasPrefix("\\") && !text.contains("0x") ? .leaf(text) : .hidden
    case let text as NSAttributedString: self = .members(runs(of: text))
    case let text as NSString: self = .value(text.substring(from: 0))
    case let error as NSError:
      self = .members([("domain", error.domain), ("code", error.code), ("userInfo", error.userInfo)])
    case let expression as NSRegularExpression:
      self = .members([("pattern", expression.pattern), ("options", expression.options.rawValue)])
    case let measurement as any AnyMeasurement:
      self = .members([("value", measurement.value), ("unit", measurement.anyUnit)])
    case let unit as Unit: self.init(unit, name: name)
    case let converter as UnitConverter: self = .members(data(of: converter))
    case let response as HTTPURLResponse:
      self = .members([
        ("url", response.url as Any), ("statusCode", response.statusCode), ("headers", response.allHeaderFields),
      ])
    case let response as URLResponse:
      self = .members([
        ("url", response.url as Any), ("mimeType", response.mimeType as Any),
        ("expectedContentLength", response.expectedContentLength),
        ("textEncodingName", response.textEncodingName as Any),
      ])
    case let cookie as HTTPCookie:
      // The time of creation differs in each run.
      let properties = cookie.properties ?? [:]
      let names = properties.keys.map(\.rawValue).filter { $0 != "Created" }.sorted()
      self = .members(names.map { ($0, properties[HTTPCookiePropertyKey($0)] as Any) })
    case let value as NSValue:
      // The description of other bytes on Linux is their number.
      let text = value.debugDescription
      self = text.hasSuffix(" bytes") ? .hidden : .leaf("NSValue(\(String(cString: value.objCType)), \(text))")
    case let object as NSObject: self.init(object)
    default: return nil
    }
  }

  /// Creates the form of a unit: its symbol, and its converter to the base unit, because other units may have the same symbol.
  private init(_ unit: Unit, name: String) {
    let converter = (unit as? Dimension)?.converter
    let members = ownMembers(of: unit)
    if let linear = converter as? UnitConverterLinear, type(of: linear) == UnitConverterLinear.self, members.isEmpty {
      let coefficient = linear.coefficient == 1 ? "" : ", coefficient: \(linear.coefficient)"
      let constant = linear.constant == 0 ? "" : ", constant: \(linear.constant)"
      self = .leaf("\(name)(\(unit.symbol)\(coefficient)\(constant))")
    } else if converter == nil, members.isEmpty {
      self = .leaf("\(name)(\(unit.symbol))")
    } else {
      self = .members([("symbol", unit.symbol)] + (converter.map { [("converter", $0)] } ?? []) + members)
    }
  }

  private init?(_ object: NSObject) {
    let isOfFoundation = isFoundationClass(type(of: object))
    if isOfFoundation, let value = bridgedTypes.lazy.compactMap({ bridged(object, to: $0) }).first {
      self = .value(value)
    } else if object is HTTPCookieStorage {
      self = .hidden
    } else if !object.debugDescription.contains("0x") || isOfFoundation && object is any NSLocking {
      return nil
    } else {
      let classes = ancestors(of: object)
      let isHidden = classes.contains { isFoundationClass($0.subjectType) }
      guard isHidden || classes.contains(where: { !$0.children.isEmpty }) else { return nil }
      self = isHidden ? .hidden : .object
    }
  }
}

/// The Swift types of Foundation's classes, which show all data.
private var bridgedTypes: [any Hashable.Type] {
  [
    Data.self, Date.self, DateComponents.self, DateInterval.self, IndexPath.self, IndexSet.self, Locale.self,
    Measurement<Unit>.self, Notification.self, PersonNameComponents.self, URL.self, URLComponents.self,
    URLQueryItem.self, URLRequest.self, UUID.self,
  ]
}

private func bridged<Value: Hashable>(_ object: NSObject, to type: Value.Type) -> Any? { object as? Value }

private func ancestors(of object: NSObject) -> [Mirror] {
  Array(
    sequence(first: Mirror(reflecting: object), next: \.superclassMirror).prefix { $0.subjectType != NSObject.self })
}

/// A measurement in any unit, whose mirror shows only the symbol of the unit.
private protocol AnyMeasurement {
  var value: Double { get }
  var anyUnit: Unit { get }
}

extension Measurement: AnyMeasurement {
  fileprivate var anyUnit: Unit { unit }
}

private func ownMembers(of object: NSObject) -> [Mirror.Child] {
  ancestors(of: object).reversed().filter { !isFoundationClass($0.subjectType) }.flatMap(\.children)
}

/// The converters of Foundation are linear or reciprocal.
private func data(of converter: UnitConverter) -> [Mirror.Child] {
  let linear = converter as? UnitConverterLinear
  let inherited: [Mirror.Child] =
    if let linear { [("coefficient", linear.coefficient), ("constant", linear.constant)] } else {
      [("baseValueOfOne", converter.baseUnitValue(fromValue: 1))]
    }
  return inherited + ownMembers(of: converter)
}

private func isFoundationClass(_ type: Any.Type) -> Bool {
  let name = String(reflecting: type).prefix { $0 != "<" }
  let module = name.prefix { $0 != "." }
  return module.endIndex == name.endIndex
    || ["Foundation", "FoundationNetworking", "FoundationXML", "__C"].contains(module)
}

/// Returns what `String(describing:)` returns, with the entries of `userInfo` in a fixed order.
func orderedDescription(of value: Any) -> String {
  let description = String(describing: value)
  if let error = value as? any CustomNSError, description.hasPrefix("Error Domain=") {
    return errorText(error as NSError)
  }
  if let notification = value as? Notification, let entries = notification.userInfo, entries.count > 1 {
    let object = notification.object.map { ", object = \($0)" } ?? ""
    return "name = \(notification.name.rawValue)\(object), userInfo = \(readableLine(of: entries))"
  }
  return description
}

func notificationText(_ notification: NSNotification) -> String {
  let text = withoutAddresses(notification.debugDescription)
  guard let entries = notification.userInfo, entries.count > 1 else { return text }
  let object = notification.object.map { "; object = \(withoutAddresses("\($0)"))" } ?? ""
  return text.prefix { $0 != "{" }
    + "{name = \(notification.name.rawValue)\(object); userInfo = \(readableLine(of: entries))}"
}

func errorText(_ error: NSError) -> String {
  let text = withoutAddresses(error.debugDescription)
  guard !error.userInfo.isEmpty, let start = text.range(of: "UserInfo={") else { return text }
  let entries = error.userInfo.map { key, value in
    if let error = value as? any Error { return "\(key)=\(errorText(error as NSError))" }
    switch Mirror(reflecting: value).displayStyle {
    case .dictionary, .set, .collection: return "\(key)=\(readableLine(of: value))"
    default: return "\(key)=\(withoutAddresses("\(value)"))"
    }
  }
  return text[..<start.upperBound] + entries.sorted().joined(separator: ", ") + "}"
}

func attributedText(_ text: AttributedString) -> String {
  text.runs.map { run in
    "\(String(text[run.range].characters)) \(sortedLines(of: run.attributes).joined(separator: "\n"))"
  }
  .joined(separator: "\n")
}

private func sortedLines(of attributes: AttributeContainer) -> [String] {
  let lines = "\(attributes)".split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  guard lines.count > 3, let first = lines.first, let last = lines.last else { return lines }
  return [first] + lines.dropFirst().dropLast().sorted() + [last]
}

private func runs(of text: AttributedString) -> [Mirror.Child] {
  text.runs.map { run in (String(text[run.range].characters).debugDescription, attributes(of: run.attributes)) }
}

private func runs(of text: NSAttributedString) -> [Mirror.Child] {
  var runs: [Mirror.Child] = []
  let string = text.string as NSString
  text.enumerateAttributes(in: NSRange(location: 0, length: text.length), options: []) { attributes, range, _ in
    let named = attributes.map { ($0.key.rawValue, $0.value) }
    runs.append((string.substring(with: range).debugDescription, Dictionary(named) { first, _ in first }))
  }
  return runs
}

/// Foundation does not list all of them, so they come from the mirror or from the description.
private func attributes(of container: AttributeContainer) -> Any {
  guard let contents = Mirror(reflecting: container).descendant("storage", "contents") else {
    return sortedLines(of: container)
  }
  var attributes: [String: Any] = [:]
  for (_, entry) in Mirror(reflecting: contents).children {
    let parts = Mirror(reflecting: entry).children.map(\.value)
    guard parts.count == 2, let name = parts[0] as? String else { return sortedLines(of: container) }
    attributes[name] = Mirror(reflecting: parts[1]).descendant("_rawValue") ?? parts[1]
  }
  return attributes
}

private func counts(in set: NSCountedSet) -> [AnyHashable: Int] {
  var counts: [AnyHashable: Int] = [:]
  for case let element as AnyHashable in set.allObjects { counts[element] = set.count(for: element.base) }
  return counts
}

/// The members of a set as ranges of hexadecimal code points.
private func codePoints(in set: CharacterSet) -> String {
  var ranges: [ClosedRange<UInt32>] = []
  for plane: UInt8 in 0...16 where set.hasMember(inPlane: plane) {
    for value in UInt32(plane) << 16...UInt32(plane) << 16 + 0xFFFF {
      guard let scalar = Unicode.Scalar(value), set.contains(scalar) else { continue }
      if let last = ranges.last, last.upperBound + 1 == value {
        ranges[ranges.count - 1] = last.lowerBound...value
      } else {
        ranges.append(value...value)
      }
    }
  }
  func text(_ value: UInt32) -> String { String(value, radix: 16, uppercase: true).leftPadded(to: 4) }
  return ranges.map { $0.count == 1 ? text($0.lowerBound) : "\(text($0.lowerBound))–\(text($0.upperBound))" }
    .joined(separator: ", ")
}
