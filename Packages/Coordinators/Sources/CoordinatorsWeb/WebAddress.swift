internal import Coordinators

/// A parsed address of a ``WebShell``.
///
/// Each screen has an address with its identity, for example `/screens/7`. The history of the browser is therefore a list of
/// screens, and its back button requests a screen below the visible one.
enum WebAddress: Hashable, Sendable {
  case home
  case screen(NodeID)
  case row(String, on: NodeID)
  case tab(TabKey, on: NodeID)
  case form(String, on: NodeID)
  /// The input of a form that is not submitted yet.
  case input(String, on: NodeID)
  case button(String, on: NodeID)
  case refresh(on: NodeID)

  /// The screen that the request was sent from; `nil` for the start page.
  var origin: NodeID? {
    switch self {
    case .home: nil
    case .screen(let id), .row(_, let id), .tab(_, let id), .form(_, let id), .input(_, let id), .button(_, let id),
      .refresh(let id):
      id
    }
  }

  /// Whether its method is POST.
  var isChange: Bool {
    switch self {
    case .home, .screen, .row, .tab: false
    case .form, .input, .button, .refresh: true
    }
  }

  /// Parses a path.
  init?(path: String) {
    let parts = path.split(separator: "/").map(String.init)
    if parts.isEmpty {
      self = .home
      return
    }
    guard parts.count >= 2, parts[0] == "screens", let number = Int(parts[1]) else { return nil }
    let id = NodeID(rawValue: number)
    let name = parts.count > 3 ? String(segment: parts[3]) : nil
    switch (parts.count, parts.count > 2 ? parts[2] : "", name) {
    case (2, _, _): self = .screen(id)
    case (3, "refresh", _): self = .refresh(on: id)
    case (4, "rows", let name?): self = .row(name, on: id)
    case (4, "tabs", let name?): self = .tab(TabKey(name), on: id)
    case (4, "forms", let name?): self = .form(name, on: id)
    case (5, "forms", let name?) where parts[4] == "input": self = .input(name, on: id)
    case (4, "buttons", let name?): self = .button(name, on: id)
    default: return nil
    }
  }

  /// The path.
  var path: String {
    switch self {
    case .home: "/"
    case .screen(let id): "/screens/\(id.rawValue)"
    case .row(let row, let id): "/screens/\(id.rawValue)/rows/\(row.segment)"
    case .tab(let key, let id): "/screens/\(id.rawValue)/tabs/\(key.name.segment)"
    case .form(let form, let id): "/screens/\(id.rawValue)/forms/\(form.segment)"
    case .input(let form, let id): WebAddress.form(form, on: id).path + "/input"
    case .button(let button, let id): "/screens/\(id.rawValue)/buttons/\(button.segment)"
    case .refresh(let id): "/screens/\(id.rawValue)/refresh"
    }
  }
}

extension String {
  /// This text as a path segment: letters, digits, `-` and `_` are unchanged, every other byte is `~` and two hexadecimal
  /// digits.
  ///
  /// An empty text is `~`. Percent-encoding would not work: servers decode it before they split the path, and refuse an encoded
  /// slash or dots.
  fileprivate var segment: String {
    if isEmpty { return "~" }
    var result = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "~" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  /// Decodes a segment; `nil` if it is malformed.
  fileprivate init?(segment: String) {
    var bytes: [UInt8] = []
    var rest = Array(segment.utf8)[...]
    if segment == "~" { rest = [] }
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    self = text
  }
}
