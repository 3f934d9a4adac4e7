/// Turns the bytes of a terminal into keys: a state machine, fed as the bytes come.
///
/// How the bytes are cut into pieces never changes the events. Esc is ambiguous, since every special key begins with
/// its byte; while `isWaiting`, call `timeout()` when nothing has come for a moment (50 ms is usual), and what is
/// pending is resolved. Any bytes are fine: broken UTF-8 becomes U+FFFD, unknown sequences `.unrecognized`, and
/// nothing that is held back is longer than a fixed limit.
///
/// ```swift
/// var parser = KeyParser()
/// parser.feed([0x1B, 0x5B])  // []
/// parser.feed([0x41])        // [.key(.up)]
/// ```
public struct KeyParser: Sendable {
  /// The most bytes of a paste that are held before they are handed on as an event.
  public static let longestPaste = 65_536

  private enum State {
    case ground
    case escape
    /// After `ESC [`, with the bytes since, as many as are kept.
    case control([UInt8])
    /// After `ESC [ [`, the Linux console's function keys.
    case console
    /// After `ESC O`, with the bytes since.
    case single([UInt8])
    /// An OSC, DCS, APC, PM or SOS string: a reply that nobody asked for. True after an ESC inside it.
    case string(introducer: UInt8, sawEscape: Bool, length: Int)
    case paste
  }

  private static let longestSequence = 32
  private static let longestString = 4_096

  private var state = State.ground
  private var text = UTF8Decoder()
  private var pendingAlt = false
  private var paste = PasteBuffer()

  /// A parser at rest.
  public init() {}

  /// Whether bytes are held back that only more bytes, or a time-out, can resolve.
  public var isWaiting: Bool {
    if case .ground = state { return text.isWaiting || pendingAlt }
    return true
  }

  /// Takes the next bytes and gives the events they complete, in order.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    var events: [InputEvent] = []
    for byte in bytes { take(byte, into: &events) }
    return events
  }

  /// Resolves what is pending, because nothing has come for a while: a lone Esc is the Esc key, half a sequence is
  /// `.unrecognized`, half a character U+FFFD.
  ///
  /// A paste under way is handed on piecemeal; when nothing at all has come since the last time-out, its end is taken
  /// for lost and keys are keys again.
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
      // One more than the longest means too long: the rest of it is read, and not kept.
      if bytes.count <= Self.longestSequence { state = .control(bytes + [byte]) }
    case 0x40...0x7E where bytes.count > Self.longestSequence:
      state = .ground
      events.append(.unrecognized([0x1B, 0x5B] + bytes))
    case 0x40...0x7E:
      state = .ground
      let sequence = ControlSequence(parameters: bytes, final: byte)
      if sequence.startsPaste { state = .paste } else if let event = sequence.event { events.append(event) }
    default:
      // Not a byte of any control sequence: what came so far was none, and the byte speaks for itself.
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
