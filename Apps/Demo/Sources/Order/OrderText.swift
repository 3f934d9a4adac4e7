internal import Foundation

/// Words that come from a server or a command line, as they are shown.
///
/// In text nothing drives a terminal, ends a line or turns the direction of what follows: such a character is shown by its
/// number, so that two names that differ never look the same. In JSON it is escaped, so that the name that is read is the name
/// that was sent.
enum OrderText {
  /// A line of text.
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { !isPlain($0) }) else { return text }
    return text.unicodeScalars.map {
      isPlain($0) ? String($0) : #"\u{\#(String($0.value, radix: 16, uppercase: true))}"#
    }
    .joined()
  }

  fileprivate static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: false
    case 0x061C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: false
    default: true
    }
  }
}

/// A value as a line of JSON.
func jsonLine(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { return "{}" }
  // JSON's own characters are all plain, so what is not is inside of a string; and all of it has four digits.
  return String(decoding: data, as: UTF8.self).unicodeScalars.map { scalar in
    guard !OrderText.isPlain(scalar) else { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    return #"\u"# + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }.joined()
}

extension URL {
  /// The address without the user and the password in it.
  var withoutSecrets: String {
    guard user != nil || password != nil, var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
    else { return absoluteString }
    (components.user, components.password) = (nil, nil)
    return components.string ?? "the given address"
  }
}
