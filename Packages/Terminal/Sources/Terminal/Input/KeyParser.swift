/// A state machine that converts the bytes of a terminal into keys.
///
/// The division of the bytes into chunks does not affect the events. Esc is ambiguous, because every special key starts
/// with its byte. While `isWaiting`, call `timeout()` when no byte has arrived for a short time (50 ms is usual), to
/// resolve the pending bytes. Any bytes are accepted: malformed UTF-8 becomes U+FFFD and an unknown sequence becomes
/// `.unrecognized`. The number of pending bytes is limited.
///
/// ```swift
/// var parser = KeyParser()
/// parser.feed([0x1B, 0x5B])  // []
/// parser.feed([0x41])        // [.key(.up)]
/// ```
public struct KeyParser: Sendable {
  /// The maximum number of pending bytes of a paste before they are returned as an event.
  public static let maximumPasteLength = 65_536

  private enum State {
    case ground
    case escape
    /// After `ESC [`, with the bytes received since, up to a limit.
    case control([UInt8])
    /// After `ESC [ [`, for the Linux console's function keys.
    case console
    /// After `ESC O`, with the bytes received since.
    case single([UInt8])
    /// In an OSC, DCS, APC, PM or SOS string, an unsolicited reply; `sawEscape` is true after an ESC inside it.
    case string(introducer: UInt8, sawEscape: Bool, length: Int)
    case paste
  }

  private static let longestSequence = 32
  private static let longestString = 4_096

  private var state = State.ground
  private var text = UTF8Decoder()
  private var pendingAlt = false
  private var paste = PasteBuffer()

  /// Creates a parser without pending bytes.
  public init() {}

  /// Whether bytes are pending that only more bytes, or a timeout, can resolve.
  public var isWaiting: Bool {
    if case .ground = state { return text.isWaiting || pendingAlt }
    return true
  }

  /// Parses the next bytes and returns the completed events, in order.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    var events: [InputEvent] = []
    for byte in bytes { take(byte, into: &events) }
    return events
  }

  /// Resolves the pending bytes when no more bytes arrive, and returns their events.
  ///
  /// A lone Esc is the Esc key, an incomplete sequence is `.unrecognized`, and an incomplete character is U+FFFD.
  ///
  /// An incomplete paste is returned in pieces. If no byte has arrived since the previous timeout, the end marker counts
  /// as lost, and later bytes are keys again.
  public mutating func timeout() -> [InputEvent] {
    var events: [InputEvent] = []
    let pending = state
    if case .paste = pending {
      let piece = paste.takeSettled()
      if !piece.isEmpty { return [.paste(piece)] }
      state = .ground
      return paste.takeAll().map { [.paste($0)] } ?? []
    }
    state = .ground
    switch pending {
    case .ground, .paste: break
    case .escape: events.append(.key(.escape))
    case .control(let bytes):
      events.append(bytes.isEmpty ? .key(.character("["), .alt) : .unrecognized([0x1B, 0x5B] + bytes))
    case .console: events.append(.unrecognized([0x1B, 0x5B, 0x5B]))
    case .single(let bytes):
      events.append(bytes.isEmpty ? .key(.character("O"), .alt) : .unrecognized([0x1B, 0x4F] + bytes))
    case .string(let introducer, _, let length):
      if length == 0 { events.append(.key(.character(Character(Unicode.Scalar(introducer))), .alt)) }
    }
    if text.finish() { emit("\u{FFFD}", into: &events) }
    pendingAlt = false
    return events
  }

  private mutating func take(_ byte: UInt8, into events: inout [InputEvent]) {
    switch state {
    case .ground:
      takeText(byte, into: &events)
    case .escape:
      takeAfterEscape(byte, into: &events)
    case .control(let bytes):
      takeControl(byte, after: bytes, into: &events)
    case .console:
      state = .ground
      if let key = KeyTable.console(byte) {
        events.append(.key(key))
      } else {
        events.append(.unrecognized([0x1B, 0x5B, 0x5B, byte]))
      }
    case .single(let bytes):
      takeSingle(byte, after: bytes, into: &events)
    case .string(let introducer, let sawEscape, let length):
      let isEnd = byte == 0x07 || byte == 0x18 || byte == 0x1A || (sawEscape && byte == 0x5C)
      let isOver = isEnd || length >= Self.longestString
      state = isOver ? .ground : .string(introducer: introducer, sawEscape: byte == 0x1B, length: length + 1)
    case .paste:
      if let piece = paste.take(byte) { events.append(.paste(piece)) }
      if paste.isFinished {
        paste = PasteBuffer()
        state = .ground
      }
    }
  }

  private mutating func takeText(_ byte: UInt8, into events: inout [InputEvent]) {
    if byte == 0x1B {
      if text.finish() { emit("\u{FFFD}", into: &events) }
      state = .escape
      return
    }
    for scalar in text.decode(byte) { emit(scalar, into: &events) }
  }

  private mutating func emit(_ scalar: Unicode.Scalar, into events: inout [InputEvent]) {
    var press = KeyTable.press(scalar)
    if pendingAlt { press.modifiers.insert(.alt) }
    pendingAlt = false
    events.append(.key(press))
  }

  private mutating func takeAfterEscape(_ byte: UInt8, into events: inout [InputEvent]) {
    switch byte {
    case 0x5B: state = .control([])
    case 0x4F: state = .single([])
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F: state = .string(introducer: byte, sawEscape: false, length: 0)
    case 0x1B: events.append(.key(.escape))
    default:
      state = .ground
      pendingAlt = true
      takeText(byte, into: &events)
    }
  }

  private mutating func takeControl(_ byte: UInt8, after bytes: [UInt8], into events: inout [InputEvent]) {
    switch byte {
    case 0x5B where bytes.isEmpty:
      state = .console
    case 0x20...0x3F:
      // One byte more than the maximum marks the sequence as too long; its later bytes are read but not stored.
      if bytes.count <= Self.longestSequence { state = .control(bytes + [byte]) }
    case 0x40...0x7E where bytes.count > Self.longestSequence:
      state = .ground
      events.append(.unrecognized([0x1B, 0x5B] + bytes))
    case 0x40...0x7E:
      state = .ground
      let sequence = ControlSequence(parameters: bytes, final: byte)
      if sequence.startsPaste { state = .paste } else if let event = sequence.event { events.append(event) }
    default:
      // Not a byte of a control sequence: the bytes so far are unrecognized, and this byte is parsed separately.
      state = .ground
      events.append(.unrecognized([0x1B, 0x5B] + bytes))
      take(byte, into: &events)
    }
  }

  private mutating func takeSingle(_ byte: UInt8, after bytes: [UInt8], into events: inout [InputEvent]) {
    switch byte {
    case 0x30...0x39 where bytes.count < 2:
      state = .single(bytes + [byte])
    case 0x20...0x7E:
      state = .ground
      let modifiers = ControlSequence.modifiers(bytes.reduce(0) { $0 * 10 + Int($1) - 0x30 })
      if let key = KeyTable.single(byte) {
        events.append(.key(key, modifiers))
      } else {
        events.append(.unrecognized([0x1B, 0x4F] + bytes + [byte]))
      }
    default:
      state = .ground
      events.append(.unrecognized([0x1B, 0x4F] + bytes))
      take(byte, into: &events)
    }
  }
}
