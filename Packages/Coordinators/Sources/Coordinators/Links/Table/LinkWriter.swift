/// What is written before a value, and how the value is.
struct LinkOperation: Sendable {
  enum Place: Sendable {
    /// A segment; whether a slash comes before the first of them.
    case path(needsSlash: Bool)
    /// A query item, with the name encoded.
    case item(name: [UInt8])
    case fragment
  }

  /// Literals, encoded, with their slashes.
  var before: [UInt8]
  /// Whether the literals end in query items.
  var beginsQuery = false
  var place: Place
}

/// Writes links, each value into its place.
@usableFromInline
struct LinkWriter {
  private(set) var bytes: [UInt8]
  /// The link that is asked whether it is for the route, among all.
  @usableFromInline var link = 0
  private let layouts: [LinkLayout]
  private var operations: [LinkOperation] = []
  private var position = -1
  private var pieces = 0
  private var hasQuery = false
  /// The first value that cannot be written.
  private(set) var refusedValue: Int?

  init(prefix: [UInt8], layouts: [LinkLayout]) {
    self.layouts = layouts
    bytes = []
    bytes.reserveCapacity(prefix.count + 96)
    bytes += prefix
  }

  /// Goes on to the next value, over the literals before it.
  @usableFromInline
  mutating func advance() {
    // The first value: only now is it certain that the link is the right one.
    if position < 0 { operations = layouts[link].operations }
    position += 1
    pieces = 0
    guard operations.indices.contains(position) else { return refuse() }
    bytes += operations[position].before
    if operations[position].beginsQuery { hasQuery = true }
  }

  /// Says that the value cannot be written.
  mutating func refuse() {
    if refusedValue == nil { refusedValue = position }
  }

  /// The whole link, with what comes after the last value.
  func text(before after: [UInt8]) -> String {
    if after.isEmpty { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes + after, as: UTF8.self)
  }

  /// Writes a piece of text, encoded as its place needs it.
  mutating func write(_ text: String) {
    guard let allowed = beginPiece() else { return }
    if case .path = operations[position].place {
      if text.isEmpty { return refuse() }
      // What stands for "here" and "above" is encoded, lest somebody on the way resolves it.
      if text == "." || text == ".." {
        for _ in text.utf8 { bytes += [UInt8(ascii: "%"), UInt8(ascii: "2"), UInt8(ascii: "E")] }
        return
      }
    }
    for byte in text.utf8 {
      if allowed.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
      }
    }
  }

  /// Writes a whole number.
  mutating func write(_ number: Int) {
    if beginPiece() != nil { bytes += String(number).utf8 }
  }

  private mutating func beginPiece() -> ByteSet? {
    guard operations.indices.contains(position) else { return nil }
    defer { pieces += 1 }
    switch operations[position].place {
    case .path(let needsSlash):
      if needsSlash || pieces > 0 { bytes.append(UInt8(ascii: "/")) }
      return .path
    case .item(let name):
      bytes.append(hasQuery ? UInt8(ascii: "&") : UInt8(ascii: "?"))
      hasQuery = true
      bytes += name
      bytes.append(UInt8(ascii: "="))
      return .query
    case .fragment:
      bytes.append(UInt8(ascii: "#"))
      return .query
    }
  }
}

/// A text as it stands in a link.
func percentEncoded(_ text: String, _ allowed: ByteSet) -> [UInt8] {
  text.utf8.flatMap { byte in
    allowed.contains(byte) ? [byte] : [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
  }
}
