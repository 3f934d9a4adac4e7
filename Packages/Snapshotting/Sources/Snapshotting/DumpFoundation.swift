internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension Readable {
  /// Whether values of a type may need another form than their mirror or their description.
  static func hasFoundationForm(_ type: Any.Type) -> Bool {
    type is NSObject.Type || type == TimeZone.self || type == CharacterSet.self
      || type == AttributedString.self || type == DispatchData.self || type is AnyKeyPath.Type
  }

  /// Returns a complete and deterministic form of a Foundation value; `nil` if its mirror is one.
  ///
  /// Some Foundation types have a mirror or a description that shows addresses, omits data, or lists entries in a random order.
  static func form(ofFoundation value: Any, _ facts: TypeFacts) -> Dump.Form? {
    func members(_ members: [Mirror.Child]) -> Dump.Form { branch(facts.name, .parentheses, members) }
    switch value {
    case let number as NSNumber: return Dump.Form(text: number.text)
    // Their descriptions and mirrors omit data, or differ in each run.
    case is AnyKeyPath, is CharacterSet, is DispatchData, is HTTPCookie, is NSAttributedString, is NSCountedSet,
      is NSValue:
      return hidden(facts)
    case is NSArray, is NSDictionary, is NSSet, is NSOrderedSet: return nil
    case let zone as TimeZone: return Dump.Form(text: "TimeZone(\(zone.identifier))")
    case let text as AttributedString:
      return members(
        text.runs.map { run in
          let attributes = "\(run.attributes)".split(separator: "\n").dropFirst().dropLast().sorted()
          return (String(text[run.range].characters).debugDescription, attributes.map { $0.trimmingPrefix("\t") })
        })
    case let text as NSString: return Dump.Form(text: text.substring(from: 0).debugDescription)
    case let error as NSError:
      return members([("domain", error.domain), ("code", error.code), ("userInfo", error.userInfo)])
    case let unit as Unit: return Dump.Form(text: "\(facts.name)(\(unit.symbol))")
    case let response as HTTPURLResponse:
      return members([
        ("url", response.url as Any), ("statusCode", response.statusCode), ("headers", response.allHeaderFields),
      ])
    case let object as NSObject
    where object.hasAddress && !(object is any NSLocking && isOfFoundation(type(of: object))):
      let classes = sequence(first: Mirror(reflecting: object), next: \.superclassMirror)
        .prefix { $0.subjectType != NSObject.self }
      return classes.allSatisfy { !isOfFoundation($0.subjectType) } ? nil : hidden(facts)
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
