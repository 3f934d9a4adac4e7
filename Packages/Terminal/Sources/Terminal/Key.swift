/// A key, without its modifiers.
public enum Key: Hashable, Sendable {
  /// A key that types one Unicode scalar; a letter with a combining mark arrives as two keys.
  case character(Character)
  case enter
  /// Tab; back-tab when shift is held.
  case tab
  /// Backspace, which deletes to the left.
  case backspace
  /// Esc by itself.
  case escape
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  case insert
  /// Delete, which deletes to the right.
  case delete
  /// A function key by its number, from F1.
  case function(Int)
}

/// The modifier keys held while another key is pressed, as far as a terminal reports them.
///
/// Shift with a character is reported only as the resulting character. Control with a letter arrives as the lower case
/// letter.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let shift = KeyModifiers(rawValue: 1 << 0)
  public static let alt = KeyModifiers(rawValue: 1 << 1)
  public static let control = KeyModifiers(rawValue: 1 << 2)
}

/// A pressed key with its modifiers.
public struct KeyPress: Hashable, Sendable {
  public var key: Key
  public var modifiers: KeyModifiers

  public init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}

/// An input from the keyboard.
public enum InputEvent: Hashable, Sendable {
  case key(KeyPress)
  /// Text was pasted; it can contain newlines and control characters.
  case paste(String)
  /// The terminal sent an unknown sequence; its bytes, for a log.
  case unrecognized([UInt8])

  public static func key(_ key: Key, _ modifiers: KeyModifiers = []) -> InputEvent { .key(KeyPress(key, modifiers)) }
}
