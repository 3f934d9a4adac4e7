internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension Readable {
  /// Returns a complete and deterministic form of a Foundation value; `nil` if its mirror is one.
  ///
  /// Some Foundation types have a mirror or a description that shows addresses, omits data, or lists entries in a random order.
  static func form(ofFoundation value: Any, _ facts: TypeFacts) -> Dump.Form? {
    func members(_ members: [Mirror.Child]) -> Dump.Form { branch(facts.name, .parentheses, members) }
    let follows = ".autoupdatingCurrent"
    if facts.isObject, let object = value as? NSObject {
      let classes = Array(sequence(first: Mirror(reflecting: object), next: \.superclassMirror))
      let own = classes.prefix { !isOfFoundation($0.subjectType) }
      let hasMembers = own.contains { !$0.children.isEmpty }
      if classes.dropFirst(own.count).first?.subjectType == NSObject.self {
        let isOverridden = object.snapshotDescription != withoutAddresses(object.debugDescription)
        let isDescribed = isOverridden || !hasMembers && !object.hasAddress
        return isDescribed ? Dump.Form(text: object.snapshotDescription) : nil
      }
      if hasMembers { return hidden(facts, "its superclass is of Foundation") }
    }
    switch value {
    case let number as NSNumber: return Dump.Form(text: number.text)
    // Their descriptions and mirrors omit data, or differ in each run.
    case is AnyKeyPath, is CharacterSet, is DispatchData, is HTTPCookie, is NSAttributedString, is NSCountedSet,
      is NSValue:
      return hidden(facts)
    case is NSArray, is NSDictionary, is NSSet, is NSOrderedSet: return nil
    // The mirrors of the next three show how they are implemented, and the settings of the machine.
    case let zone as TimeZone:
      // The identifier lacks the seconds.
      let seconds = zone.secondsFromGMT() % 60 == 0 ? "" : ", \(zone.secondsFromGMT()) seconds"
      return Dump.Form(text: "TimeZone" + (zone == .autoupdatingCurrent ? follows : "(\(zone.identifier)\(seconds))"))
    case let locale as Locale:
      return Dump.Form(text: "Locale" + (locale == .autoupdatingCurrent ? follows : "(\(locale.identifier))"))
    case let calendar as Calendar:
      if calendar == .autoupdatingCurrent { return Dump.Form(text: "Calendar" + follows) }
      return members([
        ("identifier", calendar.identifier), ("locale", calendar.locale as Any), ("timeZone", calendar.timeZone),
        ("firstWeekday", calendar.firstWeekday), ("minimumDaysInFirstWeek", calendar.minimumDaysInFirstWeek),
      ])
    case let text as AttributedString:
      return members(
        text.runs.map { run in
          let attributes = Mirror(reflecting: run.attributes).descendant("storage", "contents") as? [String: Any]
          let values = attributes?.mapValues { Mirror(reflecting: $0).descendant("_rawValue") ?? $0 }
          return (String(text[run.range].characters).debugDescription, values ?? run.attributes)
        })
    case let text as NSString: return Dump.Form(text: text.substring(from: 0).debugDescription)
    case let error as NSError:
      return members([("domain", error.domain), ("code", error.code), ("userInfo", error.userInfo)])
    case let unit as Dimension:
      let converter = unit.converter
      let values = [0, 1].map(converter.baseUnitValue(fromValue:))
      return Dump.Form(
        text: "\(facts.name)(\(unit.symbol), 0 = \(values[0]), 1 = \(values[1]))",
        gap: isOfFoundation(type(of: converter)) ? nil : "its converter is not one of Foundation")
    case let unit as Unit: return Dump.Form(text: "\(facts.name)(\(unit.symbol))")
    // Its mirror shows only the symbol of the unit.
    case let measurement as NSMeasurement:
      return members([("value", measurement.doubleValue), ("unit", measurement.unit)])
    case let response as HTTPURLResponse:
      return members([
        ("url", response.url as Any), ("statusCode", response.statusCode), ("headers", response.allHeaderFields),
      ])
    case let object as NSObject where object.hasAddress && !(object is any NSLocking): return hidden(facts)
    case let object as NSObject: return Dump.Form(text: object.snapshotDescription)
    default: return nil
    }
  }
}

extension NSNumber {
  /// Whether the number is `true` or `false`, which are objects of their own class.
  var isBoolean: Bool { self === NSNumber(value: true) || self === NSNumber(value: false) }

  var text: String {
    if isBoolean { return "\(boolValue)" }
    let isFloatingPoint = !(self is NSDecimalNumber) && ["d", "f"].contains(String(cString: objCType))
    return isFloatingPoint ? "\(doubleValue)" : stringValue
  }
}

func isOfFoundation(_ type: Any.Type) -> Bool {
  let name = String(reflecting: type).prefix { $0 != "<" }
  let module = name.prefix { $0 != "." }
  return module.endIndex == name.endIndex || module == "__C" || module == "Swift" || module.hasPrefix("Foundation")
}
