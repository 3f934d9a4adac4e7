/// Where a value of a link stands.
enum LinkSlot: Sendable {
  case segment(Int)
  case rest(from: Int)
  case item(LinkItemName)
  case fragment
}

/// The name of a query item, as text and as the bytes that are compared.
struct LinkItemName: Sendable {
  let text: String
  let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }
}

/// Reads the values of one link after the other, each from its slot.
@usableFromInline
struct LinkReader {
  @usableFromInline
  struct Mismatch: Error {}

  private struct Item {
    var name: ByteRange
    var value: ByteRange
    var isNameEncoded: Bool
  }

  private let bytes: [UInt8]
  private let parts: LinkParts
  private var slots: [LinkSlot] = []
  private var position = -1
  private var limit = Int.max
  /// Which piece of a repeated value comes next: a number of segments, or the item from which to search.
  private var piece = 0
  private var items: [Item]?

  /// Why the last link did not fit.
  private(set) var kind = LinkError.Kind.mismatch
  private(set) var failureOffset = -1
  /// What a malformed value should have had.
  private(set) var wellFormed = ""
  var failedValue: Int { position }

  init(_ bytes: [UInt8], _ parts: LinkParts) {
    self.bytes = bytes
    self.parts = parts
  }

  /// Begins with another link.
  ///
  /// - Parameter limit: From where on nothing is of interest, and so not there.
  mutating func begin(_ slots: [LinkSlot], before limit: Int = .max) {
    self.slots = slots
    self.limit = limit
    position = -1
    piece = 0
    failureOffset = -1
    kind = .mismatch
  }

  /// Goes on to the next value.
  @usableFromInline
  mutating func advance() {
    position += 1
    piece = 0
  }

  /// Goes on to the next piece of a repeated value.
  mutating func advancePiece() { piece += 1 }

  /// Whether there is no piece, or no more.
  var isAbsent: Bool { mutating get { nextPiece() == nil } }

  /// The value of the next piece.
  mutating func one<Value>(_ parse: (ArraySlice<UInt8>) -> Value?) throws(Mismatch) -> Value {
    guard let range = nextPiece() else { throw missing() }
    let (isPath, isItem) = component
    guard !isPath || range.start < range.end else { throw failure(.mismatch, at: range.start) }
    let piece = bytes[range.start..<range.end]
    guard piece.contains(where: { $0 == UInt8(ascii: "%") || (isItem && $0 == UInt8(ascii: "+")) }) else {
      guard let value = parse(piece) else { throw failure(.mismatch, at: range.start) }
      return value
    }
    var malformed = range.start
    guard let decoded = percentDecoded(bytes, range, plusIsSpace: isItem, malformedAt: &malformed) else {
      throw malformation("two hexadecimal digits after '%'", at: malformed)
    }
    if let value = parse(decoded[...]) { return value }
    guard String(validating: decoded, as: UTF8.self) != nil else {
      throw malformation("valid UTF-8 text", at: range.start)
    }
    throw failure(.mismatch, at: range.start)
  }

  /// Whether the query has an item of this name and text.
  mutating func hasItem(_ name: LinkItemName, _ value: [UInt8]) -> Bool {
    piece = 0
    while let range = nextItem(name) {
      var malformed = 0
      let text = percentDecoded(bytes, range, plusIsSpace: true, malformedAt: &malformed)
      if text?.elementsEqual(value) == true { return true }
      piece += 1
    }
    _ = failure(.missingQueryItem(name.text), at: parts.query?.end ?? parts.pathEnd)
    return false
  }

  /// Whether the fragment is this one.
  mutating func hasFragment(_ fragment: [UInt8]) -> Bool {
    if let range = parts.fragment {
      var malformed = 0
      let text = percentDecoded(bytes, range, plusIsSpace: false, malformedAt: &malformed)
      if text?.elementsEqual(fragment) == true { return true }
    }
    _ = failure(.mismatch, at: parts.fragment?.start ?? parts.end)
    return false
  }

  private var component: (isPath: Bool, isItem: Bool) {
    switch slots[position] {
    case .segment, .rest: (true, false)
    case .item: (false, true)
    case .fragment: (false, false)
    }
  }

  private mutating func nextPiece() -> ByteRange? {
    guard slots.indices.contains(position) else { return nil }
    if limit < .max { return earlyPiece() }
    switch slots[position] {
    case .segment(let index): return piece == 0 && index < parts.segments.count ? parts.segments[index] : nil
    case .rest(let index): return index + piece < parts.segments.count ? parts.segments[index + piece] : nil
    case .item(let name): return nextItem(name)
    case .fragment: return piece == 0 ? parts.fragment : nil
    }
  }

  /// The next piece when it is in the path before the limit.
  private func earlyPiece() -> ByteRange? {
    let index: Int
    switch slots[position] {
    case .segment(let place): index = piece == 0 ? place : parts.segments.count
    case .rest(let place): index = place + piece
    case .item, .fragment: return nil
    }
    return index < parts.segments.count && parts.segments[index].start < limit ? parts.segments[index] : nil
  }

  /// The first item of that name from `piece` on, which moves there: all of a repeated one take one pass.
  private mutating func nextItem(_ name: LinkItemName) -> ByteRange? {
    if items == nil { items = splitItems() }
    guard let items else { return nil }
    while piece < items.count {
      if isName(items[piece], name.bytes) { return items[piece].value }
      piece += 1
    }
    return nil
  }

  private func isName(_ item: Item, _ name: [UInt8]) -> Bool {
    if item.isNameEncoded {
      var malformed = 0
      return percentDecoded(bytes, item.name, plusIsSpace: true, malformedAt: &malformed)?.elementsEqual(name) ?? false
    }
    return bytes[item.name.start..<item.name.end].elementsEqual(name)
  }

  private func splitItems() -> [Item] {
    guard let query = parts.query else { return [] }
    var items: [Item] = []
    var start = query.start
    var equals = -1
    var isEncoded = false
    for index in query.start...query.end {
      let byte = index < query.end ? bytes[index] : UInt8(ascii: "&")
      switch byte {
      case UInt8(ascii: "&"):
        if start < index {
          let name = ByteRange(start: start, end: equals < 0 ? index : equals)
          items.append(
            Item(
              name: name, value: ByteRange(start: equals < 0 ? index : equals + 1, end: index), isNameEncoded: isEncoded
            ))
        }
        (start, equals, isEncoded) = (index + 1, -1, false)
      case UInt8(ascii: "="): if equals < 0 { equals = index }
      case UInt8(ascii: "%"), UInt8(ascii: "+"): if equals < 0 { isEncoded = true }
      default: break
      }
    }
    return items
  }

  private mutating func missing() -> Mismatch {
    switch slots.indices.contains(position) ? slots[position] : .fragment {
    case .item(let name): failure(.missingQueryItem(name.text), at: parts.query?.end ?? parts.pathEnd)
    case .segment, .rest: failure(.mismatch, at: parts.pathEnd)
    case .fragment: failure(.mismatch, at: parts.end)
    }
  }

  private mutating func malformation(_ wellFormed: String, at offset: Int) -> Mismatch {
    self.wellFormed = wellFormed
    return failure(.malformed, at: offset)
  }

  private mutating func failure(_ kind: LinkError.Kind, at offset: Int) -> Mismatch {
    self.kind = kind
    failureOffset = offset
    return Mismatch()
  }
}
