internal import Foundation

/// Escapes text from a server or a command line for output.
///
/// In text, control characters, line breaks and direction marks are shown by their number, so that different names look
/// different. In JSON they are escaped, so that a reader gets the original name.
enum OutputText {
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

/// Encodes a value as one line of JSON.
func jsonLine(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { return "{}" }
  // JSON syntax is plain ASCII, so such a scalar is inside a string. All of them need at most four digits.
  return String(decoding: data, as: UTF8.self).unicodeScalars.map { scalar in
    guard !OutputText.isPlain(scalar) else { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    return #"\u"# + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }.joined()
}

extension URL {
  /// The URL without user and password.
  var withoutSecrets: String {
    guard user != nil || password != nil, var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
    else { return absoluteString }
    (components.user, components.password) = (nil, nil)
    return components.string ?? "the given address"
  }
}
