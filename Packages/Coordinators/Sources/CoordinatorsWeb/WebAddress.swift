internal import Coordinators

/// Each screen has an address with its identity, for example `/screens/7`.
///
/// The history of the browser is therefore a list of screens, and its back button requests a screen below the visible
/// one.
enum WebAddress: Hashable, Sendable {
  case home
  case screen(NodeID)
  case row(String, on: NodeID)
  case tab(TabKey, on: NodeID)
  case form(String, on: NodeID)
  case input(String, on: NodeID)
  case button(String, on: NodeID)
  case refresh(on: NodeID)

  var origin: NodeID? {
    switch self {
    case .home: nil
    case .screen(let id), .row(_, let id), .tab(_, let id), .form(_, let id), .input(_, let id), .button(_, let id),
      .refresh(let id):
      id
    }
  }

  var isChange: Bool {
    switch self {
    case .home, .screen, .row, .tab: false
    case .form, .input, .button, .refresh: true
    }
  }

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
    isEmpty ? "~" : segmentCharacters.encoding(self).replacing("%", with: "~")
  }

  fileprivate init?(segment: String) {
    let encoded = segment == "~" ? "" : segment.replacing("~", with: "%")
    guard !segment.contains("%"), let text = String(percentEncoded: encoded.utf8) else { return nil }
    self = text
  }
}

private let segmentCharacters = LinkCharacters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
